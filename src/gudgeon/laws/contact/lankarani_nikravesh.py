"""Lankarani-Nikravesh: the hysteresis law of most clearance papers.

F = K depth^n (1 + chi rate / rate0),   chi = 3/4 (1 - e^2)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.contact.hysteresis import HertzianHysteresis
from gudgeon.laws.law import Law
from gudgeon.laws.material import BRONZE, STEEL
from gudgeon.laws.restitution import lankarani_nikravesh_hysteresis
from gudgeon.quantity import Ratio

__all__ = ["LankaraniNikravesh"]


@dataclass(frozen=True, kw_only=True)
class LankaraniNikravesh(HertzianHysteresis):
    """Hertz law with damping from an energy balance for small losses, the law of most papers.

    restitution [-]: what is asked; what one gets is `effective_restitution`, always more
    """

    reference: ClassVar[str] = "Lankarani, Nikravesh 1990, J. Mech. Des. 112, 369; Flores et al. 2006, Eq 20"
    works: ClassVar[tuple[str, ...]] = ("lankarani1990", "flores2006")
    validity: ClassVar[str] = "Restitution near 1 (0.9 gives 0.913, 0.5 gives 0.725), no yielding."

    restitution: Ratio

    @classmethod
    def examples(cls) -> list[Law]:
        return [
            cls(restitution=0.9),
            cls((STEEL, BRONZE), restitution=0.3, ratio_limit="both", clip=True),
            cls(stiffness=1e6, exponent=1.1, restitution=0.5, ratio_limit="above"),
        ]

    @property
    def hysteresis(self) -> float:
        return lankarani_nikravesh_hysteresis(self.restitution)
