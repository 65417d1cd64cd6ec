"""From rows of the tape to channels, while a march goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gudgeon.assemble import System
from gudgeon.assemble.load_check import LoadCheck
from gudgeon.assemble.report.change_points import Positions, has_loops
from gudgeon.methods.march.driver import StopMarch
from gudgeon.quantity import GudgeonError, closest
from gudgeon.results.evaluate import evaluate
from gudgeon.results.streamed import Segments
from gudgeon.results.thinning import WHOLE, ThinnedRows

MOST_NUMBERS = 2.5e8  # in memory: 2 GB
MOST_STATES = 1e7  # of the steps, kept for extremes between rows: 80 MB
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
    """Turns rows of the tape into channels block by block, keeping only what is asked for or needed as evidence.

    Where `segments` are given, steps that would fill more than WHOLE numbers are thinned as they come, and the segments
    keep what tells the extremes of the motion.
    """

    def __init__(self, system: System, names: list[str], segments: Callable[[int], Segments] | None = None,
                 locks: LoadCheck | None = None) -> None:  # fmt: skip
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
        self.thinned: ThinnedRows | None = None
        self.segments: Segments | None = None
        self._new_segments = segments
        self.positions = Positions(system) if has_loops(system) else None
        self.inserted = np.zeros(0, dtype=int)  # places of rows that are none of steps
        self.numbers = self._states = 0
        self.last = np.zeros(0)  # the last row that is finite
        self.lost: float | None = None  # time of the first that is not ...
        self.why_lost = "the state is not finite"  # ... or that has no reactions
        self._locks = locks

    def evaluate(self, rows: np.ndarray) -> np.ndarray:
        """All channels on rows (t, y, m)."""
        return evaluate(self.system, rows)

    def add(self, rows: np.ndarray) -> None:
        if not np.isfinite(rows.sum()) and not (finite := np.isfinite(rows).all(axis=1)).all():
            # a method without error control goes on with what is no number
            first = int(finite.argmin())
            self.lost, rows = float(rows[first, 0]), rows[:first]
        states = 1 + self.system.states
        for k, row in enumerate(rows if self._locks is not None else ()):
            if self._locks is not None and self._locks(row[0], row[1:states], row[states:]) is not None:
                self.lost, rows, self.why_lost = float(row[0]), rows[:k], "reactions have no solution"
                break
        self.last = rows[-1].copy() if len(rows) else self.last
        channels = self.evaluate(rows)
        if self.positions is not None:
            self.positions.add(rows[:, 0], channels)
        self._keep(rows, channels if self._every else np.ascontiguousarray(channels[:, self.columns]))
        if self.lost is not None:
            raise StopMarch(self.why_lost)
        if self.numbers > MOST_NUMBERS:
            raise StopMarch(f"the results fill {self.numbers * 8e-9:.1f} GB")

    def _keep(self, rows: np.ndarray, channels: np.ndarray) -> None:
        if self.thinned is not None and self.segments is not None:
            self.thinned.add(rows[:, 0].copy(), channels)
            self.segments.add(rows, channels)
            return
        self.blocks.append((rows[:, 0].copy(), channels))
        self.numbers += channels.size
        self._states += rows.size
        if self.rows is not None:
            self.rows.append(rows)
        if self._states + self.numbers > WHOLE and self._new_segments is not None:
            self._thin()
        elif self._states > MOST_STATES:
            self.rows = None

    def _thin(self) -> None:
        """From here on rows are thinned, those of before too."""
        units = {channel.name: channel.unit for channel in self.system.channels}
        forces = [self._places[f"{contact.name}.normal"] for contact in self.system.contacts]
        self.thinned = ThinnedRows([units[name] for name in self.names], forces)
        assert self._new_segments is not None and self.rows is not None
        self.segments = self._new_segments(len(self.names))
        for rows, (_, channels) in zip(self.rows, self.blocks, strict=True):
            self.thinned.add(rows[:, 0].copy(), channels)
            self.segments.add(rows, channels)
        self.rows, self.blocks, self.numbers = None, [], 0

    def finish(self) -> None:
        """The march has ended."""
        if self.thinned is not None and self.segments is not None:
            self.segments.finish()
            self.blocks = [self.thinned.rows()]

    def range(self, name: str) -> tuple[float, float]:
        """Smallest and largest value of a channel among all rows, also those that were not kept."""
        if self.thinned is not None:
            return self.thinned.range(self._places[name])
        column = self.column(name)
        return float(column.min()), float(column.max())

    def notes(self) -> list[str]:
        """What was left out."""
        if self.thinned is None:
            return []
        kept, seen = sum(len(t) for t, _ in self.blocks), self.thinned.seen
        return [f"{kept} of {seen} steps are recorded: straight lines between them give every channel to "
                f"{share_text(self.thinned.error)} of its range, with all extreme values; "
                'output="steps" records every step']  # fmt: skip

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
        return self.blocks[0][0] if len(self.blocks) == 1 else np.concatenate([times for times, _ in self.blocks])

    def column(self, name: str) -> np.ndarray:
        k = self._places[name]
        columns = [block[:, k] for _, block in self.blocks]
        # those of a run that was thinned stay in one piece, which saves its memory once more
        return columns[0] if self.thinned is not None and len(columns) == 1 else np.concatenate(columns)


def share_text(share: float) -> str:
    """A share in percent, with one digit below 10 % and none behind the point above."""
    percent = 100.0 * share
    return f"{percent:.0f} %" if percent >= 10.0 else f"{percent:.1g} %"
