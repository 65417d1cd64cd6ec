"""Joints of the plane and of space: two bodies, a point and axes on each, sizes, and a fit for each of the mates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from gudgeon.laws import ContactLaw, FrictionLaw, Pair
from gudgeon.model.fits import Fit, Fits, Ideal, check_fit
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.model.fits.stop import Stop
from gudgeon.model.joint_kinds import KINDS, SPATIAL_KINDS, UNITS, JointKind, kind_of
from gudgeon.model.names import GROUND, Named, choice, shown, unknown
from gudgeon.model.parts.body import Point, Point3, settled, three
from gudgeon.model.values import size_text
from gudgeon.quantity import SI, GudgeonError, Length, Rotational, Translational, Unit, in_words, vector
from gudgeon.space.mate import Mate
from gudgeon.space.planar import MATES
from gudgeon.space.spatial import SPATIAL_MATES
from gudgeon.space.spatial.geometry.rotation import Rotation, about, rotation_matrix
from gudgeon.space.spatial.geometry.triad import PARALLEL, Triad, common_axis, direction, triad
from gudgeon.space.spatial.geometry.vector import Vector
from gudgeon.space.spatial.sleeve import check_lengths

__all__ = ["Joint", "SpatialJoint"]


@dataclass(frozen=True)
class Joint(Named):
    """A joint between a body with the journal (pin, slider) and a body with the bearing (bore, guide).

    Points body-fixed [m]; `axis` the sliding direction, a unit vector in the world in the described position,
    None for kinds that do not slide. `radius` [m] is that of the bore, `width` [m] that of the guide, so that
    the journal is smaller by the clearance on each side; `length` [m] is that of the pin or of the slider. Where two
    round bodies touch from outside, the points are their centres, and `journal_radius` [m] is that of the journal.
    """

    word: ClassVar[str] = "joint"
    dimensions: ClassVar[int] = 2
    kinds: ClassVar[Mapping[str, JointKind]] = KINDS
    mates: ClassVar[Mapping[str, type[Mate]]] = MATES

    name: str
    kind: JointKind
    journal: str
    bearing: str
    journal_point: Point
    bearing_point: Point
    axis: Point | None = None
    radius: Length | None = None
    length: Length | None = None
    width: Length | None = None
    fit: Mapping[str, Fit] = Fits({})
    stop: Stop | None = None
    journal_radius: Length | None = None

    def validate(self) -> None:
        object.__setattr__(self, "kind", kind_of(self.kind, self.kinds))
        for name in ("journal_point", "bearing_point"):
            object.__setattr__(self, name, vector(getattr(self, name), "m", name, self.dimensions))
        object.__setattr__(self, "axis", self._read_axis())
        object.__setattr__(self, "fit", self._read_fit(self.fit))
        if self.journal == self.bearing == GROUND:
            raise GudgeonError("journal and bearing are both ground; one of them must be a body")
        if self.journal == self.bearing:
            raise GudgeonError(f'journal and bearing are both body "{self.journal}"; join two different bodies')
        self._take_nominal_size()
        self._check_sizes()
        for mate, fit in self.fit.items():
            self._check_mate(mate, fit)
        self._check_stop()

    @property
    def own_mates(self) -> dict[str, type[Mate]]:
        """The mates of this joint by name."""
        return {name: self.mates[name] for name in self.kind.mates}

    @property
    def round_mates(self) -> list[str]:
        """Those with a round journal in a bore or socket."""
        return [name for name, mate in self.own_mates.items() if mate.round]

    @property
    def ideal(self) -> bool:
        """Whether every mate is a constraint."""
        return all(fit.ideal for fit in self.fit.values())

    @property
    def reaction_friction(self) -> dict[str, FrictionLaw]:
        """Friction of ideal mates, from their reactions."""
        laws = {name: fit.friction for name, fit in self.fit.items() if isinstance(fit, Ideal)}
        return {name: law for name, law in laws.items() if law is not None}

    def gap(self, mate: str) -> float:
        """Free play on each side of the centred mate: [m], for a key [rad]."""
        return self.fit[mate].gap(self.mates[mate])

    @property
    def stops(self) -> dict[str, Stop]:
        """Stops by the direction they limit."""
        return {} if self.stop is None or self.kind.free is None else {self.kind.free: self.stop}

    @property
    def film_length(self) -> float | None:
        """Length [m] over which a film carries."""
        return self.length

    def pair(self, name: str) -> Pair:
        """The sizes [m] that the law of a mate's wall may know; what the joint does not have is None."""
        mate, fit = self.mates[name], self.fit[name]
        length = None
        if "length" in mate.sizes:
            length = self.film_length if fit.filmed else self.length
        if mate.external:
            return Pair(self.radius, self.journal_radius, length, self.name, external=True)
        if not mate.round or self.radius is None:
            return Pair(length=length, name=self.name)
        return Pair(self.radius + fit.layer, self.radius - fit.gap(mate), length, self.name)

    def _read_axis(self) -> Point | None:
        slides = any(mate.axial for mate in self.own_mates.values())
        if self.axis is None:
            if slides:
                raise GudgeonError("axis is missing; give the sliding direction, for instance axis=(1, 0)")
            return None
        if not slides:
            raise GudgeonError(f"axis {self.axis!r}: a {self.kind.name} joint does not slide; leave axis out")
        x, y = vector(self.axis, "", "axis")
        size = math.hypot(x, y)
        if not 0.0 < size < math.inf:
            raise GudgeonError(f"axis {self.axis!r} has no direction; give for instance axis=(1, 0)")
        return (x / size, y / size)

    def _read_fit(self, fit: Any) -> Fits:
        mates = self.kind.mates
        if not isinstance(fit, Mapping):
            check_fit(fit)
            if not fit.for_all_mates and len(mates) > 1:
                # a rubber bush of space has a stiffness in each direction, which is what a mount is for
                mount = "; or use mount(...) with Elastic, which has a stiffness in each direction"
                raise GudgeonError(
                    f"fit {type(fit).__name__}: the contact pairs {in_words(mates)} have different units; "
                    f'give a dict, for instance fit={{"{mates[0]}": {type(fit).__name__}(...)}}, where pairs left out '
                    "are ideal"
                    f"{mount if self.dimensions == 3 else ''}"
                )
            return Fits(dict.fromkeys(mates, fit))
        for mate in fit:
            if mate not in mates:
                raise unknown(f"contact pair in fit of a {self.kind.name} joint:", str(mate), mates)
        return Fits({mate: check_fit(fit.get(mate, Ideal()), f'fit of contact pair "{mate}"') for mate in mates})

    def _take_nominal_size(self) -> None:
        """A bore, or a guide, without a size has the nominal one of the ISO fit that it is given."""
        for name, mate in self.own_mates.items():
            text = getattr(self.fit[name], "iso", None)
            size, share = ("radius", 0.5) if mate.round else ("width", 1.0)
            if text is not None and size in mate.sizes and getattr(self, size) is None:
                object.__setattr__(self, size, share * iso_fit(text).nominal)

    def _check_sizes(self) -> None:
        own = self.own_mates.values()
        used = {size for mate in own for size in mate.sizes}
        every = [*MATES.values(), *SPATIAL_MATES.values()]
        for size in dict.fromkeys(size for mate in every for size in mate.sizes):
            value = getattr(self, size, None)
            if value is not None and size not in used:
                raise GudgeonError(
                    f"{size} {value:g}: a {self.kind.name} joint has none; it takes {in_words(sorted(used))}"
                )
        missing = [size for mate in own for size in mate.required if getattr(self, size) is None]
        if missing:
            raise GudgeonError(f'{missing[0]} is missing; a {self.kind.name} joint needs it, for instance "2 mm"')

    def _check_mate(self, name: str, fit: Fit) -> None:
        mate, word = self.mates[name], type(fit).__name__
        if mate.takes and word not in mate.takes:
            raise GudgeonError(f"fit {word}: {mate.takes_words}")
        if fit.reserved and word not in mate.takes:
            raise GudgeonError(f'fit {word} on contact pair "{name}": give a Clearance or a Bushing there')
        if not mate.rubs and getattr(fit, "friction", None) is not None:
            raise GudgeonError(f"friction: the flanks of a {name} do not rub in this joint; leave it out")
        fit.check(self, mate)
        self._check_needs(mate, fit)
        self._check_wall(mate, getattr(fit, "wall", None))

    def _check_needs(self, mate: type[Mate], fit: Fit) -> None:
        """Refuse a joint without the sizes that a fit needs on this mate."""
        walled = getattr(fit, "wall", None) is not None and not fit.filmed
        needed = () if fit.ideal else (*mate.fit_needs, *(mate.wall_needs if walled else ()))
        missing = [size for size in needed if getattr(self, size) is None and self._counts(size)]
        if missing:
            give = ", ".join(f'{size}="10 mm"' for size in missing)
            raise GudgeonError(
                f'a {type(fit).__name__} on contact pair "{mate.name}" needs {in_words(missing)}; give for '
                f'instance {give}'
            )

    def _counts(self, size: str) -> bool:
        """Whether a size plays a part in where surfaces touch."""
        return True

    def _check_wall(self, mate: type[Mate], wall: ContactLaw | None) -> None:
        """Try the numbers of the wall."""
        if wall is not None:
            _check_units(wall, f'contact pair "{mate.name}"', "rotation" if mate.angular else "translation")
        if wall is not None and (mate.round or mate.external):
            wall.pack(self.pair(mate.name))
        elif wall is not None:
            _pack_flat(wall, self.pair(mate.name), f'contact pair "{mate.name}"', self._without(mate))

    def _without(self, mate: type[Mate]) -> str:
        """How to leave a mate ideal where the joint has several."""
        others = [name for name in self.fit if name != mate.name]
        return f'; or a dict of fits with "{mate.name}": Ideal(), and one for "{others[0]}"' if others else ""

    def check_room(self, mate: type[Mate], gap: float) -> None:
        """Refuse a clearance that is not smaller than the bore or the guide."""
        guide = "width" in mate.sizes
        if not guide and not mate.round:
            return
        room, what = (self.width, "guide width") if guide else (self.radius, "bearing radius")
        room = room / 2 if room is not None and guide else room
        if room is not None and gap >= room:
            which = f"half the {what}" if guide else what
            # so large a clearance [m] is a number of millimetres without its unit
            bare = gap >= 0.05 and gap / 1000 < room
            remedy = f'did you mean "{gap:g} mm"?' if bare else f"give a smaller clearance or a larger {what}"
            raise GudgeonError(
                f"{mate.clearance} {size_text(gap)} is not smaller than {which} {size_text(room)}; {remedy}"
            )

    def _check_stop(self) -> None:
        if self.stop is None:
            return
        if not isinstance(self.stop, Stop):
            raise GudgeonError(f"stop {shown(self.stop)} is no stop; write Stop(lower=..., upper=..., wall=...)")
        if self.kind.free is None:
            raise GudgeonError(f"stop: a {self.kind.name} joint {_NOT_ONE}; leave the stop out")
        self._check_stop_wall(self.stop, self.kind.free)

    def _check_stop_wall(self, stop: Stop, direction: str) -> None:
        """Compare the units of a stop with the direction it limits, and try its wall."""
        unit = UNITS[direction]
        if stop.unit is not None and stop.unit != unit:
            raise GudgeonError(
                f"stop limits are in [{stop.unit}], but a {self.kind.name} joint is free in "
                f"{direction}: give them in [{unit}]"
            )
        _check_units(stop.wall, f"the stop of a {direction}", direction)
        _pack_flat(stop.wall, Pair(name=self.name), "the stop")


