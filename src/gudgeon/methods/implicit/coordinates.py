"""How the steps of velocities move coordinates.

Most coordinates are moved by one velocity each, and a step is added to them. A body of space, or a node of a beam of
space, has Euler parameters p, four numbers that its three angular velocities along its own axes turn: p becomes p d, a
product of quaternions, with d of length 1. Two ways to make d of a step are in use. The rotation vector a gives
d = (cos(|a|/2), sin(|a|/2) a/|a|), which is exact where the axis stays (alpha); Cayley's vector ψ gives
d = (1, ψ/2) / |(1, ψ/2)|, which the rules of steps with an energy statement need (assemble.residual.step.kinematics).

`Coordinates` is the table of this, body by body. Nothing else in the methods asks whether a mechanism is planar.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Integers, Record

# what a velocity moves: a coordinate of its own, an angle of the plane among these, or Euler parameters with two others
SHIFT, ANGLE, ROTATION = range(3)


class Coordinates(Record):
    """Of each body where its coordinates and velocities begin, how many coordinates steps are added to, and whether
    four Euler parameters lie behind these; of each velocity what it moves."""

    body_position: Integers
    body_velocity: Integers
    body_added: Integers
    body_rotates: Integers  # 1: Euler parameters, turned by three more velocities
    place: Integers  # of each velocity: a coordinate that moves with it
    kind: Integers  # SHIFT, ANGLE or ROTATION


def coordinates_of(system: Any) -> Coordinates:
    """The table of a system in residual form. Neighbours without Euler parameters make one entry."""
    layout = system.residual.layout
    rows: list[list[int]] = []
    place: list[int] = []
    kind: list[int] = []
    for body in layout.bodies:
        added = body.velocities - 3 if body.euler_parameters else body.velocities
        if rows and not rows[-1][3] and not body.euler_parameters:
            rows[-1][2] += added
        else:
            rows.append([body.position, body.velocity, added, int(body.euler_parameters)])
        place += range(body.position, body.position + body.velocities)
        kind += [ANGLE if system.units[body.position + k] == "rad" else SHIFT for k in range(added)]
        kind += [ROTATION] * (body.velocities - added)
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T.copy()
    return Coordinates(
        body_position=columns[0], body_velocity=columns[1], body_added=columns[2], body_rotates=columns[3],
        place=np.array(place, dtype=np.int64), kind=np.array(kind, dtype=np.int64),
    )  # fmt: skip


@kernel
def rotate(new: Floats, i: int, y: Floats, a: float, b: float, c: float) -> int:
    """Euler parameters at i: those of y, turned by a rotation vector [rad] along axes of the body."""
    square = a * a + b * b + c * c
    if square < 1e-4:
        e0 = 1.0 - square / 8.0 * (1.0 - square / 48.0)
        s = 0.5 - square / 48.0 * (1.0 - square / 80.0)
    else:
        angle = math.sqrt(square)
        e0, s = math.cos(0.5 * angle), math.sin(0.5 * angle) / angle
    x, u, v, w = y[i], y[i + 1], y[i + 2], y[i + 3]
    a, b, c = s * a, s * b, s * c
    p0, p1 = x * e0 - u * a - v * b - w * c, x * a + u * e0 + v * c - w * b
    p2, p3 = x * b - u * c + v * e0 + w * a, x * c + u * b - v * a + w * e0
    # one step of Newton's method towards length 1
    scale = 1.5 - 0.5 * (p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
    new[i], new[i + 1], new[i + 2], new[i + 3] = scale * p0, scale * p1, scale * p2, scale * p3
    return 0


@kernel
def displace(table: Coordinates, q: Floats, change: Floats) -> int:
    """Move coordinates by small changes, rotation vectors among them."""
    for body in range(table.body_position.shape[0]):
        i, j, added = table.body_position[body], table.body_velocity[body], table.body_added[body]
        for c in range(added):
            q[i + c] += change[j + c]
        if table.body_rotates[body] > 0:
            k = j + added
            rotate(q, i + added, q, change[k], change[k + 1], change[k + 2])
    return 0


@kernel
def normalise(table: Coordinates, q: Floats) -> int:
    """Bring Euler parameters to length 1."""
    for body in range(table.body_position.shape[0]):
        if table.body_rotates[body] > 0:
            i = table.body_position[body] + table.body_added[body]
            scale = 1.0 / math.sqrt(q[i] ** 2 + q[i + 1] ** 2 + q[i + 2] ** 2 + q[i + 3] ** 2)
            for c in range(4):
                q[i + c] *= scale
    return 0
