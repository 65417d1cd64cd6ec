"""What a random mechanism must pass without a reference: its own evidence, and the same motion however it is described.

Motions are compared as long as they can be known: while a run and one with a hundredth of its tolerance agree. `d(t)`
is the largest distance of the two up to t; another description may be off by FACTOR d(t), as long as d is below KNOWN
of the size. Another method has an error of its own, which is estimated in the same way.
"""

from __future__ import annotations

import math
import random
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from random_balance import balance_of_forces
from random_changes import CHANGES
from random_mechanism import Description, build

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.methods import methods
from gudgeon.results.run import State
from gudgeon.simulation import Numerics, prepare

# tolerances of a run and of one that is closer, by the order of the method
TOLERANCES = {1: (1e-5, 1e-6), 2: (1e-5, 1e-6), 4: (1e-8, 1e-10), 5: (1e-8, 1e-10), 8: (1e-8, 1e-10)}
CLOSER = 4.0  # times shorter are the steps of methods that do not choose them
FACTOR, KNOWN = 100.0, {1: 1e-3, 2: 1e-3, 4: 1e-4, 5: 1e-4, 8: 1e-4}
LEDGER = 10.0  # times the tolerance, of the energy turned over: what each step may lose
ROUNDING = 3e-9  # of the size of a mechanism: positions that a projection and the output leave
DRIFT = 10.0  # times the tolerance, of the largest coordinate: what constraints may be off by before a projection
PROMISED = 0.1  # times the tolerance: of the size of a mechanism, what a method of low order may be off by
ROWS = 100


def on_stage(name: str) -> None:
    """What is told of each check before it begins; a campaign puts its own in this place."""



@dataclass
class Outcome:
    """How a random mechanism ended: "ok", "refused" or "stopped" with a sentence, or "failed" with what disagrees."""

    kind: str
    sentence: str = ""
    failures: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def method_of(whole: Description) -> type[Any]:
    default = "alpha" if any(body["type"] == "beam" for body in whole["bodies"].values()) else "dopri5"
    return methods()[whole["method"] or default]


def kind_of(whole: Description) -> Any:
    """The method of a description, by its default settings."""
    cls = method_of(whole)
    return cls() if cls.adaptive else cls(step=1.0)


def accuracy(cls: type[Any], whole: Description, closer: bool) -> dict[str, float]:
    """Tolerance or step of a method."""
    if cls.adaptive:
        return {"rtol": TOLERANCES[cls.order][closer]}
    return {"step": whole["step"] / (CLOSER if closer else 1.0)}


def run(m: gd.Mechanism, whole: Description, closer: bool = False, **options: Any) -> gd.Run:
    """A run by the method of the description, recorded at ROWS even times."""
    options = {"duration": whole["duration"], "output": whole["duration"] / ROWS} | options
    numerics = options.pop("numerics", Numerics())
    name = options.pop("method", whole["method"])
    known = accuracy(method_of(whole | {"method": name}), whole, closer)
    return prepare(m, method=name, numerics=numerics, **known | options).run(False)


def positions(result: gd.Run, names: list[str], planar: bool) -> tuple[np.ndarray, np.ndarray]:
    """Times, and centres of mass (bodies, times, 3), without the rows that events add."""
    t = np.asarray(result.t)
    kept = np.concatenate([[True], np.diff(t) > 0])
    axes = ("x", "y") if planar else ("x", "y", "z")
    x = np.zeros((len(names), int(kept.sum()), 3))
    for k, name in enumerate(names):
        for a, axis in enumerate(axes):
            x[k, :, a] = np.asarray(result[f"{name}.{axis}"])[kept]
    return t[kept], x


