"""A contact law from a monotone table depth -> force, measured or from finite elements.

    F = table(depth) (1 + chi rate / rate0)

chi from the exact relation of the hysteresis family, which holds for every elastic force.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, get_args

from gudgeon.laws.contact.hysteresis import HysteresisLaw, PositiveRatio, damped
from gudgeon.laws.law import Block, Law
from gudgeon.laws.pair import Pair
from gudgeon.laws.restitution import exact_hysteresis
from gudgeon.laws.table import MEASURED, Interpolation, pack_table, read_table, table_value
from gudgeon.quantity import GudgeonError, SIRow, in_words

__all__ = ["ContactTable"]


@dataclass(frozen=True)
class ContactTable(HysteresisLaw):
    """Force over depth as a table: linear or monotone cubic interpolation, linear beyond the last point.

    depths [m]: increasing, from 0
    forces [N]: not decreasing, from 0
    interpolation [-]: "linear" or "cubic" (PCHIP)
    restitution [-]: 1 is elastic; below, one free impact returns exactly this
    """

    reference: ClassVar[str] = "the user's data; cubic: Fritsch, Butland 1984, SIAM J. Sci. Stat. Comput. 5"
    works: ClassVar[tuple[str, ...]] = ("fritsch1984",)
    validity: ClassVar[str] = "Depths up to the last point of the table."

    depths: SIRow
    forces: SIRow
    _: KW_ONLY
    interpolation: Interpolation = "linear"
    restitution: PositiveRatio = 1.0

    def validate(self) -> None:
        if self.interpolation not in get_args(Interpolation):
            raise GudgeonError(
                f"ContactTable: interpolation {self.interpolation!r} is unknown; "
                f"choose from {in_words(get_args(Interpolation))}"
            )
        depths, forces = read_table(self.depths, self.forces, "ContactTable", "depths", "forces")
        object.__setattr__(self, "depths", depths)
        object.__setattr__(self, "forces", forces)
        super().validate()

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(*MEASURED), cls(*MEASURED, interpolation="cubic", restitution=0.6)]

    @property
    def hysteresis(self) -> float:
        return exact_hysteresis(self.restitution)

    def pack(self, pair: Pair) -> dict[str, float]:
        return {**self.pack_hysteresis(), **pack_table(self.depths, self.forces, self.interpolation)}

    @staticmethod
    def force(depth: float, rate: float, rate0: float, p: Block) -> float:
        """p[4:] the table."""
        return damped(table_value(depth, p, 4), rate, rate0, p)

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """Beyond the last point."""
        if depth <= self.depths[-1]:
            return []
        unit = pair.depth_unit
        return [
            f"ContactTable: depth {depth:.3g} {unit} lies beyond the last point {self.depths[-1]:.3g} {unit}; "
            "the force was continued straight"
        ]
