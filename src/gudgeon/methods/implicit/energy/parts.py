"""Parts of the kernels of methods.stages: states of a stage, products with the mass, rows of the constraints."""

from __future__ import annotations

import math
from typing import Any

from gudgeon.compile.native.kernel import evaluate_at, evaluate_into, floats_at, integers_at, kernel
from gudgeon.methods.implicit import instant
from gudgeon.methods.implicit.energy.places import advance, beyond, place_of
from gudgeon.methods.implicit.energy.table import (
    ACCELERATIONS,
    ANGLES,
    BLOCKS,
    BRIEF,
    CARRIED,
    CHANGE,
    CHANGED,
    CLOSE,
    COLUMN_OF,
    ENTRIES_EACH,
    ESTIMATE,
    FILTER,
    FORCE,
    G_AT,
    INERTIA,
    INNER,
    INTERNAL,
    LAMBDA,
    LEFT,
    LITTLE,
    LOOSE,
    MASS,
    MEAN,
    MOST_STAGES,
    MOVED,
    MULTIPLIERS,
    NQ,
    NV,
    OFF,
    PLACE,
    ROUNDING,
    ROW_OF,
    ROWS,
    SHARE,
    STAGES,
    STARTING,
    STATES,
    STEPPED,
    STEPS,
    TANGENT,
    TURNS,
    WEIGHT,
    U,
)
from gudgeon.methods.implicit.rotation import SPEED
from gudgeon.methods.linear.sparse import POSITION, REST, RIGHT, VALUES, solve
from gudgeon.methods.march.memory import March


@kernel
def move(h: float, y: Any, w: March, T: Any, G: Any) -> int:
    """ψ of all steps."""
    nv, d, turn = T[NV], int(w.control[STEPS]), int(w.control[TURNS])
    for s in range(T[STAGES]):
        for i in range(nv):
            x = G[d + s * nv + i]
            G[turn + s * nv + i] = 2.0 * math.tan(0.5 * x) if T[T[ANGLES] + i] > 0 else x
    return 0


@kernel
def note_steps(s: int, h: float, w: March, T: Any, G: Any) -> int:
    """The step of a stage, and those of time and internal states, which belong to the last one, as does what products
    of jumps have of its length."""
    nv, e, last = T[NV], int(w.control[PLACE]) + T[STEPPED], s == T[STAGES] - 1
    for i in range(nv):
        G[e + i] = G[int(w.control[TURNS]) + s * nv + i]
    G[e + nv] = h if last else 0.0
    for k in range(T[INTERNAL]):
        G[e + nv + 1 + k] = 0.0
        for r in range(T[STAGES] if last else 0):
            G[e + nv + 1 + k] += G[int(w.control[INNER]) + r * T[INTERNAL] + k]
    jumps = last and T[STAGES] > 1
    G[e + nv + 1 + T[INTERNAL]] = h / (G[U] - G[U + MOST_STAGES]) if jumps else 0.0
    return 0


@kernel
def pair(s: int, t: float, h: float, y: Any, w: March, T: Any, G: Any) -> float:
    """The states of a stage for the functions of steps; gives the time of its end."""
    nq, nv, n, d, z = T[NQ], T[NV], T[STATES], int(w.control[STEPS]), int(w.control[PLACE])
    for i in range(nq):
        G[z + n + i] = y[i]
    for r in range(s):
        advance(z + n, z + n, d + r * nv, 1.0, T, G)
    advance(z, z + n, d + s * nv, 1.0, T, G)
    for k in range(T[ROWS]):
        G[z + T[MULTIPLIERS] + k] = G[int(w.control[LAMBDA]) + (T[STAGES] - 1) * T[ROWS] + k]
    for k in range(T[INTERNAL]):
        x = y[nq + nv + k]
        G[z + n + nq + 2 + k] = x  # what drives ask for moves with time, in the last pair
        for r in range(T[STAGES] if s == T[STAGES] - 1 else 0):
            x += G[int(w.control[INNER]) + r * T[INTERNAL] + k]
        G[z + nq + nv + k] = x
    G[z + n + nq], G[z + n + nq + 1] = t, G[WEIGHT + s]
    note_steps(s, h, w, T, G)
    return t + h if s == T[STAGES] - 1 else t


