"""Gonthier et al. 2004: closed approximation of the exact hysteresis.

F = K depth^n (1 + chi rate / rate0),   chi = (1 - e^2) / e
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.contact.hysteresis import HertzianHysteresis, PositiveRatio
from gudgeon.laws.law import Law

__all__ = ["Gonthier"]


@dataclass(frozen=True, kw_only=True)
class Gonthier(HertzianHysteresis):
    """Hertz law with damping that is exact for e -> 0 and close elsewhere.

    restitution [-]: what is asked, above 0
    """

    reference: ClassVar[str] = "Gonthier, McPhee, Lange, Piedboeuf 2004, Multibody Syst. Dyn. 11, 209"
    works: ClassVar[tuple[str, ...]] = ("gonthier2004",)
    validity: ClassVar[str] = "Any restitution above 0; the real one is within 0.031 of it (0.5 gives 0.488)."

    restitution: PositiveRatio

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(restitution=0.4)]

    @property
    def hysteresis(self) -> float:
        return (1.0 - self.restitution**2) / self.restitution
