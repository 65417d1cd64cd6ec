"""Work and precision of error norms in contact: does any choice of weights reach the same peaks with less work?

python -m benchmarks.tolerance [--cases following,friction,stick,bouncing] [--out benchmarks/logs/tolerance.json]

Each norm is compiled into the march (see `gudgeon.batch`), and run with a series of tolerances on one mechanism with
several clearances. Errors are of peak forces, in parts of a turn, against the usual norm at a tolerance of 1e-12.

    as it is            tolerance of a state: rtol (|state| + a tenth of the size or speed of the mechanism); of
                        bristles a tenth of the deflection at which they slide
    bristles by 1 m     bristles with a tolerance like any other state
    bristles that stop  no norm: bristles stand still beyond the end of a contact, where steps look for it
    as it was           both of these, before this was measured
    positions / x 100   absolute, from size and speed; positions counted so many times less or more
    clearance           positions relative to the clearance, or a tenth of it; speeds as they are
    contact             positions by the clearance, speeds by that of the contact: depth times its natural frequency
    touching / x 10     errors of steps in contact counted so many times less or more than those in flight
    per unit time       error divided by the length of the step, or by its root: errors of a turn add up
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.batch.batch import Batch
from gudgeon.batch.inputs import described, place_of
from gudgeon.batch.kinds import Trajectories
from gudgeon.batch.machine import Host
from gudgeon.batch.program import Wanted
from gudgeon.batch.trajectory import INSTEAD
from gudgeon.compile.native.kernel import evaluate
from gudgeon.compile.python.source import plain
from gudgeon.laws.friction.lugre import bristle_rate
from gudgeon.methods import contract
from gudgeon.methods.march import events
from gudgeon.papers import flores2007, schwab2002

PARTS, CLEARANCES = 16, 8
EXACT = 1e-12
USUAL = "as it is"
TOLERANCES = tuple(10.0 ** (-k / 2) for k in range(8, 22))
TRIES = 400_000


def absolute(defect: Any, y: Any, new: Any, atol: Any, rtol: float, controlled: int) -> float:
    """A norm by absolute tolerances alone."""
    total = 0.0
    for i in range(controlled):
        scaled = defect[i] / atol[i]
        total += scaled * scaled
    return math.sqrt(total / controlled)


def partly(defect: Any, y: Any, new: Any, atol: Any, rtol: float, controlled: int) -> float:
    """The usual norm, but absolute where the scale of the tolerance is given as a negative number."""
    total = 0.0
    for i in range(controlled):
        own = rtol * max(abs(y[i]), abs(new[i])) if atol[i] > 0.0 else 0.0
        scaled = defect[i] / (abs(atol[i]) + own)
        total += scaled * scaled
    return math.sqrt(total / controlled)


def step_with(factor: Callable[[Any, float], float]) -> Callable[..., float]:
    """`events.try_step` with the error of a step multiplied by factor(w, h)."""

    def try_step(attempt: Any, w: Any, h: float, limit: float) -> float:
        t = w.t
        error = factor(w, h) * attempt(
            w.rhs_at, t, h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.rtol, 0.0
        )
        if error <= limit:
            if limit == events.SEARCH or w.steps % w.project_every == 0 or t + h >= w.t_end:
                events.project(w, t + h)
            if w.contacts > 0:
                evaluate(w.gaps_at, t + h, w.new, w.p, w.m, w.gap_new)
        return error

    return try_step


def touching(times: float) -> Callable[[Any, float], float]:
    def factor(w: Any, h: float) -> float:
        found = 1.0
        for c in range(w.contacts):
            found = times if w.m[2 * c] > 0.0 else found
        return found

    return factor


def per_unit_time(power: float, most: float) -> Callable[[Any, float], float]:
    """In units of the longest step, so many times at most: after an event steps are very short."""

    def factor(w: Any, h: float) -> float:
        found = min(w.h_max / h, most)
        return math.sqrt(found) if power == 0.5 else found

    return factor


@dataclass(frozen=True)
class StoppingLuGre(gd.LuGre):
    """Bristles that stand still without a normal force: a kink at the end of every contact."""

    @staticmethod
    def state_rate(slip: float, normal: float, state: float, p: Any) -> float:
        return bristle_rate(slip, abs(slip), state, p) if normal > 0.0 else 0.0


@dataclass(frozen=True)
class Norm:
    """What is put in place of functions of the march, and scales of the tolerances of positions and speeds."""

    name: str
    instead: dict[Any, Any]
    scales: Callable[[Any, float], tuple[float, float]] | None = None
    bristle: float = 0.0  # scale of friction's states
    kinked: bool = False


def norms() -> list[Norm]:
    plainly, partial = {plain(contract.error_norm): absolute}, {plain(contract.error_norm): partly}
    step = plain(events.try_step)
    return [
        Norm(USUAL, {}),
        Norm("bristles by 1 m", {}, bristle=0.1),
        Norm("bristles that stop", {}, kinked=True),
        Norm("as it was", {}, bristle=0.1, kinked=True),
        Norm("positions / 100", plainly, lambda s, c: (100.0 * s.size, speed(s))),
        Norm("positions x 100", plainly, lambda s, c: (0.01 * s.size, speed(s))),
        Norm("clearance", partial, lambda s, c: (-c, 0.1 * speed(s))),
        Norm("tenth of clearance", partial, lambda s, c: (-0.1 * c, 0.1 * speed(s))),
        Norm("contact", plainly, lambda s, c: (c, contact_speed(s))),
        Norm("touching / 10", {step: step_with(touching(0.1))}),
        Norm("touching x 10", {step: step_with(touching(10.0))}),
        Norm("per unit time", {step: step_with(per_unit_time(1.0, 100.0))}),
        Norm("half per unit time", {step: step_with(per_unit_time(0.5, 1e4))}),
    ]


def speed(system: Any) -> float:
    return float(max(system.typical_speeds[0], system.typical_speeds[1] * system.size))


def contact_speed(system: Any) -> float:
    """Depth times natural frequency of the pin under the mechanism's own inertia force: sqrt(K depth^(n + 1) / m)."""
    numbers = system.mechanism.parameters
    mass = min(value for name, value in numbers.items() if name.endswith(".mass"))
    stiffness, n = numbers["pin.stiffness"], numbers["pin.exponent"]
    force = mass * speed(system) ** 2 / system.size
    depth = (force / stiffness) ** (1.0 / n)
    return math.sqrt(stiffness * depth ** (n + 1.0) / mass)


