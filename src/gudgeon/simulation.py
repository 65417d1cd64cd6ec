"""`simulate`: the one door from a description to results."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np

from gudgeon.assemble import Baumgarte, System, assemble
from gudgeon.assemble.choice import Coordinates
from gudgeon.assemble.contact.memory import touching
from gudgeon.assemble.system import Backend
from gudgeon.methods import methods
from gudgeon.methods.contract import Method
from gudgeon.methods.march.columns import CONTACT, KIND, TIME
from gudgeon.model import Mechanism
from gudgeon.progress import bar as _progress
from gudgeon.quantity import GudgeonError, closest, quantity
from gudgeon.results import ContactRecord, build
from gudgeon.results.failure import CROWD, CROWDED, SLOW, TOO_LARGE, Failure, diagnose
from gudgeon.results.impacts import crests, impacts
from gudgeon.results.recorder import Recorder, selected
from gudgeon.results.run import Run, State

Loop = Literal["shared", "own"]

COMPILE_NOTICE = "gudgeon: compiling the time loop of {} for this computer, once (about 20 s) ..."
WINDOW = 1_000_000  # steps over which the pace of a march is judged
LONG = 20  # revolutions in a window: what does not end at this pace was asked to be long
MOST_STEPS, MOST_ROWS = 2e10, 1e9  # a march that would need more at its present pace is hopeless: hours, or memory
MANY_STEPS, MANY_EVENTS = 50_000_000, 200_000  # a march with more of them ...
DONE = 0.1  # ... should have done this share of the run
SMOOTH = 720  # steps per revolution at least, when every step is recorded


class RunStopped(GudgeonError):
    """A run that could not go on. `run` holds what was computed before, `failure` what was found to be the cause."""

    def __init__(self, message: str, run: Run, failure: Failure | None = None) -> None:
        super().__init__(message)
        self.run, self.failure = run, failure


def simulate(mechanism: Mechanism, *, duration: float | str | None = None, revolutions: float | None = None,
             method: str | Method | None = None, rtol: float | None = None, step: float | str | None = None,
             output: float | str | None = None, channels: Sequence[str] | None = None,
             stabilisation: Baumgarte | tuple[float, float] | None = None,
             trust: bool | float = False, progress: bool | None = None, resume: Run | None = None,
             after: float | str | None = None, backend: Backend = "llvm", coordinates: Coordinates = "auto",
             loop: Loop = "shared", reduce: bool = True) -> Run:  # fmt: skip
    """Run a mechanism and give back its results with their evidence.

    duration       [s], or `revolutions` of the joint that is driven at constant speed
    method         "dopri5", "dop853", "radau" (for stiff mechanisms), "rk4", "alpha" (for flexible links),
                   "energy" and "decay" (which keep energy, or never add any), or a method with options such as
                   Dopri5(rtol=1e-10); "impact" takes walls as hard and impacts as instants, "moreau" too, within
                   fixed steps; default: dopri5, with beams alpha, with films that dopri5 would crawl through radau
    rtol           relative tolerance, default 1e-9, of alpha 1e-8
    step           [s] the largest step; for rk4 and moreau the step itself
    output         spacing of the results [s]; default: every step, and both sides of every event
    channels       names to record; default: all
    stabilisation  None: project onto the constraints as the march goes; Baumgarte(alpha, beta) [1/s]: feedback
    trust          run a twin ten times tighter and say until when the two agree to 1 % of the clearance, or to the
                   share given
    progress       show a bar with the time, contacts, pace and time left; default: only on a terminal and when the run
                   takes longer than a second
    resume         go on where this run of the same mechanism stopped
    after          [s] leave the start out of the results, as `Run.after`; the evidence is that of the whole run
    coordinates    "tree": those that joints leave free, "absolute": those of all bodies; "auto" chooses. The results
                   are the same, but for rounding
    loop           "shared": the time loop of all mechanisms; "own": one compiled for this mechanism, in seconds
                   once, which then takes 3/4 of the time with dopri5, 6/10 with dop853. The results are the same, but
                   for rounding
    reduce         leave out states that are proved to be constant; what the proof rests on is asked when the run
                   starts. The results are the same, but for rounding
    """
    feedback = Baumgarte(*stabilisation) if isinstance(stabilisation, tuple) else stabilisation
    period = period_of(mechanism)
    span = _span(duration, revolutions, period, mechanism)
    longest = None if step is None else quantity(step, "s", "step")
    described = partial(_described, mechanism, stabilisation=feedback, backend=backend)
    chosen = choose_method(method or ("alpha" if mechanism.beams else "dopri5"), rtol, longest)
    system, start, why = _begin(described(chosen), coordinates, reduce, resume)
    stiff = _crawls(system, start, span) if method is None and loop == "shared" and backend == "llvm" else ""
    if stiff:
        chosen = choose_method("radau", rtol, longest)
        system, start, why = _begin(described(chosen), coordinates, reduce, resume)
    spacing = 0.0 if output is None else quantity(output, "s", "output")
    if spacing < 0.0 or spacing > span:
        raise GudgeonError(f"output {output!r} must lie between 0 and the duration {span:g} s")
    late = None if after is None else _late(after, start.t, span)
    names = selected(system, channels)
    carried = [r for r in resume.contacts if not r.ended] if resume is not None else []
    march = own_loop(system, chosen, loop)
    run = _run(system, chosen, start, span, spacing, names, period, progress, carried, march)
    said = tuple(words for words in (why, stiff) if words)
    run.evidence = replace(run.evidence, notes=(*run.evidence.notes, *said))
    if trust:
        share = 0.01 if trust is True else quantity(trust, "", "trust")
        agreed, horizon = _horizon(system, chosen, start, span, run, share, march)
        run.evidence = replace(run.evidence, trust=agreed, horizon=horizon)
    return run if late is None else run.after(late)


def _described(mechanism: Mechanism, method: Method, **options: Any) -> Callable[..., System]:
    """What assembles a mechanism as a method needs it."""
    return partial(assemble, mechanism, jacobian=method.needs_jacobian, unsolved=method.unsolved,
                   rigid=method.rigid or getattr(method, "hard", False), sticking=method.sticks, **options)  # fmt: skip


def _crawls(system: System, start: State, span: float) -> str:
    from gudgeon.methods.march.stiffness import crawls

    return crawls(system, start.y, start.m, span)


def _begin(described: Callable[..., System], coordinates: str, reduce: bool,
           resume: Run | None) -> tuple[System, State, str]:  # fmt: skip
    """The system of a run, the states it starts from, and what is to be said of states left out."""
    system = described(coordinates=coordinates, reduce=reduce)
    if resume is None:
        return system, State(0.0, system.y0, np.zeros(system.memory)), str(system.reduction or "")
    if coordinates == "auto" and len(resume.end.y) != system.every_state:
        # the run may have been one in the coordinates of the bodies
        system = described(coordinates="absolute", reduce=reduce)
    if len(resume.end.y) != system.every_state:
        raise GudgeonError(f'resume: the run of "{resume.name}" has other states; resume the same mechanism')
    if system.reduction is None:
        return system, resume.end, ""
    unmet = system.reduction.unmet(resume.end.y, system.p)
    if not unmet:
        return system, replace(resume.end, y=system.reduction.contract(resume.end.y)), str(system.reduction)
    full = described(coordinates=system.coordinates, reduce=False)
    return full, resume.end, f"no state is left out as constant: {'; '.join(unmet)}"


def own_loop(system: System, method: Method, loop: str) -> Callable[[Any], int] | None:
    """The time loop that is asked for; None for the one of the method."""
    if loop == "shared":
        return None
    if loop != "own":
        raise GudgeonError(f'loop "{loop}" is not known; choose "shared" or "own"')
    from gudgeon.batch.whole import whole

    return whole(system, method)


def _run(system: System, method: Any, start: State, span: float, spacing: float, names: list[str],
         period: float | None, progress: bool | None, carried: Sequence[ContactRecord],
         march: Callable[[Any], int] | None) -> Run:  # fmt: skip
    from gudgeon.methods.march import driver as runner

    recorder = Recorder(system, names)
    watch = Watch(start.t, span, MOST_STEPS if spacing else MOST_ROWS, len(carried))
    # rows at every step should also draw a smooth curve where the motion is easy
    longest = None if spacing else (period or span) / SMOOTH
    began = time.perf_counter()
    with _progress(progress, start.t, start.t + span, watch) as on_progress:
        tape = runner.run(system, method, start.t, start.t + span, y=start.y, m=start.m, output=spacing,
                          longest=longest, on_rows=recorder.add, on_progress=on_progress,
                          on_visit=watch, loop=march)  # fmt: skip
    wall = time.perf_counter() - began
    if recorder.lost is not None:
        tape = _until(tape, recorder.last, system)
    hits = impacts(system, tape.events)
    if hits and not spacing:
        # a step that an impact falls into has its impulse as a mean force, which says nothing but the step's length
        recorder.insert(*crests(system, tape.events, hits, recorder.evaluate), instead=not method.adaptive)
    t = recorder.time
    first, final = np.concatenate([start.y, start.m]), np.concatenate([tape.y, tape.m])
    contacts = build.Contacts(system, tape.events, recorder.evaluate, t, recorder.column)
    table = contacts.table(first, final, tape.peaks, carried, hits)
    proof = build.evidence(system, tape, table, t, recorder.column, method, wall)
    data = {name: recorder.column(name) for name in names}
    labels = {channel.name: channel for channel in system.channels if channel.name in data}
    loose = [contact.joint for contact in system.event_contacts]
    end = State(tape.t, tape.y if system.reduction is None else system.reduction.expand(tape.y), tape.m)
    run = Run(system.mechanism, t, data, labels, table, proof, end, tape.complete, period, loose, hits)
    failure = _failure(system, tape, recorder, watch, span)
    if failure is not None and not method.adaptive and tape.steps:
        # a step that nothing controls is the first suspect
        shorter = f"a shorter step than {method.step:.3g} s, or a method that chooses its own (dopri5, radau)"
        failure = replace(failure, remedy=f"{shorter}; {failure.remedy}")
    if failure is not None:
        raise RunStopped(str(failure), run, failure)
    return run


def _failure(system: System, tape: Any, recorder: Recorder, watch: Watch, span: float) -> Failure | None:
    """Why the march ended before its time; None where it did not, or the user ended it."""
    if recorder.lost is not None:
        why = f"the state is not finite at {recorder.lost * 1e3:.6g} ms"
        return diagnose(system, tape, recorder.evaluate, span, why=why, ahead=recorder.lost - tape.t)
    if tape.stuck:
        return diagnose(system, tape, recorder.evaluate, span)
    if watch.why:
        period = period_of(system.mechanism)
        if period is not None and watch.pace * WINDOW > LONG * period:
            pace = (
                f"{WINDOW} steps are {watch.pace * WINDOW / period:.3g} revolutions: no part of it is slow, it is long"
            )
            remedy = "fewer revolutions, or means over some of them (regime, sample_windows)"
            return Failure(SLOW, None, tape.t, f"{watch.why}\n{pace}", remedy)
        return diagnose(system, tape, recorder.evaluate, span, why=watch.why, pace=watch.pace)
    if tape.stopped and not tape.complete:
        done = tape.t - watch.start
        pace = done / max(tape.steps, 1)
        if done < DONE * span:
            # so many steps for so little have a cause
            found = diagnose(system, tape, recorder.evaluate, span, why=tape.stopped, pace=pace)
            if found.joint is not None:
                return found
        remedy = "output= [s] or channels=[...] for fewer results, or go on in pieces with resume="
        return Failure(TOO_LARGE, None, tape.t, tape.stopped, remedy)
    return None


def _until(tape: Any, row: np.ndarray, system: System) -> Any:
    """The tape as if the march had ended at this row (t, y, m)."""
    t, y, m = float(row[0]), row[1 : 1 + system.states].copy(), row[1 + system.states :].copy()
    events = tape.events[tape.events[:, TIME] <= t]
    return replace(tape, t=t, y=y, m=m, events=events, touching=touching(m, system.events), complete=False)


class Watch:
    """Ends a march that would not end in any useful time; `why` then says how it was seen, `pace` its step [s].
    On the way it counts the steps and the contacts, `onsets`, of which some may have been open from the start."""

    def __init__(self, start: float, span: float, most: float, onsets: int = 0) -> None:
        self.start, self.span, self.most = start, span, most
        self.why, self.pace = "", 0.0
        self.steps, self.onsets = 0, onsets
        self._since = (0, start)
        self._seen = self._events = 0
        self._times: dict[int, np.ndarray] = {}

    def __call__(self, t: float, steps: int, blocks: list[np.ndarray]) -> None:
        from gudgeon.methods.march.driver import StopMarch

        fresh, self._seen = blocks[self._seen :], len(blocks)
        self.steps = steps
        self.onsets += sum(int((block[:, KIND] > 0.0).sum()) for block in fresh)
        left = self.start + self.span - t
        if left <= 0.0:
            return
        self.why = self._crowd(fresh)
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
            for index in np.unique(block[:, CONTACT]):
                times = block[block[:, CONTACT] == index, TIME]
                kept = np.concatenate([self._times.get(int(index), times[:0]), times])[-CROWD:]
                self._times[int(index)] = kept
                if len(kept) == CROWD and kept[-1] - kept[0] < CROWDED * self.span:
                    return f"the last {CROWD} onsets and releases lie within {kept[-1] - kept[0]:.2g} s"
        return ""


def choose_method(method: str | Method, rtol: float | None, step: float | None = None) -> Method:
    """The method by name or as given; the time loop is compiled or loaded here."""
    from gudgeon.compile.native import cache

    name = method.lower() if isinstance(method, str) else type(method).__name__.lower()
    if isinstance(method, str) and name not in methods():
        likely = closest(name, methods())
        hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(methods())}"
        raise GudgeonError(f'method "{method}" is not known; {hint}')
    if not cache.is_compiled(name):
        print(COMPILE_NOTICE.format(name), file=sys.stderr, flush=True)
    asked: dict[str, Any] = {k: x for k, x in (("rtol", rtol), ("step", step)) if x is not None}
    if isinstance(method, str):
        chosen = methods()[name](**asked)
    elif isinstance(method, Method):
        chosen = replace(method, **asked)
    else:
        raise GudgeonError(f'method {method!r} is no method; give a name such as "dopri5", or Dopri5(rtol=1e-10)')
    chosen.compile()
    cache.mark_compiled(name)
    return chosen


def period_of(mechanism: Mechanism) -> float | None:
    """Time of a turn of the joint that is driven at constant speed [s]; None where there is none."""
    if not isinstance(mechanism, Mechanism):
        raise GudgeonError(f"{mechanism!r} is no mechanism; give a Mechanism, of a file by Mechanism.from_file(...)")
    sides = {n: getattr(d, "direction", None) or mechanism.joints[n].kind.free for n, d in mechanism.drives.items()}
    speeds = [d.speed for n, d in mechanism.drives.items()
              if isinstance(d.speed, float) and d.speed and sides[n] == "rotation"]  # fmt: skip
    return 2.0 * np.pi / abs(speeds[0]) if speeds else None


def _span(duration: float | str | None, revolutions: float | None, period: float | None, mechanism: Mechanism) -> float:
    if (duration is None) == (revolutions is None):
        raise GudgeonError("simulate: give exactly one of duration= [s] and revolutions=")
    if duration is not None:
        span = quantity(duration, "s", "duration")
    else:
        if period is None:
            raise GudgeonError(
                f'revolutions={revolutions}: no rotation of "{mechanism.name}" is driven at a constant speed; '
                "give duration= instead"
            )
        span = quantity(revolutions, "", "revolutions") * period
    if not span > 0.0:
        raise GudgeonError(f"simulate: the duration {span:g} s must be positive")
    return span


def _late(after: float | str, start: float, span: float) -> float:
    late = quantity(after, "s", "after")
    if not start <= late < start + span:
        raise GudgeonError(f"after {after!r} must lie within the run, from {start:g} s to before {start + span:g} s")
    return late


def plays(system: System) -> dict[str, float]:
    """Channels that say where in its play a loose joint is, each with that play [m], for a key [rad]: the offset of a
    journal, the depths of other contacts."""
    known = {channel.name for channel in system.channels}
    found: dict[str, float] = {}
    loose = [(c.joint, c.name, c.gap) for c in system.event_contacts if c.kind == "wall" and c.gap > 0.0]
    for joint, name, play in [*loose, *((film.joint, film.joint, film.clearance) for film in system.films)]:
        offset = [name for name in (f"{joint}.{axis}" for axis in ("ex", "ey", "ez")) if name in known]
        journal = offset and not {"slot", "key"} & set(system.mechanism.joints[joint].kind.mates)
        found |= dict.fromkeys(offset if journal else [f"{name}.depth"], play)
    return found


def _horizon(system: System, method: Any, start: State, span: float, run: Run,
             share: float, march: Callable[[Any], int] | None) -> tuple[str, float | None]:  # fmt: skip
    """How long a tighter twin of the run stays with it, in the loose joints, relative to their clearance [s]."""
    from gudgeon.methods.march import driver as runner

    if not run.complete:
        return "not known: the run did not reach its end", None
    names = plays(system)
    if not names:
        return "", None
    motions: list[list[np.ndarray]] = []
    twin, words = _twin(method)
    for one in (method, twin):
        recorder = Recorder(system, list(names))
        tape = runner.run(system, one, start.t, start.t + span, y=start.y, m=start.m, output=span / 4000,
                          on_rows=recorder.add, loop=march)  # fmt: skip
        if not tape.complete:
            return "not known: the comparison run did not reach the end", None
        motions.append([recorder.column(name) / play for name, play in names.items()])
        t = recorder.time
    n = min(len(x) for motion in motions for x in motion)
    apart = np.max([np.abs(a[:n] - b[:n]) for a, b in zip(*motions, strict=True)], axis=0) > share
    percent = f"{100 * share:g} % of the clearance"
    if not apart.any():
        return f"this run and a twin with {words} agree to {percent} to the end", start.t + span
    first = float(t[int(np.argmax(apart))])
    turns = f" ({(first - start.t) / run.period:.2f} revolutions)" if run.period else ""
    return f"to {percent} until {first * 1e3:.4g} ms{turns}; later values are statistics, not predictions", first


def _twin(method: Any) -> tuple[Any, str]:
    """The same method with less error: ten times tighter, or half the step."""
    if not method.adaptive:
        return replace(method, step=method.step / 2), "half the step"
    rtol = max(method.rtol / 10, 1e-14)
    return replace(method, rtol=rtol), f"rtol {rtol:.0e}"
