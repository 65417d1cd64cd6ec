"""Flores et al. 2011: a hysteresis law for the whole range of restitution.

F = K depth^n (1 + chi rate / rate0),   chi = 8 (1 - e) / (5 e)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.contact.hysteresis import HertzianHysteresis, PositiveRatio
from gudgeon.laws.law import Law

__all__ = ["Flores2011"]


@dataclass(frozen=True, kw_only=True)
class Flores2011(HertzianHysteresis):
    """Hertz law with damping from separate energy balances of compression and restitution.

    restitution [-]: what is asked, above 0
    """

    reference: ClassVar[str] = "Flores, Machado, Silva, Martins 2011, Multibody Syst. Dyn. 25, 357"
    works: ClassVar[tuple[str, ...]] = ("flores2011",)
    validity: ClassVar[str] = "Any restitution above 0; the real one is up to 0.045 lower (0.5 gives 0.470)."

    restitution: PositiveRatio

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(restitution=0.4)]

    @property
    def hysteresis(self) -> float:
        return 8.0 * (1.0 - self.restitution) / (5.0 * self.restitution)
