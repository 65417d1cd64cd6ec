"""Following a model or a study in the browser while it is computed."""

from __future__ import annotations

import time
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gudgeon.cli import screen
from gudgeon.cli.live import Live
from gudgeon.cli.running import run_settings
from gudgeon.cli.source import find
from gudgeon.ctrl_c import wait_for_it
from gudgeon.report.study_page import study_page
from gudgeon.results.joined import joined
from gudgeon.simulation import period_of, whole_run
from gudgeon.study import Store
from gudgeon.view import page

if TYPE_CHECKING:
    from gudgeon.results import Run

__all__ = ["watch_model", "watch_study"]

PIECES = 40  # of a run: after each the page is newer
REST = 2.0  # [s] between two looks at a study


def watch_study(path: Path, show: bool) -> None:
    """Until every run has a result, or Ctrl-C."""
    live = _open(show)
    seen = -1
    try:
        while True:
            with Store(path) as store:
                counts = store.counts()
            if sum(counts.values()) - counts["todo"] != seen:
                seen = sum(counts.values()) - counts["todo"]
                live.show(study_page(path))
            if not counts["todo"]:
                break
            time.sleep(REST)
        _stay()
    finally:
        live.close()


def watch_model(model: str, until: str | None, revolutions: float | None, changes: list[str], frames: int,
                show: bool) -> None:  # fmt: skip
    """Compute a model piece by piece; the page has all that is there."""
    source = find(model, changes)
    settings = replace(run_settings(source, until, revolutions), trust=False)
    span = settings.duration or (settings.revolutions or 0.0) * (period_of(source.mechanism) or 0.0)
    piece = replace(settings, duration=span / PIECES, revolutions=None)
    live = _open(show)
    runs: list[Run] = []
    try:
        for k in range(PIECES):
            runs.append(whole_run(source.mechanism, duration=piece.duration, method=piece.method, rtol=piece.rtol,
                                 output=piece.output, step=piece.step,
                                 resume=runs[-1] if runs else None))  # fmt: skip
            live.show(page(joined(runs), frames=frames).text)
            screen.say(f"{100 * (k + 1) // PIECES} % of {span * 1e3:.6g} ms")
        _stay()
    finally:
        live.close()


def _open(show: bool) -> Live:
    live = Live()
    print(live.address, flush=True)
    if show:
        webbrowser.open(live.address)
    return live


def _stay() -> None:
    screen.say("finished; the page stays until Ctrl-C")
    wait_for_it()
