"""How stiff a mechanism is: whether an explicit method would crawl through a film.

A film between rigid bodies damps their motion with rates far beyond those of the motion. An explicit method follows the
fastest of them, by steps of about REACH over that rate, though nothing of it can be seen; an implicit one need not.
"""

from __future__ import annotations

import numpy as np

from gudgeon.assemble import System
from gudgeon.compile.graph.llvm import call_address

REACH = 3.3  # dopri5 is stable where the step times a real rate is at most this
CRAWL = 200_000  # steps: a second or two
MOST = 200  # velocities, beyond which the rates are not computed
SHIFT = 1e-6  # of velocities, relative


def fastest_rate(system: System, y: np.ndarray, m: np.ndarray) -> float:
    """The fastest rate at which velocities die out in this state [1/s]: the largest eigenvalue of the slopes of the
    accelerations with respect to them."""
    n, q = system.velocities, system.positions
    place = slice(q, q + n)

    def accelerations(state: np.ndarray) -> np.ndarray:
        out = np.zeros(system.states)
        call_address(system.addresses["rhs"], 0.0, state, system.p, m, out)
        return out[place]

    slopes, before = np.empty((n, n)), accelerations(y)
    for k in range(n):
        moved = y.copy()
        moved[q + k] += SHIFT * max(1.0, abs(y[q + k]))
        slopes[:, k] = (accelerations(moved) - before) / (moved[q + k] - y[q + k])
    return float(np.abs(np.linalg.eigvals(slopes)).max(initial=0.0)) if np.isfinite(slopes).all() else 0.0


def crawls(system: System, y: np.ndarray, m: np.ndarray, span: float) -> str:
    """Where films would make an explicit method take CRAWL steps or more over `span` [s]: a sentence that says so.

    Rates are those of the start; a journal that comes close to the wall is damped more."""
    if not system.films or system.velocities > MOST:
        return ""
    steps = span * fastest_rate(system, y, m) / REACH
    if steps < CRAWL:
        return ""
    joints = " and ".join(f'"{film.joint}"' for film in system.films)
    about = f"{float(f'{steps:.1g}'):,.0f}"
    return (f"radau was chosen: with the film of {joints} an explicit method would take {about} steps or more; "
            'method="dopri5" takes them')  # fmt: skip
