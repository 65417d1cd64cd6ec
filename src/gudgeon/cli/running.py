"""Running a model from the command line: its settings, the run, and its twin with ideal joints."""

from __future__ import annotations

import re
from dataclasses import replace

from gudgeon.cli import screen
from gudgeon.ctrl_c import INTERRUPTED, results_kept
from gudgeon.methods import methods
from gudgeon.model import Mechanism
from gudgeon.model.builder.vary import tightened
from gudgeon.model.run_settings import EVERY_STEP, RunSettings, period_of
from gudgeon.quantity import GudgeonError, Unit
from gudgeon.report.source import ModelSource, method_name
from gudgeon.results import Run
from gudgeon.simulation import RunStopped, simulate

__all__ = ["FAILED", "compute", "ideal_twin", "run_settings", "settings_of", "simulated"]

FAILED = 1
KEPT = re.compile(r"(; |\n *)what was computed is in the error's \.run")
# remedies in messages are written for Python; these are the options of the command line for them
OPTIONS = {
    "output= [s] or channels=[...] for fewer results, or go on in pieces with resume=":
        "--output TIME or `channels` in the model file for fewer results, or a shorter run",
    'method="dopri5"': "--method dopri5",
    "Lubricated(..., wall=LankaraniNikravesh(...), minimum_film=...)": "`wall` and `minimum_film` in the fit",
}  # fmt: skip


def run_settings(source: ModelSource, until: str | None, revolutions: float | None, *, method: str | None = None,
                 rtol: float | None = None, step: str | None = None, output: str | None = None,
                 after: str | None = None, trust: bool = False, start: str | None = None) -> RunSettings:  # fmt: skip
    """The settings of the source, replaced by those of the command line."""
    if until is not None and revolutions is not None:
        raise GudgeonError("--until and --revolutions both say when to stop; give one of them")
    if revolutions is not None and not revolutions > 0.0:
        raise GudgeonError(f"--revolutions {revolutions:g} must be positive")
    times = {"duration": (until, "--until"), "step": (step, "--step"), "output": (output, "--output"),
             "after": (after, "--after")}  # fmt: skip
    units = {"output": Unit("s", word=EVERY_STEP)}
    given = {name: units.get(name, Unit("s")).read(text, word) for name, (text, word) in times.items()
             if text is not None}  # fmt: skip
    for name, number in given.items():
        if number != EVERY_STEP and not number > 0.0:
            raise GudgeonError(f'{times[name][1]} "{times[name][0]}" must be positive')
    settings = source.settings.merged(**given, revolutions=revolutions, method=method, rtol=rtol, trust=trust or None,
                                      start=start)  # fmt: skip
    if settings.duration is None and settings.revolutions is None:
        raise GudgeonError(f'{source.name} does not say how long to run; give --until "0.1 s" or --revolutions 2')
    if settings.revolutions is not None and period_of(source.mechanism) is None:
        raise GudgeonError(f'{source.name}: no rotation is driven at a constant speed; give --until "0.1 s" instead')
    if settings.after is not None and after is None and settings.after >= settings.span(source.mechanism):
        screen.say(f"the start is kept: in {source.name} the results begin after {settings.after:g} s, which is later "
                   "than the end that was given")  # fmt: skip
        settings = replace(settings, after=None)
    return settings


def compute(source: ModelSource, settings: RunSettings, quiet: bool) -> tuple[Run, str, int]:
    """The run, why it stopped if it did not reach its end, and the exit code."""
    try:
        with results_kept():
            result = simulated(source.mechanism, settings, False if quiet else None)
    except RunStopped as error:
        return error.run, in_options(str(error)), FAILED
    if not result.complete:
        return result, f"interrupted at {result.end.t * 1e3:.6g} ms", INTERRUPTED
    return result, "", 0


def simulated(mechanism: Mechanism, settings: RunSettings, progress: bool | None) -> Run:
    """The run of a mechanism."""
    name = method_name(mechanism, settings)
    if settings.step is None and name in methods() and not methods()[name].adaptive:
        raise GudgeonError(f'--method {name} has no error control: give its step, for instance --step "1 us"')
    return simulate(mechanism, settings, progress=progress)


def settings_of(run: Run) -> RunSettings:
    """The settings that a saved run was made with, as far as it says them."""
    return RunSettings(duration=run.end.t, method=run.evidence.method.lower(), rtol=run.evidence.rtol)


def in_options(message: str) -> str:
    """Why a run stopped, in words of the command line."""
    message = KEPT.sub("", message)
    for python, option in OPTIONS.items():
        message = message.replace(python, option)
    return message


def ideal_twin(source: ModelSource, settings: RunSettings) -> Run | None:
    """The same run with ideal joints, to judge the real ones by; None where there is nothing to compare."""
    tight = tightened(source.mechanism)
    if tight is None or not tight.driven:
        return None
    try:
        return simulated(tight, replace(settings, trust=False, channels=None, start=None), False)
    except GudgeonError:
        # not every mechanism can move without its play
        return None
