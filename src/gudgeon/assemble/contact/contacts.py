"""From fits to forces: each layer of a fit becomes a contact, a law on the scalars of a touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gudgeon.assemble.needs import ContactTreatment
from gudgeon.assemble.solve.elimination import Row
from gudgeon.assemble.solve.equations import Equations
from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.assemble.trace.states import States
from gudgeon.compile.graph import Graph, Scalar
from gudgeon.compile.native.scalar import opaque
from gudgeon.space.mate import TINY_SQUARE, Touch


@dataclass(frozen=True)
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
    state: int | None = None  # place in y of the first bristle state of the friction law
    states: int = 0  # how many there are
    friction_law: Any = None
    angular: bool = False
    forces: tuple[Row, ...] = ()
    friction_block: int | None = None  # parameters of the friction law of a hard wall
    call: Any = None  # of its law; the normal force is `share` times it
    share: float = 1.0  # of its law: strips of one mate share it evenly

    def with_numbers(self, other: Contact) -> Contact:
        """The same formulas with the laws and sizes of another."""
        return replace(self, law=other.law, pair=other.pair, gap=other.gap, friction_law=other.friction_law)

    def warnings(self, depth: float, rate: float, force: float) -> list[str]:
        """What its law says of its largest depth, |rate| and force."""
        pair = replace(self.pair, angular=True) if self.angular else self.pair
        return list(self.law.warnings(pair, depth, rate, force))


def magnitude(graph: Graph, components: Sequence[Scalar]) -> Scalar:
    """Root of the sum of squares."""
    square = graph.zero
    for x in components:
        square = square + x * x
    return graph.apply("sqrt", square + TINY_SQUARE)


def slips_of(contact: Contact) -> tuple[Scalar, ...]:
    """The components of a contact's slip."""
    slip = contact.touch.slip if contact.touch is not None else 0.0
    return slip if isinstance(slip, tuple) else (contact.slip,)


def touch_gradient(equations: Equations, touch: Touch) -> Row:
    """Derivative of a touch's opening with respect to each velocity direction, without the factor `along`."""
    if touch.rate is None:
        return equations.gradient(touch.opening)
    return equations.velocity_gradient(touch.rate)


def bristle_names(contact: Contact, law: Any) -> list[str]:
    """Names of the internal states that a friction law adds at a contact: one for each component of the slip."""
    count = len(slips_of(contact)) if law.states else 0
    several = contact.touch is not None and isinstance(contact.touch.slip, tuple)
    return [f"{contact.name}.bristle_{k + 1}" if several else f"{contact.name}.bristle" for k in range(count)]


@dataclass(frozen=True)
class Friction:
    """Friction of one law: its slip [m/s] and its force along it [N], signed where there is one component, else by
    their sizes; `parts` [N] along the components `slips`; the power that it takes [W]."""

    slip: Scalar
    force: Scalar
    slips: tuple[Scalar, ...]
    parts: tuple[Scalar, ...]
    lost: Scalar

    def loaded(self, load: Scalar) -> Friction:
        """What it is under a load, where it was given for a load of 1 N."""
        parts = tuple(part * load for part in self.parts)
        return replace(self, force=self.force * load, parts=parts, lost=self.lost * load)

    def act(self, equations: Equations) -> tuple[Row, ...]:
        """Put the forces into the equations."""
        pairs = zip(self.slips, self.parts, strict=True)
        return tuple(equations.apply(part, equations.velocity_gradient(slip)) for slip, part in pairs)


def friction_of(equations: Equations, states: States, law: Any, block: int, slips: tuple[Scalar, ...], normal: Scalar,
                places: Sequence[int], *, guards: tuple[Scalar, ...] = (), turning: Any = None,
                pressing: Scalar | None = None) -> Friction:  # fmt: skip
    """Friction against a slip by components: along the slip, by its speed, or by the states of a law at `places` in y.
    Where the axes of the components stay behind when the touch turns, with `turning`, the bristles are carried along
    with it. `pressing`: the normal force that rates of states are given, where it is not `normal`."""
    graph = equations.graph
    symbols = states.symbols(places)
    single = len(slips) == 1
    speed = slips[0] if single else magnitude(graph, slips)
    if not places:
        force = graph.call(opaque(law.force, 3), (speed, normal, graph.zero), block=block, guards=guards)
        parts = (force,) if single else tuple(force * (x / speed) for x in slips)
        return Friction(speed, force, slips, parts, -(force * speed))
    carried = [graph.zero] * len(symbols)
    if turning is not None:
        (a, b, c), z = turning, symbols
        carried = [guards[0] * x for x in (b * z[2] - c * z[1], c * z[0] - a * z[2], a * z[1] - b * z[0])]
    given = (normal,) if pressing is None else (pressing,)
    components, lost = [], graph.zero
    for x, state, place, turn in zip(slips, symbols, places, carried, strict=True):
        sliding = (x,) if single else (x, speed)
        # by mode alone: steps that look for the end of a contact go a little beyond it, and there it is smooth
        rate, part = (law.state_rate, law.force) if single else (law.component_rate, law.component)
        count = len(sliding) + 2
        slope = graph.call(opaque(rate, count), (*sliding, *given, state), block=block, guards=guards[:1])
        states.set_rate(place, slope + turn)
        components.append(graph.call(opaque(part, count), (*sliding, normal, state), block=block, guards=guards))
        lost = lost - components[-1] * x
    force = components[0] if single else -magnitude(graph, components)
    return Friction(speed, force, slips, tuple(components), lost)


