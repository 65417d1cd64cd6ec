"""What acts on a mechanism from outside its joints: gravity, springs, forces and torques."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gudgeon.assemble.flexible.modal import FRAME
from gudgeon.assemble.flexible.planar_beam import ENERGIES
from gudgeon.assemble.trace.signals import signal_value
from gudgeon.compile.graph import Scalar
from gudgeon.model import Force, Spring, Torque, TorsionSpring

if TYPE_CHECKING:
    from typing import Any

    from gudgeon.assemble.trace.trace import Trace


def apply_loads(trace: Trace) -> None:
    """Gravity, springs, forces and torques of the mechanism, and the energies of beams."""
    if any(trace.mechanism.gravity):
        g = trace.gravity = trace.vector("gravity", trace.mechanism.gravity)
        trace.equations.weigh(g)
        for body in trace.moving:
            trace.potential = trace.potential + body.potential_energy(g)
    if trace.beams:
        trace.kinetic, stored, lost = trace.graph.inputs("w", ENERGIES)
        trace.potential, trace.damped = trace.potential + stored, trace.damped + lost
    for link in trace.modal.values():
        first = trace.first_velocity(link) + FRAME
        for k, force in enumerate(link.elastic_forces, first):
            trace.equations.apply(force, {k: trace.graph.one})
        trace.potential, trace.damped = trace.potential + link.strain_energy, trace.damped + link.power_lost
    for spring in trace.mechanism.springs.values():
        _spring(trace, spring)
    for torsion in trace.mechanism.torsion_springs.values():
        _torsion_spring(trace, torsion)
    for force in trace.mechanism.forces.values():
        _force(trace, force)
    for torque in trace.mechanism.torques.values():
        _torque(trace, torque)


def _spring(trace: Trace, spring: Spring) -> None:
    geometry, name, world = trace.parameters.geometry, spring.name, trace.mechanism.world
    ends = [
        trace.point(body, f"{name}.{side}", point)
        for body, point, side in ((spring.body_i, spring.point_i, "i"), (spring.body_j, spring.point_j, "j"))
    ]
    free = spring.free_length
    if free is None:
        free = math.dist(world(spring.body_i, spring.point_i), world(spring.body_j, spring.point_j))
    preload = geometry(f"{name}.preload", spring.preload)
    length = (ends[0] - ends[1]).norm
    _elastic(trace, name, length, geometry(f"{name}.free_length", free), spring.stiffness, spring.damping, preload)


def _torsion_spring(trace: Trace, spring: TorsionSpring) -> None:
    turn = trace.coordinate(trace.mechanism.joints[spring.joint], "rotation")
    free = trace.parameters.geometry(f"{spring.name}.free_angle", spring.free_angle)
    _elastic(trace, spring.name, turn, free, spring.stiffness, spring.damping, trace.graph.zero)


def _elastic(trace: Trace, name: str, length: Scalar, free: Scalar, stiffness: float, damping: float,
             preload: Scalar) -> None:  # fmt: skip
    k = trace.parameters.geometry(f"{name}.stiffness", stiffness)
    c = trace.parameters.geometry(f"{name}.damping", damping)
    stretch, rate = length - free, trace.equations.ddt(length)
    trace.equations.apply(-(k * stretch + c * rate + preload), trace.equations.gradient(length))
    trace.potential = trace.potential + (0.5 * k * stretch + preload) * stretch
    trace.springs.append((k, stretch, preload))
    trace.damped = trace.damped + c * rate * rate


def _force(trace: Trace, force: Force) -> None:
    name, axes = force.name, trace.space.axes
    frame = trace.seat(force.body, force.point)[0]
    point = trace.point(force.body, name, force.point)
    vector = trace.space.vector(
        *(
            signal_value(x, trace.time, f"{name}.f{axis}", trace.parameters)
            for axis, x in zip(axes, force.components, strict=True)
        )
    )
    if force.frame == "body":
        vector = frame.axis(vector)
    for axis in axes:
        component, position = getattr(vector, axis), getattr(point, axis)
        trace.equations.apply(component, trace.equations.gradient(position))
        trace.applied = trace.applied + component * trace.equations.ddt(position)


def _torque(trace: Trace, torque: Torque) -> None:
    given: Any = torque.value
    if isinstance(given, tuple):
        named = zip(trace.space.axes, given, strict=True)
        value: Any = [signal_value(x, trace.time, f"{torque.name}.{a}", trace.parameters) for a, x in named]
    else:
        value = signal_value(given, trace.time, torque.name, trace.parameters)
    for component, row, rate in trace.space.torque(torque, value):
        trace.equations.apply(component, row)
        trace.applied = trace.applied + component * rate
