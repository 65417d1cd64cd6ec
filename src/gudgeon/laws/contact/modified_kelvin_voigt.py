"""Modified Kelvin-Voigt: a linear spring that pushes back with a fraction of its force.

    F = K depth k,   k = c_e                                for rate <= 0
                     k = c_e + (1 - c_e) (3 r^2 - 2 r^3)     for 0 < rate < v_0,  r = rate / v_0
                     k = 1                                   beyond

c_e is a ratio of energies: for fast impacts the restitution is sqrt(c_e), not c_e.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

from gudgeon.laws.contact.base import ContactLaw
from gudgeon.laws.law import Block, Law
from gudgeon.laws.pair import Pair
from gudgeon.quantity import SI, Ratio, Unit, WallStiffness

__all__ = ["ModifiedKelvinVoigt"]

RateTolerance = Annotated[SI, Unit("m/s", above=0.0)]


@dataclass(frozen=True)
class ModifiedKelvinVoigt(ContactLaw):
    """Linear stop with a smooth change of stiffness between loading and unloading.

    stiffness [N/m]
    energy_ratio [-]: c_e, part of the energy returned; restitution tends to its square root
    rate_tolerance [m/s]: v_0, rate at which the full stiffness is reached
    """

    reference: ClassVar[str] = "Ambrosio, Pombo 2018, Eq 54"
    works: ClassVar[tuple[str, ...]] = ("ambrosio2018",)
    validity: ClassVar[str] = "Impacts much faster than rate_tolerance; a slow one returns more energy."

    stiffness: WallStiffness
    energy_ratio: Ratio
    rate_tolerance: RateTolerance

    @property
    def requested_restitution(self) -> float:
        return math.sqrt(self.energy_ratio)

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(1e7, 0.25, 0.05)]

    @staticmethod
    def force(depth: float, rate: float, rate0: float, p: Block) -> float:
        """p[0] stiffness, p[1] energy ratio, p[2] rate tolerance."""
        k = p[1]
        if rate >= p[2]:
            k = 1.0
        elif rate > 0.0:
            r = rate / p[2]
            k = p[1] + (1.0 - p[1]) * r * r * (3.0 - 2.0 * r)
        return p[0] * depth * k

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """Impacts not fast against the transition."""
        if rate >= 2.0 * self.rate_tolerance:
            return []
        unit = f"{pair.depth_unit}/s"
        return [
            f"ModifiedKelvinVoigt: the largest rate {rate:.3g} {unit} is less than twice rate_tolerance "
            f"{self.rate_tolerance:.3g} {unit}; impacts return more energy than energy_ratio says"
        ]
