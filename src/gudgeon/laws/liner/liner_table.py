"""Liner from a monotone table deflection -> force, piecewise linear, with constant damping (Eq 49)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.law import Block, Law
from gudgeon.laws.liner.base import LinerLaw
from gudgeon.laws.pair import Pair
from gudgeon.laws.table import MEASURED, pack_table, read_table, table_value
from gudgeon.quantity import Damping, GudgeonError, SIRow

__all__ = ["LinerTable"]


@dataclass(frozen=True)
class LinerTable(LinerLaw):
    """Liner with a measured curve, linear beyond the last point.

    deflections [m]: increasing, from 0
    forces [N]: not decreasing, from 0
    damping [N s/m]
    """

    reference: ClassVar[str] = "the user's data; Ambrosio, Pombo 2018, Eq 49, tabulated"
    works: ClassVar[tuple[str, ...]] = ("ambrosio2018",)
    validity: ClassVar[str] = "Deflections up to the last point of the table."

    deflections: SIRow
    forces: SIRow
    damping: Damping = 0.0

    def validate(self) -> None:
        deflections, forces = read_table(self.deflections, self.forces, "LinerTable", "deflections", "forces")
        if forces[1] <= 0.0:
            raise GudgeonError(f"LinerTable: forces[1] {forces[1]:g} must be above 0; a liner is stiff at 0")
        object.__setattr__(self, "deflections", deflections)
        object.__setattr__(self, "forces", forces)

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(*MEASURED, 200.0)]

    def parameters(self, pair: Pair) -> dict[str, float]:
        return {"damping": self.damping, **pack_table(self.deflections, self.forces, "linear")}

    @staticmethod
    def force(deflection: float, rate: float, p: Block) -> float:
        """p[1] damping, p[2:] the table."""
        return table_value(deflection, p, 2) + p[1] * rate

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """Beyond the last point."""
        if depth <= self.deflections[-1]:
            return []
        unit = pair.depth_unit
        return [
            f"LinerTable: deflection {depth:.3g} {unit} lies beyond the last point {self.deflections[-1]:.3g} {unit}; "
            "the force was continued straight"
        ]