def _check_units(wall: ContactLaw, where: str, direction: str) -> None:
    """Refuse a moment per angle where surfaces have a force per depth, and the other way round."""
    strange = Rotational if direction == "translation" else Translational
    names = [name for name, value in vars(wall).items() if isinstance(value, strange)]
    if names:
        examples = {"translation": ("1e8 N/m", "1e3 N s/m"), "rotation": ("1e4 Nm/rad", "10 Nm s/rad")}[direction]
        example = examples[names[0] != "stiffness"]
        other = "rotation" if direction == "translation" else "translation"
        law = type(wall).__name__
        raise GudgeonError(f'{law} on {where}: {names[0]} has the unit of a {other}; write {names[0]}="{example}"')


def _pack_flat(wall: ContactLaw, pair: Pair, where: str, instead: str = "") -> None:
    """Try the wall's numbers where no radii meet; `instead`: what else may be done."""
    try:
        wall.pack(pair)
    except GudgeonError as error:
        law, reason = type(wall).__name__, str(error).removeprefix(f"{pair.title}: ")
        if getattr(wall, "stiffness", 0.0) is None:
            reason = f"no radii meet there; write for instance {law}(..., stiffness=1e8){instead}"
        raise GudgeonError(f"{law} on {where}: {reason}") from None


