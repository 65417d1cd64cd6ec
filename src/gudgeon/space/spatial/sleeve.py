"""Sleeve: a round journal in a round bearing, which keeps it from leaving the axis and from tilting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gudgeon.compile.graph import atan, sqrt
from gudgeon.quantity import GudgeonError
from gudgeon.space.mate import TINY_SQUARE, FilmGap, MateChannel, Number, Sizes, Sliding, SpatialMate, Touch, is_given
from gudgeon.space.spatial.frame import Place
from gudgeon.space.spatial.geometry.vector import Vector
from gudgeon.space.spatial.search import cosine_and_sine, nearest, slope


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
            "give short=True for contact at its edges, or make the journal as long as the bearing"
        )


class Sleeve(SpatialMate):
    """Circles of the bearing around the journal's cylinder; where the journal is short, circles of the journal within
    the bearing's bore. One circle on a short journal is a thin disk in a cylinder (Bauchau and Rodriguez 2002).

    The point of each circle that comes closest to the other surface is found by a search. The opening there is an
    extremum over the circle, so that its rate is that of the formula below with the angle held. The rate of that
    rate needs the angle's own, which follows from the condition of the extremum (`Touch.held`).
    """

    name = "sleeve"
    round = True
    keeps_parallel = True
    sizes = ("radius", "length", "journal_length")
    wall_needs = ("radius", "length")
    film_shape = "cylinder"
    strips = 1
    angular_offsets = ("conical",)
    slides = True
    slide_needs = ("radius",)

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
        positions = strip_positions(sizes.strips, sizes.length, short=sizes.short)
        deviations = sizes.profile or (0.0,) * sizes.strips
        # all searches first: what follows them is the same for every strip, and is then computed side by side
        if sizes.short:
            circles = [_Circle.of(i, j, s, sizes.radius - sizes.gap, inside=True) for s in positions]
            touches = [_rim_in_bore(i, j, circle) for circle in circles]
        else:
            circles = [
                _Circle.of(j, i, s, sizes.radius + x, inside=False) for s, x in zip(positions, deviations, strict=True)
            ]
            touches = [
                _strip_around_journal(i, j, circle, sizes.radius - sizes.gap, x)
                for circle, x in zip(circles, deviations, strict=True)
            ]
        if sizes.strips == 1:
            return touches
        return [replace(touch, label=f"strip_{k}") for k, touch in enumerate(touches, 1)]

    @staticmethod
    def film(i: Place, j: Place, sizes: Sizes) -> list[FilmGap]:
        """One gap for each strip, in the plane through it that is square to the mean of both axes, m. In the bearing
        the oil of a strip is moved by -dh/dt less the mean of both surfaces' velocities times the slope of the film.
        With e' = v - (slope of the journal) v_m for a journal whose material moves with v, along the axis with v_m, and
        half of v_m for the mean, what is left is v - (slope)/2 v_m: the velocity in the plane square to m. As in the
        plane it is taken midway between the centres, where it knows of no rotation that both bodies share; along the
        axis where the strip's force acts (`reach`)."""
        axis, places = _film_places(i, j, sizes, strip_positions(sizes.strips, sizes.length), sizes.reach)
        gaps = []
        for apart, middle, journal in places:
            # a centred journal has no direction of its own, and needs none: any will do that is square to the axis, as
            # rounding is not
            e = (apart + j.h * TINY_SQUARE**0.5).across(axis)
            distance = sqrt(e @ e)
            gaps.append(_film_gap(i, j, axis, distance, e * (1.0 / distance), middle, journal))
        return gaps

    @classmethod
    def ends(cls, i: Place, j: Place, sizes: Sizes) -> list[FilmGap]:
        """Front and rear end. The bearing's own directions serve both, so that a centred journal needs none."""
        axis, places = _film_places(i, j, sizes, strip_positions(2, sizes.length, short=True), 1.0)
        normal = j.h.across(axis)
        normal = normal * (1.0 / normal.norm)
        gaps = []
        for apart, middle, journal in places:
            gap = _film_gap(i, j, axis, sqrt(apart @ apart + TINY_SQUARE), normal, middle, journal)
            gaps.append(replace(gap, apart=(apart @ gap.normal, apart @ gap.across)))
        return gaps

    @staticmethod
    def slidings(i: Place, j: Place, sizes: Sizes, ways: Sequence[str]) -> list[Sliding]:
        """Where the length is given, the bearing carries at its two ends, which resist its tilt, too: with the moment M
        about the bearing's middle F/2 + M x b/L and F/2 - M x b/L across the axis; else the moment is left out."""
        turning = sizes.radius * (j.b @ (i.frame.angular_velocity - j.frame.angular_velocity))
        speeds = {"rotation": turning, "translation": i.approach(j, i.point, j.b)}
        slip, kinds = tuple(speeds[way] for way in ways), tuple(ways)
        if not is_given(sizes.length):
            return [Sliding("", slip, kinds, lambda force, _: (j.h @ force, j.t @ force), sizes.radius)]
        e = i.point - j.point

        def at_end(end: float) -> Any:
            def load(force: Vector, moment: Vector) -> tuple[Number, ...]:
                tilting = (moment + e.cross(force)).cross(j.b) * (end / sizes.length)
                push = force * 0.5 + tilting
                return j.h @ push, j.t @ push

            return load

        return [Sliding(name, slip, kinds, at_end(end), sizes.radius) for end, name in ((1.0, "front"), (-1.0, "rear"))]

    @staticmethod
    def measures(i: Place, j: Place) -> dict[str, MateChannel]:
        e = i.point - j.point
        e = Vector(j.h @ e, j.t @ e, 0.0)
        x, y = Sleeve.offsets(i, j, Sizes())["conical"]
        return {
            "ex": MateChannel("m", "journal offset along the bearing's first axis", e.x),
            "ey": MateChannel("m", "journal offset along the bearing's second axis", e.y),
            "tilt": MateChannel("rad", "angle between the axes", Vector(x, y, 0.0).norm),
            "offset": MateChannel("m", "journal offset", e.norm),
        }

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
@dataclass(frozen=True)
class _Circle:
    """A circle of one side against the axis a of the other: its middle, the perpendicular q, components of both along
    the side's h and t, and what the search found."""

    carrier: Place
    axis: Vector
    radius: Number
    middle: Vector
    q: Vector
    components: tuple[Number, Number, Number, Number]
    half: Number
    slope: Number  # zero at `half`

    @staticmethod
    def of(carrier: Place, other: Place, position: Number, radius: Number, *, inside: bool) -> _Circle:
        a = other.b
        q = (other.point - carrier.point).across(a) - carrier.b.across(a) * position
        ah, at, qh, qt = carrier.h @ a, carrier.t @ a, carrier.h @ q, carrier.t @ q
        question = (-at, ah, -qh, -qt, radius) if inside else (ah, at, qh, qt, radius)
        half = nearest(*question)
        middle = carrier.point + carrier.b * position
        return _Circle(carrier, a, radius, middle, q, (ah, at, qh, qt), half, slope(half, *question))

    def measure(self) -> tuple[Vector, Vector, Number, Number]:
        """R c, the normal away from the line, the distance rho, and R - rho."""
        x, y = cosine_and_sine(self.half)
        ah, at, qh, qt = self.components
        lean, along, radius = x * ah + y * at, x * qh + y * qt, self.radius
        reach = (self.carrier.h * x + self.carrier.t * y) * radius
        arm = reach - self.axis * (lean * radius) - self.q
        distance = arm.norm
        closed = (radius * radius * (lean * lean) + 2.0 * radius * along - self.q @ self.q) / (radius + distance)
        return reach, arm * (1.0 / distance), distance, closed