def at_times(t: np.ndarray, x: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Rows of an even grid; they are recorded exactly there, so that nothing is interpolated."""
    index = np.clip(np.searchsorted(t, grid - 1e-9 * grid[-1]), 0, len(t) - 1)
    if np.abs(t[index] - grid).max() > 1e-6 * grid[-1]:
        raise AssertionError("rows are not at the times that were asked for")
    return x[:, index]


def apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Largest distance of any body so far, at each time."""
    return np.maximum.accumulate(np.linalg.norm(a - b, axis=2).max(axis=0))


@dataclass
class Case:
    """A mechanism with its run, and how well its motion is known."""

    m: gd.Mechanism
    whole: Description
    base: gd.Run
    tight: gd.Run
    rng: random.Random

    def __post_init__(self) -> None:
        self.names, self.planar = list(self.whole["bodies"]), self.whole["planar"]
        self.grid = np.linspace(0.0, self.whole["duration"], ROWS + 1)
        self.x = self.motion(self.base)
        self.closer = self.motion(self.tight)
        self.d = apart(self.x, self.closer)
        self.size = max(self.whole["length"], float(np.abs(self.x - self.x[:, :1]).max()))
        self.order = method_of(self.whole).order

    def motion(self, result: gd.Run) -> np.ndarray:
        return at_times(*positions(result, self.names, self.planar), self.grid)

    def compare(self, y: np.ndarray, own: np.ndarray | float = 0.0, closer: bool = False) -> list[str]:
        """Where a motion is further from this one than both are known; `own` is the error of the other. `closer`: both
        are those with a closer tolerance."""
        x = self.closer if closer else self.x
        error = self.d + own
        known = error < KNOWN[self.order] * self.size
        rtol = TOLERANCES[self.order][0]
        allowed = (FACTOR * error + max(ROUNDING, PROMISED * rtol) * self.size)[known]
        e = apart(x, y)[known]
        if not (e > allowed).any():
            return []
        k = int(np.argmax(e / allowed))
        known_to = f"{(error[known])[k]:.1e} m is known (size {self.size:.2g} m)"
        return [f"{e[k]:.1e} m apart at {self.grid[k]:.4g} s where {known_to}"]


Check = Callable[[Case], list[str] | None]  # what disagrees; None: says nothing of this mechanism


def examine(whole: Description, checks: list[str] | None = None) -> Outcome:
    """Run a mechanism and every check, or those named."""
    notes = []
    on_stage(whole["method"] or "the default method")
    try:
        m = build(whole)
        try:
            base = run(m, whole)
        except gd.RunStopped:
            raise
        except gd.GudgeonError as refusal:
            if whole["method"] is None:
                raise
            notes.append(f"{whole['method']}: {refusal}")
            whole = whole | {"method": None}
            base = run(m, whole)
        on_stage(f"{base.evidence.method} with a closer tolerance")
        tight = run(m, whole, True)
    except gd.RunStopped as stop:
        kind = stop.failure.kind if stop.failure is not None else "no cause"
        return Outcome("stopped", f"{kind}: {stop}", notes=notes)
    except gd.GudgeonError as refusal:
        return Outcome("refused", str(refusal), wrong_advice(build(whole), whole, str(refusal)), notes=notes)
    checks = list(CHECKS) if checks is None else checks
    case = Case(m, whole, base, tight, random.Random(whole["seed"]))
    outcome = Outcome("ok", notes=notes)
    for note in notes:
        outcome.failures += wrong_advice(m, whole, note)
    outcome.failures += ledger(whole, base, tight) + balance(m, whole, base, tight)
    for name in checks:
        on_stage(name)
        try:
            got = CHECKS[name](case)
        except gd.GudgeonError as error:
            outcome.failures.append(f"{name}: {type(error).__name__}: {error}")
            continue
        if got is not None:
            outcome.checks.append(name)
            outcome.failures += [f"{name}: {words}" for words in got]
    if outcome.failures:
        outcome.kind = "failed"
    return outcome


def wrong_advice(m: gd.Mechanism, whole: Description, sentence: str) -> list[str]:
    """What a refusal advises must not be refused: methods that it names."""
    failures = []
    for name in re.findall(r'method="(\w+)"', sentence):
        if name not in methods():
            continue
        try:
            prepare(m, method=name, duration=whole["duration"], **accuracy(methods()[name], whole, False))
        except gd.GudgeonError as error:
            failures.append(f"advice: {sentence} BUT {name}: {error}")
    return failures


# -- evidence -----------------------------------------------------------------------------------------------


def unexplained(result: gd.Run) -> tuple[float, float]:
    """Energy that nothing explains, and what went to and fro [J]."""
    turned = sum(float(np.ptp(result[name])) for name in result.channels
                 if name.startswith("energy.") and name != "energy.balance")  # fmt: skip
    return float(np.abs(result["energy.balance"] - result["energy.balance"][0]).max()), turned


def ledger(whole: Description, base: gd.Run, tight: gd.Run) -> list[str]:
    """Every step may lose its tolerance of the energy that is turned over; without a tolerance, or where a method of
    low order has one for its positions alone, shorter steps lose less."""
    failures, cls = [], method_of(whole)
    (wrong, turned), (closer, _) = unexplained(base), unexplained(tight)
    weight = sum(body["mass"] for body in whole["bodies"].values()) * 9.81 * whole["length"]
    turned = max(turned, 1e-3 * weight)
    proof = base.evidence
    promised = LEDGER * proof.rtol * max(proof.steps, 100) * turned
    if not math.isfinite(wrong):
        failures.append("ledger: not finite")
    elif cls.order < 4 or not cls.adaptive:
        shorter = not cls.adaptive or tight.evidence.steps > 2 * proof.steps
        if shorter and closer > max(wrong, 1e-6 * turned):
            failures.append(f"ledger: {wrong:.1e} J, closer {closer:.1e} J of {turned:.1e} J unexplained")
    elif wrong > promised and closer > 1e-9 * turned:
        failures.append(f"ledger: {wrong:.1e} J of {turned:.1e} J unexplained in {proof.steps} steps")
    far = max((float(np.abs(base[f"{n}.{a}"]).max()) for n in whole["bodies"] for a in "xy"), default=0.0)
    if cls.adaptive and proof.drift > DRIFT * proof.rtol * max(far, whole["length"]):
        failures.append(f"constraints: drift {proof.drift:.1e} m of {far:.1e} m")
    return failures


def balance(m: gd.Mechanism, whole: Description, base: gd.Run, tight: gd.Run) -> list[str]:
    """Newton and Euler for every body; of methods that do not solve for accelerations at their steps."""
    if kind_of(whole).needs().form == "acceleration":
        return balance_of_forces(base, tight, whole, True)
    shorter = {"step": whole["duration"] / 800}, {"step": whole["duration"] / 3200}
    steps = [run(m, whole, k == 1, output="steps", **step) for k, step in enumerate(shorter)]
    return balance_of_forces(*steps, whole, False)


# -- the same mechanism described or computed otherwise -------------------------------------------------------


def _changed(change: Any) -> Check:
    def check(case: Case) -> list[str] | None:
        got = change(case.whole, case.rng)
        if got is None:
            return None
        other, names, back = got
        m = build(other)

        def moved(closer: bool) -> np.ndarray:
            t, x = positions(run(m, other, closer), [names[n] for n in case.names], other["planar"])
            return np.array([back(case.grid, path) for path in at_times(t, x, case.grid)])

        # two runs may agree by chance better than their tolerance promises; what is wrong stays so with a closer one
        return case.compare(moved(False)) and case.compare(moved(True), closer=True)

    return check


def _numerics(**options: Any) -> Check:
    """The same equations set up in another way."""

    def check(case: Case) -> list[str] | None:
        return case.compare(case.motion(run(case.m, case.whole, numerics=Numerics(**options))))

    return check


def _as_tree(case: Case) -> list[str] | None:
    try:
        result = run(case.m, case.whole, numerics=Numerics(coordinates="tree"))
    except gd.RunStopped:
        raise
    except gd.GudgeonError:
        return None  # what is no tree says so
    return case.compare(case.motion(result))


def _looped(case: Case) -> list[str] | None:
    """As a large mechanism: loops over parts of equal formulas."""
    cls = method_of(case.whole)
    known = accuracy(cls, case.whole, False)
    duration = case.whole["duration"]
    prepared = prepare(case.m, method=case.whole["method"], duration=duration, output=duration / ROWS, **known)
    try:
        system = assemble(case.m, prepared.method.needs(), unrolled=False)
    except gd.GudgeonError:
        return None  # what parts it does not know, it says
    start = State(0.0, system.y0, np.zeros(system.memory))
    names = [channel.name for channel in system.channels]
    own = replace(prepared, system=system, start=start, channels=names, loop=None, instead=None)
    return case.compare(case.motion(own.run(False)))


def _own_loop(case: Case) -> list[str] | None:
    """A time loop compiled for this mechanism gives the same to the last bit."""
    if method_of(case.whole).__name__ != "Dopri5" or case.whole["method"] is not None:
        return None
    shared = run(case.m, case.whole, numerics=Numerics(loop="shared"))
    try:
        own = run(case.m, case.whole, numerics=Numerics(loop="own"))
    except gd.GudgeonError as refusal:
        return None if "leave loop" in str(refusal) else [str(refusal)]
    both = (shared, own) if shared.evidence.method == own.evidence.method else (own, own)
    a, b = (result.end.y for result in both)
    return [] if np.array_equal(a, b) else [f"the last states differ by {np.abs(a - b).max():.1e}"]


def _other_method(case: Case) -> list[str] | None:
    """A method of the same treatment of contact."""
    own = method_of(case.whole)
    contact = kind_of(case.whole).needs().contact
    other = case.rng.choice([name for name, cls in methods().items() if cls is not own])
    if walls_of(case.whole) and kind_of(case.whole | {"method": other}).needs().contact != contact:
        return None
    try:
        results = [run(case.m, case.whole, closer, method=other) for closer in (False, True)]
    except gd.RunStopped as stop:
        if methods()[other].adaptive:
            raise
        return None if stop.failure is not None else [f"{other}: {stop}"]
    except gd.GudgeonError as refusal:
        return wrong_advice(case.m, case.whole, str(refusal))
    y, closer = (case.motion(result) for result in results)
    promised = PROMISED * TOLERANCES[methods()[other].order][0] * case.size
    return [f"{other}: {words}" for words in case.compare(closer, apart(y, closer) + promised / FACTOR)]


def walls_of(whole: Description) -> list[Any]:
    """Every contact law of a description."""
    fits = [fit for joint in whole["joints"].values() for fit in joint["fits"].values()]
    stops = [stop["wall"] for joint in whole["joints"].values() for stop in joint["stops"].values()]
    return stops + [fit[1]["wall"] for fit in fits if fit[1].get("wall")]


def _from_file(case: Case) -> list[str] | None:
    with tempfile.TemporaryDirectory() as folder:
        again = gd.Mechanism.from_file(case.m.to_file(Path(folder) / "m.yaml"))
    return case.compare(case.motion(run(again, case.whole)))


def _resumed(case: Case) -> list[str] | None:
    whole, names, planar = case.whole, case.names, case.planar
    part = whole["duration"] * round(case.rng.uniform(0.2, 0.8) * ROWS) / ROWS
    first = run(case.m, whole, duration=part)
    second = run(case.m, whole, duration=whole["duration"] - part, resume=first)
    (t1, x1), (t2, x2) = positions(first, names, planar), positions(second, names, planar)
    before = t1 < part * (1 - 1e-9)
    y = at_times(np.concatenate([t1[before], t2]), np.concatenate([x1[:, before], x2], axis=1), case.grid)
    return case.compare(y)


CHECKS: dict[str, Check] = {
    **{name: _changed(change) for name, change in CHANGES.items()},
    "absolute coordinates": _numerics(coordinates="absolute"),
    "tree coordinates": _as_tree,
    "looped": _looped,
    "every state": _numerics(reduce=False),
    "own loop": _own_loop,
    "from a file": _from_file,
    "resumed": _resumed,
    "another method": _other_method,
}
