"""Parts of the kernels of methods.stages: states of a stage, products with the mass, rows of the constraints."""

from __future__ import annotations

import math
from typing import Any

from gudgeon.methods import instant
from gudgeon.methods.sparse_lu import POSITION, REST, RIGHT, VALUES, solve
from gudgeon.methods.stage_table import (
    ANGLES,
    BLOCKS,
    BRIEF,
    CHANGE,
    COLUMN_OF,
    ENTRIES_EACH,
    FORCE,
    G_AT,
    LAMBDA,
    MASS,
    MOST_STAGES,
    MULTIPLIERS,
    NORMAL,
    NV,
    OFF,
    PLACE,
    ROW_OF,
    ROWS,
    STAGES,
    STATES,
    STEPS,
    TANGENT,
    TURNS,
    WEIGHT,
    U,
)
from gudgeon.native.kernel import evaluate_at, evaluate_into, floats_at, inlined, integers_at


@inlined
def move(h: float, y: Any, control: Any, T: Any, G: Any) -> int:
    """ψ of all steps."""
    nv, d, turn = T[NV], int(control[STEPS]), int(control[TURNS])
    for s in range(T[STAGES]):
        for i in range(nv):
            x = G[d + s * nv + i]
            G[turn + s * nv + i] = 2.0 * math.tan(0.5 * x) if T[T[ANGLES] + i] > 0 else x
    return 0


@inlined
def pair(s: int, t: float, h: float, y: Any, control: Any, T: Any, G: Any) -> float:
    """The states of a stage for the functions of steps; gives the time of its end."""
    nv, n, d, z = T[NV], T[STATES], int(control[STEPS]), int(control[PLACE])
    for i in range(nv):
        x = y[i]
        for r in range(s):
            x += G[d + r * nv + i]
        G[z + n + i] = x
        G[z + i] = x + G[d + s * nv + i]
    for k in range(T[ROWS]):
        G[z + T[MULTIPLIERS] + k] = G[int(control[LAMBDA]) + (T[STAGES] - 1) * T[ROWS] + k]
    G[z + n + nv], G[z + n + nv + 1] = t, G[WEIGHT + s]
    return t + h if s == T[STAGES] - 1 else t


@inlined
def middle(s: int, t: float, h: float, y: Any, control: Any, T: Any, G: Any) -> float:
    """The middle of the last pair with the velocities of a stage; gives the time."""
    nv, d, z, last = T[NV], int(control[STEPS]), int(control[PLACE]), T[STAGES] - 1
    for i in range(nv):
        x, u = y[i] + 0.5 * G[d + last * nv + i], 0.0
        for r in range(last):
            x += G[d + r * nv + i]
        for r in range(T[STAGES]):
            u += G[U + s * MOST_STAGES + r] * G[int(control[TURNS]) + r * nv + i]
        G[z + i], G[z + nv + i] = x, u / h
    return t + 0.5 * h if s == last else t


@inlined
def weigh(out: int, given: int, scale: float, control: Any, T: Any, G: Any) -> int:
    """G[out:] += scale * mass * G[given:]."""
    mass = int(control[MASS])
    for e in range(T[ENTRIES_EACH]):
        x = G[mass + e]
        if x != 0.0:
            G[out + T[T[ROW_OF] + e]] += scale * x * G[given + T[T[COLUMN_OF] + e]]
    return 0


@inlined
def add_block(s: int, r: int, scale: float, given: int, T: Any, F: Any, G: Any) -> int:
    """Add scale * G[given:], by entries, to one block of the matrix."""
    at = T[BLOCKS] + 2 * (s * MOST_STAGES + r)
    first, count, listed = T[at], T[at + 1], T[BLOCKS] + 2 * MOST_STAGES * MOST_STAGES
    for k in range(first, first + count):
        x = scale * G[given + T[listed + k]]
        if abs(x) < 1e30:  # else a law has no derivative
            F[T[VALUES] + k] += x
    return 0