def _film_places(i: Place, j: Place, sizes: Sizes, positions: list[Number], reach: Number) -> tuple[Vector, list[Any]]:
    """The mean of both axes, and at each position e, the point midway between the centres and the journal's, these two
    at `reach` times the position."""
    axis = i.b + j.b
    axis = axis * (1.0 / axis.norm)
    carrier, other, sign = (i, j, -1.0) if sizes.short else (j, i, 1.0)
    # from the carrier's axis to the other's, linear in the place s along the axis
    start, lean = ((other.point - carrier.point), carrier.b * -1.0)
    steep = 1.0 / (other.b @ axis)
    start, lean = (x - other.b * ((x @ axis) * steep) for x in (start, lean))
    places = []
    for s in positions:
        inner = s * reach
        half = (start + lean * inner) * 0.5
        middle = carrier.point + carrier.b * inner + half
        places.append(((start + lean * s) * sign, middle, middle + half * sign))
    return axis, places


def _film_gap(i: Place, j: Place, axis: Vector, distance: Number, normal: Vector, middle: Vector,
              journal: Vector) -> FilmGap:  # fmt: skip
    """The gap between two circles, with the points where a force may act."""
    across = axis.cross(normal)
    midway, at_journal = ((i.approach(j, point, normal), i.approach(j, point, across)) for point in (middle, journal))
    spin = axis @ (i.frame.angular_velocity - j.frame.angular_velocity)
    slide = i.approach(j, middle, axis)
    return FilmGap(distance, *midway, spin, midway, at_journal, normal, across, slide)


def _touch(i: Place, j: Place, opening: Number, contact: Vector, normal: Vector, axis: Vector,
           circle: _Circle) -> Touch:  # fmt: skip
    """Slip has the components around and along the cylinder's axis."""
    slip = i.approach(j, contact, axis.cross(normal)), i.approach(j, contact, axis)
    rate = i.approach(j, contact, normal)
    return Touch("", opening, slip, normal, rate, held=(circle.half, circle.slope))


def _strip_around_journal(i: Place, j: Place, circle: _Circle, journal: Number, deviation: Number) -> Touch:
    """Depth (Eq 37): the journal's radius less the distance of the bearing's circle from the journal's axis."""
    reach, normal, distance, closed = circle.measure()
    contact = circle.middle + reach + normal * (journal - distance)
    return _touch(i, j, closed - deviation, contact, normal, i.b, circle)


def _rim_in_bore(i: Place, j: Place, circle: _Circle) -> Touch:
    """The journal's circle in the bearing's bore (Bauchau and Rodriguez 2002, Eqs 8 to 15: their gap is the bore's
    radius less the largest distance of a rim point from the bore's axis)."""
    reach, normal, _, closed = circle.measure()
    return _touch(i, j, -closed, circle.middle + reach, normal, j.b, circle)
