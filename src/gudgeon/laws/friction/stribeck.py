"""Stribeck: friction falls from its static to its kinetic value as slip grows.

F = -N [ (mu_k + (mu_s - mu_k) exp(-(|v| / v_s)^2)) tanh(v / v0) + mu_v v ]
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, ClassVar

from gudgeon.laws.friction.base import Coefficient, FrictionLaw, SlipSpeed, StaticCoefficient
from gudgeon.laws.law import Block, Law
from gudgeon.quantity import SI, GudgeonError, Unit

__all__ = ["Stribeck", "ViscousCoefficient", "check_coefficients", "stribeck_level"]

ViscousCoefficient = Annotated[SI, Unit("s/m", minimum=0.0)]


def stribeck_level(slip: float, kinetic: float, static: float, stribeck_speed: float) -> float:
    """Friction coefficient at steady slip, without sign and without the viscous part."""
    r = slip / stribeck_speed
    return kinetic + (static - kinetic) * math.exp(-r * r)


def check_coefficients(law: str, kinetic: float, static: float) -> None:
    if static < kinetic:
        raise GudgeonError(f"{law}: static_coefficient {static:g} must be at least the kinetic {kinetic:g}; swap them?")


@dataclass(frozen=True)
class Stribeck(FrictionLaw):
    """Friction that falls with speed (Stribeck), smooth at zero speed, without sticking.

    coefficient [-]: kinetic
    static_coefficient [-]
    stribeck_speed [m/s]: slip over which friction falls
    v0 [m/s]: smoothing at rest, well below stribeck_speed
    viscous [s/m]: rise per slip and normal force
    """

    reference: ClassVar[str] = "Stribeck 1902; Bo, Pavelescu 1982, Wear 82, 277, with exponent 2"
    validity: ClassVar[str] = "Sliding faster than v0; a joint at rest creeps, since there is no stiction."

    coefficient: Coefficient
    _: KW_ONLY
    static_coefficient: StaticCoefficient
    stribeck_speed: SlipSpeed = 1e-2
    v0: SlipSpeed = 1e-3
    viscous: ViscousCoefficient = 0.0

    def validate(self) -> None:
        check_coefficients("Stribeck", self.coefficient, self.static_coefficient)

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(0.08, static_coefficient=0.15, viscous=0.01)]

    @staticmethod
    def force(slip: float, normal: float, state: float, p: Block) -> float:
        """p[0] kinetic, p[1] static, p[2] Stribeck speed, p[3] v0, p[4] viscous."""
        level = stribeck_level(slip, p[0], p[1], p[2])
        return -normal * (level * math.tanh(slip / p[3]) + p[4] * slip)
