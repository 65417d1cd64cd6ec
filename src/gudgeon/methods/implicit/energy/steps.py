"""Coordinates moved by the steps of stages, and what rotations ask for beyond that.

A body that rotates in space has Cayley's vector ψ as its step (methods/implicit/coordinates.py): its Euler parameters
are multiplied by d = (1, ψ/2) / |(1, ψ/2)|, and by what lies between 1 and d for a part of the step.
"""

from __future__ import annotations

import math

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Matrix
from gudgeon.methods.implicit.coordinates import ANGLE, Coordinates
from gudgeon.methods.implicit.energy.memory import StageMemory
from gudgeon.methods.march.memory import March


@kernel
def find_psi(own: StageMemory) -> int:
    """ψ of all steps: an angle of the plane counts as 2 tan(x/2), so that turning together has no moment."""
    steps, psi, kind = own.steps, own.psi, own.instant.coordinates.kind
    for s in range(own.stages):
        for i in range(kind.shape[0]):
            x = steps[s, i]
            psi[s, i] = 2.0 * math.tan(0.5 * x) if kind[i] == ANGLE else x
    return 0


@kernel
def rotate_by_cayley(to: Floats, i: int, given: Floats, steps: Matrix, s: int, j: int, share: float) -> int:
    """Euler parameters at i: those given, after a share of the rotation that a stage has from j on."""
    a, b, c = 0.5 * steps[s, j], 0.5 * steps[s, j + 1], 0.5 * steps[s, j + 2]
    cosine = 1.0 / math.sqrt(1.0 + a * a + b * b + c * c)
    d0, x = 1.0 - share + share * cosine, share * cosine
    d1, d2, d3 = x * a, x * b, x * c
    e0, e1, e2, e3 = given[i], given[i + 1], given[i + 2], given[i + 3]
    p0, p1 = e0 * d0 - e1 * d1 - e2 * d2 - e3 * d3, e0 * d1 + e1 * d0 + e2 * d3 - e3 * d2
    p2, p3 = e0 * d2 - e1 * d3 + e2 * d0 + e3 * d1, e0 * d3 + e1 * d2 - e2 * d1 + e3 * d0
    scale = 1.0 / math.sqrt(p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
    to[i], to[i + 1], to[i + 2], to[i + 3] = scale * p0, scale * p1, scale * p2, scale * p3
    return 0


@kernel
def move_body(table: Coordinates, body: int, to: Floats, given: Floats, steps: Matrix, s: int, share: float) -> int:
    """Coordinates of a body after a share of the step of stage s."""
    i, j, added = table.body_position[body], table.body_velocity[body], table.body_added[body]
    for c in range(added):
        to[i + c] = given[i + c] + share * steps[s, j + c]
    if table.body_rotates[body] > 0:
        rotate_by_cayley(to, i + added, given, steps, s, j + added, share)
    return 0


@kernel
def apply_step(own: StageMemory, to: Floats, given: Floats, s: int, share: float) -> int:
    """The given coordinates after a share of the step of stage s."""
    table = own.instant.coordinates
    for body in range(table.body_position.shape[0]):
        move_body(table, body, to, given, own.steps, s, share)
    return 0


@kernel
def apply_all_steps(w: March, own: StageMemory) -> int:
    """Coordinates at the end of all stages into `new`. Rotations follow each other, all else is added at once."""
    y, new, steps, table = w.y, w.new, own.steps, own.instant.coordinates
    for body in range(table.body_position.shape[0]):
        i, j, added = table.body_position[body], table.body_velocity[body], table.body_added[body]
        if table.body_rotates[body] > 0:
            move_body(table, body, new, y, steps, 0, 1.0)
            for s in range(1, own.stages):
                move_body(table, body, new, new, steps, s, 1.0)
        else:
            for c in range(added):
                total = 0.0
                for s in range(own.stages):
                    total += steps[s, j + c]
                new[i + c] = y[i + c] + total
    return 0


@kernel
def rotation_lag(own: StageMemory, first: int, c: int) -> float:
    """How much a rotation in space is less than the mean of its velocities says, about axis c; its velocities begin at
    `first`."""
    square, about = 0.0, 0.0
    for k in range(3):
        total = 0.0
        for s in range(own.stages):
            total += own.steps[s, first + k]
        square += total * total
        if k == c:
            about = total
    size = math.sqrt(square)
    return abs(about) * (1.0 - 2.0 * math.atan(0.5 * size) / size) if size > 1e-6 else 0.0


# Of two stages the moments w x J w at v_j and at u = v_j + δ work, with the steps ψ_0 = -h δ / 3 and ψ_1 = h (u + δ/3),
#   h (u . (u x J u) + δ . (u x J u - v_j x J v_j) / 3) = -h/3 v_j . (δ x J δ)
# which may have either sign. With δ x J δ / 3 = 3 ψ_0 x J ψ_0 / h² more in the second stage it is zero.
@kernel
def balance_gyration(own: StageMemory, h: float) -> int:
    """Two stages: the moment that keeps the gyroscopic ones of bodies that rotate in space from working."""
    table, moments, steps, forces = own.instant.coordinates, own.moments, own.steps, own.forces
    for body in range(table.body_position.shape[0]):
        if table.body_rotates[body] > 0:
            i = table.body_velocity[body] + table.body_added[body]
            x, y, z = steps[0, i], steps[0, i + 1], steps[0, i + 2]
            a, b, c = moments[i] * x, moments[i + 1] * y, moments[i + 2] * z
            forces[i] += 3.0 * (y * c - z * b) / (h * h)
            forces[i + 1] += 3.0 * (z * a - x * c) / (h * h)
            forces[i + 2] += 3.0 * (x * b - y * a) / (h * h)
    return 0