@kernel
def middle(s: int, t: float, h: float, y: Any, w: March, T: Any, G: Any) -> float:
    """The middle of the last pair with the velocities and internal states of a stage, and where a was the positions of
    that stage; gives the time."""
    nq, nv, n, d, z, last = T[NQ], T[NV], T[STATES], int(w.control[STEPS]), int(w.control[PLACE]), T[STAGES] - 1
    for i in range(nq):
        G[z + i] = G[z + n + i] = y[i]
    for r in range(T[STAGES]):
        advance(z, z, d + r * nv, G[SHARE + last * MOST_STAGES + r], T, G)
        advance(z + n, z + n, d + r * nv, G[SHARE + s * MOST_STAGES + r], T, G)
    for i in range(nv):
        u = 0.0
        for r in range(T[STAGES]):
            u += G[U + s * MOST_STAGES + r] * G[int(w.control[TURNS]) + r * nv + i]
        G[z + nq + i] = u / h
    for k in range(T[INTERNAL]):
        x = y[nq + nv + k]
        for r in range(T[STAGES]):
            x += G[SHARE + s * MOST_STAGES + r] * G[int(w.control[INNER]) + r * T[INTERNAL] + k]
        G[z + nq + nv + k] = x
    for k in range(T[ROWS]):
        G[z + T[MULTIPLIERS] + k] = G[int(w.control[LAMBDA]) + last * T[ROWS] + k]
    note_steps(s, h, w, T, G)
    return t + 0.5 * h if s == last else t


@kernel
def weigh(out: int, given: int, scale: float, mass: int, T: Any, G: Any) -> int:
    """G[out:] += scale * mass * G[given:], the mass by entries in G[mass:]."""
    for e in range(T[ENTRIES_EACH]):
        x = G[mass + e]
        if x != 0.0:
            G[out + T[T[ROW_OF] + e]] += scale * x * G[given + T[T[COLUMN_OF] + e]]
    return 0


@kernel
def leave_multipliers(change: int, T: Any, G: Any) -> int:
    """Take changes with the multipliers out of a block: they count once, in the last."""
    for e in range(T[ENTRIES_EACH]):
        if T[NV] <= T[T[COLUMN_OF] + e] < T[NV] + T[ROWS]:
            G[change + e] = 0.0
    return 0


@kernel
def add_block(s: int, r: int, scale: float, given: int, T: Any, F: Any, G: Any) -> int:
    """Add scale * G[given:], by entries, to one block of the matrix."""
    at = T[BLOCKS] + 2 * (s * MOST_STAGES + r)
    first, count, listed = T[at], T[at + 1], T[BLOCKS] + 2 * MOST_STAGES * MOST_STAGES
    for k in range(first, first + count):
        x = scale * G[given + T[listed + k]]
        if abs(x) < 1e30:  # else a law has no derivative
            F[T[VALUES] + k] += x
    return 0


@kernel
def add_own(s: int, r: int, scale: float, T: Any, F: Any) -> int:
    """Add `scale` to the diagonal of the internal states in one block of the matrix."""
    at, held = T[BLOCKS] + 2 * (s * MOST_STAGES + r), T[NV] + T[ROWS]
    first, count, listed = T[at], T[at + 1], T[BLOCKS] + 2 * MOST_STAGES * MOST_STAGES
    for k in range(first, first + count if T[INTERNAL] > 0 else first):
        e = T[listed + k]
        if T[T[ROW_OF] + e] >= held and T[T[ROW_OF] + e] == T[T[COLUMN_OF] + e]:
            F[T[VALUES] + k] += scale
    return 0


