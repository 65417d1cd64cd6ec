"""Modified Coulomb: F = -mu c_d N sign(v), c_d a linear ramp from 0 at v0 to 1 at v1.

Ambrosio 2002; Flores et al. 2007, who do not print v0 and v1. The defaults are those of the reference cases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from gudgeon.laws.friction.base import Coefficient, FrictionLaw, SlipSpeed
from gudgeon.laws.law import Block, Law
from gudgeon.quantity import GudgeonError

__all__ = ["ModifiedCoulomb"]


@dataclass(frozen=True)
class ModifiedCoulomb(FrictionLaw):
    """Coulomb friction with a linear ramp at low speed, without sticking.

    coefficient [-]
    v0 [m/s]: slip below which there is no friction
    v1 [m/s]: slip above which friction is full
    """

    reference: ClassVar[str] = "Ambrosio 2002; Flores et al. 2007, modified Coulomb law"
    works: ClassVar[tuple[str, ...]] = ("ambrosio2002", "flores2007")
    validity: ClassVar[str] = "Sliding faster than v1; a joint at rest creeps, since there is no stiction."

    coefficient: Coefficient
    v0: SlipSpeed = field(default=1e-3, kw_only=True)
    v1: SlipSpeed = field(default=1e-2, kw_only=True)

    def validate(self) -> None:
        if not self.v1 > self.v0:
            raise GudgeonError(f"ModifiedCoulomb: v1 {self.v1:g} m/s must be greater than v0 {self.v0:g} m/s")

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(0.1)]

    @staticmethod
    def force(slip: float, normal: float, state: float, p: Block) -> float:
        """p[0] coefficient, p[1] v0, p[2] v1."""
        speed = abs(slip)
        if speed <= p[1]:
            return 0.0
        ramp = 1.0
        if speed < p[2]:
            ramp = (speed - p[1]) / (p[2] - p[1])
        return -p[0] * normal * math.copysign(ramp, slip)
