"""Cylinders that touch along a line: their sizes, and the implicit laws with a logarithm.

Johnson and Dubowsky-Freudenstein both read

    depth = s F ln(A / F)

s compliance [m/N], A force scale [N]. With t = ln(A / F) and w = depth / (s A) this is t exp(-t) = w. The
branch from small forces is t > 1, F < A / e; at F = A / e the stiffness is infinite and the formula ends.
g(t) = t - ln t + ln w is convex and increasing there, and with u = -ln w - 1 the root lies in

    1 + sqrt(2 u) + 2/3 u  <  t  <  1 + sqrt(2 u) + u          (Chatzigeorgiou 2013)

so Newton from the upper bound falls monotonically onto it; the lower bound catches rounding. Then
F = depth / (s t), which keeps the digits that A exp(-t) would lose. From F = 0.9 A / e on the force continues
on the tangent of that point: finite stiffness ln(10/9)^-1 / s, and a warning after the run.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass

from gudgeon.laws.contact.hysteresis import HysteresisLaw, PositiveRatio, damped
from gudgeon.laws.law import Block
from gudgeon.laws.material import STEEL, Materials, read_materials, yield_warnings
from gudgeon.laws.pair import Pair
from gudgeon.laws.restitution import exact_hysteresis
from gudgeon.quantity import GudgeonError

__all__ = ["Logarithmic", "cylinder_sizes", "logarithmic_force"]

_EDGE = 0.9
_T_EDGE = 1.0 - math.log(_EDGE)
_Y_EDGE = _EDGE / math.e
_W_EDGE = _Y_EDGE * _T_EDGE


def cylinder_sizes(pair: Pair, law: str, *, internal: bool) -> tuple[float, float, float]:
    """Bearing radius, journal radius and length [m], or a refusal that names the joint and the remedy."""
    bearing, journal, length = pair.bearing_radius, pair.journal_radius, pair.length
    if bearing is None or journal is None or length is None:
        raise GudgeonError(
            f"{pair.title}: {law} needs the radii and the length of the bearing; give the joint radius=... "
            "and length=..., or choose a law with stiffness=..."
        )
    if internal and pair.external:
        raise GudgeonError(
            f"{pair.title}: {law} is for a pin in a bore, but here two cylinders touch from outside; choose "
            'PereiraCylinder(contact="external", ...), or a law with stiffness=...'
        )
    if internal and not bearing > journal:
        raise GudgeonError(
            f"{pair.title}: {law} needs a clearance, but the journal radius {journal:g} m is not less than "
            f"the bearing radius {bearing:g} m; give a clearance above 0"
        )
    return bearing, journal, length


def logarithmic_force(depth: float, s: float, a: float) -> float:
    """F of depth = s F ln(a / F), small-force branch, tangent beyond 0.9 a / e."""
    w = depth / (s * a)
    if w >= _W_EDGE:
        return a * (_Y_EDGE + (w - _W_EDGE) / (_T_EDGE - 1.0))
    if w < 1e-300:
        w = 1e-300
    level = -math.log(w)
    u = level - 1.0
    low = 1.0 + math.sqrt(2.0 * u) + 2.0 / 3.0 * u
    t = 1.0 + math.sqrt(2.0 * u) + u
    for _ in range(30):
        step = (t - math.log(t) - level) * t / (t - 1.0)
        t = t - step
        if t < low:
            t = low
        if abs(step) <= 1e-15 * t:
            break
    return depth / (s * t)


@dataclass(frozen=True)
class Logarithmic(HysteresisLaw, abstract=True):
    """Fields and kernel of the implicit cylinder laws.

    material [-]: one Material, or (journal, bearing)
    restitution [-]: 1 is elastic; below, the exact hysteresis of the family is added
    """

    material: Materials = STEEL
    _: KW_ONLY
    restitution: PositiveRatio = 1.0

    def validate(self) -> None:
        read_materials(self.material, f"{type(self).__name__}: material")
        super().validate()

    @property
    def hysteresis(self) -> float:
        return exact_hysteresis(self.restitution)

    @staticmethod
    def force(depth: float, rate: float, rate0: float, p: Block) -> float:
        """p[4] compliance, p[5] force scale."""
        return damped(logarithmic_force(depth, p[4], p[5]), rate, rate0, p)

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """Beyond the tangent point, and speed beyond the elastic limit."""
        sentences, law = [], type(self).__name__
        block = self.pack(pair)
        limit = block["force_scale"] / math.e
        if depth >= _W_EDGE * block["compliance"] * block["force_scale"]:
            sentences.append(
                f"{law}: depth {depth:.3g} m lies beyond 90 % of the force {limit:.3g} N where the formula "
                "ends; from there the force followed the tangent"
            )
        return sentences + yield_warnings(law, self.material, rate)
