"""gudgeon in race P2, the mechanism as a user describes it, and the race."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.assemble import System, assemble

from .contender import LOOPS, columns
from .opponents import exudyn_spatial, spatial_floor, spatial_reference
from .opponents.result import SpatialResult, Unavailable
from .opponents.spatial_problem import DURATION, ERROR, P2

Runner = Callable[[float], SpatialResult]
DECADES = tuple(10.0**-power for power in range(5, 14))
HEADER = ("name", "tolerance", "evaluations", "onsets", "CPU ms", "ns/evaluation", "error at the end")
COORDINATES = ("x", "y", "z", "e0", "e1", "e2", "e3")
REPEATS = 5  # runs of a contender in a row per round: one takes a millisecond


def mechanism() -> gd.Mechanism:
    """The four-bar of race P2 with its loose ball."""
    m = gd.Mechanism("four-bar P2", planar=False, gravity=(0.0, 0.0, -P2.gravity))
    across, along = P2.coupler_inertia
    slim = (P2.rocker_inertia[0], P2.rocker_inertia[0], P2.rocker_inertia[1])
    middle = (P2.tip + P2.ball) / 2
    crank = m.body("crank", mass=P2.crank_mass, inertia=P2.crank_inertia, at=tuple(P2.tip / 2))
    coupler = m.body("coupler", mass=P2.coupler_mass, inertia=(across, along, across), at=tuple(middle),
                     orientation=P2.start[2:6])  # fmt: skip
    rocker = m.body("rocker", mass=P2.rocker_mass, inertia=slim, at=tuple((P2.pivot + P2.ball) / 2))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    m.spherical("big", journal=coupler, bearing=crank, at=tuple(P2.tip))
    wall = gd.LankaraniNikravesh(stiffness=P2.stiffness, restitution=P2.restitution, clip=True)
    fit = gd.Clearance(P2.clearance, wall=wall)
    m.spherical("ball", journal=coupler, bearing=rocker, at=tuple(P2.ball), radius="10 mm", fit=fit)
    m.revolute("pivot", journal=rocker, bearing=m.ground, at=P2.pivot, axis=(0.0, 1.0, 0.0))
    return m


@cache
def system() -> System:
    return assemble(mechanism(), coordinates="auto", reduce=True)


def _points(s: System, tape: Any) -> np.ndarray:
    """Crank pin, loose ball and socket from positions and Euler parameters of crank, coupler and rocker."""
    names = [f"{body}.{x}" for body in ("crank", "coupler", "rocker") for x in COORDINATES]
    row = np.concatenate([[tape.t], tape.y, tape.m])[None, :]
    poses = np.reshape(columns(s, row, names), (3, 7))
    centres, parameters = poses[:, :3], poses[:, 3:]
    e0, e1, e2, e3 = parameters.T
    second = np.column_stack([2 * (e1 * e2 - e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 + e0 * e1)])
    third = np.column_stack([2 * (e1 * e3 + e0 * e2), 2 * (e2 * e3 - e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)])
    return np.array([centres[0] + P2.crank / 2 * second[0], centres[1] + P2.coupler / 2 * second[1],
                     centres[2] + P2.rocker / 2 * third[2]])  # fmt: skip


def runner(method: str, loop: str = "auto") -> Callable[..., SpatialResult]:
    """run(rtol) for one of gudgeon's methods; the march alone is timed."""

    def run(rtol: float, end: float = DURATION) -> SpatialResult:
        from gudgeon.methods.march import driver as march
        from gudgeon.simulation import choose_method, own_loop

        s, chosen = system(), choose_method(method, rtol)
        if loop == "auto":
            own_loop(s, chosen, "own")  # is compiled, and found from here on
        own = own_loop(s, chosen, loop)
        began = time.process_time()
        tape = march.run(s, chosen, 0.0, end, output=end, on_rows=lambda _: None, loop=own)
        cpu = time.process_time() - began
        onsets = int((tape.events[:, 2] > 0).sum())
        return SpatialResult(f"gudgeon, {chosen.title}{LOOPS[loop]}", rtol, cpu, tape.evaluations, tape.steps, onsets,
                             _points(s, tape), tape.rejected)  # fmt: skip

    return run


def _loosest(run: Runner) -> float:
    """The loosest tolerance, by decades, that meets the accuracy."""
    for tolerance in DECADES:
        if spatial_reference.error(run(tolerance)) <= ERROR:
            return tolerance
    raise RuntimeError(f"no tolerance down to {DECADES[-1]:g} meets the accuracy")


def contest(rounds: int) -> list[SpatialResult]:
    """The fastest of the interleaved rounds of each contender."""
    ready: list[tuple[Runner, float]] = []
    ours = [runner("dopri5"), runner("dop853"), runner("dopri5", "shared")]
    for run in (spatial_floor.run, *ours, exudyn_spatial.run):
        try:
            ready.append((run, _loosest(run)))
        except Unavailable as reason:
            print(f"left out: {reason}")
    results: list[list[SpatialResult]] = [[] for _ in ready]
    for _ in range(rounds):
        for entry, (run, tolerance) in zip(results, ready, strict=True):
            entry += [run(tolerance) for _ in range(REPEATS)]
    return [min(entry, key=lambda result: result.cpu_s) for entry in results]


def line(result: SpatialResult) -> tuple[str, ...]:
    """The cells of one contender."""
    onsets = "-" if result.onsets is None else str(result.onsets)
    return (result.name, f"{result.tolerance:.0e}", f"{result.evaluations:,}", onsets, f"{1e3 * result.cpu_s:.2f}",
            f"{result.ns_per_evaluation:.0f}", f"{spatial_reference.error(result):.1e}")  # fmt: skip


def comparison(results: list[SpatialResult]) -> list[str]:
    """gudgeon's DOPRI5 against the floor and against Exudyn, as sentences."""
    best = next(result for result in results if result.name == "gudgeon, DOPRI5")
    start = min(runner("dopri5")(best.tolerance, 1e-6).cpu_s for _ in range(20))
    operations = system().code.operations["rhs"]
    said = [f"gudgeon's right-hand side has {operations} operations; a march takes {1e3 * start:.2f} ms to start"]
    for other in results:
        if other.name.startswith("hand-derived"):
            each = best.ns_per_evaluation / other.ns_per_evaluation
            in_all = best.cpu_s / other.cpu_s
            said.append(f"gudgeon against {other.name}: {each:.2f} times per evaluation, {in_all:.2f} in all")
        elif other.name.startswith("Exudyn"):
            said.append(f"{other.name} against gudgeon: {other.cpu_s / best.cpu_s:.1f} times the CPU time")
    return said