@inlined
def tangent_start(h: float, control: Any, T: Any, F: Any, G: Any) -> int:
    """First of two stages: rows and columns of J of the start instead of those of its pair, whose columns belong to
    the multipliers of the second."""
    nv, change, start = T[NV], int(control[CHANGE]), int(control[TANGENT])
    at = T[BLOCKS] + 2
    first, count, listed = T[at], T[at + 1], T[BLOCKS] + 2 * MOST_STAGES * MOST_STAGES
    for k in range(first, first + count):
        if T[T[COLUMN_OF] + T[listed + k]] >= nv:
            F[T[VALUES] + k] += h * h * G[change + T[listed + k]]
    for e in range(T[ENTRIES_EACH]):
        if T[T[ROW_OF] + e] >= nv or T[T[COLUMN_OF] + e] >= nv:
            G[change + e] = G[start + e]
    return 0


@inlined
def normal_part(t: float, h: float, y: Any, p: Any, m: Any, control: Any, T: Any, G: Any) -> int:
    """n: the part of ψ of the last stage that is normal to the constraints at the start, beyond what these move by."""
    nv, rows, z, force, last = T[NV], T[ROWS], int(control[PLACE]), int(control[FORCE]), T[STAGES] - 1
    Q, E, turn, start = (integers_at(int(control[instant.T_AT])), floats_at(int(control[instant.F_AT])),
                         int(control[TURNS]) + last * nv, int(control[G_AT]))  # fmt: skip
    for i in range(nv):
        G[z + i], G[z + nv + i] = y[i], G[turn + i] / h
    evaluate_at(Q[instant.PROJECT], t, start + 8 * z, p, m, start + 8 * force)
    for i in range(nv):
        E[Q[RIGHT] + Q[Q[POSITION] + i]] = 0.0
    for i in range(rows):
        E[Q[RIGHT] + Q[Q[POSITION] + nv + i]] = h * G[force + 2 * nv + rows + i]
    solve(Q, E)
    for i in range(nv):
        G[int(control[NORMAL]) + i] = E[Q[RIGHT] + Q[Q[POSITION] + i]]
    return 0


@inlined
def left_off(t: float, h: float, y: Any, p: Any, m: Any, control: Any, T: Any, G: Any) -> int:
    """What a brief step leaves of the residuals of the constraints at its start."""
    nv, rows, z, force, start = T[NV], T[ROWS], int(control[PLACE]), int(control[FORCE]), int(control[G_AT])
    share = max(0.0, 1.0 - h / BRIEF)
    if share > 0.0:
        for i in range(2 * nv):
            G[z + i] = y[i]
        project = integers_at(int(control[instant.T_AT]))[instant.PROJECT]
        evaluate_at(project, t, start + 8 * z, p, m, start + 8 * force)
    for i in range(rows):
        G[int(control[OFF]) + i] = share * G[force + 2 * nv + i] if share > 0.0 else 0.0
    return 0


@inlined
def first_rows(control: Any, T: Any, G: Any) -> int:
    """First of two stages: forces of μ, and J ψ_0 in place of the constraints."""
    nv, start, force, mu = T[NV], int(control[TANGENT]), int(control[FORCE]), int(control[LAMBDA])
    for k in range(T[ROWS]):
        G[force + nv + k] = 0.0
    for e in range(T[ENTRIES_EACH]):
        i, j = T[T[ROW_OF] + e], T[T[COLUMN_OF] + e]
        if j >= nv:
            G[force + i] += G[start + e] * G[mu + j - nv]
        elif i >= nv:
            G[force + i] += G[start + e] * G[int(control[TURNS]) + j]
    return 0


@inlined
def onto(t: float, y: Any, p: Any, m: Any, control: Any) -> int:
    """Bring velocities onto the constraints, with the factors of the equations left unsolved."""
    T, F = integers_at(int(control[instant.T_AT])), floats_at(int(control[instant.F_AT]))
    nv, rows, b = T[instant.VELOCITIES], T[instant.ROWS], T[RIGHT]
    evaluate_into(T[instant.PROJECT], t, y, p, m, int(control[instant.F_AT]) + 8 * T[REST])
    for i in range(nv):
        F[b + T[T[POSITION] + i]] = 0.0
    for i in range(rows):
        F[b + T[T[POSITION] + nv + i]] = -F[T[REST] + 2 * nv + rows + i]
    solve(T, F)
    for i in range(nv):
        y[nv + i] += F[b + T[T[POSITION] + i]]
    return 0
