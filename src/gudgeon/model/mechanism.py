"""The mechanism: a builder whose parts are immutable."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from gudgeon.laws import ContactLaw
from gudgeon.model import vary as _vary
from gudgeon.model.body import Body, Point, pair
from gudgeon.model.drive import Drive
from gudgeon.model.fits import Fit, Ideal
from gudgeon.model.joint import Joint
from gudgeon.model.kinds import JointKind, kind_of
from gudgeon.model.loads import Force, Spring, Torque, TorsionSpring
from gudgeon.model.names import GROUND, Named, about, check_name, choice, shown, unknown
from gudgeon.model.stop import Stop
from gudgeon.model.summary import summary
from gudgeon.model.values import Signal
from gudgeon.quantity import GudgeonError

__all__ = ["Mechanism"]

Number: TypeAlias = float | str
Vector: TypeAlias = tuple[Number, Number]
FitLike: TypeAlias = Fit | Mapping[str, Fit]
AnyPart = TypeVar("AnyPart", bound=Named)


class Mechanism:
    """Bodies, joints, drives and loads, as the user describes them.

    gravity [m/s^2]. start "ideal": positions and velocities begin on the motion of the mechanism with ideal
    joints; "given": as described on the bodies.
    """

    def __init__(self, name: str, planar: bool = True, gravity: Vector = (0.0, 0.0),
                 start: Literal["ideal", "given"] = "ideal") -> None:  # fmt: skip
        if not isinstance(name, str) or not name.strip():
            raise GudgeonError(f'mechanism name {shown(name)} must be a text such as "slider-crank"')
        self._name = name
        with about(f'mechanism "{name}"'):
            if not planar:
                raise GudgeonError("planar=False: mechanisms in space come later; use planar=True")
            self._gravity: Point = pair(gravity, "m/s^2", "gravity")
            self._start = choice(start, ("ideal", "given"), "start")
        self._bodies: dict[str, Body] = {}
        self._joints: dict[str, Joint] = {}
        self._drives: dict[str, Drive] = {}
        self._springs: dict[str, Spring] = {}
        self._torsion_springs: dict[str, TorsionSpring] = {}
        self._forces: dict[str, Force] = {}
        self._torques: dict[str, Torque] = {}

    # -- what is in it ----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What the mechanism is called."""
        return self._name

    @property
    def gravity(self) -> Point:
        """Gravity in the world frame [m/s^2]."""
        return self._gravity

    @property
    def start(self) -> str:
        """Where the motion begins: "ideal" or "given"."""
        return self._start

    @property
    def planar(self) -> bool:
        """Always True until space comes."""
        return True

    @property
    def ground(self) -> str:
        """The frame; stands wherever a body does."""
        return GROUND

    @property
    def bodies(self) -> Mapping[str, Body]:
        """Bodies by name."""
        return MappingProxyType(self._bodies)

    @property
    def joints(self) -> Mapping[str, Joint]:
        """Joints by name."""
        return MappingProxyType(self._joints)

    @property
    def drives(self) -> Mapping[str, Drive]:
        """Drives by the name of their joint."""
        return MappingProxyType(self._drives)

    @property
    def springs(self) -> Mapping[str, Spring]:
        """Springs and dampers between points, by name."""
        return MappingProxyType(self._springs)

    @property
    def torsion_springs(self) -> Mapping[str, TorsionSpring]:
        """Springs and dampers on the rotation of a joint, by name."""
        return MappingProxyType(self._torsion_springs)

    @property
    def forces(self) -> Mapping[str, Force]:
        """Forces by name."""
        return MappingProxyType(self._forces)

    @property
    def torques(self) -> Mapping[str, Torque]:
        """Torques by name."""
        return MappingProxyType(self._torques)

    # -- bodies and joints ------------------------------------------------------------------------------

    def body(self, name: str, *, mass: Number, inertia: Number, at: Vector, angle: Number = 0.0,
             velocity: Vector = (0.0, 0.0), spin: Number = 0.0) -> Body:  # fmt: skip
        """Add a rigid body: mass [kg], inertia [kg m^2], centre of mass at [m], angle [rad]; see Body."""
        values: dict[str, Any] = {"mass": mass, "inertia": inertia, "at": at, "angle": angle}
        return self._add(self._bodies, Body, name, velocity=velocity, spin=spin, **values)

    def joint(self, kind: str | JointKind, name: str, *, journal: Body | str, bearing: Body | str,
              at: Vector | None = None, journal_point: Vector | None = None,
              bearing_point: Vector | None = None, axis: Vector | None = None, radius: Number | None = None,
              length: Number | None = None, width: Number | None = None, fit: FitLike | None = None,
              stop: Stop | None = None) -> Joint:  # fmt: skip
        """Add a joint of the named kind at a world point `at` [m], or at a body-fixed point of each body."""
        check_name(name, "joint")
        with about(f'joint "{name}"'):
            i, j = self._body(journal, "journal"), self._body(bearing, "bearing")
            if at is None and (journal_point is None or bearing_point is None):
                raise GudgeonError("no place given; give at=(x, y), or both journal_point and bearing_point")
            place = {
                "journal_point": self._local(i, at, journal_point, "at", "journal_point"),
                "bearing_point": self._local(j, at, bearing_point, "at", "bearing_point"),
            }
            fits, sort = Ideal() if fit is None else fit, kind_of(kind)
        return self._add(self._joints, Joint, name, kind=sort, journal=i, bearing=j, axis=axis,
                         radius=radius, length=length, width=width, fit=fits, stop=stop, **place)  # fmt: skip

    def revolute(self, name: str, *, journal: Body | str, bearing: Body | str, at: Vector | None = None,
                 journal_point: Vector | None = None, bearing_point: Vector | None = None,
                 radius: Number | None = None, length: Number | None = None, fit: FitLike | None = None,
                 stop: Stop | None = None) -> Joint:  # fmt: skip
        """Add a pin in a bore of `radius` [m]."""
        return self.joint("revolute", name, journal=journal, bearing=bearing, at=at,
                          journal_point=journal_point, bearing_point=bearing_point, radius=radius,
                          length=length, fit=fit, stop=stop)  # fmt: skip

    def translational(self, name: str, *, journal: Body | str, bearing: Body | str, at: Vector | None = None,
                      journal_point: Vector | None = None, bearing_point: Vector | None = None,
                      axis: Vector = (1.0, 0.0), width: Number | None = None, length: Number | None = None,
                      fit: FitLike | None = None, stop: Stop | None = None) -> Joint:  # fmt: skip
        """Add a slider of `length` [m] in a guide of `width` [m] along `axis` (world)."""
        return self.joint("translational", name, journal=journal, bearing=bearing, at=at,
                          journal_point=journal_point, bearing_point=bearing_point, axis=axis, width=width,
                          length=length, fit=fit, stop=stop)  # fmt: skip

    prismatic = translational

    def rigid(self, name: str, *, journal: Body | str, bearing: Body | str, at: Vector | None = None,
              journal_point: Vector | None = None, bearing_point: Vector | None = None,
              radius: Number | None = None, length: Number | None = None,
              fit: FitLike | None = None) -> Joint:  # fmt: skip
        """Add a pin with a key: nothing moves unless a fit lets it."""
        return self.joint("rigid", name, journal=journal, bearing=bearing, at=at, journal_point=journal_point,
                          bearing_point=bearing_point, radius=radius, length=length, fit=fit)  # fmt: skip

    def stop(self, joint: Joint | str, *, lower: Number | None = None, upper: Number | None = None,
             wall: ContactLaw) -> Joint:  # fmt: skip
        """Limit the free direction of a joint: [rad] or [m] from the described position."""
        old = self._joint(joint, "stop")
        with about(old.title):
            if old.stop is not None:
                raise GudgeonError("it has a stop already; give lower and upper in one call")
            stop = Stop(lower, upper, wall=wall)  # type: ignore[arg-type]
        self._joints[old.name] = replace(old, stop=stop)
        return self._joints[old.name]

    def drive(self, joint: Joint | str, *, speed: Number | Callable[[float], float] | None = None,
              motion: Callable[[float], float] | None = None) -> Drive:  # fmt: skip
        """Prescribe a joint's free direction: speed [rad/s] or [m/s], or motion in time [rad] or [m]."""
        target = self._joint(joint, "drive")
        if target.name in self._drives:
            raise GudgeonError(f'drive of "{target.name}": joint "{target.name}" is driven already; drop one')
        drive = Drive(target.name, speed, motion)  # type: ignore[arg-type]
        self._drives[target.name] = self._fitting(drive)
        return drive

    # -- springs and loads ------------------------------------------------------------------------------

    def spring(self, name: str, body_i: Body | str, body_j: Body | str, *, stiffness: Number,
               at_i: Vector | None = None, at_j: Vector | None = None, point_i: Vector | None = None,
               point_j: Vector | None = None, free_length: Number | None = None, damping: Number = 0.0,
               preload: Number = 0.0) -> Spring:  # fmt: skip
        """Add a spring between a world point at_i [m] (or body-fixed point_i) of body_i and one of body_j."""
        check_name(name, "spring")
        with about(f'spring "{name}"'):
            i, j = self._body(body_i, "body_i"), self._body(body_j, "body_j")
            ends = {"point_i": self._local(i, at_i, point_i, "at_i", "point_i"),
                    "point_j": self._local(j, at_j, point_j, "at_j", "point_j")}  # fmt: skip
            (x_i, y_i), (x_j, y_j) = self._world(i, ends["point_i"]), self._world(j, ends["point_j"])
            if i != j and math.hypot(x_i - x_j, y_i - y_j) < 1e-12:
                raise GudgeonError("its ends coincide, so it has no direction; move at_i or at_j")
        return self._add(self._springs, Spring, name, body_i=i, body_j=j, stiffness=stiffness,
                         damping=damping, free_length=free_length, preload=preload, **ends)  # fmt: skip

    def damper(self, name: str, body_i: Body | str, body_j: Body | str, *, damping: Number,
               at_i: Vector | None = None, at_j: Vector | None = None, point_i: Vector | None = None,
               point_j: Vector | None = None) -> Spring:  # fmt: skip
        """Add a damper [N s/m]: a spring of stiffness 0."""
        return self.spring(name, body_i, body_j, stiffness=0.0, damping=damping, at_i=at_i, at_j=at_j,
                           point_i=point_i, point_j=point_j)  # fmt: skip

    def torsion_spring(self, name: str, joint: Joint | str, *, stiffness: Number, free_angle: Number = 0.0,
                       damping: Number = 0.0) -> TorsionSpring:  # fmt: skip
        """Add a torsion spring [N m/rad] on the free rotation of a joint."""
        check_name(name, "torsion spring")
        target = self._joint(joint, f'torsion spring "{name}"')
        if target.kind.free != "rotation":
            raise GudgeonError(
                f'torsion spring "{name}": joint "{target.name}" is {target.kind.name} and does not turn; '
                "choose a revolute joint"
            )
        return self._add(self._torsion_springs, TorsionSpring, name, joint=target.name, stiffness=stiffness,
                         free_angle=free_angle, damping=damping)  # fmt: skip

    def force(self, body: Body | str, components: tuple[Signal | str, Signal | str], *,
              at: Vector | None = None, point: Vector | None = None,
              frame: Literal["world", "body"] = "world", name: str | None = None) -> Force:  # fmt: skip
        """Add a force [N] at a world point `at` [m], a body-fixed `point` [m], or the centre of mass."""
        with about("force" if name is None else f'force "{name}"'):
            target = self._body(body, "body")
            given = (0.0, 0.0) if at is None and point is None else point
            place = self._local(target, at, given, "at", "point")
        title = self._free_name(f"{target}_force") if name is None else name
        return self._add(
            self._forces, Force, title, body=target, point=place, components=components, frame=frame
        )

    def torque(self, body: Body | str, value: Signal | str, *, reaction: Body | str | None = None,
               name: str | None = None) -> Torque:  # fmt: skip
        """Add a torque [N m] on a body; `reaction` feels the opposite."""
        with about("torque" if name is None else f'torque "{name}"'):
            target = self._body(body, "body")
            other = None if reaction is None else self._body(reaction, "reaction")
        title = self._free_name(f"{target}_torque") if name is None else name
        # the ground does not feel it, so both descriptions are the same part
        other = None if other == GROUND != target else other
        return self._add(self._torques, Torque, title, body=target, value=value, reaction=other)

    # -- the same mechanism, changed --------------------------------------------------------------------

    def refit(self, **fits: FitLike) -> Mechanism:
        """A new mechanism with other fits; a dict changes only the mates it names."""
        return _vary.refit(self, fits)

    def vary(self, path: str, value: Any) -> Mechanism:
        """A new mechanism with one number changed, for instance vary("pin.radial_clearance", "0.1 mm")."""
        return _vary.vary(self, path, value)

    @property
    def parameters(self) -> dict[str, float]:
        """Every path that `vary` knows, with its value [SI]."""
        return {path: slot.value for path, slot in _vary.slots(self).items()}

    def check(self) -> None:
        """Refuse a description that is not complete."""
        with about(f'mechanism "{self.name}"'):
            if not self._bodies:
                raise GudgeonError("it has no bodies; add one with body(...)")
            for drive in self._drives.values():
                self._fitting(drive)
            for spring in self._torsion_springs.values():
                self._joint(spring.joint, spring.title)

    # -- as a file --------------------------------------------------------------------------------------

    def to_file(self, path: str | Path) -> Path:
        """Write a model file (YAML) that `from_file` reads back exactly."""
        from gudgeon.model.files import dump

        Path(path).write_text(dump(self), encoding="utf-8")
        return Path(path)

    @staticmethod
    def from_file(path: str | Path) -> Mechanism:
        """The mechanism of a model file; a ModelFileError shows all that is wrong with it."""
        from gudgeon.model.files import load

        return load(path).mechanism

    # -- for people -------------------------------------------------------------------------------------

    def summary(self) -> str:
        """The mechanism in lines for people."""
        return summary(self)

    def __repr__(self) -> str:
        return f'Mechanism("{self.name}": {len(self._bodies)} bodies, {len(self._joints)} joints)'

    # -- inside -----------------------------------------------------------------------------------------

    def _add(self, group: dict[str, AnyPart], sort: type[AnyPart], name: str, **values: Any) -> AnyPart:
        check_name(name, sort.word)
        if name in self._names():
            raise GudgeonError(
                f'{sort.word} "{name}": the name is taken by another part; choose another name'
            )
        group[name] = sort(name, **values)  # type: ignore[call-arg]
        return group[name]

    def _names(self) -> set[str]:
        groups = (
            self._bodies,
            self._joints,
            self._springs,
            self._torsion_springs,
            self._forces,
            self._torques,
        )
        return {name for group in groups for name in group}

    def _free_name(self, stem: str) -> str:
        names, number = self._names(), 1
        while f"{stem}_{number}" in names:
            number += 1
        return stem if stem not in names else f"{stem}_{number}"

    def _body(self, body: Any, field: str) -> str:
        name = body.name if isinstance(body, Body) else body
        if not isinstance(name, str):
            raise GudgeonError(f"{field} {shown(body)} is no body; give a body or its name")
        if name not in self._bodies and name != GROUND:
            with about(field):
                raise unknown("body", name, [*self._bodies, GROUND])
        return name

    def _joint(self, joint: Any, who: str) -> Joint:
        name = joint.name if isinstance(joint, Joint) else joint
        if not isinstance(name, str):
            raise GudgeonError(f"{who}: {shown(joint)} is no joint; give a joint or its name")
        if name not in self._joints:
            with about(who):
                raise unknown("joint", name, self._joints)
        return self._joints[name]

    def _local(self, body: str, at: Any, point: Any, at_field: str, point_field: str) -> Point:
        if (at is None) == (point is None):
            count = "neither" if at is None else "both"
            raise GudgeonError(f"{count} of {at_field} and {point_field} given; give one of them")
        if at is None:
            return pair(point, "m", point_field)
        world = pair(at, "m", at_field)
        return world if body == GROUND else self._bodies[body].local(world)

    def _world(self, body: str, point: Point) -> Point:
        return point if body == GROUND else self._bodies[body].world(point)

    def _fitting(self, drive: Drive) -> Drive:
        """The drive, if its joint exists and moves in the drive's unit."""
        kind = self._joint(drive.joint, "drive").kind
        with about(drive.title):
            if kind.free is None:
                raise GudgeonError(f"a {kind.name} joint leaves nothing free to drive; choose another joint")
            if drive.unit is not None and drive.unit != f"{kind.unit}/s":
                raise GudgeonError(
                    f"speed is in [{drive.unit}], but a {kind.name} joint is free in {kind.free}: "
                    f"give it in [{kind.unit}/s]"
                )
        return drive