_NOT_ONE = "has no single free motion"
STRIPS = 10  # of a sleeve, and points around a flat

Pitch = Annotated[SI, Unit("m")]


@dataclass(frozen=True)
class SpatialJoint(Joint):
    """A joint between a body with the journal (shaft, ball, pad) and a body with the bearing (bore, socket, plates).

    Points body-fixed [m]; `axis` is the joint's axis and `arm` a direction across it, unit vectors in the world in the
    described position. In a universal joint `arm` is the cross axis fixed in the journal, and the one fixed in the
    bearing is perpendicular to it and to `axis`. `misalignment` [rad] is a rotation vector in the world by which the
    bearing's axes are rotated relative to the journal's.

    `radius` [m] is that of the bore, socket or pad, `length` [m] that of the bearing, `journal_length` [m] that of the
    journal, `strips` the number of circles of a sleeve (of points around a flat), `profile` [m] the deviation of the
    bore's radius at each of them. A contact law applies to the whole sleeve and is divided evenly among the strips.
    `short`: the journal ends inside the bearing, with contact at its edges. `pitch` [m] is how far a screw moves along
    its axis in one turn, negative for a left-handed one.
    """

    dimensions: ClassVar[int] = 3
    kinds: ClassVar[Mapping[str, JointKind]] = SPATIAL_KINDS
    mates: ClassVar[Mapping[str, type[Mate]]] = SPATIAL_MATES

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

    @property
    def film_length(self) -> float | None:
        return self.sleeve_length  # oil carries where both surfaces are

    # -- checks -----------------------------------------------------------------------------------------

    def _read_axis(self) -> Any:
        arm = self.arm
        if self.axis is None:
            # a ball has no axis; one may say in which axes a bushing is held
            if not any(mate.axial for mate in self.own_mates.values()):
                return None
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
        for name, mate in self.own_mates.items():
            if self.strips < mate.strips:
                raise GudgeonError(f"strips {self.strips}: a {name} needs at least {mate.strips} points around its rim")
        if len(self.profile):
            object.__setattr__(self, "profile", vector(self.profile, "m", "profile", len(self.profile)))
            if self.short or len(self.profile) != self.strips:
                raise GudgeonError(
                    f"profile of {len(self.profile)} radii on a sleeve of {self.strips} strips: give one deviation for "
                    "each strip, and none where the journal is short"
                )

    def _counts(self, size: str) -> bool:
        return size != "length" or self.strips > 1  # one circle lies in the middle

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
                raise GudgeonError(f"stop: a {self.kind.name} joint {_NOT_ONE}; leave the stop out")
            choice(side, free, "stop on")
            self._check_stop_wall(stop, side)
            pairs.append((side, stop))
        object.__setattr__(self, "stop", tuple(pairs))


