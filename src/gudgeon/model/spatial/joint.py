"""A joint of space: two bodies, a point and three axes on each, sizes, and a fit for each of its mates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from gudgeon.laws import Pair
from gudgeon.model.elastic import Elastic
from gudgeon.model.fits import Bushing, Clearance, Fit, Ideal, Lubricated
from gudgeon.model.joint import Joint
from gudgeon.model.kinds import SPATIAL_KINDS, JointKind
from gudgeon.model.names import choice, shown
from gudgeon.model.spatial.body import Point3, settled, three
from gudgeon.model.stop import Stop
from gudgeon.quantity import GudgeonError, Length, Unit, in_words, vector
from gudgeon.space.spatial.rotation import Rotation, about, rotation_matrix
from gudgeon.space.spatial.sleeve import check_lengths
from gudgeon.space.spatial.triad import PARALLEL, Triad, common_axis, direction, triad
from gudgeon.space.spatial.vector import Vector

__all__ = ["SpatialJoint"]

STRIPS = 10  # of a sleeve, and points around a flat

Pitch = Annotated[float, Unit("m")]


@dataclass(frozen=True)
class SpatialJoint(Joint):
    """A joint between a body with the journal (shaft, ball, pad) and a body with the bearing (bore, socket, plates).

    Points body-fixed [m]; `axis` is the joint's axis and `arm` a direction across it, unit vectors in the world in the
    described position. In a universal joint `arm` is the cross axis fixed in the journal, and the one fixed in the
    bearing is square to it and to `axis`. `misalignment` [rad] is a rotation vector in the world by which the bearing's
    axes are turned against the journal's.

    `radius` [m] is that of the bore, socket or pad, `length` [m] that of the bearing, `journal_length` [m] that of the
    journal, `strips` the number of circles that stand for a sleeve (of points around a flat), `profile` [m] the
    deviation of the bore's radius at each of them. A law is that of the whole mate: its strips share it evenly. `short`
    asks for edge contact: the journal ends inside the bearing. `pitch` [m] is how far a screw moves along its axis in
    one turn about it, negative for a left-handed one.
    """

    dimensions: ClassVar[int] = 3
    kinds: ClassVar[Mapping[str, JointKind]] = SPATIAL_KINDS
    clearances: ClassVar[Mapping[str, str]] = {
        "ball": "radial_clearance", "sleeve": "radial_clearance", "shoulder": "radial_clearance",
        "flat": "radial_clearance", "key": "angular_clearance", "thread": "radial_clearance",
        "outside": "radial_clearance", "block": "radial_clearance",
    }  # fmt: skip
    round_mates: ClassVar[tuple[str, ...]] = ("ball", "sleeve")
    filmed: ClassVar[tuple[str, ...]] = ("ball", "sleeve")
    sizes_of: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "ball": ("radius",), "sleeve": ("radius", "length", "journal_length"), "shoulder": (), "key": (),
        "flat": ("radius",), "thread": ("pitch",), "outside": ("radius", "journal_radius"), "block": (),
    }  # fmt: skip

    journal_point: Point3  # type: ignore[assignment]
    bearing_point: Point3  # type: ignore[assignment]
    axis: Point3 | None = None  # type: ignore[assignment]
    stop: Any = None
    arm: Point3 | None = None
    misalignment: Point3 = (0.0, 0.0, 0.0)
    journal_length: Length | None = None
    strips: int = STRIPS
    profile: tuple[float, ...] = ()
    short: bool = False
    pitch: Pitch | None = None

    def validate(self) -> None:
        object.__setattr__(self, "misalignment", three(self.misalignment, "rad", "misalignment"))
        super().validate()
        self._check_strips()
        if "thread" in self.kind.mates and self.pitch is None:
            raise GudgeonError('pitch is missing; give how far the screw moves in one turn, for instance pitch="2 mm"')
        if self.length is not None:
            journal = self.length if self.journal_length is None else self.journal_length
            check_lengths(self.length, journal, self.short, "length")

    @property
    def triads(self) -> tuple[Triad, Triad]:
        """Axes (h, t, b) of journal and bearing, world components in the described position."""
        if self.axis is None:
            return (triad(Vector(0.0, 0.0, 1.0)),) * 2
        own = triad(Vector(*self.axis), None if self.arm is None else Vector(*self.arm))
        angle = math.hypot(*self.misalignment)
        if angle == 0.0:
            return own, own
        turned: Rotation = rotation_matrix(about(Vector(*self.misalignment) * (1.0 / angle), angle))
        h, t, b = (turned @ axis for axis in own)
        return own, (h, t, b)

    @property
    def stops(self) -> dict[str, Stop]:
        return dict(self.stop or ())

    @property
    def sleeve_length(self) -> float | None:
        """Length [m] over which strips lie: the bearing's, or that of a short journal."""
        return self.journal_length if self.short and self.journal_length is not None else self.length

    def pair(self, mate: str) -> Pair:
        if mate == "outside":
            return super().pair(mate)
        fit = self.fit[mate]
        length = self.length if mate == "sleeve" else None
        if mate == "sleeve" and isinstance(fit, Lubricated):
            length = self.sleeve_length  # oil carries where both surfaces are
        if mate not in self.round_mates or self.radius is None:
            return Pair(length=length, name=self.name)
        layer = getattr(fit, "liner_thickness", None) or getattr(fit, "thickness", None) or 0.0
        return Pair(self.radius + layer, self.radius - self.gap(mate), length, self.name)

    # -- checks -----------------------------------------------------------------------------------------

    def _read_axis(self) -> Any:
        arm = self.arm
        if self.kind.name in ("spherical", "contact"):
            # a ball has no axis; one may say in which axes a bushing is held
            if self.axis is None:
                return None
        elif self.axis is None:
            raise GudgeonError("axis is missing; give the joint's axis in the world, for instance axis=(0, 0, 1)")
        axis = direction(self.axis)
        if arm is not None:
            h, _, _ = triad(axis, direction(arm, "arm"))
            object.__setattr__(self, "arm", settled(three(arm, "", "arm"), h))
        return settled(three(self.axis, "", "axis"), axis)

    def _check_strips(self) -> None:
        if isinstance(self.strips, bool) or not isinstance(self.strips, int) or self.strips < 1:
            raise GudgeonError(f"strips {shown(self.strips)} must be a whole number of at least 1, for instance 10")
        if not isinstance(self.short, bool):
            raise GudgeonError(f"short {shown(self.short)} must be True or False")
        if "flat" in self.kind.mates and self.strips < 3:
            raise GudgeonError(f"strips {self.strips}: a flat needs at least 3 points around its rim")
        if len(self.profile):
            object.__setattr__(self, "profile", vector(self.profile, "m", "profile", len(self.profile)))
            if self.short or len(self.profile) != self.strips:
                raise GudgeonError(
                    f"profile of {len(self.profile)} radii on a sleeve of {self.strips} strips: give one deviation for "
                    "each strip, and none where the journal is short"
                )

    def _check_mate(self, mate: str, fit: Fit) -> None:
        if mate == "outside":
            self._check_outside(fit)
        elif mate == "block" and not isinstance(fit, Ideal | Elastic):
            raise GudgeonError(
                f"fit {type(fit).__name__}: a mount holds all six motions at once; give fit=Elastic(stiffness=...), or "
                "make it a rigid joint with a fit for each mate"
            )
        elif mate != "block" and not isinstance(fit, Ideal | Clearance | Bushing | Lubricated):
            raise GudgeonError(f'fit {type(fit).__name__} on mate "{mate}": give a Clearance or a Bushing there')
        if mate == "thread" and getattr(fit, "friction", None) is not None:
            raise GudgeonError("friction: the flanks of a thread rub nothing here; leave it out")
        if isinstance(fit, Lubricated):
            self._check_film(mate, fit)
        if isinstance(fit, Clearance):
            self._check_clearance(mate, fit)
        if isinstance(fit, Bushing) and mate in ("sleeve", "flat") and fit.conical is None:
            raise GudgeonError(
                f'a Bushing on mate "{mate}" resists shifts by its liner and tilts by another; '
                "give conical=LinearLiner(...) with stiffness [N m/rad] and damping [N m s/rad]"
            )
        if isinstance(fit, Bushing) and mate not in ("sleeve", "flat") and fit.conical is not None:
            raise GudgeonError(f'conical: mate "{mate}" does not tilt; leave it out')
        if mate == "key" and getattr(fit, "thickness", None) is not None:
            raise GudgeonError('mate "key" turns, so a wall after a thickness [m] has no meaning; leave wall out')
        if mate in ("sleeve", "flat") and isinstance(fit, Clearance | Bushing) and getattr(fit, "wall", None):
            self._check_contact_sizes(mate, fit)
        self._check_wall(mate, fit)

    def _check_film(self, mate: str, fit: Lubricated) -> None:
        super()._check_film(mate, fit)
        if len(self.profile):
            raise GudgeonError("profile: a film has one clearance along the whole bore; leave profile out")

    def _check_contact_sizes(self, mate: str, fit: Fit) -> None:
        needed = ["radius"]
        if mate == "sleeve" and self.strips > 1:
            needed.append("length")
        missing = [size for size in needed if getattr(self, size) is None]
        if missing:
            raise GudgeonError(
                f'a {type(fit).__name__} on mate "{mate}" needs {in_words(missing)}; '
                f'give {missing[0]}=, for instance "10 mm"'
            )

    def _check_stop(self) -> None:
        free = self.kind.directions
        given = self.stop
        if given is None:
            return
        if isinstance(given, Stop):
            side = choice_of_direction(self.kind, given.unit, "stop")
            given = {side: given}
        pairs = []
        for side, stop in dict(given).items():
            if not isinstance(stop, Stop):
                raise GudgeonError(f"stop {shown(stop)} is no stop; write Stop(lower=..., upper=..., wall=...)")
            if not free:
                raise GudgeonError(f"stop: a {self.kind.name} joint leaves nothing free; leave the stop out")
            choice(side, free, "stop on")
            self._check_stop_wall(stop, side)
            pairs.append((side, stop))
        object.__setattr__(self, "stop", tuple(pairs))


