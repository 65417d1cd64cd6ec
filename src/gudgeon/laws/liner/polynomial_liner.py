"""Polynomial liner: F = c1 x + c2 x^2 + c3 x^3 + ... + b rate (Ambrosio, Pombo 2018, Eq 49)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.law import Block, Law
from gudgeon.laws.liner.base import LinerLaw
from gudgeon.laws.pair import Pair
from gudgeon.quantity import Damping, GudgeonError, SIRow, quantity

__all__ = ["PolynomialLiner"]


@dataclass(frozen=True)
class PolynomialLiner(LinerLaw):
    """Liner with a polynomial characteristic, progressive or degressive.

    coefficients [N/m, N/m^2, N/m^3, ...]: of deflection, its square, its cube, ...
    damping [N s/m]
    """

    reference: ClassVar[str] = "Ambrosio, Pombo 2018, Eq 49, nonlinear"
    works: ClassVar[tuple[str, ...]] = ("ambrosio2018",)
    validity: ClassVar[str] = "Deflections up to which the polynomial was fitted and increases."

    coefficients: SIRow
    damping: Damping = 0.0

    def validate(self) -> None:
        name, values = "PolynomialLiner: coefficients", self.coefficients
        if isinstance(values, str) or not hasattr(values, "__iter__") or not tuple(values):
            raise GudgeonError(f"{name} {values!r} is no sequence; give (c1, c2, ...), one or more values")
        read = tuple(quantity(c, f"N/m^{k + 1}", f"{name}[{k}]") for k, c in enumerate(values))
        if read[0] <= 0.0:
            raise GudgeonError(f"{name}[0] {values[0]!r} must be above 0 [N/m]; a liner is stiff at rest")
        object.__setattr__(self, "coefficients", read)

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls((1e6, 1e9, 3e13), 200.0)]

    def parameters(self, pair: Pair) -> dict[str, float]:
        named = {f"c{k + 1}": c for k, c in enumerate(self.coefficients)}
        return {"damping": self.damping, "n": float(len(named)), **named}

    @staticmethod
    def force(deflection: float, rate: float, p: Block) -> float:
        """p[1] damping, p[2] number of coefficients, p[3:] coefficients."""
        total = 0.0
        for k in range(int(p[2]) + 2, 2, -1):
            total = (total + p[k]) * deflection
        return total + p[1] * rate

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """A liner that gave way."""
        slope = sum((k + 1) * c * depth**k for k, c in enumerate(self.coefficients))
        if slope >= 0.0:
            return []
        at = f"{depth:.3g} {pair.depth_unit}"
        return [f"PolynomialLiner: the force falls with deflection at {at}; fit with fewer terms"]
