"""The load that a loose joint would carry if all joints were ideal, and the mass that it feels.

The reaction comes from a run with ideal joints. The mass follows from the constraints: with their Jacobian J, the rows
E of the joint, all other rows F (drives included) and the inverse mass M⁻¹ of the bodies,

    W = E P Eᵀ,     P = M⁻¹ - M⁻¹ Fᵀ (F M⁻¹ Fᵀ)⁻¹ F M⁻¹

is the acceleration of the journal relative to the bearing per force between them while all other constraints hold.
"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from gudgeon.analysis.contact_loss.following import Load
from gudgeon.assemble import call_address
from gudgeon.assemble.solve.elimination import Diagonal
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Module
from gudgeon.compile.graph.llvm import compile_module
from gudgeon.model import Mechanism
from gudgeon.model.fits import Clearance, Ideal
from gudgeon.model.run_settings import RunFields, RunSettings, period_of
from gudgeon.quantity import GudgeonError
from gudgeon.simulation import whole_run

__all__ = ["ideal_loads", "loose_pins"]

SAMPLES = 720  # of a turn, or of a run without one
RANK = 1e-11
REPEATS = 1e-5  # of the largest load: how much two turns may differ where they are one cycle


def loose_pins(mechanism: Mechanism) -> dict[str, float]:
    """Clearance [m] of every pin in a bore with play; the contact pair `pin` is that of the plane."""
    return {
        joint.name: joint.gap("pin") for joint in mechanism.joints.values()
        if isinstance(joint.fit.get("pin"), Clearance) and joint.gap("pin") > 0.0
    }  # fmt: skip


def ideal_loads(mechanism: Mechanism, **fields: Unpack[RunFields]) -> dict[str, Load]:
    """The load of every loose pin. Of a mechanism with a joint driven at constant speed two turns are run unless the
    settings say otherwise; where the second repeats the first, it is taken for the cycle."""
    mechanism.check()
    pins = loose_pins(mechanism)
    if not pins:
        raise GudgeonError(
            f'contact loss: "{mechanism.name}" has no planar pin with a clearance; give a revolute joint one, for '
            "instance fit: {clearance: 0.1 mm, ...}"
        )
    ideal = mechanism.stiffened().refit(**{
        joint.name: Ideal() for joint in mechanism.joints.values() if any(fit.loose for fit in joint.fit.values())
    })  # fmt: skip
    period = period_of(ideal)
    settings = RunSettings.read(None, fields)
    if settings.duration is None and settings.revolutions is None:
        if period is None:
            raise GudgeonError(
                f'contact loss: no rotation of "{mechanism.name}" is driven at a constant speed; give duration= [s]'
            )
        settings = settings.merged(revolutions=2.0)
    span = settings.span(ideal)
    spacing = (span if period is None else period) / SAMPLES
    run = whole_run(ideal, settings.merged(output=spacing))
    instants = round(span / spacing)
    times = np.arange(instants + 1) * spacing
    rows = np.searchsorted(run.t, times - 1e-9 * spacing).clip(0, len(run.t) - 1)
    masses = _Mobility(ideal)
    states = np.stack([run[name][rows] for name in masses.coordinates], axis=1)
    found = {}
    for name in pins:
        force = -np.stack([run[f"{name}.f{axis}"][rows] for axis in "xy"], axis=1)
        mobility = np.array([masses.of(name, q, float(t)) for q, t in zip(states, times, strict=True)])
        found[name] = _cycle(Load(times, force, mobility), period)
    return found


def _cycle(load: Load, period: float | None) -> Load:
    """The last turn as a cycle where it repeats the one before it."""
    count = 0 if period is None else SAMPLES
    if not count or len(load.times) < 2 * count + 1:
        return load
    last = slice(len(load.times) - 1 - count, len(load.times) - 1)
    before = slice(last.start - count, last.start)
    for values in (load.force, load.mobility):
        if np.abs(values[last] - values[before]).max() > REPEATS * np.abs(values[last]).max():
            return load
    return Load(load.times[last], load.force[last], load.mobility[last], period)


class _Mobility:
    """W of the pins of a mechanism with ideal joints, compiled."""

    def __init__(self, mechanism: Mechanism) -> None:
        trace = Trace(mechanism, ideal=True, complete=False)
        mass = trace.equations.mass()
        assert isinstance(mass, Diagonal)  # bodies are rigid
        self.coordinates = [f"{name}.{q}" for name, body in trace.bodies.items() if name in mechanism.bodies
                            for q in body.coordinates]  # fmt: skip
        self._owners = [(row.owner, row.drive) for row in trace.equations.constraints]
        self._velocities = len(trace.equations.v)
        entries = [trace.equations.gradient(row.value) for row in trace.equations.constraints]
        formulas: list[Any] = [e.get(k, trace.graph.zero) for e in entries for k in range(self._velocities)]
        formulas += mass.inverse
        module = Module(trace.graph, {"rows": formulas}, len(trace.parameters))
        self._addresses, self._width = compile_module(module), len(formulas)
        self._p = np.zeros(len(trace.parameters) + module.prepared + 1)
        self._p[: len(trace.parameters)] = trace.parameters.values
        call_address(self._addresses["prepare"], 0.0, np.zeros(1), self._p, np.zeros(1),
                     self._p[len(trace.parameters) :])  # fmt: skip
        self._rest, self._none = np.concatenate([np.zeros(self._velocities), trace.states.starts]), np.zeros(1)

    def of(self, joint: str, q: np.ndarray, t: float) -> np.ndarray:
        """xx, xy and yy of W [1/kg]."""
        out = np.zeros(self._width)
        call_address(self._addresses["rows"], t, np.concatenate([q, self._rest]), self._p, self._none, out)
        inverse = out[-self._velocities :]
        jacobian = out[: -self._velocities].reshape(-1, self._velocities) * np.sqrt(inverse)
        own = np.array([owner == joint and not drive for owner, drive in self._owners])
        e, f = jacobian[own], jacobian[~own]
        # the part of the rows E that the others leave free; redundant ones among them change nothing
        basis = np.linalg.svd(f, full_matrices=False)
        kept = basis[2][basis[1] > RANK * basis[1].max(initial=0.0)]
        e = e - (e @ kept.T) @ kept
        w = e @ e.T
        return np.array([w[0, 0], w[0, 1], w[1, 1]])
