"""What a random mechanism must pass without a reference: its own evidence, and the same motion however it is described.

Motions are compared as long as they can be known: while a run and one with a hundredth of its tolerance agree. `d(t)`
is the largest distance of the two up to t; another description may be off by FACTOR d(t), as long as d is below KNOWN
of the size.
"""

from __future__ import annotations

import math
import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from random_changes import CHANGES
from random_mechanism import Description, build

import gudgeon as gd
from gudgeon.simulation import Numerics, prepare

RTOL, TIGHT = 1e-8, 1e-10
FACTOR, FLOOR, KNOWN = 100.0, 3e-8, 1e-4
OTHER_METHOD = 1e-6  # relative to the size: another method has an error of its own, by a tolerance ten times tighter
LEDGER = (
    1e5  # times the relative tolerance: what the energy ledger may leave unexplained, relative to what is turned over
)
ROWS = 100


@dataclass
class Outcome:
    """How a random mechanism ended: "ok", "refused" or "stopped" with a sentence, or "failed" with what disagrees."""

    kind: str
    sentence: str = ""
    failures: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)


def run(m: gd.Mechanism, whole: Description, rtol: float, **options: Any) -> gd.Run:
    options = {"duration": whole["duration"], "output": whole["duration"] / ROWS} | options
    numerics = options.pop("numerics", None)
    more = {} if numerics is None else {"numerics": numerics}
    return prepare(m, rtol=rtol, **options, **more).run(False)


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


def examine(whole: Description, checks: list[str] | None = None) -> Outcome:
    """Run a mechanism and every check, or those named."""
    try:
        m = build(whole)
        base = run(m, whole, RTOL)
        tight = run(m, whole, TIGHT)
    except gd.RunStopped as stop:
        return Outcome("stopped", str(stop))
    except gd.GudgeonError as refusal:
        return Outcome("refused", str(refusal))
    outcome = Outcome("ok")
    outcome.failures += ledger(base, whole) + balance_of_forces(base, whole)
    names = list(whole["bodies"])
    grid = np.linspace(0.0, whole["duration"], ROWS + 1)
    x = at_times(*positions(base, names, whole["planar"]), grid)
    d = apart(x, at_times(*positions(tight, names, whole["planar"]), grid))
    size = max(whole["length"], float(np.abs(x - x[:, :1]).max()))
    known = d < KNOWN * size
    allowed = (FACTOR * d + FLOOR * size)[known]
    rng = random.Random(whole["seed"])
    others = {**{name: _changed(change) for name, change in CHANGES.items()}, **OTHERS}
    for name, other in others.items():
        if checks is not None and name not in checks:
            continue
        try:
            y = other(m, whole, rng, base, grid)
        except gd.GudgeonError as error:
            outcome.failures.append(f"{name}: {type(error).__name__}: {error}")
            continue
        if y is None:
            continue
        outcome.checks.append(name)
        e = apart(x, y)[known]
        here = allowed + (OTHER_METHOD * size if name in METHODS else 0.0)
        if (e > here).any():
            k = int(np.argmax(e / here))
            outcome.failures.append(
                f"{name}: {e[k]:.1e} m apart at {grid[k]:.4g} s where {d[k]:.1e} m is known (size {size:.2g} m)"
            )
    if outcome.failures:
        outcome.kind = "failed"
    return outcome


def ledger(result: gd.Run, whole: Description) -> list[str]:
    """Energy that nothing explains, against what went to and fro; constraints."""
    proof, failures = result.evidence, []
    turned = sum(
        float(np.ptp(result[name]))
        for name in result.channels
        if name.startswith("energy.") and name != "energy.balance"
    )
    unexplained = float(np.abs(result["energy.balance"] - result["energy.balance"][0]).max())
    weight = sum(body["mass"] for body in whole["bodies"].values()) * 9.81 * whole["length"]
    if unexplained > LEDGER * RTOL * max(turned, 1e-3 * weight):
        failures.append(f"ledger: {unexplained:.1e} J of {turned:.1e} J unexplained")
    if not math.isfinite(unexplained):
        failures.append("ledger: not finite")
    if proof.drift > 1e-7:
        failures.append(f"constraints: drift {proof.drift:.1e}")
    return failures