@dataclass(frozen=True)
class Case:
    words: str
    mechanism: gd.Mechanism
    turns: float  # that are looked at, all within what can be predicted
    kinked: gd.Mechanism | None = None


def cases() -> dict[str, Case]:
    slow = schwab2002.hertz("0.1 mm", 0.5).vary("main.speed", 100.0)
    sticking, stopping = (
        flores2007.slider_crank("0.1 mm", friction=law(0.1, static_coefficient=0.15)).vary("main.speed", -50.0)
        for law in (gd.LuGre, StoppingLuGre)
    )
    return {
        "following": Case("slider-crank of Schwab 2002 at 100 rad/s, restitution 0.5", slow, 1.0),
        "friction": Case("four-bar of Flores 2007, friction 0.1", flores2007.four_bar("0.2 mm", friction=0.1), 1.0),
        "stick": Case("slider-crank of Flores 2007, LuGre, 50 rad/s", sticking, 1.0, stopping),
        "bouncing": Case("slider-crank of Schwab 2002 at 523.6 rad/s", schwab2002.hertz("0.5 mm"), 0.5),
    }


class Experiment:
    """One mechanism with several clearances; every norm and tolerance on the same."""

    def __init__(self, case: Case) -> None:
        self.case, base = case, case.mechanism.parameters["pin.radial_clearance"]
        self.span = case.turns * 2.0 * np.pi / abs(case.mechanism.parameters["main.speed"])
        self.clearances = base * np.linspace(0.8, 1.0, CLEARANCES)
        self.systems, self.kinked = (
            [assemble(m.vary("pin.radial_clearance", c), coordinates="auto") for c in self.clearances]
            for m in (case.mechanism, case.kinked or case.mechanism)
        )
        self.wanted = Wanted(extremes=("pin.force",), strobe=("pin.ex", "pin.ey"))

    def run(self, norm: Norm, tolerances: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray, Any]:
        """Peaks (part, clearance, tolerance), places of the pin and results."""
        systems = self.kinked if norm.kinked else self.systems
        many = [described(s, rtol=1e-6, period=self.span / PARTS, longest=self.span / 100) for s in systems]
        system, states = systems[0], systems[0].controlled
        table, start = np.array([x for x, _ in many]), np.array([x for _, x in many])
        if norm.scales is not None:
            n, nq = system.module.parameters, system.positions
            for row, s, c in zip(table, systems, self.clearances, strict=True):
                place, pace = norm.scales(s, c)
                row[n : n + nq], row[n + nq : n + 2 * nq] = place, pace
        if norm.bristle:
            table[:, system.module.parameters + len(system.units) : system.module.parameters + states] = norm.bristle
        rtol = place_of(system, "rtol")
        varying = {int(k) for k in np.flatnonzero((table != table[0]).any(axis=0))} | {rtol}
        others = {**INSTEAD, **norm.instead}
        kind = type("Other", (Trajectories,), {"instead": property(lambda program: others)})
        batch = Batch(Host(), kind, system, table[0], varying, self.wanted)
        columns = {k: np.repeat(table[:, k], len(tolerances)) for k in varying}
        columns[rtol] = np.tile(tolerances, len(table))
        out = batch.run(columns, {"state": np.repeat(start.T, len(tolerances), axis=1)}, PARTS, TRIES)
        shape = (CLEARANCES, len(tolerances))
        orbit = out["strobe"].reshape(PARTS, 2, *shape)
        return (
            out["extremes"][:, 0].reshape(PARTS, *shape),
            orbit,
            {k: v.reshape(shape) for k, v in out.results.items()},
        )

    @cached_property
    def exact(self) -> Any:
        found = self.run(norms()[0], (EXACT,))
        assert not found[2]["status"].any(), "the reference did not reach its end"
        return found

    def curve(self, norm: Norm) -> list[dict[str, float]]:
        """Evaluations and errors by tolerance: relative, the middle over clearances of the middle over parts."""
        exact, place, _ = self.exact
        peaks, orbit, results = self.run(norm, TOLERANCES)
        scale = np.maximum(exact, 1e-3 * exact.max())
        force = np.median(np.abs(peaks - exact) / scale, axis=(0, 1))
        ways = np.hypot(*(orbit - place).transpose(1, 0, 2, 3)) / self.clearances[None, :, None]
        work = 6.0 * sum(results[k] for k in ("steps", "rejected", "locations")).mean(axis=0)
        touched = results["touched pin"].mean() / self.span
        return [
            {"rtol": rtol, "evaluations": float(work[k]), "force": float(force[k]), "touched": float(touched),
             "orbit": float(np.median(ways[:, :, k])), "bad": int((results["status"][:, k] != 0).sum())}
            for k, rtol in enumerate(TOLERANCES)
        ]  # fmt: skip


