"""Sphere: a ball in a spherical socket that is closed all round.

n is the direction from the centre, phi its angle from the narrowest gap, h = 1 - epsilon cos phi, r the radius. With
the mean of both surfaces' velocities Reynolds' equation on the sphere is

    div(h^3 grad p) = -12 mu r^2/c^3 v_s . n,      v_s = de/dt - 1/2 (omega_i + omega_j) x e

as in a bearing (`base`), but v_s is a vector of space: of the rotations only what turns e counts, and a motion across e
has one direction, along which `sweep` is measured. Its solution, v_s = (squeeze, sweep) and psi the angle about e,

    p = 3 mu r^2/c^3 (1 + h)/h^2 w . n + constant,    w = (squeeze, sweep / (1 + epsilon^2/4))
    w . n = w_r cos phi + w_t sin phi cos psi

can be checked by putting it in. (1 + h)/h^2 is positive, so that the pressure has opposite signs at opposite points if
it is ambient on the great circle across w, as `Sommerfeld` has it on a ring. Its positive half pushes the ball by

    F = -3 mu r^4/c^3 M w,    M = integral of n n^T (1 + h)/h^2 over the hemisphere w . n > 0

which has a closed form. With w = |w| (cos beta, sin beta), q^2 = 1 - epsilon^2 sin^2 beta, s^2 = 1 - epsilon^2,

    integral 1/h  = 2 pi L / epsilon     L = ln (q + cos beta) / ((1 + cos beta)(1 - epsilon))
    integral 1/h^2 = 2 pi K              K = (1 + epsilon cos beta / q) / s^2
    D = (2 + q) / (q (1 + q)^2)

    M_rr = 2 pi/epsilon^2 (K - L/epsilon - epsilon/2 cos beta),   M_rt = pi epsilon sin^3 beta D
    M_tt = pi ((1 + epsilon^2) L/epsilon^3 - 1/epsilon^2 + (1/2 - 1/q) cos beta / epsilon
               - epsilon/2 cos beta sin^2 beta D)

For beta = 0 this is the known force on a ball that goes straight to the wall, 6 pi mu r^4 V/c^3 times
ln(1 - epsilon)/epsilon^3 + 1/(epsilon^2 (1 - epsilon)) - 1/(2 epsilon). It grows as 1/(1 - epsilon) only: round
surfaces meet at a point, and the oil gets away on all sides. A film that is not ruptured has both halves,

    M_rr = 4 pi (1/s^2 - B),  M_tt = 2 pi (A + B),   A = artanh(epsilon)/epsilon,  B = (A - 1)/epsilon^2

The power is that of the flow, the integral of h^3 |grad p|^2 over the oil under pressure: never positive on the bodies.
Shear resists a rotation about e by the couple 4 pi mu r^4/c (A - B) and one across it by 2 pi mu r^4/c (A + B), both
8/3 pi mu r^4/c in the centre.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.film.peak import peak
from gudgeon.laws.law import Block, Law
from gudgeon.laws.pair import Pair
from gudgeon.quantity import GudgeonError, in_words

__all__ = ["Sphere"]

Rupture = Literal["guembel", "none"]

CENTRAL = 0.3  # ratio below which the closed forms lose digits
# Gauss-Legendre on 0..1; eight points leave 1e-17 where nothing is singular within 1 / CENTRAL of the middle
NODES = (0.019855071751231856, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
         0.591717321247825, 0.7627662049581645, 0.8983332387068134, 0.9801449282487681)  # fmt: skip
WEIGHTS = (0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.18134189168918099,
           0.18134189168918099, 0.15685332293894363, 0.11119051722668724, 0.05061426814518813)  # fmt: skip


@dataclass(frozen=True)
class Sphere(FilmLaw):
    """Ball in a closed socket with a cavitated film, exact.

    cavitation [-]: "guembel", negative pressure is cut, or "none", the socket is under so much pressure that the film
    is nowhere ruptured
    """

    reference: ClassVar[str] = "Reynolds 1886; straight to the wall: Pinkus, Sternlicht 1961"
    works: ClassVar[tuple[str, ...]] = ("reynolds1886", "pinkus1961")
    validity: ClassVar[str] = (
        "Socket closed all round, the opening for the stem being small; rigid round surfaces, constant viscosity, "
        "no supply holes."
    )

    shape: ClassVar[str] = "sphere"

    cavitation: Rupture = "guembel"

    def validate(self) -> None:
        super().validate()
        if self.cavitation not in get_args(Rupture):
            raise GudgeonError(
                f"Sphere: cavitation {self.cavitation!r} is unknown; choose from {in_words(get_args(Rupture))}"
            )

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls("100 cP"), cls("100 cP", cavitation="none")]

    def pack(self, pair: Pair) -> dict[str, float]:
        """p[0] clearance, p[1] radius, p[2] viscosity, p[3] 1 for a half film."""
        clearance, radius = self.gap(pair)
        half = float(self.cavitation == "guembel")
        return {"clearance": clearance, "radius": radius, "viscosity": self.viscosity, "half": half}

    def reach(self, pair: Pair) -> float:
        """Everything: a ball does not tilt."""
        return 1.0

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """None: a ball has no length."""
        return []

    @staticmethod
    def radial(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        along, _ = _push(ratio, squeeze, sweep, p[3])
        return -3.0 * p[2] * p[1] * (p[1] / p[0]) ** 3 * along

    @staticmethod
    def tangential(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        _, across = _push(ratio, squeeze, sweep, p[3])
        return -3.0 * p[2] * p[1] * (p[1] / p[0]) ** 3 * across

    @staticmethod
    def pressure(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        if not ratio < 1.0:
            return math.nan
        across = abs(sweep) / (1.0 + 0.25 * ratio * ratio)
        height = math.hypot(squeeze, across) * peak(ratio, math.atan2(across, squeeze), True)
        return 3.0 * p[2] * p[1] ** 2 / p[0] ** 3 * height

    @staticmethod
    def couple(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        """Against a rotation about e [N m s/rad]; ruptured oil counts as oil."""
        a, b = _sums(ratio)
        return 4.0 * math.pi * p[2] * p[1] ** 4 / p[0] * (a - b)

    @staticmethod
    def swivel(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        """Against a rotation across e [N m s/rad]."""
        a, b = _sums(ratio)
        return 2.0 * math.pi * p[2] * p[1] ** 4 / p[0] * (a + b)


def _sums(ratio: float) -> tuple[float, float]:
    """A and B [-]."""
    if not ratio < 1.0:
        return math.nan, math.nan
    if ratio > CENTRAL:
        a = 0.5 * math.log((1.0 + ratio) / (1.0 - ratio)) / ratio
        return a, (a - 1.0) / (ratio * ratio)
    square = ratio * ratio
    power, b = 1.0, 0.0
    for k in range(18):
        b += power / (2 * k + 3)
        power *= square
    return 1.0 + square * b, b


def _push(ratio: float, squeeze: float, sweep: float, half: float) -> tuple[float, float]:
    """M w along e and across it [m/s]."""
    if not ratio < 1.0:
        return math.nan, math.nan
    across = sweep / (1.0 + 0.25 * ratio * ratio)
    if half == 0.0:
        a, b = _sums(ratio)
        along = 4.0 * math.pi * (1.0 / ((1.0 - ratio) * (1.0 + ratio)) - b)
        return along * squeeze, 2.0 * math.pi * (a + b) * across
    size = math.hypot(squeeze, across)
    if size == 0.0:
        return 0.0, 0.0
    c = squeeze / size
    s = across / size
    if ratio < CENTRAL:
        lift, side = _by_belts(ratio, c, s)
        return size * (lift * c + side * s), size * (lift * s - side * c)
    rr, rt, tt = _hemisphere(ratio, c, s)
    return rr * squeeze + rt * across, rt * squeeze + tt * across


def _hemisphere(ratio: float, c: float, s: float) -> tuple[float, float, float]:
    """M_rr, M_rt, M_tt by the sine and cosine of beta [-]."""
    rest = (1.0 - ratio) * (1.0 + ratio)
    q = math.sqrt(rest + (ratio * c) ** 2)
    # the same formulas twice: without differences of near numbers for w to the wall, and away from it
    if c > 0.0:
        first = math.log((q + c) / ((1.0 + c) * (1.0 - ratio)))
        second = (1.0 + ratio * c / q) / rest
    else:
        first = math.log((1.0 - c) * (1.0 + ratio) / (q - c))
        second = 1.0 / (q * (q - ratio * c))
    d = (2.0 + q) / (q * (1.0 + q) ** 2)
    square = ratio * ratio
    rr = 2.0 * math.pi / square * (second - first / ratio - 0.5 * ratio * c)
    tt = (1.0 + square) * first / ratio - 1.0 + (0.5 - 1.0 / q) * ratio * c
    return rr, math.pi * ratio * s * s * s * d, math.pi * (tt / square - 0.5 * ratio * c * s * s * d)


# By belts z = const about w, 0 < z < 1. h = a - b cos alpha there, a = 1 - epsilon z cos beta, b = epsilon sin beta
# times sqrt(1 - z^2), Q = a^2 - b^2, and over the belt
#
#   integral g dalpha = 2 pi (1/sqrt Q + a/Q^(3/2)),   g = (1 + h)/h^2
#   integral g cos alpha dalpha = 2 pi b (1/(sqrt Q (a + sqrt Q)) + 1/Q^(3/2))
def _by_belts(ratio: float, c: float, s: float) -> tuple[float, float]:
    """M w / |w| along w, and square to it on the side of e [-]."""
    along = 0.0
    side = 0.0
    for k in range(8):
        z = NODES[k]
        rest = 1.0 - z * z
        a = 1.0 - ratio * c * z
        root = math.sqrt(a * a - (ratio * s) ** 2 * rest)
        cube = 1.0 / (root * root * root)
        along += WEIGHTS[k] * z * z * (1.0 / root + a * cube)
        side += WEIGHTS[k] * z * rest * (1.0 / (root * (a + root)) + cube)
    return 2.0 * math.pi * along, 2.0 * math.pi * ratio * s * side
