"""Branches of the plane: frames of bodies as formulas of joint coordinates, and what their masses ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.solve.elimination import Row
from gudgeon.assemble.tree.tree import Link
from gudgeon.space.planar import PlanarFrame, PlanarPlace, PlanarVector

ORIGIN = PlanarVector(0.0, 0.0)


@dataclass(frozen=True)
class PlanarBranch:
    """A body of the tree. Its frame sits at the joint that carries it: `anchor` is that point from the centre of mass,
    `bias` [m/s^2] the frame's acceleration while all speeds are held. The coordinate of a revolute joint is the angle
    of the body itself, not that against its parent: angles then need no sums."""

    frame: PlanarFrame
    anchor: PlanarVector = ORIGIN
    bias: PlanarVector = ORIGIN
    mass: Any = 0.0
    inertia: Any = 0.0

    @property
    def centre(self) -> PlanarVector:
        """From the frame to the centre of mass, in the world."""
        return self.frame.axis(-self.anchor)

    # -- what the shadow asks for: the coordinates of the body itself -------------------------------------------

    def coordinates(self) -> list[Any]:
        x, y = (self.frame.origin.x, self.frame.origin.y)
        return [x + self.centre.x, y + self.centre.y, self.frame.angle]

    def velocities(self) -> list[Any]:
        v, r, spin = self.frame.velocity, self.centre.turned, self.frame.spin
        return [v.x + r.x * spin, v.y + r.y * spin, spin]

    def known_accelerations(self) -> list[Any]:
        """Those of the centre of mass while all speeds are held."""
        square = self.frame.spin * self.frame.spin
        return [self.bias.x - self.centre.x * square, self.bias.y - self.centre.y * square, 0.0]

    # -- what the equations ask for ------------------------------------------------------------------------------

    def hints(self, arms: Sequence[PlanarVector], spin: Any) -> list[tuple[Any, Any]]:
        """Vectors fixed in the body, and their rates: a quarter turn on."""
        return [pair for r in arms for pair in ((r.x, -(spin * r.y)), (r.y, spin * r.x))]

    def spins(self) -> list[Any]:
        return [self.frame.spin]

    # With the frame's velocity v, the arm r to the centre and the inertia J about the frame, the kinetic energy is
    #
    #   m v·v / 2 + w m (r turned)·v + J w² / 2
    #
    # and a force m (g - a) at the centre, with a = bias - w² r, has the moment m r x (g - bias) about the frame.
    def inertia_of(self, slopes: Callable[[Any], Row], gravity: PlanarVector | None) -> Inertia:
        frame = self.frame
        moment = self.frame.axis(-self.anchor * self.mass)  # m r: the product is of parameters alone
        field = self.bias if gravity is None else self.bias - gravity
        square = frame.spin * frame.spin
        force = (field.x * self.mass - moment.x * square, field.y * self.mass - moment.y * square)
        x, y, w = slopes(frame.velocity.x), slopes(frame.velocity.y), slopes(frame.spin)
        across = {
            k: moment.turned @ PlanarVector(x.get(k, 0.0), y.get(k, 0.0)) for k in dict.fromkeys([*x, *y])
        }  # fmt: skip
        about = self.inertia + self.mass * (self.anchor @ self.anchor)
        return Inertia(self.mass, (x, y), (w,), (across,), ((about,),), force, (moment.cross(field),))


@dataclass(frozen=True)
class Inertia:
    """A body's share in the equations: slopes of the frame's velocity and spin by the speeds, m r x of the former, the
    tensor about the frame, and the force and moment that keep the body to its motion while all speeds are held."""

    mass: Any
    velocity: tuple[Row, ...]
    spin: tuple[Row, ...]
    across: tuple[Row, ...]
    tensor: tuple[tuple[Any, ...], ...]
    force: tuple[Any, ...]
    moment: tuple[Any, ...]

    def columns(self) -> list[int]:
        return sorted({k for row in (*self.velocity, *self.spin) for k in row})

    def product(self, k: int, l: int) -> Any:
        """Entry of the mass matrix."""
        total: Any = 0.0
        for row in self.velocity:
            if k in row and l in row:
                total = total + row[k] * row[l]
        total = self.mass * total
        for w, across in zip(self.spin, self.across, strict=True):
            if k in w and l in across:
                total = total + w[k] * across[l]
            if l in w and k in across:
                total = total + w[l] * across[k]
        for a, line in zip(self.spin, self.tensor, strict=True):
            for b, x in zip(self.spin, line, strict=True):
                if k in a and l in b:
                    total = total + x * (a[k] * b[l])
        return total

    def pull(self, k: int) -> Any:
        """Generalised force that the body's motion asks for along speed k."""
        total: Any = 0.0
        for rows, values in ((self.velocity, self.force), (self.spin, self.moment)):
            for row, x in zip(rows, values, strict=True):
                if k in row:
                    total = total + row[k] * x
        return total


def branch(
    link: Link, parent: PlanarBranch, inner: PlanarPlace, own: PlanarPlace, start: Any, mass: Any, inertia: Any
) -> PlanarBranch:
    """The body of a link: `inner` is the joint's place on its parent, `own` its side on the body, yet without a frame;
    `start` [m] the described distance of a sliding joint."""
    base = parent.frame
    arm, square = base.axis(inner.local_point), base.spin * base.spin
    origin, velocity = base.origin + arm, base.velocity + arm.turned * base.spin
    bias, sign = parent.bias - arm * square, 1.0 if link.outward else -1.0
    angle, spin = base.angle + (own.reference - inner.reference), base.spin
    if link.kind == "revolute":
        x, rate = link.moves["rotation"]
        if link.driven:
            angle, spin = angle + sign * x, spin + sign * rate
        else:
            angle, spin = x, rate
    elif link.kind == "translational":
        x, rate = link.moves["translation"]
        axis = (
            base.axis(inner.local_axis)
            if link.outward
            else PlanarFrame(ORIGIN, angle, ORIGIN, 0.0).axis(own.local_axis)
        )
        shift, speed = axis * (sign * (x + start)), axis * (sign * rate)
        origin, velocity = origin + shift, velocity + (shift.turned * base.spin + speed)
        bias = bias + (speed.turned * (2.0 * base.spin) - shift * square)
    return PlanarBranch(PlanarFrame(origin, angle, velocity, spin), own.local_point, bias, mass, inertia)


def free_branch(link: Link, mass: Any, inertia: Any) -> PlanarBranch:
    (x, y, angle), (vx, vy, spin) = link.q, link.v
    return PlanarBranch(PlanarFrame(PlanarVector(x, y), angle, PlanarVector(vx, vy), spin), mass=mass, inertia=inertia)