def against(curve: list[dict[str, float]], usual: list[dict[str, float]], what: str) -> float:
    """Evaluations relative to the usual norm at equal error: the middle over errors that both reach."""

    def line(points: list[dict[str, float]]) -> tuple[np.ndarray, np.ndarray]:
        good = [p for p in points if p["bad"] == 0 and p[what] > 0.0]
        errors, work = np.log([p[what] for p in good]), np.log([p["evaluations"] for p in good])
        # errors jump up and down: the least work that reaches each
        order = np.argsort(errors)
        return errors[order], np.minimum.accumulate(work[order])

    (e, w), (f, v) = line(curve), line(usual)
    low, high = max(e[0], f[0]), min(e[-1], f[-1])
    if not low < high:
        return math.nan
    at = np.linspace(low, high, 50)
    return float(np.exp(np.median(np.interp(at, e, w) - np.interp(at, f, v))))


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--cases", default=",".join(cases()))
    options.add_argument("--norms", default="", help="only these, beside what the file has")
    options.add_argument("--out", type=Path, default=Path("out/tolerance.json"))
    given = options.parse_args()
    report: dict[str, Any] = json.loads(given.out.read_text()) if given.out.exists() else {}
    for name in given.cases.split(","):
        case = cases()[name]
        experiment = Experiment(case)
        chosen = [norm for norm in norms() if not given.norms or norm.name in given.norms.split(",")]
        found = report.get(name, {}).get("curves", {}) | {norm.name: experiment.curve(norm) for norm in chosen}
        found = {norm.name: found[norm.name] for norm in norms() if norm.name in found}
        usual = found[USUAL]
        ratio_of_speeds = speed(experiment.systems[-1]) / contact_speed(experiment.systems[-1])
        report[name] = {"words": case.words, "touched": usual[-1]["touched"], "speeds": ratio_of_speeds,
                        "curves": found}  # fmt: skip
        print(f"{name}: {case.words}, touching {usual[-1]['touched']:.1%} of the time", flush=True)
        for norm, curve in found.items():
            ratio = {what: against(curve, usual, what) for what in ("force", "orbit")}
            report[name].setdefault("work", {})[norm] = ratio
            print(f"  {norm:<18} {ratio['force']:6.2f} {ratio['orbit']:6.2f}   "
                  + " ".join(f"{p['evaluations']:.0f}:{p['force']:.0e}" for p in curve[::4]), flush=True)  # fmt: skip
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
