"""Pin: a circle in a circle, the planar revolute joint."""

from __future__ import annotations

from gudgeon.space.mate import Mate, Number, Sizes, Touch
from gudgeon.space.planar.frame import Place
from gudgeon.space.planar.vector import Vector


class Pin(Mate):
    """The journal centre e relative to the bearing centre. Contact is at the end of the journal's radius along e;
    both bodies' surface velocities are taken there, so that friction leaves no couple behind."""

    name = "pin"

    @staticmethod
    def offset(i: Place, j: Place) -> Vector:
        return i.point - j.point

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        e = Pin.offset(i, j)
        return {"x": e.x, "y": e.y}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        e = Pin.offset(i, j)
        distance = e.norm
        normal = e * (1.0 / distance)
        contact = i.point + normal * (sizes.radius - sizes.gap)
        slip = normal.turned @ (i.frame.velocity_at(contact) - j.frame.velocity_at(contact))
        return [Touch("", distance, slip, normal)]

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        """In the bearing's own axes: bodies that turn together do not strain the bushing, and its damping leaves no
        couple behind."""
        e = Pin.offset(i, j)
        return {"": (j.axis @ e, j.normal @ e)}
