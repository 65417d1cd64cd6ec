"""Ball: a sphere in a spherical socket."""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.compile.graph import sqrt
from gudgeon.space.mate import TINY_SQUARE, FilmGap, MateChannel, Number, Sizes, Sliding, SpatialMate, Touch
from gudgeon.space.spatial.frame import Place
from gudgeon.space.spatial.geometry.vector import Vector


class Ball(SpatialMate):
    """The ball's centre e relative to the socket's. Contact is at the end of the ball's radius along e; both bodies'
    surface velocities are taken there, so that friction leaves no couple behind."""

    name = "ball"
    round = True
    axial = False
    sizes = ("radius",)
    film_shape = "sphere"
    couples = False
    slides = True
    slide_needs = ("radius",)

    @staticmethod
    def offset(i: Place, j: Place) -> Vector:
        return i.point - j.point

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        d = j.point - i.point
        return {"x": d.x, "y": d.y, "z": d.z}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        """No two tangents turn smoothly with every normal, so that the slip has its three world components."""
        e = Ball.offset(i, j)
        distance = e.norm
        inverse = 1.0 / distance
        normal = e * inverse
        contact = i.point + normal * (sizes.radius - sizes.gap)
        slip = (i.frame.velocity_at(contact) - j.frame.velocity_at(contact)).across(normal)
        # what lies in the touch turns with the normal, and about it as both bodies do on the average
        between = i.frame.velocity_at(i.point) - j.frame.velocity_at(j.point)
        about = 0.5 * (normal @ (i.frame.angular_velocity + j.frame.angular_velocity))
        turning = normal.cross(between) * inverse + normal * about
        # both centres lie on the line of the normal: along it they move as the points at the contact do. The speed
        # along e needs no root, so that it is known as soon as the distance
        return [Touch("", distance, tuple(slip), normal, i.speed(e) - j.speed(e), turning, along=inverse)]

    @staticmethod
    def film(i: Place, j: Place, sizes: Sizes) -> list[FilmGap]:
        """As in `Pin.film`: midway between the centres the bodies' relative velocity is what the film is fed with,
        e' - (w_i + w_j)/2 x e. Across e it has a direction of its own, and where it has none there is no force."""
        e = Ball.offset(i, j) + Vector(TINY_SQUARE**0.5, 0.0, 0.0)
        distance = sqrt(e @ e)
        normal = e * (1.0 / distance)
        midway, at_journal = (
            i.frame.velocity_at(point) - j.frame.velocity_at(point) for point in ((i.point + j.point) * 0.5, i.point)
        )
        squeeze = normal @ midway
        beside = midway - normal * squeeze
        sweep = beside.norm
        turning = i.frame.angular_velocity - j.frame.angular_velocity
        return [FilmGap(distance, squeeze, sweep, normal @ turning, tuple(midway), tuple(at_journal), normal,
                        beside * (1.0 / sweep), swivel=tuple(turning))]  # fmt: skip

    @staticmethod
    def slidings(i: Place, j: Place, sizes: Sizes, ways: Sequence[str]) -> list[Sliding]:
        """The couple of friction is against the relative angular velocity, as of a seat that carries all around:
        turning about the line of the force rubs as turning across it does. Components are those of the bearing's axes.
        """
        turning = i.frame.angular_velocity - j.frame.angular_velocity
        slip = tuple(sizes.radius * (axis @ turning) for axis in (j.h, j.t, j.b))
        return [Sliding("", slip, ("rotation",) * 3, lambda force, _: tuple(force), sizes.radius)]

    @staticmethod
    def measures(i: Place, j: Place) -> dict[str, MateChannel]:
        e = Ball.offset(i, j)
        parts = {f"e{axis}": MateChannel("m", f"ball offset {axis}", x) for axis, x in zip("xyz", e, strict=True)}
        return {**parts, "offset": MateChannel("m", "journal offset", e.norm)}

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        """In the socket's own axes: bodies that turn together do not strain the bushing."""
        e = Ball.offset(i, j)
        return {"": (j.h @ e, j.t @ e, j.b @ e)}
