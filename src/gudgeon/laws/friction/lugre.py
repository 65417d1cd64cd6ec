"""LuGre: bristles that bend before they slide; one state z [m] per touch, the mean bristle deflection.

    z'  = v - sigma0 |v| / g(v) z,     g(v) = mu_k + (mu_s - mu_k) exp(-(v / v_s)^2)
    F   = -(sigma0 z + sigma1 z' + sigma2 v) N

All sigma are per unit of normal force: sigma0 [1/m], sigma1 [s/m], sigma2 [s/m]. In steady sliding
sigma0 z = g(v) sign(v), and from |z| <= mu_s / sigma0 the state never leaves that range.

Surfaces that slide in two directions have a deflection in each: z and v are vectors along the touch, |v| is the size of
v and g depends on it. From z . z' = z . v - sigma0 |v| / g |z|^2 the work done against sigma0 z is at least what the
bristles store, sigma0 |z|^2 / 2: friction only takes energy, whichever way the surfaces slide.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, ClassVar

from gudgeon.laws.friction.base import FrictionLaw, SlipSpeed, StaticCoefficient
from gudgeon.laws.friction.stribeck import ViscousCoefficient, check_coefficients, stribeck_level
from gudgeon.laws.law import Block, Law
from gudgeon.quantity import SI, Unit

__all__ = ["LuGre"]

BristleStiffness = Annotated[SI, Unit("1/m", above=0.0)]


def bristle_rate(slip: float, speed: float, z: float, p: Block) -> float:
    """z' [m/s], or a component of it; p[0] kinetic, p[1] static, p[2] Stribeck speed, p[3] sigma0."""
    return slip - p[3] * speed / stribeck_level(speed, p[0], p[1], p[2]) * z


def bristle_force(slip: float, speed: float, normal: float, z: float, p: Block) -> float:
    """Force [N], or a component of it; p[:4] as in `bristle_rate`, p[4] sigma1, p[5] sigma2."""
    return -normal * (p[3] * z + p[4] * bristle_rate(slip, speed, z, p) + p[5] * slip)


@dataclass(frozen=True)
class LuGre(FrictionLaw):
    """Friction with sticking and presliding (elastic bristles).

    coefficient [-]: kinetic, above 0
    static_coefficient [-]
    stribeck_speed [m/s]: slip over which friction falls
    stiffness [1/m]: sigma0; a touch breaks away after about static_coefficient / stiffness [m]
    damping [s/m]: sigma1; 0 bounds the friction by static_coefficient, more calms the presliding
    viscous [s/m]: sigma2
    """

    reference: ClassVar[str] = "Canudas de Wit, Olsson, Astrom, Lischinsky 1995, IEEE Trans. Autom. Contr. 40"
    works: ClassVar[tuple[str, ...]] = ("canudas1995",)
    validity: ClassVar[str] = "Normal force that changes slowly against the bristles; stiff at fast slip."
    states: ClassVar[int] = 1

    coefficient: StaticCoefficient
    _: KW_ONLY
    static_coefficient: StaticCoefficient
    stribeck_speed: SlipSpeed = 1e-2
    stiffness: BristleStiffness = 1e4
    damping: ViscousCoefficient = 0.0
    viscous: ViscousCoefficient = 0.0

    def validate(self) -> None:
        check_coefficients("LuGre", self.coefficient, self.static_coefficient)

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(0.08, static_coefficient=0.15, viscous=0.01)]

    @property
    def breakaway(self) -> float:
        return float(self.static_coefficient / self.stiffness)

    @staticmethod
    def force(slip: float, normal: float, state: float, p: Block) -> float:
        return bristle_force(slip, abs(slip), normal, state, p)

    @staticmethod
    def state_rate(slip: float, normal: float, state: float, p: Block) -> float:
        """z' [m/s]."""
        return bristle_rate(slip, abs(slip), state, p)

    @staticmethod
    def component(slip: float, speed: float, normal: float, state: float, p: Block) -> float:
        return bristle_force(slip, speed, normal, state, p)

    @staticmethod
    def component_rate(slip: float, speed: float, normal: float, state: float, p: Block) -> float:
        return bristle_rate(slip, speed, state, p)
