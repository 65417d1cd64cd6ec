"""Smooth Coulomb: F = -mu N tanh(v / v0)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from gudgeon.laws.friction.base import Coefficient, FrictionLaw, SlipSpeed
from gudgeon.laws.law import Block, Law

__all__ = ["SmoothCoulomb"]


@dataclass(frozen=True)
class SmoothCoulomb(FrictionLaw):
    """Coulomb friction, smooth at zero speed (tanh), without sticking.

    coefficient [-]
    v0 [m/s]: slip with 76 per cent of the friction
    """

    reference: ClassVar[str] = "Coulomb 1785, smoothed by tanh: Marques et al. 2016, Nonlinear Dyn. 86, 1407"
    works: ClassVar[tuple[str, ...]] = ("marques2016",)
    validity: ClassVar[str] = "Sliding faster than v0; a joint at rest creeps, since there is no stiction."

    coefficient: Coefficient
    v0: SlipSpeed = field(default=1e-3, kw_only=True)

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(0.1)]

    @staticmethod
    def force(slip: float, normal: float, state: float, p: Block) -> float:
        """p[0] coefficient, p[1] v0."""
        return -p[0] * normal * math.tanh(slip / p[1])