def choice_of_direction(kind: JointKind, unit: str | None, what: str) -> str:
    """The direction of a joint that a stop or drive is meant for, from its unit where two are free."""
    free = kind.directions
    if not free:
        raise GudgeonError(f"a {kind.name} joint {_NOT_ONE}; leave the {what} out")
    if len(free) == 1:
        return free[0]
    if unit is not None:
        return "rotation" if unit.startswith("rad") else "translation"
    raise GudgeonError(
        f'{what}: a {kind.name} joint is free in {in_words(free)}; say which by direction="{free[0]}", '
        "or give the numbers with their unit"
    )


def _listed(axis: Any) -> str:
    return ", ".join(f"{x:.4g}" for x in axis)


def read_axes(kind: JointKind, axis: Any, journal_axis: Any, bearing_axis: Any, arm: Any) -> tuple[Any, Any]:
    """Axis and arm of a joint from what the user gave: one axis, or one for each side."""
    if journal_axis is None and bearing_axis is None:
        if kind.cross and (axis is None or arm is None):
            raise GudgeonError(
                "a universal joint has two cross axes; give journal_axis= and bearing_axis=, "
                "perpendicular to each other"
            )
        return axis, arm
    if axis is not None or journal_axis is None or bearing_axis is None:
        if kind.cross:
            raise GudgeonError("a universal joint has two cross axes; give journal_axis= and bearing_axis= alone")
        raise GudgeonError("the direction is given twice or in part; give axis= alone, or both journal_axis= and "
                           "bearing_axis=")  # fmt: skip
    i, j = direction(journal_axis, "journal_axis"), direction(bearing_axis, "bearing_axis")
    if not kind.cross:
        return tuple(common_axis(i, j, "axes")), arm
    if abs(i @ j) > PARALLEL:
        raise GudgeonError(
            f"journal_axis ({_listed(i)}) and bearing_axis ({_listed(j)}) are {math.degrees(math.acos(i @ j)):.4g} deg "
            "apart; the cross axes of a universal joint must be perpendicular to each other"
        )
    return tuple(i.cross(j)), tuple(i)
