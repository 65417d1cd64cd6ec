"""gudgeon in race P1: the mechanism as a user describes it, marched by any of its methods."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

import gudgeon as gd
from gudgeon.assemble import System, assemble
from gudgeon.results.recorder import evaluate

from .opponents.problem import P1
from .opponents.result import RaceResult


def mechanism() -> gd.Mechanism:
    """The slider-crank of race P1 with its loose pin."""
    m = gd.Mechanism("slider-crank P1")
    rod_inertia = P1.rod_mass * P1.rod**2 / 12
    crank = m.body("crank", mass=0.1, inertia=1e-4, at=(P1.crank / 2, 0))
    rod = m.body("rod", mass=P1.rod_mass, inertia=rod_inertia, at=(P1.crank + P1.rod / 2, 0))
    slider = m.body("slider", mass=P1.slider_mass, inertia=1e-4, at=(P1.crank + P1.rod, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(P1.crank, 0))
    wall = gd.LankaraniNikravesh(stiffness=P1.stiffness, restitution=P1.restitution, clip=True)
    fit = gd.Clearance(P1.clearance, wall=wall)
    m.revolute("pin", journal=rod, bearing=slider, at=(P1.crank + P1.rod, 0), radius="10 mm", fit=fit)
    m.translational("guide", journal=slider, bearing=m.ground, at=(P1.crank + P1.rod, 0))
    m.drive("main", speed=P1.speed)
    return m


LOOPS = {"auto": "", "shared": ", shared loop"}  # what a user gets; what the first second of a new structure takes


@cache
def system() -> System:
    return assemble(mechanism(), coordinates="auto", reduce=True)


def columns(s: System, rows: np.ndarray, names: Sequence[str]) -> list[np.ndarray]:
    """Channels on rows (t, y, m) of a march, whatever coordinates it has."""
    order = [channel.name for channel in s.channels]
    values = evaluate(s, rows)
    return [values[:, order.index(name)] for name in names]


def runner(method: str, loop: str = "auto") -> Callable[[float, float, int], RaceResult]:
    """run(revolutions, rtol, samples_per_rev) for one of gudgeon's methods; the march alone is timed."""

    def run(revolutions: float, rtol: float, samples_per_rev: int) -> RaceResult:
        from gudgeon.methods.march import driver as march
        from gudgeon.simulation import choose_method, own_loop

        s, chosen, rows = system(), choose_method(method, rtol), []
        if loop == "auto":
            own_loop(s, chosen, "own")  # is compiled, and found from here on
        own = own_loop(s, chosen, loop)
        output = P1.period / samples_per_rev
        march.run(s, chosen, 0.0, 0.01 * P1.period, output=output, on_rows=lambda _: None)
        began = time.process_time()
        tape = march.run(s, chosen, 0.0, revolutions * P1.period, output=output, on_rows=rows.append, loop=own)
        cpu = time.process_time() - began
        table = np.concatenate(rows)
        onsets = int((tape.events[:, 2] > 0).sum())
        rod, slider = columns(s, table, ("rod.angle", "slider.x"))
        name = f"gudgeon, {chosen.title}{LOOPS[loop]}"
        return RaceResult(name, rtol, cpu, tape.evaluations, tape.steps, onsets, table[:, 0], rod, slider,
                          tape.rejected)  # fmt: skip

    return run
