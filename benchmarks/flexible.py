"""gudgeon in race P3, the flexible crank-slider as a user describes it, and the race."""

from __future__ import annotations

import time
from functools import cache, partial
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.assemble import Needs, System, assemble
from gudgeon.model import Section

from .contender import columns
from .opponents import exudyn_flexible
from .opponents.flexible_problem import ERRORS, INDEPENDENT, P3, peaks
from .opponents.result import FlexibleResult, Unavailable

HEADER = ("name", "elements and steps", "tolerance", "steps", "iterations", "Jacobians", "CPU ms", "µs/iteration",
          "torque 3, 4", "force 3, 4")  # fmt: skip
# elements of each beam, their order, tolerance: the fastest first
SETTINGS = ((2, 2, 2e-6), (2, 2, 1e-6), (3, 2, 1e-6), (2, 3, 1e-6), (4, 3, 1e-6), (4, 3, 1e-7))
REPEATS = 3  # runs in a row per round: one takes less than a tenth of a second


def mechanism(elements: int, order: int) -> gd.Mechanism:
    """The crank-slider of race P3 with its loose pin."""
    m = gd.Mechanism("flexible crank-slider P3")
    section = Section.rectangle(P3.width, P3.height, E=P3.young, nu=P3.poisson, rho=P3.density,
                                shear_factor=P3.shear_factor)  # fmt: skip
    tip, reach = P3.speed * P3.crank, P3.crank + P3.arm
    more: dict[str, Any] = {"section": section, "damping": P3.damping, "elements": elements, "order": order}
    crank = m.beam("crank", a=(0.0, 0.0), b=(P3.crank, 0.0), velocity=(0.0, tip / 2), spin=P3.speed, **more)
    arm = m.beam("arm", a=(P3.crank, 0.0), b=(reach, 0.0), velocity=(0.0, tip / 2), spin=-tip / P3.arm, **more)
    slider = m.body("slider", mass=P3.slider, inertia=1.0, at=(reach, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("elbow", journal=crank, bearing=arm, at=(P3.crank, 0.0))
    fit = gd.Clearance(P3.clearance, wall=gd.Hertz(stiffness=P3.stiffness))
    m.revolute("pin", journal=arm, bearing=slider, at=(reach, 0.0), radius=P3.radius, fit=fit)
    m.translational("guide", journal=slider, bearing=m.ground, at=(reach, 0.0))
    m.drive("main", speed=P3.speed)
    return m


@cache
def system(elements: int, order: int) -> System:
    return assemble(mechanism(elements, order), Needs(form="residual"))


def run(setting: tuple[int, int, float]) -> FlexibleResult:
    """One run of the race; the march alone is timed, every step is recorded."""
    from gudgeon.methods.march import driver as march
    from gudgeon.simulation import choose_method

    elements, order, rtol = setting
    s, chosen, rows = system(elements, order), choose_method("alpha", rtol), []
    began = time.process_time()
    tape = march.run(s, chosen, 0.0, P3.end, on_rows=rows.append)
    cpu = time.process_time() - began
    table = np.concatenate(rows)
    found = peaks(table[:, 0], *columns(s, table, ("main.torque", "pin.force")))
    onsets = int((tape.events[:, 2] > 0).sum())
    word = {1: "linear", 2: "quadratic", 3: "cubic"}[order]
    return FlexibleResult("gudgeon, generalized-alpha", rtol, cpu, tape.evaluations, tape.steps, onsets,
                          f"{elements} + {elements} {word}", tape.jacobians, found)  # fmt: skip


@cache
def reference() -> np.ndarray:
    """Peaks of a run with twice the elements and steps so short that nothing changes any more."""
    return run((8, 3, 1e-9)).peaks


def errors(result: FlexibleResult) -> np.ndarray:
    """Relative errors of the peaks, as in `flexible_problem.peaks`."""
    return np.asarray(result.peaks / reference() - 1.0)


def _first(race: Any, settings: Any) -> Any:
    """The first of the settings that meets the accuracy."""
    for setting in settings:
        if (np.abs(errors(race(setting))) <= ERRORS).all():
            return partial(race, setting)
    raise RuntimeError("no setting meets the accuracy")


def contest(rounds: int) -> list[FlexibleResult]:
    """The fastest of the interleaved rounds of each contender."""
    ready = []
    for race, settings in ((run, SETTINGS), (exudyn_flexible.run, exudyn_flexible.SETTINGS)):
        try:
            ready.append(_first(race, settings))
        except Unavailable as reason:
            print(f"left out: {reason}")
    results: list[list[FlexibleResult]] = [[] for _ in ready]
    for _ in range(rounds):
        for entry, race in zip(results, ready, strict=True):
            entry += [race() for _ in range(REPEATS)]
    return [min(entry, key=lambda result: result.cpu_s) for entry in results]


def line(result: FlexibleResult) -> tuple[str, ...]:
    """The cells of one contender."""
    torque, force = ([f"{100 * x:+.2f} %" for x in column] for column in errors(result).T)
    return (result.name, result.words, f"{result.tolerance:.0e}", f"{result.steps:,}", f"{result.evaluations:,}",
            f"{result.factorisations:,}", f"{1e3 * result.cpu_s:.1f}", f"{1e-3 * result.ns_per_evaluation:.2f}",
            ", ".join(torque), ", ".join(force))  # fmt: skip


def comparison(results: list[FlexibleResult]) -> list[str]:
    """The reference beside another code's, and the contenders beside each other."""
    off = reference()[0] / np.array(INDEPENDENT) - 1.0
    said = [f"reference against an independent code in revolution 3: torque {off[0]:+.1e}, force {off[1]:+.1e}"]
    best = results[0]
    return said + [f"{x.name} against gudgeon: {x.cpu_s / best.cpu_s:.1f} times the CPU time" for x in results[1:]]
