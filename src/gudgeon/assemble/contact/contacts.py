"""From fits to forces: each layer of a fit becomes a contact, a law on the scalars of a touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gudgeon.assemble.needs import ContactTreatment
from gudgeon.assemble.solve.elimination import Row
from gudgeon.assemble.solve.equations import Equations
from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.assemble.trace.states import States
from gudgeon.compile.graph import Scalar
from gudgeon.compile.native.scalar import opaque
from gudgeon.space.mate import TINY_SQUARE, Touch


@dataclass
class Contact:
    """One law at one touch. `index` is its place among the contacts with onset and release; None acts always.

    An `angular` contact has a depth [rad] and its normal force is a moment [N m].
    """

    joint: str
    name: str
    kind: str  # "wall", "liner" or "stop"
    law: Any
    pair: Any
    depth: Scalar
    rate: Scalar
    normal: Scalar
    slip: Scalar
    friction: Scalar
    absorbed: Scalar  # power into the contact: stored or lost [W]
    rubbed: Scalar  # power lost in friction [W]
    touch: Touch | None
    gap: float
    index: int | None = None
    state: int | None = None  # index of the friction law's first internal state in y
    states: int = 0  # how many there are
    friction_law: Any = None
    angular: bool = False
    forces: list[dict[int, Scalar]] = field(default_factory=list)
    friction_block: int | None = None  # parameters of the friction law of a hard wall
    call: Any = None  # of its law; the normal force is `share` times it
    share: float = 1.0  # of its law: strips of one mate share it evenly


class Contacts:
    """Builds the contacts of a mechanism into its equations."""

    def __init__(self, equations: Equations, parameters: Parameters, states: States,
                 treatment: ContactTreatment = "force law") -> None:  # fmt: skip
        """Where walls and stops are hard they get no law here; they become one-sided constraints (contact.events,
        contact.multipliers)."""
        self.equations, self.parameters, self.states, self.treatment = equations, parameters, states, treatment
        self.hard = treatment != "force law"
        self.graph = equations.graph
        self.list: list[Contact] = []
        self.events = 0

    def touch(self, joint: str, touch: Touch, kind: str, law: Any, pair: Any, gap: Scalar, gap_value: float, *,
              friction: Any = None, block: int | None = None, friction_block: int | None = None,
              share: float = 1.0, angular: bool = False,
              lasting: bool = False) -> Contact:  # fmt: skip
        """A one-sided contact with onset and release: a wall, a stop, or a liner behind a gap.

        `lasting`: surfaces without any gap touch from the start and never part, so that there is no onset and no speed
        of first touch.
        """
        graph, eq = self.graph, self.equations
        moving = eq.ddt(touch.opening) if touch.rate is None else touch.rate * touch.along
        depth, rate = touch.opening - gap, graph.scalar(moving)
        name = ".".join(part for part in (joint, kind if kind != "wall" else "", touch.label) if part)
        index, guards, rate0 = self._memory(depth, lasting=lasting)
        if self.hard:
            zero = graph.zero
            return self._rigid(Contact(joint, name, kind, law, pair, depth, rate, zero, zero, zero, zero, zero, touch,
                                       gap_value, index, angular=angular, friction_block=friction_block),
                               friction)  # fmt: skip
        if block is None:
            block = self.parameters.block(f"{joint}.{kind}", law.pack(pair))
        arguments = (depth, rate) if kind == "liner" else (depth, rate, rate0)
        call = graph.call(opaque(law.force, len(arguments)), arguments, block=block, guards=guards)
        normal = call if share == 1.0 else call * share
        contact = Contact(joint, name, kind, law, pair, depth, rate, normal, graph.zero, graph.zero, normal * rate,
                          graph.zero, touch, gap_value, index, angular=angular, call=call, share=share)  # fmt: skip
        contact.forces.append(eq.apply(-(normal * touch.along), self._gradient(touch)))
        if friction is not None:
            self.rub(contact, friction, friction_block, guards)
        self.list.append(contact)
        return contact

    def _memory(self, depth: Scalar, *, lasting: bool) -> tuple[int | None, tuple[Scalar, ...], Scalar]:
        """Place of a contact among those with onset and release, what lets its law act, its speed of first touch."""
        if not lasting:
            index = self.events
            self.events += 1
            mode, rate0 = self.graph.inputs("m", 2, 2 * index)
            return index, (mode, depth), rate0
        return None, (depth,), self.graph.zero

    def opening_gradient(self, touch: Touch) -> Row:
        """Derivative of a touch's opening with respect to each velocity direction."""
        return {k: x * touch.along for k, x in self._gradient(touch).items()}

    def _gradient(self, touch: Touch) -> Row:
        """The same without the factor `along`."""
        eq = self.equations
        return eq.gradient(touch.opening) if touch.rate is None else eq.velocity_gradient(touch.rate)

    def _rigid(self, contact: Contact, friction: Any) -> Contact:
        """A contact whose forces will be those of a constraint."""
        assert contact.touch is not None
        if friction is not None and not contact.angular:
            slip = contact.touch.slip
            contact.friction_law = friction
            contact.slip = self.size(slip) if isinstance(slip, tuple) else self.graph.scalar(slip)
        self.list.append(contact)
        return contact

    def rub(self, contact: Contact, law: Any, block: int | None, guards: tuple[Scalar, ...]) -> None:
        """Friction of a contact whose normal force is known."""
        graph, eq = self.graph, self.equations
        assert contact.touch is not None
        if block is None:
            block = self.parameters.block(f"{contact.joint}.friction", law.pack(contact.pair))
        if isinstance(contact.touch.slip, tuple):
            self._rub_across(contact, law, block, guards, contact.touch.slip)
            return
        slip = graph.scalar(contact.touch.slip)
        state = graph.zero
        if law.states:
            state, contact.state = self.states.add(f"{contact.name}.bristle")
            contact.states = 1
            arguments = (slip, contact.normal, state)
            # by mode alone: steps that look for the end of a contact go a little beyond it, and there it is smooth
            rate = graph.call(opaque(law.state_rate, 3), arguments, block=block, guards=guards[:1])
            self.states.set_rate(contact.state, rate)
        force = graph.call(opaque(law.force, 3), (slip, contact.normal, state), block=block, guards=guards)
        contact.slip, contact.friction, contact.friction_law = slip, force, law
        contact.rubbed = -(force * slip)
        contact.forces.append(eq.apply(force, eq.velocity_gradient(slip)))

    def _rub_across(self, contact: Contact, law: Any, block: int, guards: tuple[Scalar, ...],
                    slips: tuple[Scalar, ...]) -> None:  # fmt: skip
        """Friction against a slip that has components: along the slip, by its speed, or by the states of a law."""
        graph, eq = self.graph, self.equations
        contact.slip, contact.friction_law = self.size(slips), law
        if law.states:
            parts = self._bristles(contact, law, block, guards, slips)
            contact.friction = -self.size(parts)
            for x, part in zip(slips, parts, strict=True):
                contact.rubbed = contact.rubbed - part * x
        else:
            speed = contact.slip
            force = graph.call(opaque(law.force, 3), (speed, contact.normal, graph.zero), block=block, guards=guards)
            contact.friction, contact.rubbed = force, -(force * speed)
            parts = [force * (x / speed) for x in slips]
        for x, part in zip(slips, parts, strict=True):
            contact.forces.append(eq.apply(part, eq.velocity_gradient(x)))

    def size(self, components: Sequence[Scalar]) -> Scalar:
        """Root of the sum of squares."""
        square = self.graph.zero
        for x in components:
            square = square + x * x
        return self.graph.apply("sqrt", square + TINY_SQUARE)

    def _bristles(self, contact: Contact, law: Any, block: int, guards: tuple[Scalar, ...],
                  slips: tuple[Scalar, ...]) -> list[Scalar]:  # fmt: skip
        """A state for each component of the slip; gives the components of the force. Where the axes of the components
        stay behind when the touch turns, the bristles are carried along with it."""
        graph = self.graph
        found = [self.states.add(f"{contact.name}.bristle_{k}") for k in range(1, len(slips) + 1)]
        contact.state, contact.states = found[0][1], len(found)
        z = [state for state, _ in found]
        carried = [graph.zero] * len(z)
        turning = None if contact.touch is None else contact.touch.turning
        if turning is not None:
            a, b, c = turning
            carried = [guards[0] * x for x in (b * z[2] - c * z[1], c * z[0] - a * z[2], a * z[1] - b * z[0])]
        parts = []
        for x, (state, index), turn in zip(slips, found, carried, strict=True):
            arguments = (x, contact.slip, contact.normal, state)
            rate = graph.call(opaque(law.component_rate, 4), arguments, block=block, guards=guards[:1])
            self.states.set_rate(index, rate + turn)
            parts.append(graph.call(opaque(law.component, 4), arguments, block=block, guards=guards))
        return parts

    def bush(self, joint: str, label: str, offset: tuple[Scalar, ...], law: Any, pair: Any, block: int,
             angular: bool = False) -> Contact:  # fmt: skip
        """A liner that acts from zero: radial by its law, with the same viscosity across the radius."""
        graph, eq = self.graph, self.equations
        square = graph.zero
        for component in offset:
            square = square + component * component
        radius = graph.apply("sqrt", square + TINY_SQUARE)
        rate = eq.ddt(radius)
        radial = call = graph.call(opaque(law.force, 2), (radius, rate), block=block)
        damping = graph.input("p", block)
        name = ".".join(part for part in (joint, "liner", label) if part)
        contact = Contact(joint, name, "liner", law, pair, radius, rate, radial, graph.zero, graph.zero,
                          radial * rate, graph.zero, None, 0.0, angular=angular, call=call)  # fmt: skip
        contact.forces.append(eq.apply(-radial, eq.gradient(radius)))
        if len(offset) > 1:
            for component in offset:
                across = eq.ddt(component) - (component / radius) * rate
                contact.forces.append(eq.apply(-(damping * across), eq.gradient(component)))
                contact.absorbed = contact.absorbed + damping * across * across
        self.list.append(contact)
        return contact
