"""The mechanism: a builder whose parts are immutable."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from gudgeon.laws import ContactLaw
from gudgeon.model import files
from gudgeon.model.builder import vary as _vary
from gudgeon.model.builder.actuators import ActuatorMaker
from gudgeon.model.builder.joints import AnyBody, FitLike, JointMaker, Number, Vector
from gudgeon.model.builder.links import BeamMaker
from gudgeon.model.builder.space_types import PLANE, SPACE
from gudgeon.model.builder.summary import summary
from gudgeon.model.fits.stop import Stop
from gudgeon.model.names import GROUND, Named, about, check_fields, check_name, choice, fields_of, shown, unknown
from gudgeon.model.parts import SpatialBody
from gudgeon.model.parts.beam import Beam
from gudgeon.model.parts.body import Body
from gudgeon.model.parts.controller import Controller
from gudgeon.model.parts.drive import Drive
from gudgeon.model.parts.joint import Joint, choice_of_direction
from gudgeon.model.parts.loads import Force, Spring, Torque, TorsionSpring
from gudgeon.model.parts.modal import ModalLink
from gudgeon.model.parts.motor import Motor
from gudgeon.model.signals import Signal, check_signals
from gudgeon.quantity import GudgeonError, in_notebook, vector
from gudgeon.space.spatial.geometry.inertia import Solid
from gudgeon.written import write_text

__all__ = ["Mechanism"]

AnyPart = TypeVar("AnyPart", bound=Named)


class Mechanism(JointMaker, ActuatorMaker, BeamMaker):
    """Bodies, joints, drives and loads, as the user describes them.

    planar=False: in space. gravity [m/s^2]. start "ideal": initial positions and velocities are those of the mechanism
    with ideal joints; "given": as described for the bodies.
    """

    def __init__(self, name: str, planar: bool = True, gravity: Vector | None = None,
                 start: Literal["ideal", "given"] = "ideal") -> None:  # fmt: skip
        if not isinstance(name, str) or not name.strip():
            raise GudgeonError(f'mechanism name {shown(name)} must be a text such as "slider-crank"')
        self._name = name
        with about(f'mechanism "{name}"'):
            if not isinstance(planar, bool):
                raise GudgeonError(f"planar {shown(planar)} must be True or False")
            self._types = PLANE if planar else SPACE
            none = (0.0,) * self._types.dimensions
            given = none if gravity is None else gravity
            self._gravity = vector(given, "m/s^2", "gravity", self._types.dimensions)
            self._start = choice(start, ("ideal", "given"), "start")
        # parts know by it whose they are; mechanisms made from this one by vary and refit share it
        self._lineage = [name]
        self._bodies: dict[str, Any] = {}
        self._modal_links: dict[str, ModalLink] = {}
        self._beams: dict[str, Beam] = {}
        self._joints: dict[str, Joint] = {}
        self._drives: dict[str, Drive] = {}
        self._motors: dict[str, Motor] = {}
        self._controllers: dict[str, Controller] = {}
        self._springs: dict[str, Spring] = {}
        self._torsion_springs: dict[str, TorsionSpring] = {}
        self._forces: dict[str, Force] = {}
        self._torques: dict[str, Torque] = {}

    # -- what is in it ----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the mechanism."""
        return self._name

    @property
    def gravity(self) -> tuple[float, ...]:
        """Gravity in the world frame [m/s^2]."""
        return self._gravity

    @property
    def start(self) -> str:
        """Initial state: "ideal" or "given"."""
        return self._start

    @property
    def planar(self) -> bool:
        """Whether the bodies move in a plane."""
        return self._types is PLANE

    @property
    def _joint_class(self) -> type[Joint]:  # type: ignore[override]
        return self._types.joint

    @property
    def ground(self) -> str:
        """The frame; can be used wherever a body can."""
        return GROUND

    @property
    def bodies(self) -> Mapping[str, Any]:
        """Bodies by name, first the rigid ones, then those with modes."""
        return MappingProxyType({**self._bodies, **self._modal_links} if self._modal_links else self._bodies)

    @property
    def joints(self) -> Mapping[str, Joint]:
        """Joints by name."""
        return MappingProxyType(self._joints)

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

    def body(self, name: str, *, at: Vector, mass: Number | None = None, inertia: Any = None,
             angle: Number | None = None, velocity: Vector | None = None, spin: Any = None, orientation: Any = None,
             shape: Solid | None = None) -> Any:  # fmt: skip
        """Add a rigid body: mass [kg], inertia [kg m^2], centre of mass at [m], angle [rad]; see Body. In space
        inertia, orientation, velocity and spin are as in SpatialBody; a `shape` gives mass and inertia."""
        values: dict[str, Any] = {"mass": mass, "inertia": inertia, "at": at, "velocity": velocity, "spin": spin}
        values |= {"angle": angle, "orientation": orientation}
        with about(f'body "{name}"'):
            values = self._types.body_values({k: x for k, x in values.items() if x is not None}, shape)
        return self._add(self._bodies, self._types.body, name, **values)

    def stop(self, joint: Joint | str, *, lower: Number | None = None, upper: Number | None = None,
             wall: ContactLaw, direction: str | None = None) -> Joint:  # fmt: skip
        """Limit the free motion of a joint: [rad] or [m] from the described position."""
        old = self._joint(joint, "stop")
        with about(old.title):
            stop = Stop(lower, upper, wall=wall)
            side = direction or choice_of_direction(old.kind, stop.unit, "stop")
            if side in old.stops:
                raise GudgeonError("it has a stop already; give lower and upper in one call")
        self._joints[old.name] = replace(old, stop=self._types.stops(old, side, stop))
        return self._joints[old.name]

    # -- springs and loads ------------------------------------------------------------------------------

    def spring(self, name: str, body_i: AnyBody, body_j: AnyBody, *, stiffness: Number,
               at_i: Vector | None = None, at_j: Vector | None = None, point_i: Vector | None = None,
               point_j: Vector | None = None, free_length: Number | None = None, damping: Number = 0.0,
               preload: Number = 0.0) -> Spring:  # fmt: skip
        """Add a spring between a world point at_i [m] (or body-fixed point_i) of body_i and one of body_j."""
        check_name(name, "spring")
        with about(f'spring "{name}"'):
            i, j = self._body(body_i, "body_i"), self._body(body_j, "body_j")
            ends = {"point_i": self._local(i, at_i, point_i, "at_i", "point_i"),
                    "point_j": self._local(j, at_j, point_j, "at_j", "point_j")}  # fmt: skip
            if i != j and math.dist(self.world(i, ends["point_i"]), self.world(j, ends["point_j"])) < 1e-12:
                raise GudgeonError("its ends coincide, so it has no direction; move at_i or at_j")
        return self._add(self._springs, self._types.spring, name, body_i=i, body_j=j, stiffness=stiffness,
                         damping=damping, free_length=free_length, preload=preload, **ends)  # fmt: skip

    def damper(self, name: str, body_i: AnyBody, body_j: AnyBody, *, damping: Number,
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
        if "rotation" not in target.kind.directions:
            raise GudgeonError(
                f'torsion spring "{name}": joint "{target.name}" is {target.kind.name} and does not turn; '
                "choose a revolute joint"
            )
        return self._add(self._torsion_springs, TorsionSpring, name, joint=target.name, stiffness=stiffness,
                         free_angle=free_angle, damping=damping)  # fmt: skip

    def force(self, body: AnyBody, components: tuple[Signal | str, ...], *,
              at: Vector | None = None, point: Vector | None = None,
              frame: Literal["world", "body"] = "world", name: str | None = None) -> Force:  # fmt: skip
        """Add a force [N] at a world point `at` [m], a body-fixed `point` [m], or the centre of mass. Components are
        numbers, formulas such as "-(5 N s/m)*bob.vx", functions of t, or functions of t and s; see Force."""
        with about("force" if name is None else f'force "{name}"'):
            target = self._body(body, "body")
            given = (0.0,) * self._types.dimensions if at is None and point is None else point
            place = self._local(target, at, given, "at", "point")
        title = self._free_name(f"{target}_force") if name is None else name
        return self._add(
            self._forces, self._types.force, title, body=target, point=place, components=components, frame=frame
        )

    def torque(self, body: AnyBody, value: Any, *, reaction: AnyBody | None = None, name: str | None = None,
               frame: Literal["world", "body"] | None = None, at: Vector | None = None,
               point: Vector | None = None) -> Torque:  # fmt: skip
        """Add a torque [N m] on a body, or on a beam `at` a world point [m] or a `point` fixed to it; the opposite
        torque acts on `reaction`. `value` is a number, a formula or a function, as the components of a force; in space
        it has three components, in the axes of the world or of the body (`frame`).
        """
        with about("torque" if name is None else f'torque "{name}"'):
            target = self._body(body, "body")
            other = None if reaction is None else self._body(reaction, "reaction")
            placed = not at is point is None
            if self.bends(target) != placed or (other is not None and self.bends(other)):
                raise GudgeonError("at= is the point of a flexible link where the torque acts: give it for flexible "
                                   "links, and only for them")
            place = {"point": self._local(target, at, point, "at", "point")} if placed else {}
        title = self._free_name(f"{target}_torque") if name is None else name
        # the ground does not feel it, so both descriptions are the same part
        other = None if other == GROUND != target else other
        more = place if frame is None else {**place, "frame": frame}
        return self._add(self._torques, self._types.torque, title, body=target, value=value, reaction=other, **more)

    # -- the same mechanism, changed --------------------------------------------------------------------

    def refit(self, **fits: FitLike) -> Mechanism:
        """A new mechanism with other fits; a dict changes only the contact pairs that it names."""
        return _vary.refit(self, fits)

    def vary(self, path: str, value: Any) -> Mechanism:
        """A new mechanism with one number changed, for instance vary("pin.radial_clearance", "0.1 mm")."""
        return _vary.vary(self, path, value)

    @property
    def parameters(self) -> dict[str, float]:
        """All parameters that `vary` can change, with their values [SI]."""
        return {path: number.value for path, number in _vary.numbers(self).items()}

    def check(self) -> None:
        """Raise an error if the description is not complete."""
        with about(f'mechanism "{self.name}"'):
            if not self.bodies and not self._beams:
                raise GudgeonError("it has no bodies; add one with body(...)")
            self._check_actuators()
            for spring in self._torsion_springs.values():
                self._joint(spring.joint, spring.title)
            check_signals(self)

    # -- as a file --------------------------------------------------------------------------------------

    def to_file(self, path: str | Path) -> Path:
        """Write a model file (YAML) that `from_file` reads back exactly."""
        folder = Path(path).parent
        if not folder.is_dir():
            raise GudgeonError(f'"{path}": there is no folder "{folder}"; make it first, or choose another')
        return write_text(Path(path), files.dump(self))

    @staticmethod
    def from_file(path: str | Path) -> Mechanism:
        """Read the mechanism of a model file; a ModelFileError lists all mistakes in it."""
        return files.load(path).mechanism

    # -- for people -------------------------------------------------------------------------------------

    def summary(self) -> str:
        """The mechanism as text."""
        return summary(self)

    def __repr__(self) -> str:
        parts = {"body": self._bodies, "beam": self._beams, "modal link": self._modal_links, "joint": self._joints}
        plurals = {"body": "bodies"}
        counts = [
            f"{len(group)} {word if len(group) == 1 else plurals.get(word, word + 's')}"
            for word, group in parts.items()
            if group or word in ("body", "joint")
        ]
        return f'Mechanism("{self.name}": {", ".join(counts)})'

    def _repr_html_(self) -> str:
        return in_notebook(repr(self), self.summary())

    # -- inside -----------------------------------------------------------------------------------------

    def _add(self, group: dict[str, AnyPart], cls: type[AnyPart], name: str, **values: Any) -> AnyPart:
        check_name(name, cls.word)
        if any(name in group for group in self._groups()):
            raise GudgeonError(f'{cls.word} "{name}": the name is taken by another part; choose another name')
        with about(f'{cls.word} "{name}"'):
            check_fields(values, fields_of(cls))
        group[name] = cls(name, **values)  # type: ignore[call-arg]
        object.__setattr__(group[name], "_lineage", self._lineage)
        return group[name]

    def _check_own(self, part: Any, known: Iterable[str]) -> None:
        """Refuse a part that another mechanism was given; one that `replace` made is known by its name."""
        lineage = getattr(part, "_lineage", None)
        if lineage is not None and lineage is not self._lineage:
            remedy = f'write "{part.name}" for the one of this mechanism' if part.name in known else "add it here first"
            raise GudgeonError(f'{part.title} belongs to the mechanism "{lineage[0]}", not to "{self.name}"; {remedy}')

    def _groups(self) -> tuple[dict[str, Any], ...]:
        """Parts by name; a name stands for one part in all of them."""
        return (
            self._bodies,
            self._modal_links,
            self._beams,
            self._joints,
            self._springs,
            self._torsion_springs,
            self._forces,
            self._torques,
        )

    def _free_name(self, stem: str) -> str:
        taken, number = self._groups(), 1
        while any(f"{stem}_{number}" in group for group in taken):
            number += 1
        return f"{stem}_{number}" if any(stem in group for group in taken) else stem

    def _body(self, body: Any, field: str) -> str:
        name = body.name if isinstance(body, Body | SpatialBody | Beam | ModalLink) else body
        if not isinstance(name, str):
            raise GudgeonError(f"{field} {shown(body)} is no body; give a body or its name")
        with about(field):
            if body is not name:
                self._check_own(body, [*self.bodies, *self._beams])
            if name not in self._bodies and not self.bends(name) and name != GROUND:
                raise unknown("body", name, [*self.bodies, *self._beams, GROUND])
        return name

    def _joint(self, joint: Any, who: str) -> Joint:
        name = joint.name if isinstance(joint, Joint) else joint
        if not isinstance(name, str):
            raise GudgeonError(f"{who}: {shown(joint)} is no joint; give a joint or its name")
        with about(who):
            if joint is not name:
                self._check_own(joint, self._joints)
            if name not in self._joints:
                raise unknown("joint", name, self._joints)
        return self._joints[name]

    def _local(self, body: str, at: Any, point: Any, at_field: str, point_field: str) -> tuple[float, ...]:
        if (at is None) == (point is None):
            count = "neither" if at is None else "both"
            raise GudgeonError(f"{count} of {at_field} and {point_field} given; give one of them")
        if at is None:
            return vector(point, "m", point_field, self._types.dimensions)
        world = vector(at, "m", at_field, self._types.dimensions)
        return world if body == GROUND else tuple(self.link(body).local(world))

    def world(self, body: str, point: tuple[float, ...]) -> tuple[float, ...]:
        """World coordinates [m] of a body-fixed point [m] in the described position."""
        return point if body == GROUND else tuple(self.link(body).world(point))
