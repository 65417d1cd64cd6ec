"""The joints that a mechanism can be given, one method for each kind."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypedDict, Unpack

from gudgeon.model.fits import Fit, Ideal
from gudgeon.model.joint_kinds import KINDS, SPATIAL_KINDS, JointKind, kind_of
from gudgeon.model.names import about, check_fields, check_name, fields_of
from gudgeon.model.parts import SpatialBody
from gudgeon.model.parts.beam import Beam
from gudgeon.model.parts.body import Body
from gudgeon.model.parts.joint import Joint, SpatialJoint, read_axes
from gudgeon.model.parts.modal import ModalLink
from gudgeon.quantity import GudgeonError

__all__ = ["AnyBody", "FitLike", "JointMaker", "JointOptions", "Number", "Vector"]

Number: TypeAlias = float | str
Vector: TypeAlias = tuple[Number, ...]
FitLike: TypeAlias = Fit | Mapping[str, Fit]
AnyBody: TypeAlias = Body | SpatialBody | Beam | ModalLink | str

_PLACE = ("at", "journal_point", "bearing_point")
_AXES = ("journal_axis", "bearing_axis", "arm")


class JointOptions(TypedDict, total=False):
    """Where a joint is, its axes, its sizes, its fit and its stop: what every method that adds a joint takes.

    Place: a world point `at` [m], or a body-fixed point of each body. Axes, in the world in the described position:
    `axis`, or in space one for each side. Sizes as on Joint and SpatialJoint.
    """

    at: Vector | None
    journal_point: Vector | None
    bearing_point: Vector | None
    axis: Vector | None
    journal_axis: Vector | None
    bearing_axis: Vector | None
    arm: Vector | None
    misalignment: Vector
    radius: Number | None
    journal_radius: Number | None
    length: Number | None
    journal_length: Number | None
    width: Number | None
    pitch: Number | None
    strips: int
    profile: Any
    short: bool
    fit: FitLike | None
    stop: Any


class JointMaker(ABC):
    """What a mechanism inherits: the kinds of joints by name. `joint` is the one that does it.

    A kind without a method here gets one from its description (`JointKind.words`).
    """

    _joint_class: type[Joint]

    def joint(self, kind: str | JointKind, name: str, *, journal: AnyBody, bearing: AnyBody,
              **options: Unpack[JointOptions]) -> Joint:  # fmt: skip
        """Add a joint of the named kind at a world point `at` [m], or at a body-fixed point of each body.

        In space: `axis`, or journal_axis and bearing_axis, in the world in the described position; arm, misalignment,
        journal_length, strips, profile, short and pitch as in SpatialJoint.
        """
        check_name(name, "joint")
        cls = self._joint_class
        given: dict[str, Any] = dict(options)
        with about(f'joint "{name}"'):
            i, j = self._body(journal, "journal"), self._body(bearing, "bearing")
            known = kind_of(kind, cls.kinds)
            at, *points = (given.pop(word, None) for word in _PLACE)
            if at is not None and any(cls.mates[mate].external for mate in known.mates):
                raise GudgeonError(f"at: a {known.name} joint has two places, the middles of both bodies; give "
                                   "journal_point and bearing_point, from their centres of mass")  # fmt: skip
            if at is None and None in points:
                example = "(x, y)" if cls.dimensions == 2 else "(x, y, z)"
                raise GudgeonError(f"no place given; give at={example}, or both journal_point and bearing_point")
            for body, point, word in zip((i, j), points, _PLACE[1:], strict=True):
                given[word] = self._local(body, at, point, "at", word)
            given["fit"] = Ideal() if given.get("fit") is None else given["fit"]
            if known.rails:
                beam, axis = self._beams.get(j), given.get("axis")
                along = (1.0, 0.0) if axis is None else axis
                given["axis"] = along if beam is None else beam.rail(axis, given["bearing_point"])
            self._read_axes(known, given)
        return self._add(self._joints, cls, name, kind=known, journal=i, bearing=j, **given)

    def _read_axes(self, kind: JointKind, given: dict[str, Any]) -> None:
        """Make one axis and one arm of what the user gave in space; refuse what only joints of space have."""
        sides = {word: given.pop(word, None) for word in _AXES}
        if self._joint_class.dimensions == 3:
            axis = given.get("axis")
            if kind.name == "rigid" and axis is sides["journal_axis"] is None:
                axis = (0.0, 0.0, 1.0)  # nothing turns: any will do
            given["axis"], given["arm"] = read_axes(kind, axis, *sides.values())
            return
        known = fields_of(self._joint_class)
        names = [word for word, value in {**given, **sides}.items() if value is not None and word not in known]
        if names:
            check_fields(names, [*fields_of(SpatialJoint), *_AXES, "at"])
            raise GudgeonError(f"{names[0]}: only a joint of space has it; leave it out")

    def revolute(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a pin in a bore of `radius` [m]; in space about `axis`, with shoulders."""
        return self.joint("revolute", name, journal=journal, bearing=bearing, **options)

    def translational(self, name: str, *, journal: AnyBody, bearing: AnyBody,
                      **options: Unpack[JointOptions]) -> Joint:  # fmt: skip
        """Add a slider of `length` [m] in a guide of `width` [m] along `axis` (world), by default (1, 0); in space a
        shaft with a key in a bore of `radius`.
        """
        if options.get("axis") is None and self._joint_class.dimensions == 2:
            options["axis"] = (1.0, 0.0)
        return self.joint("translational", name, journal=journal, bearing=bearing, **options)

    prismatic = translational

    def rigid(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a rigid connection, a pin with a key: it moves only as far as its fit allows."""
        return self.joint("rigid", name, journal=journal, bearing=bearing, **options)

    def sliding(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a pin that turns and slides along a beam while it bends, or in a straight groove of a body along `axis`
        (world), by default (1, 0); with play in a groove of `width` [m]. Two of them are a slider that touches at its
        ends.
        """
        return self.joint("sliding", name, journal=journal, bearing=bearing, **options)

    def collar(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a collar that slides along a beam, or along a groove of a body, and turns with it."""
        return self.joint("collar", name, journal=journal, bearing=bearing, **options)

    def spherical(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a ball in a socket of `radius` [m]; space only."""
        return self.joint("spherical", name, journal=journal, bearing=bearing, **options)

    def cylindrical(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a shaft that turns and slides along `axis` in a bore of `radius` and `length` [m]; space only."""
        return self.joint("cylindrical", name, journal=journal, bearing=bearing, **options)

    def universal(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a cross whose axes `journal_axis` and `bearing_axis` are fixed in the two bodies, perpendicular to each
        other; space only."""
        return self.joint("universal", name, journal=journal, bearing=bearing, **options)

    def flat(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a pad of `radius` [m] that slides between plates perpendicular to `axis`: the planar joint in space."""
        return self.joint("planar", name, journal=journal, bearing=bearing, **options)

    def screw(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a screw (journal) in its nut (bearing); one turn about `axis` moves it by `pitch` [m] along it; space
        only.
        """
        return self.joint("screw", name, journal=journal, bearing=bearing, **options)

    def mount(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add an elastic block, such as an engine mount or an intervertebral disc, that resists all six motions with
        fit=Elastic(stiffness=..., damping=...). Its last axis is `axis`, by default (0, 0, 1); space only."""
        options.setdefault("axis", (0.0, 0.0, 1.0))
        return self.joint("mount", name, journal=journal, bearing=bearing, **options)

    def contact(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Unpack[JointOptions]) -> Joint:
        """Add a contact from outside between two round bodies (disks in the plane, spheres in space) of
        `journal_radius` and `radius` [m], with fit=Touching(wall=...). Their centres are journal_point and
        bearing_point.
        """
        return self.joint("contact", name, journal=journal, bearing=bearing, **options)

    # what the mechanism itself answers
    _joints: dict[str, Any]
    _beams: dict[str, Beam]

    @abstractmethod
    def _add(self, group: dict[str, Any], cls: type[Any], name: str, **values: Any) -> Any:
        """Make a part and put it into its group."""

    @abstractmethod
    def _body(self, body: Any, field: str) -> str:
        """Name of a body or of the ground."""

    @abstractmethod
    def _local(self, body: str, at: Any, point: Any, at_field: str, point_field: str) -> Any:
        """Body-fixed point from a world point or from itself."""


def _method(kind: JointKind) -> Callable[..., Joint]:
    """The method that adds a joint of a kind."""

    def add(self: JointMaker, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Any) -> Joint:
        return self.joint(kind.name, name, journal=journal, bearing=bearing, **options)

    add.__name__, add.__qualname__ = kind.method or kind.name, f"JointMaker.{kind.method or kind.name}"
    add.__doc__ = kind.words
    return add


def _with_options(method: Any) -> None:
    """Show the options of a joint by name in the signature, where editors and notebooks look for them."""
    whole = inspect.signature(method)
    given = [p for p in whole.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    hints = JointOptions.__annotations__
    keyword = inspect.Parameter.KEYWORD_ONLY
    named = [inspect.Parameter(name, keyword, default=None, annotation=getattr(hint, "__forward_arg__", hint))
             for name, hint in hints.items()]  # fmt: skip
    method.__signature__ = whole.replace(parameters=[*given, *named])


for _kind in (*KINDS.values(), *SPATIAL_KINDS.values()):
    if not hasattr(JointMaker, _kind.method or _kind.name):
        setattr(JointMaker, _kind.method or _kind.name, _method(_kind))
for _name, _made in list(vars(JointMaker).items()):
    if inspect.isfunction(_made) and any(p.name == "options" for p in inspect.signature(_made).parameters.values()):
        _with_options(_made)
