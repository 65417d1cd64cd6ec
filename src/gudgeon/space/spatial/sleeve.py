"""Sleeve: a round journal in a round bearing, which keeps it from leaving the axis and from tilting."""

from __future__ import annotations

from collections.abc import Callable

from gudgeon.graph import atan, cos, sin
from gudgeon.quantity import GudgeonError
from gudgeon.space.mate import Number, Sizes, SpatialMate, Touch
from gudgeon.space.spatial.frame import Place
from gudgeon.space.spatial.search import nearest
from gudgeon.space.spatial.vector import Vector


def strip_positions(strips: int, length: Number, *, short: bool = False) -> list[Number]:
    """Where the circles of a sleeve lie along its axis, from the middle [m].

    The middles of equal strips (Ambrosio and Pombo 2018, Eq 42). On a short journal the outer circles are its edges.
    """
    count = max(1, strips - 1) if short else strips
    return [(strips - 2 * k + 1) / count * 0.5 * length for k in range(1, strips + 1)]


def check_lengths(bearing: float, journal: float, short: bool, name: str = "sleeve") -> None:
    """Refuse a journal that ends inside the bearing where nothing is said about its edges."""
    if journal < bearing and not short:
        raise GudgeonError(
            f"{name}: journal length {journal:g} m is less than bearing length {bearing:g} m, so that its edges touch; "
            "ask for edge contact, or give the journal at least the bearing's length"
        )


class Sleeve(SpatialMate):
    """Circles of the bearing around the journal's cylinder; where the journal is short, circles of the journal within
    the bearing's bore. One circle on a short journal is a thin disk in a cylinder (Bauchau and Rodriguez 2002).

    The point of each circle that comes closest to the other surface is found by a search. The opening there is an
    extremum over the circle, so that its rate is that of the formula below with the angle held.
    """

    name = "sleeve"
    angular_offsets = ("conical",)

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        d = j.point - i.point
        return {"tilt_h": i.h @ j.b, "tilt_t": i.t @ j.b, "radial_h": i.h @ d, "radial_t": i.t @ d}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        if sizes.profile and (sizes.short or len(sizes.profile) != sizes.strips):
            raise GudgeonError(
                f"profile of {len(sizes.profile)} radii on a sleeve of {sizes.strips} strips: give one deviation for "
                "each strip of the bearing, and none where the journal is short"
            )
        build: Callable[..., Touch] = _rim_in_bore if sizes.short else _strip_around_journal
        positions = strip_positions(sizes.strips, sizes.length, short=sizes.short)
        deviations = sizes.profile or (0.0,) * sizes.strips
        return [
            build(i, j, sizes, position, deviation, f"strip_{k}" if sizes.strips > 1 else "")
            for k, (position, deviation) in enumerate(zip(positions, deviations, strict=True), 1)
        ]

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        """In the bearing's own axes: the journal's middle across the axis [m], and the angle between both axes [rad]
        along the direction into which the journal's leans."""
        e = i.point - j.point
        x, y, z = i.b @ j.h, i.b @ j.t, i.b @ j.b
        sine = Vector(x, y, 0.0).norm
        scale = 2.0 * atan(sine / (1.0 + z)) / sine
        return {"radial": (j.h @ e, j.t @ e), "conical": (x * scale, y * scale)}


# A circle of radius R about o, its point o + R c nearest to the line, and q the perpendicular from o to the line a:
#
#   rho² = R² - R² (c·a)² - 2 R c·q + |q|²,      R - rho = (R² (c·a)² + 2 R c·q - |q|²) / (R + rho)
#
# The second form has no difference of large numbers: it keeps the digits of a depth of micrometres in a radius of
# centimetres.
def _point(carrier: Place, other: Place, position: Number, radius: Number, sign: float) -> tuple[Vector, ...]:
    """Middle o of a circle, direction c of the point that the search finds, perpendicular q to the other's axis."""
    middle, a = carrier.point + carrier.b * position, other.b
    q = (other.point - middle).across(a)
    ah, at, qh, qt = carrier.h @ a, carrier.t @ a, carrier.h @ q, carrier.t @ q
    angle = nearest(ah, at, qh, qt, radius) if sign > 0.0 else nearest(-at, ah, -qh, -qt, radius)
    return middle, carrier.h * cos(angle) + carrier.t * sin(angle), q


def _slip(i: Place, j: Place, contact: Vector, normal: Vector, axis: Vector) -> tuple[Number, Number]:
    """Around and along the cylinder's axis."""
    velocity = i.frame.velocity_at(contact) - j.frame.velocity_at(contact)
    return axis.cross(normal) @ velocity, axis @ velocity


def _strip_around_journal(i: Place, j: Place, sizes: Sizes, position: Number, deviation: Number, label: str) -> Touch:
    """Depth (Eq 37): journal radius less the distance of the bearing's circle from the journal's axis."""
    radius = sizes.radius + deviation
    middle, c, q = _point(j, i, position, radius, 1.0)
    lean, along, square = c @ i.b, c @ q, q @ q
    arm = c.across(i.b) * radius - q
    distance = arm.norm
    closed = (radius * radius * (lean * lean) + 2.0 * radius * along - square) / (radius + distance)
    normal = arm * (1.0 / distance)
    contact = middle + c * radius + normal * (sizes.radius - sizes.gap - distance)
    return Touch(label, closed - deviation, _slip(i, j, contact, normal, i.b), normal)


def _rim_in_bore(i: Place, j: Place, sizes: Sizes, position: Number, deviation: Number, label: str) -> Touch:
    """The journal's circle in the bearing's bore (Bauchau and Rodriguez 2002, Eqs 8 to 15: their gap is the bore's
    radius less the largest distance of a rim point from the bore's axis)."""
    radius = sizes.radius - sizes.gap
    middle, c, q = _point(i, j, position, radius, -1.0)
    lean, along, square = c @ j.b, c @ q, q @ q
    arm = c.across(j.b) * radius - q
    distance = arm.norm
    opening = (square - 2.0 * radius * along - radius * radius * (lean * lean)) / (radius + distance)
    normal = arm * (1.0 / distance)
    return Touch(label, opening, _slip(i, j, middle + c * radius, normal, j.b), normal)
