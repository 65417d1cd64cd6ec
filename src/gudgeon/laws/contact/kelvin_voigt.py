"""Kelvin-Voigt: F = K depth + b rate.

Known defect: at first touch the force jumps to b rate0 at zero depth, and before the end it would pull.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from gudgeon.laws.contact.base import ContactLaw
from gudgeon.laws.law import Block, Law
from gudgeon.laws.pair import Pair
from gudgeon.quantity import WallDamping, WallStiffness

__all__ = ["KelvinVoigt"]


@dataclass(frozen=True)
class KelvinVoigt(ContactLaw):
    """Linear spring and damper in parallel.

    stiffness [N/m]; of a stop of a rotation [N m/rad]
    damping [N s/m]; there [N m s/rad]
    clip [-]: True (default) keeps the force from pulling
    """

    reference: ClassVar[str] = "Kelvin 1875, Voigt 1892; as a contact law Goldsmith, Impact, 1960"
    validity: ClassVar[str] = "Small damping: the force jumps to damping * rate at first touch."
    continuous_at_zero: ClassVar[bool] = False

    stiffness: WallStiffness
    damping: WallDamping
    clip: bool = field(default=True, kw_only=True)

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(1e8, 2e3)]

    @staticmethod
    def force(depth: float, rate: float, rate0: float, p: Block) -> float:
        """p[0] stiffness, p[1] damping, p[2] clip."""
        force = p[0] * depth + p[1] * rate
        if p[2] != 0.0 and force < 0.0:
            force = 0.0
        return force

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """A first-touch jump that is a large part of the largest force."""
        jump = self.damping * rate
        if jump <= 0.1 * force or force <= 0.0:
            return []
        return [
            f"KelvinVoigt: damping times the largest rate is {jump:.3g} {pair.force_unit} at zero depth, "
            f"{jump / force:.0%} of the largest force; contacts begin and end with a jump"
        ]