@kernel
def shared(s: int, r: int, h: float, w: March, T: Any, F: Any, G: Any) -> int:
    """Two stages: all columns of multipliers belong to those of the second; the first has other rows."""
    nv, n, change = T[NV], T[NV] + T[ROWS], int(w.control[CHANGE])
    at = T[BLOCKS] + 2
    first, count, listed = T[at], T[at + 1], T[BLOCKS] + 2 * MOST_STAGES * MOST_STAGES
    for k in range(first, first + count if r == s else first):
        e = T[listed + k]
        if T[T[ROW_OF] + e] < nv <= T[T[COLUMN_OF] + e] < n:
            F[T[VALUES] + k] += h * h * G[change + e]
    for e in range(T[ENTRIES_EACH]):
        if (s == r and nv <= T[T[ROW_OF] + e] < n) or nv <= T[T[COLUMN_OF] + e] < n:
            G[change + e] = 0.0
    return 0


@kernel
def add_start(s: int, r: int, speed: float, h: float, w: March, T: Any, F: Any, G: Any) -> int:
    """Entries of J at the start in one of the blocks of two stages: rows for v_j, columns for its impulse μ. `speed`:
    the change of h u_s with x_r."""
    nv, n, start = T[NV], T[NV] + T[ROWS], int(w.control[TANGENT])
    at, push = T[BLOCKS] + 2 * (s * MOST_STAGES + r), G[U + s * MOST_STAGES]
    first, count, listed = T[at], T[at + 1], T[BLOCKS] + 2 * MOST_STAGES * MOST_STAGES
    for k in range(first, first + count):
        e = T[listed + k]
        i, j = T[T[ROW_OF] + e], T[T[COLUMN_OF] + e]
        if r == 0 and i < nv <= j < n:
            F[T[VALUES] + k] += h * h * push * G[start + e]
        elif s == 0 and nv <= i < n and j < nv:
            F[T[VALUES] + k] += h * h * speed * G[start + e]
        elif s == 0 and r == 0 and nv <= i < n and j < n:
            F[T[VALUES] + k] += h * h * G[start + e]
    return 0


@kernel
def start_rows(t: float, h: float, y: Any, p: Any, m: Any, w: March, T: Any, G: Any) -> int:
    """What v_j breaks of the constraints at the start, times h."""
    nq, nv, rows, z, force, start = (T[NQ], T[NV], T[ROWS], int(w.control[PLACE]), int(w.control[FORCE]),
                                     int(w.control[G_AT]))  # fmt: skip
    turn = int(w.control[TURNS])
    for i in range(nq):
        G[z + i] = y[i]
    for i in range(nv):
        G[z + nq + i] = 0.0
        for r in range(T[STAGES]):
            G[z + nq + i] += G[U + r] * G[turn + r * nv + i] / h
    for k in range(T[INTERNAL]):
        G[z + nq + nv + k] = y[nq + nv + k]
    project = integers_at(int(w.control[instant.T_AT]))[instant.PROJECT]
    evaluate_at(project, t, start + 8 * z, p, m, start + 8 * force)
    for i in range(rows):
        G[int(w.control[STARTING]) + i] = h * G[force + nq + nv + rows + i]
    return 0


@kernel
def left_off(t: float, h: float, y: Any, p: Any, m: Any, w: March, T: Any, G: Any) -> int:
    """What a step has to make good of the residuals of the constraints at its start."""
    nq, nv, rows, z, force, start = (T[NQ], T[NV], T[ROWS], int(w.control[PLACE]), int(w.control[FORCE]),
                                     int(w.control[G_AT]))  # fmt: skip
    for i in range(nq + nv + T[INTERNAL]):
        G[z + i] = y[i]
    project = integers_at(int(w.control[instant.T_AT]))[instant.PROJECT]
    evaluate_at(project, t, start + 8 * z, p, m, start + 8 * force)
    for i in range(rows):
        G[int(w.control[OFF]) + i] = min(1.0, h / BRIEF) * G[force + nq + nv + i]
    return 0


