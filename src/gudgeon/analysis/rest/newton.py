"""Static equilibrium of a mechanism with beams by Newton's method on the residual form of its equations.

With v = a = 0 the balance of forces r(q, λ) = 0 and the constraints Φ(q) = 0 are solved by

    [ K  -Jᵀ ] [ dq ]     [ r ]
    [ J   0  ] [ dλ ] = - [ Φ ]

Newton's method may wander where a slender beam bends far: a rotation that is right for bending stretches it too much.
Then the forces that are not balanced at the start are applied in parts, r(q) - (1 - s) r(q0) = 0 with s from 0 to 1.
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.rest.flexible import POSITIONS, FlexibleStandstill

__all__ = ["balanced_state"]

MOST_TURN = 0.5  # of an angle in one step of Newton's method [rad]
LEAST_PART = 1e-3  # of the loads, applied at a time
EASY = 8  # iterations after which the next part is larger
ITERATIONS = 30  # of Newton's method before a smaller part of the loads is tried


def balanced_state(standstill: FlexibleStandstill) -> np.ndarray | None:
    """A state whose forces are balanced, from the described position; None where none was reached."""
    layout = standstill.layout
    y = standstill.system.y0.copy()
    y[layout.positions : layout.positions + layout.velocities] = 0.0
    unbalanced = _residual(standstill, y)
    unbalanced[layout.velocities :] = 0.0
    done, part = 0.0, 1.0
    while done < 1.0:
        share = min(1.0, done + part)
        trial, iterations = _newton(standstill, y, (1.0 - share) * unbalanced)
        if trial is not None:
            y, done = trial, share
            part *= 2.0 if iterations <= EASY else 1.0
            continue
        part *= 0.2
        if part < LEAST_PART:
            return None
    return y


def _residual(standstill: FlexibleStandstill, y: np.ndarray) -> np.ndarray:
    """Balance of forces, and the constraints."""
    layout = standstill.layout
    start = layout.positions + layout.velocities
    forces = standstill.call("residual", y, layout.size)[: layout.velocities]
    constraints = standstill.call("project", y, start + 2 * layout.rows)[start : start + layout.rows]
    return np.concatenate([forces, constraints])


def _newton(standstill: FlexibleStandstill, y: np.ndarray, held: np.ndarray) -> tuple[np.ndarray | None, int]:
    """The state that balances all forces but those that are held, None where there is none, and the iterations."""
    layout, size = standstill.layout, standstill.size
    n, rows = layout.velocities, layout.rows
    angular = standstill.angular
    y, scale = y.copy(), 0.0
    for iteration in range(1, ITERATIONS + 1):
        try:
            matrix = standstill.matrix(y, POSITIONS)[: n + rows, : n + rows]
            step = np.linalg.solve(matrix, held - _residual(standstill, y))
        except np.linalg.LinAlgError:
            return None, iteration  # something is free to move without force
        turn = float(np.abs(step[:n][angular]).max(initial=0.0))
        share = min(1.0, MOST_TURN / max(turn, 1e-300))
        y[: layout.positions] = standstill.stepped(y, share * step[:n])
        y[layout.multipliers : layout.multipliers + rows] += share * step[n:]
        moved = float(np.abs(step[:n]).max())
        scale = max(scale, moved)
        if share == 1.0 and moved <= 1e-13 * max(scale, size):
            return y, iteration
        if not moved < 1e12 * max(size, 1.0):
            break
    return None, ITERATIONS
