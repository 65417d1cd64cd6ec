"""Linear liner: F = K deflection + b rate (Ambrosio, Pombo 2018, Eq 49)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.law import Block, Law
from gudgeon.laws.liner.base import LinerLaw
from gudgeon.quantity import Damping, Stiffness

__all__ = ["LinearLiner"]


@dataclass(frozen=True)
class LinearLiner(LinerLaw):
    """Spring and damper, the same in every direction.

    stiffness [N/m]
    damping [N s/m]
    """

    reference: ClassVar[str] = "Ambrosio, Pombo 2018, Eq 49, linear"
    works: ClassVar[tuple[str, ...]] = ("ambrosio2018",)
    validity: ClassVar[str] = "Deflections small against the thickness of the liner."

    stiffness: Stiffness
    damping: Damping = 0.0

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(1e6, 200.0)]

    @staticmethod
    def force(deflection: float, rate: float, p: Block) -> float:
        """p[1] stiffness, p[2] damping."""
        return p[1] * deflection + p[2] * rate
