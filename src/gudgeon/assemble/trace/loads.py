"""What acts on a mechanism from outside its joints: gravity, springs, forces and torques."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gudgeon.assemble.contact.blocks import ElasticBlock
from gudgeon.assemble.flexible.modal import FRAME
from gudgeon.assemble.flexible.planar_beam import ENERGIES
from gudgeon.assemble.trace.signals import signal_value
from gudgeon.compile.graph import Scalar
from gudgeon.model import Force, Spring, Torque, TorsionSpring

if TYPE_CHECKING:
    from gudgeon.assemble.trace.trace import Trace


@dataclass(frozen=True)
class Loads:
    """Energies and powers of what acts from outside the joints, elastic blocks of joints included."""

    gravity: Any  # vector, None where there is none
    kinetic: Scalar  # energy of beams
    potential: Scalar  # energy of springs, elastic links and gravity
    damped: Scalar  # power lost in dampers
    applied: Scalar  # power of applied forces and torques
    works: tuple[tuple[Scalar, Scalar], ...]  # its factors: components, and the speeds that they act on
    springs: tuple[tuple[Scalar, Scalar, Scalar], ...]  # stiffness, stretch, preload


def trace_loads(trace: Trace, blocks: Sequence[ElasticBlock], *, complete: bool) -> Loads:
    """Gravity, springs, forces and torques of the mechanism, and the energies of beams; none of them where the trace is
    not `complete`."""
    tracer = _LoadTracer(trace)
    for block in blocks:
        tracer.potential, tracer.damped = tracer.potential + block.stored, tracer.damped + block.lost
    if complete:
        tracer.trace()
    return Loads(tracer.gravity, tracer.kinetic, tracer.potential, tracer.damped, tracer.applied, tuple(tracer.works),
                 tuple(tracer.springs))  # fmt: skip


class _LoadTracer:
    """Puts one load after another on the equations."""

    def __init__(self, trace: Trace) -> None:
        self.parent, zero = trace, trace.graph.zero
        self.gravity: Any = None
        self.kinetic = self.potential = self.damped = self.applied = zero
        self.works: list[tuple[Scalar, Scalar]] = []
        self.springs: list[tuple[Scalar, Scalar, Scalar]] = []

    def trace(self) -> None:
        trace = self.parent
        if any(trace.mechanism.gravity):
            self.gravity = trace.vector("gravity", trace.mechanism.gravity)
            trace.equations.weigh(self.gravity)
            for body in trace.moving:
                self.potential = self.potential + body.potential_energy(self.gravity)
        if trace.beams:
            self.kinetic, stored, lost = trace.graph.inputs("w", ENERGIES)
            self.potential, self.damped = self.potential + stored, self.damped + lost
        for link in trace.modal.values():
            first = trace.first_velocity(link) + FRAME
            for k, force in enumerate(link.elastic_forces, first):
                trace.equations.apply(force, {k: trace.graph.one})
            self.potential, self.damped = self.potential + link.strain_energy, self.damped + link.power_lost
        for spring in trace.mechanism.springs.values():
            self._spring(spring)
        for torsion in trace.mechanism.torsion_springs.values():
            self._torsion_spring(torsion)
        for applied in trace.mechanism.forces.values():
            self._force(applied)
        for torque in trace.mechanism.torques.values():
            self._torque(torque)

    def _spring(self, spring: Spring) -> None:
        trace = self.parent
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
        self._elastic(name, length, geometry(f"{name}.free_length", free), spring.stiffness, spring.damping, preload)

    def _torsion_spring(self, spring: TorsionSpring) -> None:
        trace = self.parent
        turn = trace.coordinate(trace.mechanism.joints[spring.joint], "rotation")
        free = trace.parameters.geometry(f"{spring.name}.free_angle", spring.free_angle)
        self._elastic(spring.name, turn, free, spring.stiffness, spring.damping, trace.graph.zero)

    def _elastic(self, name: str, length: Scalar, free: Scalar, stiffness: float, damping: float,
                 preload: Scalar) -> None:  # fmt: skip
        trace = self.parent
        k = trace.parameters.geometry(f"{name}.stiffness", stiffness)
        c = trace.parameters.geometry(f"{name}.damping", damping)
        stretch, rate = length - free, trace.equations.ddt(length)
        trace.equations.apply(-(k * stretch + c * rate + preload), trace.equations.gradient(length))
        self.potential = self.potential + (0.5 * k * stretch + preload) * stretch
        self.springs.append((k, stretch, preload))
        self.damped = self.damped + c * rate * rate

    def _force(self, force: Force) -> None:
        trace = self.parent
        name, axes = force.name, trace.space.axes
        frame = trace.seat(force.body, force.point)[0]
        point = trace.point(force.body, name, force.point)
        vector = trace.space.vector(
            *(
                signal_value(x, trace, f"{name}.f{axis}")
                for axis, x in zip(axes, force.components, strict=True)
            )
        )
        if force.frame == "body":
            vector = frame.axis(vector)
        for axis in axes:
            component, position = getattr(vector, axis), getattr(point, axis)
            self._apply(component, trace.equations.gradient(position), trace.equations.ddt(position))

    def _torque(self, torque: Torque) -> None:
        trace = self.parent
        given: Any = torque.value
        if isinstance(given, tuple):
            named = zip(trace.space.axes, given, strict=True)
            value: Any = [signal_value(x, trace, f"{torque.name}.{a}") for a, x in named]
        else:
            value = signal_value(given, trace, torque.name)
        for component, row, rate in trace.space.torque(torque, value):
            self._apply(component, row, rate)

    def _apply(self, component: Any, row: Any, speed: Any) -> None:
        """A component of a load along a row, and the speed that it does work on."""
        graph = self.parent.graph
        self.parent.equations.apply(component, row)
        self.applied = self.applied + component * speed
        self.works.append((graph.scalar(component), graph.scalar(speed)))
