"""Hertz: F = K depth^n, elastic, no loss (Hertz 1881; Johnson 1985, Eq 4.23)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.contact.hertzian import Hertzian, power
from gudgeon.laws.law import Block
from gudgeon.laws.pair import Pair

__all__ = ["Hertz"]


@dataclass(frozen=True)
class Hertz(Hertzian):
    """Elastic contact of smooth curved surfaces, F = K depth^n."""

    reference: ClassVar[str] = "Hertz 1881; Johnson, Contact Mechanics, 1985, Eq 4.23"
    works: ClassVar[tuple[str, ...]] = ("hertz1882", "johnson1985")
    validity: ClassVar[str] = "Elastic, frictionless, patch small against the radii; an impact loses nothing."

    @property
    def hysteresis(self) -> float:
        return 0.0

    @property
    def requested_restitution(self) -> float:
        return 1.0

    def pack(self, pair: Pair) -> dict[str, float]:
        return {"stiffness": self.stiffness_for(pair), "exponent": self.exponent}

    @staticmethod
    def force(depth: float, rate: float, rate0: float, p: Block) -> float:
        """p[0] stiffness, p[1] exponent."""
        return power(depth, p[0], p[1])
