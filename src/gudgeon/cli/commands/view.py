"""Show a run in the browser, with the moving mechanism.

The page has a time slider, magnified play, jumps from contact to contact, the path of the journal and plots of all
channels. It is one file that loads nothing from the network, and can be sent to a colleague.

\b
Examples:
  gudgeon view out/press
  gudgeon view schwab2002/hertz --revolutions 200 --watch
  gudgeon view schwab2002/hertz --revolutions 2 --no-open -o hertz.html
  gudgeon view press.yaml --live --knob pin.radial_clearance --knob "crank.speed=1000 rpm..3000 rpm"
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from gudgeon.cli import screen
from gudgeon.cli.options import Knobs, Live, ModelChanges, Revolutions, Until
from gudgeon.cli.running import compute, ideal_twin, run_settings, settings_of
from gudgeon.cli.source import find, is_run, is_study
from gudgeon.cli.watching import watch_model, watch_study
from gudgeon.export.live import check_live, live_of
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run
from gudgeon.view import page

__all__ = ["command"]


def command(
    source: Annotated[
        str,
        typer.Argument(metavar="RUN|MODEL|STUDY", help="A run, a model file or case; to watch, the folder of a study."),
    ],
    until: Until = None,
    revolutions: Revolutions = None,
    changes: ModelChanges = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="File of the page; default beside the run.")
    ] = None,
    frames: Annotated[int, typer.Option("--frames", metavar="N", help="Largest number of frames in the page.")] = 2000,
    channels: Annotated[
        list[str] | None, typer.Option("--channel", "-c", metavar="NAME",
            help="Channel that is plotted first (repeatable).")
    ] = None,
    live: Live = False,
    knobs: Knobs = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show a model or a study while it is computed, on this computer only.")
    ] = False,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    if watch and live:
        raise GudgeonError("--watch shows a run while it is computed, --live makes a page that computes; give one")
    if knobs and not live:
        raise GudgeonError(f"--knob {knobs[0]}: only a page that computes has sliders; add --live")
    if watch:
        if is_study(source):
            watch_study(Path(source), show)
        else:
            watch_model(source, until, revolutions, changes or [], frames, show)
        return
    if is_run(source):
        run, ideal = Run.from_netcdf(source), None
        mechanism, settings = run.mechanism, settings_of(run)
        place = (Path(source) if Path(source).is_dir() else Path(source).parent) / "view.html"
    else:
        model = find(source, changes or [])
        # the page needs the positions, whatever the file says that `run` records
        settings = replace(run_settings(model, until, revolutions), channels=None)
        mechanism, place = model.mechanism, Path("out") / model.stem / "view.html"
        if live:
            check_live(mechanism, settings, knobs)
        run, stopped, _ = compute(model, settings, False)
        if stopped:
            screen.complain(stopped)
        ideal = ideal_twin(model, settings)
    if live:
        viewer = live_of(mechanism, settings, knobs or None, run=run, ideal=ideal, frames=frames, channels=channels)
    else:
        viewer = page(run, ideal, frames=frames, channels=channels)
    print(viewer.save(out or place))
    if show:
        viewer.open()

