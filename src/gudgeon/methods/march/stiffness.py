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
FEW = 2_000  # steps between two looks
LIMITED, IN_A_ROW = 1.5, 3  # a step times the fastest rate so large, at so many looks, is limited by stability
MOST = 200  # velocities, beyond which the rates are not computed
SHIFT = 1e-6  # of velocities, relative


def fastest_rate(system: System, y: np.ndarray, m: np.ndarray, t: float = 0.0) -> float:
    """The fastest rate at which velocities die out in this state [1/s]: the largest eigenvalue of the slopes of the
    accelerations with respect to them."""
    n, q = system.velocities, system.positions
    place = slice(q, q + n)

    def accelerations(state: np.ndarray) -> np.ndarray:
        out = np.zeros(system.states)
        call_address(system.addresses["rhs"], t, state, system.p, m, out)
        return out[place]

    slopes, before = np.empty((n, n)), accelerations(y)
    for k in range(n):
        moved = y.copy()
        moved[q + k] += SHIFT * max(1.0, abs(y[q + k]))
        slopes[:, k] = (accelerations(moved) - before) / (moved[q + k] - y[q + k])
    return float(np.abs(np.linalg.eigvals(slopes)).max(initial=0.0)) if np.isfinite(slopes).all() else 0.0


class Crawling(Exception):
    """Raised to end a march whose step is limited by stability; its text says so with numbers."""


class CrawlWatch:
    """Watches the pace of an explicit method while it goes: where films limit its step by stability and not by
    accuracy, and too many such steps lie ahead, the march is ended.

    The step is limited by stability where it is a good part of REACH over the fastest rate, at several visits in a row
    (after the test of the code DOPRI5: Hairer, Norsett, Wanner, Solving ODEs II, IV.2).
    """

    def __init__(self, system: System, start: float, span: float) -> None:
        self.system, self.end = system, start + span
        self.start = start
        self._since, self._steps, self._times = start, 0, 0
        self._watches = bool(system.films) and system.velocities <= MOST

    def __call__(self, t: float, steps: int, row: np.ndarray) -> None:
        """At a visit: the time, the steps tried so far and the last row (t, y, m)."""
        done = steps - self._steps
        if not self._watches or done < FEW or not t > self._since:
            return
        h = (t - self._since) / done
        self._since, self._steps = t, steps
        ahead = (self.end - t) / h
        if ahead < CRAWL or not len(row):
            self._times = 0
            return
        n = self.system.states
        limit = h * fastest_rate(self.system, row[1 : 1 + n].copy(), row[1 + n :].copy(), float(row[0]))
        self._times = self._times + 1 if limit > LIMITED else 0
        if self._times >= IN_A_ROW:
            joints = " and ".join(f'"{film.joint}"' for film in self.system.films)
            raise Crawling(
                f"radau took over from the start: dopri5 needed {steps:,} steps for {(t - self.start) * 1e3:.3g} ms "
                f'and would need about {float(f"{ahead:.1g}"):,.0f} more, because the film of {joints} limits its '
                f'step to {h:.2g} s; name the method dopri5 if you want them'
            )