def choice_of_direction(kind: JointKind, unit: str | None, what: str) -> str:
    """The direction of a joint that a stop or drive is meant for, from its unit where two are free."""
    free = kind.directions
    if not free:
        raise GudgeonError(f"{what}: a {kind.name} joint leaves nothing free; leave the {what} out")
    if len(free) == 1:
        return free[0]
    if unit is not None:
        return "rotation" if unit.startswith("rad") else "translation"
    raise GudgeonError(
        f'{what}: a {kind.name} joint is free in {in_words(free)}; say which by direction="{free[0]}", '
        "or give the numbers with their unit"
    )


def read_axes(kind: JointKind, axis: Any, journal_axis: Any, bearing_axis: Any, arm: Any) -> tuple[Any, Any]:
    """Axis and arm of a joint from what the user gave: one axis, or one for each side."""
    if journal_axis is None and bearing_axis is None:
        if kind.name == "universal" and (axis is None or arm is None):
            raise GudgeonError(
                "a universal joint has two cross axes; give journal_axis= and bearing_axis=, square to each other"
            )
        return axis, arm
    if axis is not None or journal_axis is None or bearing_axis is None:
        raise GudgeonError("give either axis=, or both journal_axis= and bearing_axis=")
    i, j = direction(journal_axis, "journal_axis"), direction(bearing_axis, "bearing_axis")
    if kind.name != "universal":
        return tuple(common_axis(i, j, "axes")), arm
    if abs(i @ j) > PARALLEL:
        raise GudgeonError(
            f"journal_axis {tuple(i)} and bearing_axis {tuple(j)} are {math.degrees(math.acos(i @ j)):.6g} deg apart; "
            "the cross axes of a universal joint must be square to each other"
        )
    return tuple(i.cross(j)), tuple(i)