def balance_of_forces(result: gd.Run, whole: Description) -> list[str]:
    """Newton's law for every body from its reported acceleration and forces in joints; loads by the description."""
    planar = whole["planar"]
    axes = ("x", "y") if planar else ("x", "y", "z")
    if set(whole["motors"]) or whole["springs"]:
        return []
    t, failures = np.asarray(result.t), []
    for name, body in whole["bodies"].items():
        if any(f["body"] == name and f["frame"] == "body" for f in whole["forces"].values()):
            continue
        for a, axis in enumerate(axes):
            inertia = body["mass"] * np.asarray(result[f"{name}.a{axis}"])
            parts = [np.full(len(t), body["mass"] * whole["gravity"][a])]
            for force in whole["forces"].values():
                if force["body"] == name:
                    parts.append(force["value"][a] * np.cos(force["rate"] * t))
            for key, joint in whole["joints"].items():
                sign = (joint["journal"] == name) - (joint["bearing"] == name)
                if sign:
                    parts.append(sign * np.asarray(result[f"{key}.f{axis}"]))
                    if f"{key}.stop.f{axis}" in result.channels:
                        parts.append(sign * np.asarray(result[f"{key}.stop.f{axis}"]))
            wrong = np.abs(inertia - sum(parts)).max()
            scale = max(np.abs(inertia).max(), *(np.abs(part).max() for part in parts))
            if wrong > 1e-6 * scale:
                failures.append(f"Newton: {name} along {axis}: {wrong:.1e} N of {scale:.1e} N")
    return failures


def _changed(change: Any) -> Any:
    def motion(
        m: gd.Mechanism, whole: Description, rng: random.Random, base: gd.Run, grid: np.ndarray
    ) -> np.ndarray | None:
        got = change(whole, rng)
        if got is None:
            return None
        other, names, back = got
        t, x = positions(run(build(other), other, RTOL), [names[n] for n in whole["bodies"]], other["planar"])
        return np.array([back(y) for y in at_times(t, x, grid)])

    return motion


def _by(**options: Any) -> Any:
    """The same mechanism by another way of computing."""

    def motion(
        m: gd.Mechanism, whole: Description, rng: random.Random, base: gd.Run, grid: np.ndarray
    ) -> np.ndarray | None:
        if options.get("method") and base.evidence.method != "DOPRI5":
            return None
        rtol = RTOL / 10 if "method" in options else RTOL
        return at_times(*positions(run(m, whole, rtol, **options), list(whole["bodies"]), whole["planar"]), grid)

    return motion


def _from_file(
    m: gd.Mechanism, whole: Description, rng: random.Random, base: gd.Run, grid: np.ndarray
) -> np.ndarray | None:
    if any(part["rate"] for group in ("forces", "torques") for part in whole[group].values()):
        return None
    with tempfile.TemporaryDirectory() as folder:
        again = gd.Mechanism.from_file(m.to_file(Path(folder) / "m.yaml"))
    return at_times(*positions(run(again, whole, RTOL), list(whole["bodies"]), whole["planar"]), grid)


def _resumed(
    m: gd.Mechanism, whole: Description, rng: random.Random, base: gd.Run, grid: np.ndarray
) -> np.ndarray | None:
    part = whole["duration"] * round(rng.uniform(0.2, 0.8) * ROWS) / ROWS
    first = run(m, whole, RTOL, duration=part)
    second = run(m, whole, RTOL, duration=whole["duration"] - part, resume=first)
    names, planar = list(whole["bodies"]), whole["planar"]
    (t1, x1), (t2, x2) = positions(first, names, planar), positions(second, names, planar)
    before = t1 < part * (1 - 1e-9)
    return at_times(np.concatenate([t1[before], t2]), np.concatenate([x1[:, before], x2], axis=1), grid)


METHODS = ("dop853", "radau")
OTHERS: dict[str, Any] = {
    "absolute coordinates": _by(numerics=Numerics(coordinates="absolute")),
    "every state": _by(numerics=Numerics(reduce=False)),
    "dop853": _by(method="dop853"),
    "radau": _by(method="radau"),
    "from a file": _from_file,
    "resumed": _resumed,
}