@kernel
def sum_rows(s: int, w: March, T: Any, G: Any) -> int:
    """The changes of the constraints over all stages, into the rows of the last, with what is to be made good."""
    first, changed = int(w.control[FORCE]) + T[NV], int(w.control[CHANGED])
    for i in range(T[ROWS]):
        G[changed + i] = G[first + i] + (G[changed + i] if s > 0 else G[int(w.control[OFF]) + i])
        G[first + i] = G[changed + i]
    return 0


@kernel
def drive_work(t: float, y: Any, impulses: int, p: Any, m: Any, w: March, T: Any, G: Any) -> float:
    """Work of impulses s on the constraints, s J v = -s dg/dt, which is that of drives."""
    nq, nv, rows, z, force, start = (T[NQ], T[NV], T[ROWS], int(w.control[PLACE]), int(w.control[FORCE]),
                                     int(w.control[G_AT]))  # fmt: skip
    for i in range(nq):
        G[z + i] = y[i]
    for i in range(nv):
        G[z + nq + i] = 0.0
    for k in range(T[INTERNAL]):
        G[z + nq + nv + k] = y[nq + nv + k]
    project = integers_at(int(w.control[instant.T_AT]))[instant.PROJECT]
    evaluate_at(project, t, start + 8 * z, p, m, start + 8 * force)
    work = 0.0
    for i in range(rows):
        work -= G[impulses + i] * G[force + nq + nv + rows + i]
    return work


@kernel
def push_start(s: int, w: March, T: Any, G: Any) -> int:
    """Two stages: forces of the impulse μ at the start, and in the first its rows in place of the constraints."""
    nv, n, start, force, mu = T[NV], T[NV] + T[ROWS], int(w.control[TANGENT]), int(w.control[FORCE]), int(w.control[LAMBDA])
    for k in range(T[ROWS] if s == 0 else 0):
        G[force + nv + k] = G[int(w.control[STARTING]) + k]
    for e in range(T[ENTRIES_EACH]):
        i, j = T[T[ROW_OF] + e], T[T[COLUMN_OF] + e]
        if nv <= j < n and i < nv:
            G[force + i] += G[U + s * MOST_STAGES] * G[start + e] * G[mu + j - nv]
        elif s == 0 and nv <= j < n and i < n:
            G[force + i] += G[start + e] * G[mu + j - nv]
    return 0


@kernel
def onto(t: float, y: Any, p: Any, m: Any, w: March, G: Any) -> int:
    """Bring velocities onto the constraints, with the factors of the equations left unsolved; keep the impulses."""
    T, F = integers_at(int(w.control[instant.T_AT])), floats_at(int(w.control[instant.F_AT]))
    nq, nv, rows, b = T[instant.POSITIONS], T[instant.VELOCITIES], T[instant.ROWS], T[RIGHT]
    evaluate_into(T[instant.PROJECT], t, y, p, m, int(w.control[instant.F_AT]) + 8 * T[REST])
    for i in range(nv):
        F[b + T[T[POSITION] + i]] = 0.0
    for i in range(rows):
        F[b + T[T[POSITION] + nv + i]] = -F[T[REST] + nq + nv + rows + i]
    solve(T, F)
    for i in range(nv):
        y[nq + i] += F[b + T[T[POSITION] + i]]
    for i in range(rows):
        G[int(w.control[STARTING]) + i] = F[b + T[T[POSITION] + nv + i]]
    return 0


@kernel
def predict(h: float, y: Any, k: Any, w: March, T: Any, G: Any) -> int:
    """Steps by the mean accelerations of the last one, which fast vibrations do not reach; multipliers as they were."""
    nq, nv, d = T[NQ], T[NV], int(w.control[STEPS])
    for i in range(nv):
        whole = h * (y[nq + i] + 0.5 * h * k[MEAN, i])
        G[d + i] = whole
        if T[STAGES] > 1:
            G[d + i] = -h * h * k[MEAN, i] / 6.0
            G[d + nv + i] = whole - G[d + i]
    for s in range(T[STAGES]):
        for i in range(T[INTERNAL]):
            G[int(w.control[INNER]) + s * T[INTERNAL] + i] = h * k[0, nq + nv + i] if s == T[STAGES] - 1 else 0.0
        for i in range(T[ROWS]):
            G[int(w.control[LAMBDA]) + s * T[ROWS] + i] = y[T[MULTIPLIERS] + i] if s == T[STAGES] - 1 else 0.0
    return 0


