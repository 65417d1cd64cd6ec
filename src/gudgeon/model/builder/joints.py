"""The joints that a mechanism can be given, one method for each kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, TypeAlias

from gudgeon.model.fits import Fit, Ideal
from gudgeon.model.joint_kinds.base import COLLAR, SLIDING, JointKind, kind_of
from gudgeon.model.names import about, check_fields, check_name, fields_of
from gudgeon.model.parts import SpatialBody
from gudgeon.model.parts.beam import Beam
from gudgeon.model.parts.body import Body
from gudgeon.model.parts.joint import Joint, SpatialJoint, read_axes
from gudgeon.model.parts.modal import ModalLink
from gudgeon.quantity import GudgeonError

__all__ = ["AnyBody", "FitLike", "JointMaker", "Number", "Vector"]

Number: TypeAlias = float | str
Vector: TypeAlias = tuple[Number, ...]
FitLike: TypeAlias = Fit | Mapping[str, Fit]
AnyBody: TypeAlias = Body | SpatialBody | Beam | ModalLink | str


class JointMaker(ABC):
    """What a mechanism inherits: the kinds of joints by name. `joint` is the one that does it."""

    _joint_sort: type[Joint]

    def joint(self, kind: str | JointKind, name: str, *, journal: AnyBody, bearing: AnyBody, at: Vector | None = None,
              journal_point: Vector | None = None, bearing_point: Vector | None = None, axis: Vector | None = None,
              radius: Number | None = None, length: Number | None = None, width: Number | None = None,
              fit: FitLike | None = None, stop: Any = None, journal_axis: Vector | None = None,
              bearing_axis: Vector | None = None, arm: Vector | None = None, journal_radius: Number | None = None,
              **sizes: Any) -> Joint:  # fmt: skip
        """Add a joint of the named kind at a world point `at` [m], or at a body-fixed point of each body.

        In space: `axis`, or journal_axis and bearing_axis, in the world in the described position; arm, misalignment,
        journal_length, strips, profile, short and pitch as in SpatialJoint.
        """
        check_name(name, "joint")
        with about(f'joint "{name}"'):
            i, j = self._body(journal, "journal"), self._body(bearing, "bearing")
            if at is None and (journal_point is None or bearing_point is None):
                example = "(x, y)" if self._joint_sort.dimensions == 2 else "(x, y, z)"
                raise GudgeonError(f"no place given; give at={example}, or both journal_point and bearing_point")
            place = {
                "journal_point": self._local(i, at, journal_point, "at", "journal_point"),
                "bearing_point": self._local(j, at, bearing_point, "at", "bearing_point"),
            }
            fits, sort = Ideal() if fit is None else fit, kind_of(kind, self._joint_sort.kinds)
            if sort in (SLIDING, COLLAR):
                beam, along = self._beams.get(j), (1.0, 0.0) if axis is None else axis
                axis = along if beam is None else beam.rail(axis, place["bearing_point"])
            if self._joint_sort.dimensions == 3:
                if sort.name == "rigid" and axis is journal_axis is None:
                    axis = (0.0, 0.0, 1.0)  # nothing turns: any will do
                axis, sizes["arm"] = read_axes(sort, axis, journal_axis, bearing_axis, arm)
            elif sizes or not journal_axis is bearing_axis is arm is None:
                names = [*sizes, *(n for n, x in (("journal_axis", journal_axis), ("bearing_axis", bearing_axis),
                                                  ("arm", arm)) if x is not None)]  # fmt: skip
                check_fields(names, [*fields_of(SpatialJoint), "journal_axis", "bearing_axis", "at"])
                raise GudgeonError(f"{names[0]}: only a joint of space has it; leave it out")
        return self._add(self._joints, self._joint_sort, name, kind=sort, journal=i, bearing=j, axis=axis,
                         radius=radius, length=length, width=width, journal_radius=journal_radius, fit=fits, stop=stop,
                         **place, **sizes)  # fmt: skip

    def revolute(self, name: str, *, journal: AnyBody, bearing: AnyBody, at: Vector | None = None,
                 journal_point: Vector | None = None, bearing_point: Vector | None = None,
                 radius: Number | None = None, length: Number | None = None, fit: FitLike | None = None,
                 stop: Any = None, **space: Any) -> Joint:  # fmt: skip
        """Add a pin in a bore of `radius` [m]; in space about `axis`, with shoulders."""
        return self.joint("revolute", name, journal=journal, bearing=bearing, at=at,
                          journal_point=journal_point, bearing_point=bearing_point, radius=radius,
                          length=length, fit=fit, stop=stop, **space)  # fmt: skip

    def translational(self, name: str, *, journal: AnyBody, bearing: AnyBody, at: Vector | None = None,
                      journal_point: Vector | None = None, bearing_point: Vector | None = None,
                      axis: Vector | None = None, width: Number | None = None, length: Number | None = None,
                      fit: FitLike | None = None, stop: Any = None, **space: Any) -> Joint:  # fmt: skip
        """Add a slider of `length` [m] in a guide of `width` [m] along `axis` (world), (1, 0) unless given; in space a
        shaft with a key in a bore of `radius`."""
        along = (1.0, 0.0) if axis is None and self._joint_sort.dimensions == 2 else axis
        return self.joint("translational", name, journal=journal, bearing=bearing, at=at,
                          journal_point=journal_point, bearing_point=bearing_point, axis=along, width=width,
                          length=length, fit=fit, stop=stop, **space)  # fmt: skip

    prismatic = translational

    def rigid(self, name: str, *, journal: AnyBody, bearing: AnyBody, at: Vector | None = None,
              journal_point: Vector | None = None, bearing_point: Vector | None = None,
              radius: Number | None = None, length: Number | None = None, fit: FitLike | None = None,
              **space: Any) -> Joint:  # fmt: skip
        """Add a pin with a key: nothing moves unless a fit lets it."""
        return self.joint("rigid", name, journal=journal, bearing=bearing, at=at, journal_point=journal_point,
                          bearing_point=bearing_point, radius=radius, length=length, fit=fit, **space)  # fmt: skip

    def sliding(self, name: str, *, journal: AnyBody, bearing: AnyBody, at: Vector | None = None,
                axis: Vector | None = None, **options: Any) -> Joint:  # fmt: skip
        """Add a pin that turns and slides along a straight beam, however it bends, or in a straight groove of a body
        along `axis` (world), (1, 0) unless given; with play in a groove of `width` [m]. Two of them are a slider that
        touches by its ends."""
        return self.joint("sliding", name, journal=journal, bearing=bearing, at=at, axis=axis, **options)

    def collar(self, name: str, *, journal: AnyBody, bearing: AnyBody, at: Vector | None = None,
               axis: Vector | None = None, **options: Any) -> Joint:  # fmt: skip
        """Add a collar that slides along a beam, or a groove of a body, and turns with it where it is."""
        return self.joint("collar", name, journal=journal, bearing=bearing, at=at, axis=axis, **options)

    def spherical(self, name: str, *, journal: AnyBody, bearing: AnyBody, **options: Any) -> Joint:
        """Add a ball in a socket of `radius` [m]; space only."""
        return self.joint("spherical", name, journal=journal, bearing=bearing, **options)

    def cylindrical(self, name: str, *, journal: AnyBody, bearing: AnyBody, axis: Vector | None = None,
                    **options: Any) -> Joint:  # fmt: skip
        """Add a shaft that turns and slides along `axis` in a bore of `radius` and `length` [m]; space only."""
        return self.joint("cylindrical", name, journal=journal, bearing=bearing, axis=axis, **options)

    def universal(self, name: str, *, journal: AnyBody, bearing: AnyBody, journal_axis: Vector,
                  bearing_axis: Vector, **options: Any) -> Joint:  # fmt: skip
        """Add a cross whose axes are fixed in the journal and in the bearing, square to each other; space only."""
        return self.joint("universal", name, journal=journal, bearing=bearing, journal_axis=journal_axis,
                          bearing_axis=bearing_axis, **options)  # fmt: skip

    def flat(self, name: str, *, journal: AnyBody, bearing: AnyBody, axis: Vector, **options: Any) -> Joint:
        """Add a pad of `radius` [m] that glides between plates square to `axis`: the planar joint of space."""
        return self.joint("planar", name, journal=journal, bearing=bearing, axis=axis, **options)

    def screw(self, name: str, *, journal: AnyBody, bearing: AnyBody, axis: Vector, pitch: Number,
              **options: Any) -> Joint:  # fmt: skip
        """Add a screw (journal) that moves by `pitch` [m] along `axis` in one turn about it in its nut (bearing);
        space only."""
        return self.joint("screw", name, journal=journal, bearing=bearing, axis=axis, pitch=pitch, **options)

    def mount(self, name: str, *, journal: AnyBody, bearing: AnyBody, axis: Vector = (0.0, 0.0, 1.0),
              **options: Any) -> Joint:  # fmt: skip
        """Add an elastic block, such as an engine mount or an intervertebral disc, that holds all six motions by
        fit=Elastic(stiffness=..., damping=...) in axes of which `axis` is the last; space only."""
        return self.joint("mount", name, journal=journal, bearing=bearing, axis=axis, **options)

    def contact(self, name: str, *, journal: AnyBody, bearing: AnyBody, journal_radius: Number, radius: Number,
                **options: Any) -> Joint:  # fmt: skip
        """Let two round bodies, disks of the plane or spheres of space, touch from outside by
        fit=Touching(wall=...); their centres are journal_point and bearing_point."""
        return self.joint("contact", name, journal=journal, bearing=bearing, journal_radius=journal_radius,
                          radius=radius, **options)  # fmt: skip

    # what the mechanism itself answers
    _joints: dict[str, Any]
    _beams: dict[str, Beam]

    @abstractmethod
    def _add(self, group: dict[str, Any], sort: type[Any], name: str, **values: Any) -> Any:
        """Make a part and put it into its group."""

    @abstractmethod
    def _body(self, body: Any, field: str) -> str:
        """Name of a body or of the ground."""

    @abstractmethod
    def _local(self, body: str, at: Any, point: Any, at_field: str, point_field: str) -> Any:
        """Body-fixed point from a world point or from itself."""
