"""The hysteresis law that has exactly the given restitution.

F = K depth^n (1 + chi rate / rate0),   (1 + e) chi = ln((1 + chi) / (1 - chi e))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.contact.hysteresis import HertzianHysteresis, PositiveRatio
from gudgeon.laws.law import Law
from gudgeon.laws.restitution import exact_hysteresis

__all__ = ["ExactRestitution"]


@dataclass(frozen=True, kw_only=True)
class ExactRestitution(HertzianHysteresis):
    """Hertz law with damping for which the restitution of a free impact is exactly the given one.

    restitution [-]: what is asked, above 0, and what one gets
    """

    reference: ClassVar[str] = "Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209, relation solved for chi"
    works: ClassVar[tuple[str, ...]] = ("gonthier2004",)
    validity: ClassVar[str] = "Any restitution above 0, in free impact; a lasting contact keeps its rate0."

    restitution: PositiveRatio

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(restitution=0.2)]

    @property
    def hysteresis(self) -> float:
        return exact_hysteresis(self.restitution)
