"""Branches of space: frames of bodies as formulas of joint coordinates, and what their masses ask for.

A body that can turn in one or two directions has the axes (h, t, b) of the joint that carries it: its matrix is then
that of its parent's axes turned about one of them after another, without another product. A body that turns freely has
its principal axes and Euler parameters of its own, as it would have without a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gudgeon.assemble.solve.elimination import Row
from gudgeon.assemble.tree.planar import Inertia
from gudgeon.assemble.tree.tree import Link
from gudgeon.compile.graph import cos, sin
from gudgeon.space.spatial import Frame, Place, Rotation, Vector
from gudgeon.space.spatial.geometry.rotation import IDENTITY, after, rotation_matrix
from gudgeon.space.spatial.geometry.vector import ZERO

AXES = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
NO_TURN = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class SpatialBranch:
    """A body of the tree. Its frame sits at the joint that carries it: `anchor` is that point from the centre of mass,
    `bias` [m/s^2] and `spin_bias` [rad/s^2] (along the frame's axes) its accelerations while all speeds are held.
    `principal` turns described axes into principal ones. `parameters` are Euler parameters of the principal axes."""

    frame: Frame
    anchor: Vector = ZERO
    bias: Vector = ZERO
    spin_bias: Vector = ZERO
    mass: Any = 0.0
    moments: tuple[Any, ...] = (0.0, 0.0, 0.0)
    principal: Rotation | None = None
    parameters: Callable[[], tuple[Any, ...]] = field(default=lambda: NO_TURN)

    def _inner(self, local: Vector) -> Vector:
        """Frame components of a vector given in described axes."""
        return local if self.frame.described is None else self.frame.described @ local

    @property
    def _centre(self) -> Vector:
        """From the frame to the centre of mass, along the frame's axes."""
        return self._inner(-self.anchor)

    @property
    def _principal_axes(self) -> list[Vector]:
        """Along the frame's axes."""
        return [self._inner(axis if self.principal is None else self.principal.back(axis)) for axis in AXES]

    # -- what the shadow asks for: the coordinates of the body itself -------------------------------------------

    def rotation(self) -> Rotation:
        """That of the principal axes."""
        return Rotation.of_columns(*(self.frame.rotation @ axis for axis in self._principal_axes))

    def coordinates(self) -> list[Any]:
        return [*(self.frame.origin + self.frame.rotation @ self._centre), *self.parameters()]

    def velocities(self) -> list[Any]:
        frame = self.frame
        velocity = frame.velocity + frame.rotation @ frame.spin.cross(self._centre)
        return [*velocity, *(axis @ frame.spin for axis in self._principal_axes)]

    def known_accelerations(self) -> list[Any]:
        """Those of the centre of mass and about the principal axes while all speeds are held."""
        centre, w = self._centre, self.frame.spin
        inner = self.spin_bias.cross(centre) + w.cross(w.cross(centre))
        return [*(self.bias + self.frame.rotation @ inner), *(axis @ self.spin_bias for axis in self._principal_axes)]

    # -- what the equations ask for ------------------------------------------------------------------------------

    def hints(self, _: Sequence[Vector], x: Any, y: Any, z: Any) -> list[tuple[Any, Any]]:
        """Entries of the rotation matrix and their rates, A' = A w~."""
        seeds: list[tuple[Any, Any]] = []
        for a, b, c in (self.frame.rotation.x, self.frame.rotation.y, self.frame.rotation.z):
            seeds += [(a, b * z - c * y), (b, c * x - a * z), (c, a * y - b * x)]
        return seeds

    def spins(self) -> list[Any]:
        return [*self.frame.spin]

    # With the frame's velocity v, the angular velocity w, the arm s to the centre and the tensor J about the frame, all
    # but v along the frame's axes, the kinetic energy is
    #
    #   m v·v / 2 + w·(m s x Aᵀ v) + w·J w / 2
    #
    # and while all speeds are held the body needs the force m (a + A (w' x s + w x (w x s))) and, about the frame, the
    # moment J w' + w x J w + m s x Aᵀ a, with a = bias - gravity.
    def inertia_of(self, slopes: Callable[[Any], Row], gravity: Vector | None) -> Inertia:
        frame, w = self.frame, self.frame.spin
        moment = self._inner(-self.anchor * self.mass)
        a = self.bias if gravity is None else self.bias - gravity
        inner = self.spin_bias.cross(moment) + w.cross(w.cross(moment))
        force = a * self.mass + frame.rotation @ inner
        tensor = self._tensor(moment)
        turning = Vector(*(line @ w for line in tensor))
        ask = Vector(*(line @ self.spin_bias for line in tensor)) + w.cross(turning)
        ask = ask + moment.cross(frame.rotation.back(a))
        velocity, spin = tuple(slopes(x) for x in frame.velocity), tuple(slopes(x) for x in w)
        across: tuple[Row, ...] = ({}, {}, {})
        for k in dict.fromkeys(k for row in velocity for k in row):
            push = frame.rotation.back(Vector(*(row.get(k, 0.0) for row in velocity)))
            for row, x in zip(across, moment.cross(push), strict=True):
                row[k] = x
        lines = tuple(tuple(line) for line in tensor)
        return Inertia(self.mass, velocity, spin, across, lines, tuple(force), tuple(ask))

    def _tensor(self, moment: Vector) -> tuple[Vector, Vector, Vector]:
        """The inertia about the frame, by rows; `moment` is m s."""
        s, lines = self._centre, []
        square = moment @ s
        for k, unit in enumerate(AXES):
            line = unit * square - s * [*moment][k]
            for axis, inertia in zip(self._principal_axes, self.moments, strict=True):
                line = line + axis * ([*axis][k] * inertia)
            lines.append(line)
        return lines[0], lines[1], lines[2]


@dataclass
class _Turning:
    """A triad in the world, with its angular velocity, the known part of its acceleration and Euler parameters."""

    axes: list[Vector]
    spin: list[Any]
    bias: list[Any]

    def turn(self, k: int, angle: Any, rate: Any) -> None:
        """About axis k of the triad; components are then those along the turned axes."""
        i, j = (k + 1) % 3, (k + 2) % 3
        c, s = cos(angle), sin(angle)
        for x in (self.axes, self.spin, self.bias):
            x[i], x[j] = x[i] * c + x[j] * s, x[j] * c - x[i] * s
        self.bias[i], self.bias[j] = self.bias[i] + rate * self.spin[j], self.bias[j] - rate * self.spin[i]
        self.spin[k] = self.spin[k] + rate


def _turns(link: Link) -> list[tuple[int, Any, Any]]:
    """Axis, angle and speed of the turns from the parent's triad to that of the body."""
    turns = [(axis, *link.moves[name]) for name, axis in (("rotation", 2), ("about_t", 1), ("about_h", 0))
             if name in link.moves]  # fmt: skip
    return turns if link.outward else [(axis, -angle, -rate) for axis, angle, rate in turns[::-1]]


def branch(link: Link, parent: SpatialBranch, inner: Place, own: Place, mass: Any, moments: tuple[Any, ...],
           principal: Rotation | None, triads: tuple[Any, Any]) -> SpatialBranch:  # fmt: skip
    """The body of a link: `inner` is the joint's place on its parent, `own` its side on the body, yet without a frame;
    `triads` are Euler parameters of both triads in the principal axes of parent and body."""
    base = parent.frame
    h, t, b = (parent._inner(x) for x in (inner.local_h, inner.local_t, inner.local_b))
    arm, speed = parent._inner(inner.local_point), ZERO
    sign = 1.0 if link.outward else -1.0
    journal, bearing = (own, inner) if link.outward else (inner, own)
    if link.kind not in ("spherical", "universal"):
        arm = arm + b * (sign * (journal.reference - bearing.reference))
    for axis, name in ((b, "translation"), (h, "along_h"), (t, "along_t")):
        if name in link.moves:
            x, rate = link.moves[name]
            arm, speed = arm + axis * (sign * x), speed + axis * (sign * rate)
    w, about = base.spin, parent.spin_bias
    origin = base.origin + base.rotation @ arm
    velocity = base.velocity + base.rotation @ (w.cross(arm) + speed)
    known = about.cross(arm) + w.cross(w.cross(arm)) + w.cross(speed) * 2.0
    bias = parent.bias + base.rotation @ known
    if link.kind == "spherical":
        frame = Frame(origin, rotation_matrix(link.q), velocity, Vector(*link.v), principal)
        return SpatialBranch(frame, own.local_point, bias, ZERO, mass, moments, principal, lambda: link.q)
    made = _Turning([base.rotation @ x for x in (h, t, b)], [x @ w for x in (h, t, b)], [x @ about for x in (h, t, b)])
    for turn in _turns(link):
        made.turn(*turn)
    described = Rotation(own.local_h, own.local_t, own.local_b)
    frame = Frame(origin, Rotation.of_columns(*made.axes), velocity, Vector(*made.spin), described)

    def parameters() -> tuple[Any, ...]:
        e = after(parent.parameters(), triads[0])
        for k, angle, _ in _turns(link):
            half = [cos(0.5 * angle), 0.0, 0.0, 0.0]
            half[1 + k] = sin(0.5 * angle)
            e = after(e, half)
        e0, e1, e2, e3 = triads[1]
        return after(e, (e0, -e1, -e2, -e3))

    return SpatialBranch(frame, own.local_point, bias, Vector(*made.bias), mass, moments, principal, parameters)


def free_branch(link: Link, mass: Any, moments: tuple[Any, ...], principal: Rotation | None) -> SpatialBranch:
    q, v = link.q, link.v
    frame = Frame(Vector(*q[:3]), rotation_matrix(q[3:]), Vector(*v[:3]), Vector(*v[3:]), principal)
    return SpatialBranch(frame, mass=mass, moments=moments, principal=principal, parameters=lambda: q[3:])


GROUND_BRANCH = SpatialBranch(Frame(ZERO, IDENTITY, ZERO, ZERO))
