"""What a contact costs by each route, and what a stiff film costs by an explicit and an implicit method."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.methods.march import driver as runner
from gudgeon.model import Lubricated, Mechanism
from gudgeon.papers import schwab2002
from gudgeon.simulation import choose_method, period_of

TURNS = 10


@dataclass
class Entry:
    """A mechanism, a method by name or with options, its settings, and what a march of it took."""

    title: str
    mechanism: Mechanism
    method: Any
    rtol: float | None
    step: float | None = None
    evaluations: int = 0
    steps: int = 0
    cpu_s: float = float("inf")

    def prepare(self) -> None:
        self.chosen: Any = choose_method(self.method, self.rtol, self.step)
        self.system = assemble(self.mechanism, self.chosen.needs())
        self.end = TURNS * (period_of(self.mechanism) or 1.0)

    def march(self) -> None:
        began = time.process_time()
        tape = runner.run(self.system, self.chosen, 0.0, self.end, output=self.end, on_rows=lambda rows: None)
        self.cpu_s = min(self.cpu_s, time.process_time() - began)
        assert tape.complete
        self.evaluations, self.steps = tape.evaluations, tape.steps

    def row(self, base: Entry) -> tuple[str, ...]:
        return (self.title, f"{self.steps / TURNS:.0f}", f"{self.evaluations / TURNS:.0f}",
                f"{1e3 * self.cpu_s / TURNS:.3f} ms", f"{base.evaluations / self.evaluations:.2f}",
                f"{base.cpu_s / self.cpu_s:.2f}")  # fmt: skip


def _measure(entries: list[Entry], rounds: int) -> list[tuple[str, ...]]:
    for entry in entries:
        entry.prepare()
    for _ in range(rounds):
        for entry in entries:
            entry.march()
    return [entry.row(entries[0]) for entry in entries]


HEADER = ("per revolution", "steps", "evaluations", "CPU", "fewer evaluations", "less CPU")


def routes(rounds: int) -> list[tuple[str, ...]]:
    """Section 5 of Schwab 2002: the Hertz law with rtol 1e-9 against impacts as instants."""
    joint = schwab2002.hertz()
    return _measure([
        Entry("contact law, DOPRI5, rtol 1e-9", joint, "dopri5", 1e-9),
        Entry("impact, DOP853 between, rtol 1e-9", joint, "impact", 1e-9),
        Entry("impact, rtol 1e-6, capture 1e-5 s", joint, gd.Impact(capture=1e-5), 1e-6),
        Entry("impact, rtol 1e-12", joint, "impact", 1e-12),
    ], rounds)  # fmt: skip


def films(rounds: int) -> list[tuple[str, ...]]:
    """A film of 0.1 mm: stiff near the wall."""
    film = schwab2002.ideal().refit(pin=Lubricated("0.1 mm", film=gd.Moes(schwab2002.VISCOSITY)))
    return _measure([
        Entry("film 0.1 mm, DOPRI5, rtol 1e-9", film, "dopri5", 1e-9),
        Entry("film 0.1 mm, Radau, rtol 1e-9", film, "radau", 1e-9),
        Entry("film 0.1 mm, Radau, rtol 1e-6", film, "radau", 1e-6),
    ], rounds)  # fmt: skip
