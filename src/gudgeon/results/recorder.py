"""From rows of the tape to channels, while a march goes on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gudgeon.assemble import System
from gudgeon.compile.native.kernel import evaluate_rows
from gudgeon.methods.march.driver import StopMarch
from gudgeon.quantity import GudgeonError, closest

MOST_NUMBERS = 2.5e8  # in memory: 2 GB
MOST_STATES = 5e7  # of the steps, kept for extremes between rows: 0.4 GB
FILM_EVIDENCE = ("film_thickness", "ex", "ey", "film_force", "peak_pressure")


def selected(system: System, channels: Sequence[str] | None) -> list[str]:
    """The names of the channels that are asked for, all where none is; refused where one is not known."""
    known = [channel.name for channel in system.channels]
    if channels is None:
        return known
    for name in channels:
        if name not in known:
            likely = closest(name, known)
            raise GudgeonError(f'channel "{name}" is not known' + (f'; did you mean "{likely}"?' if likely else ""))
    return list(channels)


class Recorder:
    """Turns rows of the tape into channels block by block, keeping only what is asked for or needed as evidence."""

    def __init__(self, system: System, names: list[str]) -> None:
        needed = [c.name for c in system.channels if c.name.startswith("energy.")]
        needed += [f"{c.name}.{what}" for c in system.contacts for what in ("depth", "rate", "normal")]
        needed += [f"{film.joint}.{what}" for film in system.films for what in FILM_EVIDENCE]
        self.system, self.names = system, list(dict.fromkeys([*names, *needed]))
        index = {channel.name: k for k, channel in enumerate(system.channels)}
        self.columns = [index[name] for name in self.names]
        self._every = self.columns == list(range(len(system.channels)))
        self._places = {name: k for k, name in enumerate(self.names)}
        # times and channels in one item: Ctrl-C may fall between two
        self.blocks: list[tuple[np.ndarray, np.ndarray]] = []
        self.rows: list[np.ndarray] | None = []  # of the steps; None where they were too many to be kept
        self.inserted = np.zeros(0, dtype=int)  # places of rows that are none of steps
        self.numbers = 0
        self.last = np.zeros(0)  # the last row that is finite
        self.lost: float | None = None  # time of the first that is not

    def evaluate(self, rows: np.ndarray) -> np.ndarray:
        """All channels on rows (t, y, m)."""
        return evaluate(self.system, rows)

    def add(self, rows: np.ndarray) -> None:
        if not np.isfinite(rows.sum()) and not (finite := np.isfinite(rows).all(axis=1)).all():
            # a method without error control goes on with what is no number
            first = int(finite.argmin())
            self.lost, rows = float(rows[first, 0]), rows[:first]
        self.last = rows[-1].copy() if len(rows) else self.last
        channels = self.evaluate(rows)
        self.blocks.append((rows[:, 0].copy(), channels if self._every else channels[:, self.columns]))
        if self.rows is not None:
            self.rows.append(rows)
            if sum(block.size for block in self.rows) > MOST_STATES:
                self.rows = None
        self.numbers += len(rows) * len(self.columns)
        if self.lost is not None:
            raise StopMarch("the state is not finite")
        if self.numbers > MOST_NUMBERS:
            raise StopMarch(f"the results fill {self.numbers * 8e-9:.1f} GB")

    def insert(self, t: np.ndarray, channels: np.ndarray, *, instead: bool = False) -> None:
        """Rows between the two that stand at the same time, before and after an event; or `instead` of those there."""
        if not len(t) or not self.blocks:
            return
        times = np.concatenate([times for times, _ in self.blocks])
        values = np.concatenate([block for _, block in self.blocks])
        if instead:
            keep = ~np.isin(times, t)
            times, values = times[keep], values[keep]
        place = np.minimum(np.searchsorted(times, t, "left") + (not instead), len(times))
        self.inserted = place + np.arange(len(place))
        self.blocks = [(np.insert(times, place, t), np.insert(values, place, channels[:, self.columns], axis=0))]

    @property
    def time(self) -> np.ndarray:
        return np.concatenate([times for times, _ in self.blocks])

    def column(self, name: str) -> np.ndarray:
        k = self._places[name]
        return np.concatenate([block[:, k] for _, block in self.blocks])


def evaluate(system: System, rows: np.ndarray) -> np.ndarray:
    """All channels of a system on rows (t, y, m)."""
    out = np.empty((len(rows), len(system.channels)))
    evaluate_rows(system.addresses["channels"], np.ascontiguousarray(rows), np.zeros(system.states),
                  np.zeros(system.memory), system.p, np.zeros(len(system.channels)), out)  # fmt: skip
    return out
