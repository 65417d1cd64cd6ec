"""Large mechanisms: what a body costs in chains and rows of loops, from ten bodies to a thousand."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

import gudgeon as gd
from gudgeon.assemble import System, assemble
from gudgeon.compile.graph import llvm
from gudgeon.compile.native.kernel import evaluate

LENGTH = 0.1  # of a link [m]
SIZES = (10, 100, 1000)
HEADER = ("mechanism", "bodies", "form", "built", "ready", "code compiled", "operations/body", "ns/body", "against 10")
BATCH, BATCHES = 2e-4, 400  # [s] so short that most batches run undisturbed; the quickest counts


def planar_chain(n: int) -> gd.Mechanism:
    """A pendulum of n links."""
    m = gd.Mechanism("planar chain", gravity=(0.0, -9.81))
    before = m.ground
    for k in range(n):
        link = m.body(f"link{k}", mass=0.2, inertia=2e-4, at=((k + 0.5) * LENGTH, 0.0))
        m.revolute(f"pin{k}", journal=link, bearing=before, at=(k * LENGTH, 0.0))
        before = link
    return m


def spatial_chain(n: int) -> gd.Mechanism:
    """A pendulum of n links whose hinges turn about y and z in turn."""
    m = gd.Mechanism("spatial chain", planar=False, gravity=(0.0, 0.0, -9.81))
    before = m.ground
    for k in range(n):
        link = m.body(f"link{k}", mass=0.2, inertia=(1e-5, 2e-4, 2e-4), at=((k + 0.5) * LENGTH, 0.0, 0.0))
        axis = (0.0, 0.0, 1.0) if k % 2 else (0.0, 1.0, 0.0)
        m.revolute(f"hinge{k}", journal=link, bearing=before, at=(k * LENGTH, 0.0, 0.0), axis=axis)
        before = link
    return m


def four_bars(n: int) -> gd.Mechanism:
    """A row of four-bar loops with about n bodies: cranks on the ground, couplers from each to the next."""
    m = gd.Mechanism("row of four-bars", gravity=(0.0, -9.81))
    across, up = LENGTH * math.cos(1.0), LENGTH * math.sin(1.0)
    loops = (n - 1) // 2
    for k in range(loops + 1):
        m.body(f"crank{k}", mass=0.2, inertia=2e-4, at=(k * LENGTH + across / 2, up / 2))
        m.revolute(f"pivot{k}", journal=f"crank{k}", bearing=m.ground, at=(k * LENGTH, 0.0))
    for k in range(loops):
        m.body(f"coupler{k}", mass=0.2, inertia=2e-4, at=((k + 0.5) * LENGTH + across, up))
        for end, crank in (("left", k), ("right", k + 1)):
            m.revolute(f"{end}{k}", journal=f"coupler{k}", bearing=f"crank{crank}", at=(crank * LENGTH + across, up))
    return m


@numba.njit
def _evaluations(address: int, count: int, y: Any, p: Any, m: Any, out: Any) -> None:
    for _ in range(count):
        evaluate(address, 0.0, y, p, m, out)


def seconds_per_evaluation(system: System) -> float:
    """Of the slopes, away from the start; the quickest of many short batches."""
    y, out = system.y0.copy(), np.zeros(system.states)
    y[system.positions :] += np.random.default_rng(0).normal(size=system.states - system.positions)
    arguments = y, system.p, np.zeros(system.memory), out
    _evaluations(system.addresses["rhs"], 1, *arguments)
    count, best = 1, math.inf
    for _ in range(BATCHES):
        began = time.perf_counter()
        _evaluations(system.addresses["rhs"], count, *arguments)
        best = min(best, (time.perf_counter() - began) / count)
        count = max(1, int(BATCH / best))
    assert np.isfinite(out).all()
    return best


def rows() -> list[tuple[str, ...]]:
    """One line per mechanism and size."""
    return [row for make in (planar_chain, spatial_chain, four_bars) for row in _sizes(make)]


def _sizes(make: Callable[[int], gd.Mechanism]) -> list[tuple[str, ...]]:
    found, base = [], 0.0
    for n in SIZES:
        began = time.process_time()
        mechanism = make(n)
        built, before = time.process_time(), llvm.compilations
        system = assemble(mechanism)
        ready, bodies = time.process_time() - built, len(mechanism.bodies)
        cost = 1e9 * seconds_per_evaluation(system) / bodies
        base = base or cost
        found.append((
            mechanism.name, str(bodies), system.formulation, f"{built - began:.2f} s",
            f"{ready:.2f} s", str(llvm.compilations - before), f"{system.code.operations['rhs'] / bodies:.0f}",
            f"{cost:.1f}", f"{cost / base:.2f}",
        ))  # fmt: skip
    return found
