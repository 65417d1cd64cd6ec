"""Pin: a circle in a circle, the planar revolute joint."""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.compile.graph import sqrt
from gudgeon.space.mate import TINY_SQUARE, FilmGap, Mate, MateChannel, Number, Sizes, Sliding, Touch
from gudgeon.space.planar.frame import PlanarPlace
from gudgeon.space.planar.vector import PlanarVector


class Pin(Mate):
    """The journal centre e relative to the bearing centre. Contact is at the end of the journal's radius along e;
    both bodies' surface velocities are taken there, so that friction leaves no couple behind."""

    name = "pin"
    round = True
    sizes = ("radius", "length")
    film_shape = "cylinder"
    slides = True
    slide_needs = ("radius",)

    @staticmethod
    def offset(i: PlanarPlace, j: PlanarPlace) -> PlanarVector:
        return i.point - j.point

    @staticmethod
    def rows(i: PlanarPlace, j: PlanarPlace) -> dict[str, Number]:
        e = Pin.offset(i, j)
        return {"x": e.x, "y": e.y}

    @staticmethod
    def touches(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> list[Touch]:
        e = Pin.offset(i, j)
        distance = e.norm
        normal = e * (1.0 / distance)
        contact = i.point + normal * (sizes.radius - sizes.gap)
        slip = normal.turned @ (i.frame.velocity_at(contact) - j.frame.velocity_at(contact))
        return [Touch("", distance, slip, normal)]

    @staticmethod
    def film(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> list[FilmGap]:
        """A film knows neither axes nor whirl, only how fast its surfaces come together and are swept along. With
        e the offset, w_i and w_j the spins, M the point midway between the centres and v_i(X), v_j(X) the velocities
        of the bodies at a point X,

            v_i(M) - v_j(M) = e' - (w_i + w_j)/2 x e = (|e|', |e| (whirl - (w_i + w_j)/2))    along e and across

        which is squeeze and sweep: no second formula is needed. A centred journal has no direction of its own, and
        needs none, for its film is the same all around: any unit vector will do, here that of x."""
        e = Pin.offset(i, j) + PlanarVector(TINY_SQUARE**0.5, 0.0)
        distance = sqrt(e @ e)
        normal = e * (1.0 / distance)
        across = normal.turned
        parts = []
        for point in ((i.point + j.point) * 0.5, i.point):
            velocity = i.frame.velocity_at(point) - j.frame.velocity_at(point)
            parts.append((normal @ velocity, across @ velocity))
        squeeze, sweep = parts[0]
        spin = i.frame.spin - j.frame.spin
        return [FilmGap(distance, squeeze, sweep, spin, parts[0], parts[1], normal, across)]

    @staticmethod
    def slidings(i: PlanarPlace, j: PlanarPlace, sizes: Sizes, ways: Sequence[str]) -> list[Sliding]:
        """The couple of friction is the radius times friction from the whole reaction."""
        slip = sizes.radius * (i.frame.spin - j.frame.spin)
        return [Sliding("", (slip,), ("rotation",), lambda force, _: (force.x, force.y), sizes.radius)]

    @staticmethod
    def measures(i: PlanarPlace, j: PlanarPlace) -> dict[str, MateChannel]:
        e = Pin.offset(i, j)
        return {
            "ex": MateChannel("m", "journal offset x", e.x),
            "ey": MateChannel("m", "journal offset y", e.y),
            "offset": MateChannel("m", "journal offset", e.norm),
        }

    @staticmethod
    def offsets(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        """In the bearing's own axes: bodies that turn together do not strain the bushing, and its damping leaves no
        couple behind."""
        e = Pin.offset(i, j)
        return {"": (j.axis @ e, j.normal @ e)}
