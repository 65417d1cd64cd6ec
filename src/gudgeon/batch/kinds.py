"""The two programs: trajectories with what is kept of them, and pairs of twins with how they part."""

from __future__ import annotations

from typing import Any

from gudgeon.batch.program import Program
from gudgeon.batch.trajectory import trajectory
from gudgeon.batch.twins import twins
from gudgeon.compile.python.reader import Reader

__all__ = ["Trajectories", "Twins"]


class Trajectories(Program):
    """So many turns on, with the channels that are watched."""

    arrays = ("state", "results", "section", "strobe", "extremes")
    put = 1
    numbers = ("turns", "most")

    @property
    def result_names(self) -> list[str]:
        counts = ["status", "steps", "rejected", "locations", "touch error", "drift", "speed drift"]
        touched = [f"touched {joint}" for joint in self.joints]
        onsets = [f"onsets {c}" for c in range(self.system.events)]
        return [*counts, *touched, *onsets, *(f"square {name}" for name in self.wanted.squares)]

    def shape(self, array: str, turns: int) -> tuple[int, ...]:
        wanted = self.wanted
        return {
            "state": (self.state_rows,), "results": (len(self.result_names),), "section": (turns, len(wanted.states)),
            "strobe": (turns, len(wanted.strobe)), "extremes": (turns, 2 * len(wanted.extremes)),
        }[array]  # fmt: skip

    def body(self, reader: Reader, w: Any, numbers: dict[str, Any]) -> None:
        status = reader.inline(trajectory, {"w": w, **numbers})
        self.keep_state(reader, w)
        counted = (w.steps, w.rejected, w.locations, w.touch_error, w.drift, w.speed_drift)
        kept = [status, *(self.number(reader, cell) for cell in counted)]
        kept += [reader.load(w.touched, (k,)) for k in range(len(self.joints))]
        kept += [reader.load(w.onsets, (c,)) for c in range(self.system.events)]
        kept += [reader.load(w.square, (self.wanted.channels.index(name),)) for name in self.wanted.squares]
        self.keep_results(reader, w, kept)


class Twins(Program):
    """So many periods of two trajectories each, the second brought back to the first again and again."""

    arrays = ("state", "twin", "results", "logs")
    put = 2
    numbers = ("turns", "most", "fresh")

    @property
    def result_names(self) -> list[str]:
        return ["status", "steps", "began", "widest"]

    def shape(self, array: str, turns: int) -> tuple[int, ...]:
        rows = {"state": (self.state_rows,), "twin": (self.state_rows,), "results": (len(self.result_names),)}
        return rows.get(array, (turns,))

    def body(self, reader: Reader, w: Any, numbers: dict[str, Any]) -> None:
        status, began, widest = reader.inline(twins, {"w": w, **numbers})
        self.keep_state(reader, w)
        self.keep_results(reader, w, [status, self.number(reader, w.steps), began, widest])
