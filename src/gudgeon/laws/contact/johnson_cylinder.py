"""Johnson: a long cylinder in a bore.

    depth = q / (pi E*) [ln(4 pi E* dR / q) - 1],   q = F / L,   dR = R_B - R_J

In the form depth = s F ln(A / F): s = 1 / (pi E* L), A = 4 pi E* dR L / e. The formula ends at
depth = 4 dR / e^2 = 0.54 dR.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.contact.cylinder import Logarithmic, cylinder_sizes
from gudgeon.laws.law import Law
from gudgeon.laws.material import composite_modulus
from gudgeon.laws.pair import Pair

__all__ = ["JohnsonCylinder"]


@dataclass(frozen=True)
class JohnsonCylinder(Logarithmic):
    """Elastic line contact of a pin in a bore, solved exactly for the force."""

    reference: ClassVar[str] = "Johnson, Contact Mechanics, 1985, sec. 5.6; Pereira et al. 2011, internal"
    works: ClassVar[tuple[str, ...]] = ("johnson1985", "pereira2011")
    validity: ClassVar[str] = "Plane strain, depth below half the clearance; near its end the tangent."

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(), cls(restitution=0.6)]

    def pack(self, pair: Pair) -> dict[str, float]:
        bearing, journal, length = cylinder_sizes(pair, "JohnsonCylinder", internal=True)
        line = math.pi * composite_modulus(self.material) * length
        return {
            **self.pack_hysteresis(),
            "compliance": 1.0 / line,
            "force_scale": 4.0 * line * (bearing - journal) / math.e,
        }
