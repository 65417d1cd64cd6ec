"""The time integration of a prepared run, and its results."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.assemble import System
from gudgeon.assemble.contact.joint_friction import LOCKED_REMEDY
from gudgeon.assemble.contact.memory import touching
from gudgeon.assemble.load_check import load_check
from gudgeon.assemble.report.change_points import change_warnings
from gudgeon.methods.march import driver
from gudgeon.methods.march.columns import TIME
from gudgeon.methods.march.stiffness import CrawlWatch
from gudgeon.model.run_settings import period_of
from gudgeon.progress import bar
from gudgeon.quantity import GudgeonError
from gudgeon.results import build
from gudgeon.results.contacts import ContactRecords
from gudgeon.results.evaluate import LazyColumns
from gudgeon.results.evidence import Evidence
from gudgeon.results.extremes import Extremes, RunSteps
from gudgeon.results.failure import SLOW, TOO_LARGE, Failure, diagnose
from gudgeon.results.impacts import crests, impacts
from gudgeon.results.recorder import FILM_EVIDENCE, Recorder
from gudgeon.results.run import Run, State
from gudgeon.results.streamed import SegmentedExtremes, Segments
from gudgeon.simulation.watch import DONE, MOST_ROWS, MOST_STEPS, WINDOW, Watch

if TYPE_CHECKING:
    from gudgeon.simulation.prepare import Prepared

__all__ = ["SMOOTH", "RunStopped", "integrate"]

LONG = 20  # revolutions in a window: what does not end at this pace was asked to be long
SMOOTH = 720  # steps per revolution at least, when every step is recorded


class RunStopped(GudgeonError):
    """A run that could not continue. `run` contains the results up to then, `failure` the probable cause."""

    def __init__(self, message: str, run: Run, failure: Failure | None = None) -> None:
        super().__init__(message)
        self.run, self.failure = run, failure


def integrate(prepared: Prepared, progress: bool | None) -> Run:
    """The run; raises RunStopped where it could not go on."""
    system, method, start, span = prepared.system, prepared.method, prepared.start, prepared.span
    names, carried, period = prepared.channels, prepared.open_contacts, prepared.period
    segments = partial(Segments, start=start.t, span=span, period=period)
    locks = load_check(system) if system.formulation == "residual" else None
    locked = None if locks is None else locks(start.t, start.y, start.m)
    if locked is not None:
        raise GudgeonError(f"{locked.why} at the start; give it {LOCKED_REMEDY}")
    recorder = Recorder(system, names, segments if prepared.thins else None, locks)
    watch = Watch(start.t, span, MOST_STEPS if prepared.spacing else MOST_ROWS, len(carried))
    pace = CrawlWatch(system, start.t, span) if prepared.instead is not None else None

    def visit(t: float, steps: int, events: list[np.ndarray]) -> None:
        watch(t, steps, events)
        if pace is not None:
            pace(t, steps, recorder.last)

    began = time.perf_counter()
    with bar(progress, start.t, start.t + span, watch) as on_progress:
        tape = driver.run(system, method, start.t, start.t + span, y=start.y, m=start.m, output=prepared.spacing,
                          longest=prepared.longest, on_rows=recorder.add, on_progress=on_progress,
                          on_visit=visit, loop=prepared.loop, whole=False)  # fmt: skip
    wall = time.perf_counter() - began
    recorder.finish()
    if recorder.lost is not None:
        tape = _until(tape, recorder.last, system)
    hits = impacts(system, tape.events)
    if hits and not prepared.spacing:
        # a step that an impact falls into has its impulse as a mean force, which says nothing but the step's length
        recorder.insert(*crests(system, tape.events, hits, recorder.evaluate), instead=not method.adaptive)
    t = recorder.time
    first, final = np.concatenate([start.y, start.m]), np.concatenate([tape.y, tape.m])

    # a run that is made for one number does not wait for the others
    @cache
    def table() -> ContactRecords:
        contacts = build.ContactPairing(system, tape.events, recorder.evaluate, t, recorder.column)
        return contacts.table(first, final, tape.peaks, carried, hits)

    @cache
    def of_run() -> Evidence:
        proof = build.evidence(system, tape, table(), recorder, method, wall)
        if system.films:
            proof = _with_films(proof, system, table(), extremes, recorder)
        if recorder.positions is not None:
            proof = replace(proof, warnings=(*proof.warnings, *change_warnings(system, recorder.positions)))
        return proof

    data = LazyColumns({name: partial(recorder.column, name) for name in names})
    labels = {channel.name: channel for channel in system.channels if channel.name in data}
    loose = [contact.joint for contact in system.event_contacts]
    reduction = system.layout.reduction
    end = State(tape.t, tape.y if reduction is None else reduction.expand(tape.y), tape.m)
    extremes = _extremes(prepared, recorder, tape.t, t, data)
    run = Run(system.mechanism, t, data, labels, table, of_run, end, tape.complete, period, loose, hits, extremes)
    failure = _failure(system, tape, recorder, watch, span)
    if failure is not None and not method.adaptive and tape.steps:
        # a step that nothing controls is the first suspect
        shorter = f"a shorter step than {method.step:.3g} s, or a method that chooses its own (dopri5, radau)"
        failure = replace(failure, remedy=f"{shorter}; {failure.remedy}")
    if failure is not None:
        raise RunStopped(str(failure), run, failure)
    return run


def _extremes(prepared: Prepared, recorder: Recorder, until: float, t: np.ndarray,
              data: LazyColumns) -> Extremes:  # fmt: skip
    """What finds the extremes of the motion when they are asked for."""
    start = np.concatenate([[prepared.start.t], prepared.start.y, prepared.start.m])
    steps = RunSteps(prepared.system, prepared.method, start, prepared.start.t + prepared.span, until, prepared.longest,
                  prepared.loop, None if prepared.spacing else recorder.rows)  # fmt: skip
    if recorder.segments is not None:
        return SegmentedExtremes(t, data, steps, names=recorder.names, segments=recorder.segments.whole)
    recorded = np.delete(np.arange(len(t)), recorder.inserted) if len(recorder.inserted) else None
    return Extremes(t, data, steps, recorded)


def _with_films(proof: Evidence, system: System, table: ContactRecords, extremes: Extremes,
                recorder: Recorder) -> Evidence:  # fmt: skip
    """The evidence with what films did."""
    names = [f"{film.joint}.{what}" for film in system.films for what in FILM_EVIDENCE]
    # steps that are integrated again are kept with all channels that either asks for
    data = {**extremes.data, **{name: recorder.column(name) for name in names}}
    return build.add_films(proof, system, table, replace(extremes, data=data))


def _failure(system: System, tape: Any, recorder: Recorder, watch: Watch, span: float) -> Failure | None:
    """Why the march ended before its time; None where it did not, or the user ended it."""
    if recorder.lost is not None:
        why = f"{recorder.why_lost} at {recorder.lost * 1e3:.6g} ms"
        return diagnose(system, tape, recorder.evaluate, span, why=why, ahead=recorder.lost - tape.t)
    if tape.stuck:
        return diagnose(system, tape, recorder.evaluate, span)
    if watch.why:
        period = period_of(system.mechanism)
        if period is not None and watch.pace * WINDOW > LONG * period:
            pace = (
                f"{WINDOW} steps are {watch.pace * WINDOW / period:.3g} revolutions: no part of it is stiff, the "
                "run is long"
            )
            remedy = "fewer revolutions, or means over some of them (regime, sample_windows)"
            return Failure(SLOW, None, tape.t, f"{watch.why}\n{pace}", remedy)
        return diagnose(system, tape, recorder.evaluate, span, why=watch.why, pace=watch.pace)
    if tape.stopped and not tape.complete:
        done = tape.t - watch.start
        pace = done / max(tape.steps, 1)
        if done < DONE * span:
            # so many steps for so little have a cause
            cause = diagnose(system, tape, recorder.evaluate, span, why=tape.stopped, pace=pace)
            if cause.joint is not None:
                return cause
        remedy = "output= [s] or channels=[...] for fewer results, or go on in pieces with resume="
        return Failure(TOO_LARGE, None, tape.t, tape.stopped, remedy)
    return None


def _until(tape: Any, row: np.ndarray, system: System) -> Any:
    """The tape as if the march had ended at this row (t, y, m)."""
    t, y, m = float(row[0]), row[1 : 1 + system.states].copy(), row[1 + system.states :].copy()
    events = tape.events[tape.events[:, TIME] <= t]
    return replace(tape, t=t, y=y, m=m, events=events, touching=touching(m, system.events), complete=False)