class ContactBuilder:
    """Builds the contacts of a mechanism into its equations, one after another."""

    def __init__(self, equations: Equations, parameters: Parameters, states: States,
                 treatment: ContactTreatment = "force law") -> None:  # fmt: skip
        """Where walls and stops are hard they get no law here; they become one-sided constraints (contact.events,
        contact.multipliers)."""
        self.equations, self.parameters, self.states, self.treatment = equations, parameters, states, treatment
        self.graph = equations.graph
        self.events = 0

    def touch(self, joint: str, touch: Touch, kind: str, law: Any, pair: Any, gap: Scalar, gap_value: float, *,
              block: int, friction: Any = None, friction_block: int | None = None, share: float = 1.0,
              angular: bool = False, lasting: bool = False) -> Contact:  # fmt: skip
        """A one-sided contact with onset and release: a wall, a stop, or a liner behind a gap.

        `lasting`: surfaces without any gap touch from the start and never part, so that there is no onset and no speed
        of first touch.
        """
        graph, eq, zero = self.graph, self.equations, self.graph.zero
        moving = eq.ddt(touch.opening) if touch.rate is None else touch.rate * touch.along
        depth, rate = touch.opening - gap, graph.scalar(moving)
        name = ".".join(part for part in (joint, kind if kind != "wall" else "", touch.label) if part)
        index, guards, rate0 = self._memory(depth, lasting=lasting)
        contact = Contact(joint, name, kind, law, pair, depth, rate, zero, zero, zero, zero, zero, touch, gap_value,
                          index, angular=angular, friction_block=friction_block)  # fmt: skip
        if self.treatment != "force law":
            return self._hard(contact, friction)
        arguments = (depth, rate) if kind == "liner" else (depth, rate, rate0)
        call = graph.call(opaque(law.force, len(arguments)), arguments, block=block, guards=guards)
        normal = call if share == 1.0 else call * share
        absorbed = normal * rate
        force = eq.apply(-(normal * touch.along), touch_gradient(eq, touch))
        contact = replace(contact, normal=normal, absorbed=absorbed, forces=(force,), call=call, share=share)
        if friction is None:
            return contact
        places = self.states.reserve(bristle_names(contact, friction))
        return self.rub(contact, friction, friction_block, guards, places)

    def _memory(self, depth: Scalar, *, lasting: bool) -> tuple[int | None, tuple[Scalar, ...], Scalar]:
        """Place of a contact among those with onset and release, what lets its law act, its speed of first touch."""
        if lasting:
            return None, (depth,), self.graph.zero
        index = self.events
        self.events += 1
        mode, rate0 = self.graph.inputs("m", 2, 2 * index)
        return index, (mode, depth), rate0

    def _hard(self, contact: Contact, friction: Any) -> Contact:
        """A contact whose forces will be those of a constraint."""
        assert contact.touch is not None
        if friction is None or contact.angular:
            return contact
        slip = contact.touch.slip
        size = magnitude(self.graph, slip) if isinstance(slip, tuple) else self.graph.scalar(slip)
        return replace(contact, friction_law=friction, slip=size)

    def rub(self, contact: Contact, law: Any, block: int | None, guards: tuple[Scalar, ...],
            places: Sequence[int]) -> Contact:  # fmt: skip
        """A contact whose normal force is known, with its friction; `places` in y are those of the states that
        `bristle_names` names."""
        assert contact.touch is not None and block is not None
        touch, given = contact.touch, contact.touch.slip
        contact = replace(contact, friction_law=law)
        if places:
            contact = replace(contact, state=places[0], states=len(places))
        slips = tuple(self.graph.scalar(x) for x in (given if isinstance(given, tuple) else (given,)))
        made = friction_of(self.equations, self.states, law, block, slips, contact.normal, places, guards=guards,
                           turning=touch.turning)  # fmt: skip
        rows = made.act(self.equations)
        return replace(contact, slip=made.slip, friction=made.force, rubbed=contact.rubbed + made.lost,
                       forces=(*contact.forces, *rows))  # fmt: skip

    def bush(self, joint: str, label: str, offset: tuple[Scalar, ...], law: Any, pair: Any, block: int,
             angular: bool = False) -> Contact:  # fmt: skip
        """A liner that acts from zero: radial by its law, with the same viscosity across the radius."""
        graph, eq = self.graph, self.equations
        radius = magnitude(graph, offset)
        rate = eq.ddt(radius)
        radial = graph.call(opaque(law.force, 2), (radius, rate), block=block)
        damping = graph.input("p", block)
        name = ".".join(part for part in (joint, "liner", label) if part)
        absorbed = radial * rate
        forces = [eq.apply(-radial, eq.gradient(radius))]
        for component in offset if len(offset) > 1 else ():
            across = eq.ddt(component) - (component / radius) * rate
            forces.append(eq.apply(-(damping * across), eq.gradient(component)))
            absorbed = absorbed + damping * across * across
        return Contact(joint, name, "liner", law, pair, radius, rate, radial, graph.zero, graph.zero, absorbed,
                       graph.zero, None, 0.0, angular=angular, forces=tuple(forces), call=radial)  # fmt: skip
