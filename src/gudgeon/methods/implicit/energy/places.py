"""Places over the stages of a step: coordinates moved by steps, in the plane and in space.

In space a body's step has the vector ψ of Cayley's transform (assemble.moves): its Euler parameters are multiplied by
d = (1, ψ/2) / |(1, ψ/2)|, and by what lies between 1 and d for a part of the step.
"""

from __future__ import annotations

import math
from typing import Any

from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.implicit.energy.table import (
    FORCE,
    MOMENTS,
    NQ,
    NV,
    STAGES,
    STEPS,
)
from gudgeon.methods.implicit.rotation import PLACE, SPEED
from gudgeon.methods.march.memory import March


@kernel
def place_of(i: int, nq: int, nv: int) -> int:
    """A coordinate that moves with velocity i; of a turn one of the Euler parameters."""
    return i if nq == nv else i + i // SPEED


@kernel
def advance(to: int, given: int, step: int, share: float, T: Any, G: Any) -> int:
    """G[to:]: the coordinates G[given:] after a share of the step G[step:]."""
    nq, nv = T[NQ], T[NV]
    if nq == nv:
        for i in range(nv):
            G[to + i] = G[given + i] + share * G[step + i]
    else:
        for body in range(nv // SPEED):
            i, j = PLACE * body, step + SPEED * body
            for c in range(3):
                G[to + i + c] = G[given + i + c] + share * G[j + c]
            a, b, c, g, o = 0.5 * G[j + 3], 0.5 * G[j + 4], 0.5 * G[j + 5], given + i + 3, to + i + 3
            cosine = 1.0 / math.sqrt(1.0 + a * a + b * b + c * c)
            d0, x = 1.0 - share + share * cosine, share * cosine
            d1, d2, d3 = x * a, x * b, x * c
            e0, e1, e2, e3 = G[g], G[g + 1], G[g + 2], G[g + 3]
            p0, p1 = e0 * d0 - e1 * d1 - e2 * d2 - e3 * d3, e0 * d1 + e1 * d0 + e2 * d3 - e3 * d2
            p2, p3 = e0 * d2 - e1 * d3 + e2 * d0 + e3 * d1, e0 * d3 + e1 * d2 - e2 * d1 + e3 * d0
            scale = 1.0 / math.sqrt(p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
            G[o], G[o + 1], G[o + 2], G[o + 3] = scale * p0, scale * p1, scale * p2, scale * p3
    return 0


@kernel
def arrive(y: Any, new: Any, at: int, w: March, T: Any, G: Any) -> int:
    """Coordinates at the end of all stages into `new`; room for them at `at` in G."""
    nq, nv, d = T[NQ], T[NV], int(w.control[STEPS])
    if nq == nv:
        for i in range(nv):
            total = 0.0
            for s in range(T[STAGES]):
                total += G[d + s * nv + i]
            new[i] = y[i] + total
    else:
        for i in range(nq):
            G[at + i] = y[i]
        for s in range(T[STAGES]):
            advance(at, at, d + s * nv, 1.0, T, G)
        for i in range(nq):
            new[i] = G[at + i]
    return 0


@kernel
def beyond(i: int, w: March, T: Any, G: Any) -> float:
    """How much a turn of space is less than the mean of its velocities says, about the axis of velocity i."""
    nv, d, j = T[NV], int(w.control[STEPS]), i - i % 3
    square, own = 0.0, 0.0
    for c in range(3):
        total = 0.0
        for s in range(T[STAGES]):
            total += G[d + s * nv + j + c]
        square += total * total
        if j + c == i:
            own = total
    size = math.sqrt(square)
    return abs(own) * (1.0 - 2.0 * math.atan(0.5 * size) / size) if size > 1e-6 else 0.0


# Of two stages the moments w x J w at v_j and at u = v_j + δ work, with the steps ψ_0 = -h δ / 3 and ψ_1 = h (u + δ/3),
#   h (u . (u x J u) + δ . (u x J u - v_j x J v_j) / 3) = -h/3 v_j . (δ x J δ)
# which may have either sign. With δ x J δ / 3 = 3 ψ_0 x J ψ_0 / h² more in the second stage it is zero.
@kernel
def balance(h: float, w: March, T: Any, G: Any) -> int:
    """Two stages: the moment that keeps the gyroscopic ones of bodies of space from working."""
    moments, d, force = int(w.control[MOMENTS]), int(w.control[STEPS]), int(w.control[FORCE])
    for body in range(T[NV] // SPEED):
        i = SPEED * body + 3
        x, y, z = G[d + i], G[d + i + 1], G[d + i + 2]
        a, b, c = G[moments + i] * x, G[moments + i + 1] * y, G[moments + i + 2] * z
        G[force + i] += 3.0 * (y * c - z * b) / (h * h)
        G[force + i + 1] += 3.0 * (z * a - x * c) / (h * h)
        G[force + i + 2] += 3.0 * (x * b - y * a) / (h * h)
    return 0