@kernel
def estimate(h: float, y: Any, new: Any, w: March, atol: Any, rtol: float, T: Any, F: Any, G: Any) -> float:
    """Error of a step relative to the tolerance: what the change of the accelerations brings, less what is too fast for
    the step anyway."""
    nq, nv, rows, a, b, last = T[NQ], T[NV], T[ROWS], T[ACCELERATIONS], T[RIGHT], T[STAGES] - 1
    n, moved, force = nv + rows + T[INTERNAL], int(w.control[MOVED]), int(w.control[FORCE])
    for i in range(nv):
        G[moved + i], G[force + i] = G[ESTIMATE] * (new[a + i] - y[a + i]), 0.0
    weigh(force, moved, G[FILTER], int(w.control[MASS]), T, G)
    if T[INERTIA] > 0:
        weigh(force, moved, G[FILTER], int(w.control[CARRIED]), T, G)
    for i in range(T[STAGES] * n):
        F[b + T[T[POSITION] + i]] = 0.0
    for i in range(nv):
        F[b + T[T[POSITION] + last * n + i]] = h * h * G[force + i]
    solve(T, F)
    total = 0.0
    for i in range(nv):
        defect = abs(F[b + T[T[POSITION] + last * n + i]])
        if T[T[ANGLES] + i] > 0:  # an angle moves by less than the mean of its velocities says
            turn = new[i] - y[i]
            defect += abs(2.0 * math.tan(0.5 * turn) - turn)
        at = place_of(i, nq, nv)
        if nq != nv and i % SPEED > 2:
            total += ((defect + beyond(i, w, T, G)) / (atol[at] + rtol)) ** 2
        else:
            total += (defect / (atol[at] + rtol * abs(new[at]))) ** 2
    return math.sqrt(total / nv)


@kernel
def take(h: float, y: Any, w: March, atol: Any, rtol: float, T: Any, F: Any, G: Any) -> float:
    """Add a correction, which lies on the right-hand side, to steps and multipliers; gives its size."""
    stages, nq, nv, rows, internal, b = T[STAGES], T[NQ], T[NV], T[ROWS], T[INTERNAL], T[RIGHT]
    d, inner, held, n = int(w.control[STEPS]), int(w.control[INNER]), nv + rows, nv + rows + internal
    size, left, most, rounding = 0.0, 0.0, 1e-300, ROUNDING * min(1.0, h / BRIEF)
    for s in range(stages):
        for i in range(nv):
            change = F[b + T[T[POSITION] + s * n + i]]
            G[d + s * nv + i] += change
            if s + 1 < stages:
                G[d + (s + 1) * nv + i] -= change
            size += (change / (10.0 / rtol * (CLOSE * h * atol[nq + i] + rounding * atol[place_of(i, nq, nv)]))) ** 2
        for i in range(rows):
            change = F[b + T[T[POSITION] + s * n + nv + i]]
            G[int(w.control[LAMBDA]) + s * rows + i] += change
            left, most = left + abs(change), most + abs(G[int(w.control[LAMBDA]) + s * rows + i])
        for i in range(internal):
            change, x = F[b + T[T[POSITION] + s * n + held + i]], y[nq + nv + i]
            G[inner + s * internal + i] += change
            if s + 1 < stages:
                G[inner + (s + 1) * internal + i] -= change
            size += (change / (CLOSE * (abs(x) + abs(G[inner + s * internal + i]) + LITTLE))) ** 2
    w.control[LEFT] = left / most
    return math.sqrt(size / (stages * (nv + internal))) / G[LOOSE]
