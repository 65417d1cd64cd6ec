"""Stiffness of a ball in a socket or of two balls, from material and radii or as given.

    K = 4 / (3 (sigma_i + sigma_j)) sqrt(R_B R_J / (R_B - R_J))

R_B bearing, R_J journal radius. From outside the difference is the sum R_B + R_J. Articles often print the sum for a
socket too, where it is, for a clearance of 5 per cent of the radius, some six times too soft.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass

from gudgeon.laws.contact.base import ContactLaw, read_stiffness
from gudgeon.laws.material import STEEL, Materials, composite_modulus, read_materials, yield_warnings
from gudgeon.laws.pair import Pair
from gudgeon.quantity import SI, GudgeonError, Positive

__all__ = ["Hertzian", "power"]


def power(depth: float, stiffness: float, exponent: float) -> float:
    """K depth^n; a square root where n = 1.5 costs a fraction of the general power."""
    if exponent == 1.5:
        return stiffness * depth * math.sqrt(depth)
    return stiffness * depth**exponent


@dataclass(frozen=True)
class Hertzian(ContactLaw, abstract=True):
    """Fields of the laws built on K depth^n.

    material [-]: one Material, or (journal, bearing)
    stiffness [N/m^exponent]: replaces what material and radii give
    exponent [-]: 1.5 for elastic spheres
    """

    material: Materials = STEEL
    _: KW_ONLY
    stiffness: SI | None = None
    exponent: Positive = 1.5

    def validate(self) -> None:
        law = type(self).__name__
        read_materials(self.material, f"{law}: material")
        if self.stiffness is not None:
            object.__setattr__(self, "stiffness", read_stiffness(self.stiffness, self.exponent, law))
        elif self.exponent != 1.5:
            raise GudgeonError(
                f"{law}: exponent {self.exponent:g} has no stiffness from material and radii; "
                f"give stiffness=... [N/m^{self.exponent:g}]"
            )
        super().validate()

    def stiffness_for(self, pair: Pair) -> float:
        """K [N/m^exponent] for these surfaces."""
        if self.stiffness is not None:
            return self.stiffness
        law, radius = type(self).__name__, pair.relative_radius
        if pair.bearing_radius is None or pair.journal_radius is None:
            raise GudgeonError(
                f"{pair.title}: {law} needs the radii of journal and bearing; "
                "give the joint a radius, or give stiffness=... to the law"
            )
        if radius is None:
            raise GudgeonError(
                f"{pair.title}: {law} needs a clearance, but the journal radius {pair.journal_radius:g} m is "
                f"not less than the bearing radius {pair.bearing_radius:g} m; give the law stiffness=..."
            )
        return 4.0 / 3.0 * composite_modulus(self.material) * math.sqrt(radius)

    # Energy ½ s²/m_e of the compression impulse s = m_e v stored in K depth^(n+1)/(n+1):
    #   F = ((n+1)/2 K^(1/n) s²/m_e)^(n/(n+1))        (Schwab et al. 2002, Eq 28; s there must be that of compression)
    def peak_force(self, pair: Pair, mass: float, speed: float) -> float:
        n, impulse = self.exponent, mass * speed
        root = self.stiffness_for(pair) ** (1.0 / n)
        return float((0.5 * (n + 1.0) * root * impulse * impulse / mass) ** (n / (n + 1.0)))

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """Patch not small against the journal, or speed beyond the elastic limit."""
        law, radius, journal = type(self).__name__, pair.relative_radius, pair.journal_radius
        if self.stiffness is not None or radius is None or not journal:
            return []
        sentences = []
        half_width = math.sqrt(depth * radius)
        if half_width > 0.5 * journal:
            share = "" if pair.external else f" is {depth / (pair.clearance or math.inf):.0%} of the clearance"
            sentences.append(
                f"{law}: depth {depth:.3g} m{share}; the contact half-width {half_width:.3g} m is not small against "
                f"the journal radius {journal:.3g} m"
            )
        return sentences + yield_warnings(law, self.material, rate)
