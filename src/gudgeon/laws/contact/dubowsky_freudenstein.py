"""Dubowsky-Freudenstein: a pin in a bore, implicit in the force.

    depth = k1 F (ln k2 - ln F),   valid for F < k2 / e
    k1 = (sigma_i + sigma_j) / L,   k2 = e L^3 c / (R_B R_J (sigma_i + sigma_j))

sigma = (1 - nu^2) / (pi E), c = R_B - R_J. Dubowsky, Freudenstein 1971; Bauchau, Rodriguez 2002, sec. 4.

The power of L is quoted as 1 to 3 in the literature; only 3 makes k2 a force, and 3 is used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

from gudgeon.laws.contact.cylinder import Logarithmic, cylinder_sizes
from gudgeon.laws.law import Law
from gudgeon.laws.material import composite_modulus
from gudgeon.laws.pair import Pair
from gudgeon.quantity import SI, GudgeonError, Unit

__all__ = ["DubowskyFreudenstein"]

Compliance = Annotated[SI, Unit("m/N", above=0.0)]
Force = Annotated[SI, Unit("N", above=0.0)]


@dataclass(frozen=True, kw_only=True)
class DubowskyFreudenstein(Logarithmic):
    """Elastic pin in a bore; beyond a force of 0.9 k2 / e it follows the tangent, and the run warns.

    compliance [m/N]: k1, replaces what material and sizes give
    force_scale [N]: k2, given together with compliance
    """

    reference: ClassVar[str] = "Dubowsky, Freudenstein 1971; Bauchau, Rodriguez 2002, sec. 4"
    works: ClassVar[tuple[str, ...]] = ("dubowsky1971", "bauchau2002")
    validity: ClassVar[str] = "Force below k2 / e, where the stiffness of the formula becomes infinite."

    compliance: Compliance | None = None
    force_scale: Force | None = None

    def validate(self) -> None:
        if (self.compliance is None) != (self.force_scale is None):
            raise GudgeonError(
                f"DubowskyFreudenstein: compliance {self.compliance!r} and force_scale {self.force_scale!r} "
                "belong together; give both or neither"
            )
        super().validate()

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(restitution=0.6)]

    def pack(self, pair: Pair) -> dict[str, float]:
        if self.compliance is not None and self.force_scale is not None:
            k1, k2 = self.compliance, self.force_scale
        else:
            bearing, journal, length = cylinder_sizes(pair, "DubowskyFreudenstein", internal=True)
            sigma = 1.0 / (math.pi * composite_modulus(self.material))
            k1 = sigma / length
            k2 = math.e * length**3 * (bearing - journal) / (bearing * journal * sigma)
        return {**self.pack_hysteresis(), "compliance": k1, "force_scale": k2}
