"""Outside: a disk on a disk, two round bodies that touch from outside."""

from __future__ import annotations

from gudgeon.space.mate import Mate, Number, Sizes, Touch
from gudgeon.space.planar.frame import PlanarPlace
from gudgeon.space.planar.pin import Pin


class PlanarOutside(Mate):
    """The surfaces come together as the centres do. They hold nothing: without a law the bodies pass freely. Contact
    is on the bearing's rim; both bodies' surface velocities are taken there, so that friction leaves no couple."""

    name = "outside"
    external = True
    sizes = ("radius", "journal_radius", "length")
    fit_needs = ("radius", "journal_radius")
    takes = ("Touching",)
    takes_words = "bodies that touch from outside have no constraint, only a wall; give fit=Touching(wall=...)"

    @staticmethod
    def rows(i: PlanarPlace, j: PlanarPlace) -> dict[str, Number]:
        return {}

    @staticmethod
    def touches(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> list[Touch]:
        e = Pin.offset(i, j)
        distance = e.norm
        normal = e * (-1.0 / distance)
        contact = j.point - normal * sizes.radius
        slip = normal.turned @ (i.frame.velocity_at(contact) - j.frame.velocity_at(contact))
        return [Touch("", sizes.radius + sizes.journal_radius - distance, slip, normal)]

    @staticmethod
    def offsets(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        return {}
