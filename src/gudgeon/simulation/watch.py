"""`Watch`: ends a time integration that would not end in any useful time, and counts what it has done."""

from __future__ import annotations

import numpy as np

from gudgeon.methods.march.columns import CONTACT, KIND, TIME
from gudgeon.methods.march.driver import StopMarch
from gudgeon.results.failure import CROWD, CROWDED
from gudgeon.results.recorder import MOST_NUMBERS

__all__ = ["DONE", "MOST_ROWS", "MOST_STEPS", "WINDOW", "Watch"]

WINDOW = 1_000_000  # steps over which the pace is judged
MOST_STEPS, MOST_ROWS = 2e10, 1e9  # one that would need more at its present pace is hopeless: hours, or memory
MANY_STEPS, MANY_EVENTS = 50_000_000, 200_000  # one with more of them ...
DONE = 0.1  # ... should have done this share of the run


class Watch:
    """Ends a march that would not end in any useful time; `why` then says how it was seen, `pace` its step [s].
    On the way it counts the steps and the contacts, `onsets`, of which some may have been open from the start."""

    def __init__(self, start: float, span: float, most: float, onsets: int = 0) -> None:
        self.start, self.span, self.most = start, span, most
        self.why, self.pace = "", 0.0
        self.steps, self.onsets = 0, onsets
        self._since = self._events_since = (0, start)
        self._seen = self._events = self._numbers = 0
        self._times: dict[int, np.ndarray] = {}

    def __call__(self, t: float, steps: int, blocks: list[np.ndarray]) -> None:
        fresh, self._seen = blocks[self._seen :], len(blocks)
        self.steps = steps
        self.onsets += sum(int((block[:, KIND] > 0.0).sum()) for block in fresh)
        left = self.start + self.span - t
        if left <= 0.0:
            return
        self.why = self._crowd(fresh) or self._too_many(t, left)
        before, then = self._since
        if steps - before >= WINDOW:
            self._since = (steps, t)
            if left * (steps - before) > self.most * (t - then):
                moved = f"the last {steps - before} steps moved the time by {t - then:.2g} s only"
                self.why = self.why or f"{moved}, and {left:.2g} s are left"
        if t - self.start < DONE * self.span and (steps > MANY_STEPS or self._events > MANY_EVENTS):
            share = f"{100 * (t - self.start) / self.span:.2g} % of the run"
            self.why = self.why or f"{steps} steps and {self._events} onsets and releases brought only {share}"
        if self.why:
            self.pace = max(t - then, 0.0) / max(steps - before, 1) or 1e-300
            raise StopMarch(self.why)

    def _crowd(self, fresh: list[np.ndarray]) -> str:
        """Whether the last events of a contact lie too close together to be worth following."""
        for block in fresh:
            self._events += len(block)
            self._numbers += block.size
            for index in np.unique(block[:, CONTACT]):
                times = block[block[:, CONTACT] == index, TIME]
                kept = np.concatenate([self._times.get(int(index), times[:0]), times])[-CROWD:]
                self._times[int(index)] = kept
                if len(kept) == CROWD and kept[-1] - kept[0] < CROWDED * self.span:
                    return f"the last {CROWD} onsets and releases lie within {kept[-1] - kept[0]:.2g} s"
        return ""

    def _too_many(self, t: float, left: float) -> str:
        """Whether the events fill the memory, or would at the pace of the last MANY_EVENTS of them."""
        if self._numbers > MOST_NUMBERS:
            return f"{self._events} onsets, releases and impacts fill {self._numbers * 8e-9:.1f} GB"
        before, then = self._events_since
        if self._events - before < MANY_EVENTS:
            return ""
        self._events_since = (self._events, t)
        pace = (t - then) / (self._events - before)
        if left * self._numbers / self._events <= MOST_NUMBERS * pace:
            return ""
        moved = f"the last {self._events - before} onsets, releases and impacts moved the time by {t - then:.2g} s only"
        return f"{moved}, and {left:.2g} s are left"
