"""`System`: what is computed on. A mechanism's compiled functions, and the layout of its arrays."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np

from gudgeon.assemble.choice import Coordinates, choose_tree
from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.contact.events import Rigid
from gudgeon.assemble.contact.films import Film
from gudgeon.assemble.contact.memory import PER_CONTACT, hard_contact_memory
from gudgeon.assemble.contact.rows import rows_each
from gudgeon.assemble.report.channels import Channel, channels, ledger
from gudgeon.assemble.solve.equations import Solution
from gudgeon.assemble.solve.jacobian import jacobian as slopes
from gudgeon.assemble.solve.reduce import Reduction, Settled, reduced
from gudgeon.assemble.solve.start import Kinematics, Start, find_start
from gudgeon.assemble.trace.trace import Trace
from gudgeon.assemble.tree.equations import in_time
from gudgeon.assemble.tree.outputs import Shadow
from gudgeon.assemble.tree.tree import Tree
from gudgeon.compile.graph import Module, Scalar, llvm, python
from gudgeon.compile.graph.llvm import CALLBACK, call_address
from gudgeon.compile.graph.module import PREPARE
from gudgeon.model import Ideal, Mechanism
from gudgeon.quantity import GudgeonError, in_words

Backend = Literal["llvm", "python"]
Form = TypeVar("Form")


@dataclass(frozen=True)
class Baumgarte:
    """Stabilisation by feedback instead of projection: alpha [1/s], beta [1/s]."""

    alpha: float = 5.0
    beta: float = 5.0


LENGTH, SPEED, SPIN = range(1, 4)  # typical of a mechanism
KINDS = {"m": LENGTH, "m/s": SPEED, "rad/s": SPIN}
SLIGHT = 1e-4  # of the size of the mechanism: deflection of bristles whose law does not tell theirs


@dataclass
class System:
    """Functions f(t, y, p, m, out) by machine address, and the arrays they work on.

    y = (coordinates, velocities, internal states, integrals); the first `controlled` are under error control.
    m = (mode, rate at first touch) per contact with onset and release; with rigid contacts see assemble.rigid.
    """

    mechanism: Mechanism
    addresses: dict[str, int]
    p: np.ndarray
    parameter_names: list[str]
    y0: np.ndarray
    positions: int
    velocities: int
    controlled: int
    rows: int
    contacts: list[Contact]
    events: int
    channels: list[Channel]
    start: Start
    redundant: list[str]
    constraint_names: list[str]
    size: float
    operations: dict[str, int]
    integrals: list[str]
    projected: bool
    films: list[Film]
    units: list[str]  # of coordinates, then of velocities
    rigid: bool = False
    state_names: list[str] = field(default_factory=list)  # of the internal states
    looped: bool = False
    keep: Any = field(repr=False, default=None)
    coordinates: str = "absolute"  # or "tree"
    paces: tuple[float, float] = (0.0, 0.0)  # where not every body has states: largest speed [m/s] and spin [rad/s]
    unsolved: Any = field(repr=False, default=None)  # assemble.unsolved.Compiled, for implicit methods
    module: Any = field(repr=False, default=None)  # the functions before they were compiled
    reduction: Reduction | None = None  # the constant states that y does not have

    @property
    def states(self) -> int:
        return len(self.y0)

    @property
    def every_state(self) -> int:
        """How many states there are with those that are constant and left out."""
        return self.states if self.reduction is None else self.reduction.size

    @property
    def memory(self) -> int:
        """Numbers in m, see assemble/contact/memory.py."""
        hard = hard_contact_memory(self.events, self.rows_each).size
        return max(1, hard if self.rigid else PER_CONTACT * self.events)

    @cached_property
    def rows_each(self) -> int:
        """Rows of every contact where they are rigid, see assemble.rigid."""
        return rows_each(self.contacts)

    @cached_property
    def measured_by(self) -> tuple[np.ndarray, np.ndarray]:
        """For each state: what typical of the mechanism it is measured by, and its own scale where that is none."""
        kind, own = np.zeros(self.states, dtype=np.int64), np.ones(self.states)
        kind[: len(self.units)] = [KINDS.get(unit, 0) for unit in self.units]
        for contact in self.contacts:
            if contact.state is not None:
                slides = contact.friction_law.breakaway or SLIGHT * self.size
                own[contact.state : contact.state + contact.states] = slides
        return kind, own

    @property
    def event_contacts(self) -> list[Contact]:
        return [c for c in self.contacts if c.index is not None]

    @property
    def ledger_places(self) -> np.ndarray:
        """For each contact with onset: places in y of what it absorbs and of what its friction takes, or -1; last
        that of the work of drives."""
        order = [k for k, c in enumerate(self.contacts) if c.index is not None]
        names = [*([f"absorbed.{k}", f"rubbed.{k}"] for k in order), ["drive", ""]]
        place = {name: self.controlled + k for k, name in enumerate(self.integrals)}
        return np.array([[place.get(name, -1) for name in pair] for pair in names], dtype=np.int64).reshape(-1, 2)

    @cached_property
    def bristles(self) -> np.ndarray:
        """For each contact with onset: place of its first friction state in y, and how many there are."""
        places = [x for c in self.event_contacts for x in (c.state or 0, c.states)]
        return np.array(places or [0, 0], dtype=np.int64)


def assemble(mechanism: Mechanism, *, stabilisation: Baumgarte | None = None, backend: Backend = "llvm",
             jacobian: bool = False, rigid: bool = False, coordinates: Coordinates = "absolute",
             unrolled: bool | None = None, unsolved: bool | str = False, sticking: bool = False,
             reduce: bool = False) -> System:  # fmt: skip
    """Mechanism -> System: trace, find a start, solve for the accelerations, compile.

    jacobian: also the function "jacobian", which implicit methods need: `controlled` rows of `states` numbers.
    rigid: walls and stops are one-sided constraints instead of laws, for impacts as instants.
    sticking: friction at rigid walls of space is in the equations too, for methods that tell when it sticks.
    coordinates: see `assemble.choice`.
    unrolled: whether code is written out for each part or loops over parts of equal formulas; None: while it is short.
    unsolved: residuals instead of accelerations (assemble.unsolved), which flexible links need; "steps": also the
    functions of steps between two states (assemble.steps).
    reduce: leave out states that are proved constant (assemble.reduce); not with a jacobian or rigid walls.
    """
    if unsolved:
        from gudgeon.assemble.residual.assemble import assemble_unsolved

        return assemble_unsolved(mechanism, steps=unsolved == "steps", hard=rigid)
    _refuse_beams(mechanism)
    mechanism.check()
    size = _size(mechanism)
    if not written_out(mechanism, True if coordinates == "tree" else unrolled, backend, jacobian, rigid):
        from gudgeon.assemble.looped.system import looped

        return looped(mechanism, size, stabilisation)
    absolute, start = started(mechanism, lambda own_rows: _start(mechanism, size, rigid, own_rows))
    trace, shadow = _by_tree(absolute, start, choose_tree(mechanism, coordinates, rigid=rigid, implicit=jacobian))
    feedback = None if stabilisation is None else (stabilisation.alpha, stabilisation.beta)
    redundant = start.redundant if shadow is None else shadow.redundant(size)
    solution = trace.equations.solve(redundant, feedback)
    walls = Rigid(trace, solution, sticking) if rigid else None
    if walls is not None:
        solution = walls.close()
    for name, power in ledger(trace, solution).items():
        trace.states.integrate(name, power)
    reported = channels(trace, solution) if shadow is None else shadow.channels(solution)
    functions = in_time(trace, _functions(trace, solution, walls, list(reported.values()), jacobian))
    q, v = (start.q, start.v) if shadow is None else shadow.start()
    now = Settled(trace.graph, functions, np.concatenate([q, v]), trace.contacts.list, _units(trace))
    now = reduced(trace, now, size) if reduce and not rigid and not jacobian else now
    module = Module(now.graph, now.functions, len(trace.parameters))
    p = _room(trace, module)
    addresses, call, keep = _compile(module, backend, len(trace.parameters), p)
    call(PREPARE, 0.0, np.zeros(1), p, np.zeros(1), p[len(trace.parameters) :])
    y0 = now.contract(beginning(trace, now.motion, list(reported), lambda y, out: call(
        "channels", 0.0, now.contract(y), p, no_contact(trace), out)))  # fmt: skip
    positions = now.positions(len(q))
    return System(
        mechanism, addresses, p, trace.parameters.names, y0, positions, len(now.units) - positions,
        trace.states.controlled - now.left_out, len(solution.values), now.contacts, trace.contacts.events,
        list(reported), start, [trace.equations.constraints[r].name for r in redundant],
        [c.name for c in absolute.equations.constraints], size,
        {name: f.size for name, f in module.functions.items()}, list(trace.states.integrals),
        stabilisation is None, trace.films.list, now.units, rigid, trace.states.names, keep=keep,
        coordinates="absolute" if shadow is None else "tree",
        paces=(0.0, 0.0) if shadow is None and now.reduction is None else _speeds(absolute, start),
        module=module, reduction=now.reduction,
    )  # fmt: skip


MANY_POINTS = 300  # beyond, the diagonal of their box is quicker than every distance

# Bodies, joints and loads beyond which code loops over equal parts, in the plane and in space. Chains, written out
# against in loops, CPU seconds until ready and ns per body and evaluation of rhs:
#   plane   4 bodies 0.2 s, 19 ns / 0.2 s, 31 ns;  12: 0.6 s, 22 ns / 0.2 s, 30 ns;  32: 2.3 s, 29 ns / 0.2 s, 29 ns
#   space   3 bodies 0.7 s, 86 ns / 0.8 s, 111 ns;  6: 2.3 s, 159 ns / 0.3 s, 134 ns;  8: 4.0 s, 209 ns / 0.2 s, 132 ns
# Code written out is not slower up to some 3000 operations in the plane and 6000 in space; at half of that it is ready
# many times later, to be a fifth faster.
LARGE = {True: 24, False: 10}


def written_out(mechanism: Mechanism, asked: bool | None, backend: Backend, jacobian: bool, rigid: bool) -> bool:
    """Whether to write the code out; what loops cannot do is refused where they were asked for."""
    cannot = {
        'backend "python"': backend != "llvm",
        "an implicit method (its Jacobian)": jacobian,
        "impacts as instants": rigid,
        **_strange(mechanism),
    }
    reasons = [what for what, holds in cannot.items() if holds]
    if asked is False and reasons:
        raise GudgeonError(f"unrolled=False: code in loops does not know {in_words(reasons)}; leave unrolled out")
    if asked is not None or reasons:
        return asked is not False
    loads = (mechanism.springs, mechanism.forces, mechanism.torques)
    parts = sum(len(group) for group in (mechanism.bodies, mechanism.joints, *loads))
    return parts <= LARGE[mechanism.planar]


def _refuse_beams(mechanism: Mechanism) -> None:
    if mechanism.beams:
        raise GudgeonError(
            f'mechanism "{mechanism.name}" has beams, which methods that ask for accelerations cannot take; choose '
            'method="alpha"'
        )


def _by_tree(absolute: Trace, start: Start, tree: Tree | None) -> tuple[Trace, Shadow | None]:
    """The equations in the coordinates of a tree and what is behind it; without one as they are."""
    if tree is None:
        return absolute, None
    trace = Trace(absolute.mechanism, own_rows=absolute.own_rows, tree=tree)
    return trace, Shadow(absolute, trace, start)


def _room(trace: Trace, module: Module) -> np.ndarray:
    """The parameters, with room behind them for what `prepare` derives from them."""
    p = np.zeros(len(trace.parameters) + module.prepared + 1)
    p[: len(trace.parameters)] = trace.parameters.values
    return p


def no_contact(trace: Trace) -> np.ndarray:
    return np.zeros(max(1, 2 * trace.contacts.events))


def beginning(trace: Trace, motion: np.ndarray, reported: Sequence[Channel],
              report: Callable[[np.ndarray, np.ndarray], None]) -> np.ndarray:  # fmt: skip
    """All states at the start, journals of films inside their bearings."""
    y0 = np.zeros(trace.states.total)
    y0[: trace.states.controlled] = np.concatenate([motion, trace.states.starts])
    if trace.films.list:
        out = np.zeros(len(reported))
        report(y0, out)
        check_films(trace.films.list, {channel.name: float(x) for channel, x in zip(reported, out, strict=True)})
    return y0


def _functions(trace: Trace, solution: Solution, walls: Rigid | None, reported: Sequence[Scalar],
               jacobian: bool) -> dict[str, Sequence[Scalar]]:  # fmt: skip
    """What is compiled, by name."""
    events = [c for c in trace.contacts.list if c.index is not None]
    functions: dict[str, Sequence[Scalar]] = {
        "rhs": [*trace.equations.rates, *solution.accelerations, *trace.states.rates],
        "gaps": [x for c in events for x in (c.depth, c.rate, c.normal)],
        "project": solution.projection(),
        "channels": reported,
    }
    if jacobian:
        functions["jacobian"] = slopes(solution, trace.states)
    if walls is not None:
        functions |= {"gaps": walls.gaps(), "project": walls.projection(), "pairs": walls.pairs(), "kick": walls.kick()}
        if walls.sticking and walls.each > 2:
            functions["pull"] = walls.pull()
    return functions


def _strange(mechanism: Mechanism) -> dict[str, bool]:
    """Parts that loops do not know."""
    joints = mechanism.joints.values()
    mates = {name for joint in joints for name in joint.fit}
    rubbing = [getattr(fit, "friction", None) for joint in joints for fit in joint.fit.values()]
    return {
        "motors and controllers": bool(mechanism.motors or mechanism.controllers),
        "links with modes": bool(mechanism.modal_links),
        "screws, mounts and contact from outside": bool(mates & {"thread", "block", "outside"}),
        "bristles in space": not mechanism.planar and any(getattr(law, "states", 0) for law in rubbing),
    }


def started(mechanism: Mechanism, begin: Callable[[bool], tuple[Form, Start]]) -> tuple[Form, Start]:
    """The equations of a mechanism in some form and where its motion starts, as `begin(own_rows)` gives them: by short
    rows where none of them is redundant."""
    try:
        form, start = begin(False)
        if mechanism.planar or not start.redundant:
            return form, start
    except GudgeonError:
        if mechanism.planar:
            raise
    return begin(True)


def starts_ideal(mechanism: Mechanism) -> bool:
    """Whether the start is that of another mechanism, the one with ideal joints."""
    loose = any(not isinstance(fit, Ideal) for joint in mechanism.joints.values() for fit in joint.fit.values())
    return loose and mechanism.start == "ideal"


def _start(mechanism: Mechanism, size: float, rigid: bool, own_rows: bool) -> tuple[Trace, Start]:
    trace = Trace(mechanism, rigid=rigid, own_rows=own_rows)
    own = twin = Kinematics(trace)
    if starts_ideal(mechanism):
        twin = Kinematics(Trace(mechanism, ideal=True, own_rows=own_rows))
    return trace, find_start(mechanism, own, twin, size)


def _units(trace: Trace) -> list[str]:
    blocks = trace.equations.bodies
    return [x for b in blocks for x in b.units] + [x for b in blocks for x in b.velocity_units]


def _speeds(absolute: Trace, start: Start) -> tuple[float, float]:
    units = [x for b in absolute.moving for x in b.velocity_units]
    found = [max((abs(x) for x, u in zip(start.v, units, strict=True) if u == unit), default=0.0)
             for unit in ("m/s", "rad/s")]  # fmt: skip
    return float(found[0]), float(found[1])


def check_films(films: list[Film], values: dict[str, float]) -> None:
    """Refuse a journal that starts outside its bearing."""
    for film in films:
        offset = film.clearance - values[f"{film.joint}.film_thickness"]
        if offset >= film.clearance:
            raise GudgeonError(
                f'joint "{film.joint}": the journal starts outside the bearing, {offset:.4g} m off centre in a '
                f'clearance of {film.clearance:.4g} m; move the bodies together, or give the mechanism start="ideal"'
            )


def _compile(module: Module, backend: Backend, parameters: int, p: np.ndarray
             ) -> tuple[dict[str, int], Callable[..., None], Any]:  # fmt: skip
    """Addresses of the functions by either back end, and a way to call them from Python."""
    if backend == "llvm":
        addresses = llvm.compile_module(module)
        return addresses, lambda name, t, *arrays: call_address(addresses[name], t, *arrays), None
    if backend != "python":
        raise GudgeonError(f'backend "{backend}" is not known; choose "llvm" or "python"')
    # the same time loop, with Python functions behind the addresses
    functions = python.compile_module(module)
    callbacks = {
        name: CALLBACK(_callback(function, p, len(module.functions[name].outputs)))
        for name, function in functions.items()
    }
    addresses = {name: ctypes.cast(c, ctypes.c_void_p).value or 0 for name, c in callbacks.items()}
    return addresses, lambda name, t, *arrays: functions[name](t, *arrays), callbacks


def _callback(function: Callable[..., None], p: np.ndarray, size: int) -> Callable[..., None]:
    """A Python function that machine code may call. It gets p as an array, since laws take slices of it; what machine
    code gives as nan or infinity raises in Python, and nothing raised here would reach the time loop."""

    def call(t: float, y: Any, _: Any, m: Any, out: Any) -> None:
        try:
            function(t, y, p, m, out)
        except (ArithmeticError, ValueError):
            for k in range(size):
                out[k] = math.nan

    return call


def _size(mechanism: Mechanism) -> float:
    """A length that is typical of the mechanism: the spread of its bodies and joints [m]."""
    points = [b.at for b in mechanism.bodies.values()]
    points += [end for beam in mechanism.beams.values() for end in (beam.a, beam.b)]
    points += [end for link in mechanism.modal_links.values() for end in (link.a, link.b)]
    for joint in mechanism.joints.values():
        points += [joint.journal_point, joint.bearing_point]
    reach = max((math.hypot(*p) for p in points), default=0.0)
    if len(points) > MANY_POINTS:
        spread = math.hypot(*(max(x) - min(x) for x in zip(*points, strict=True)))
    else:
        spread = max((math.dist(a, b) for a in points for b in points), default=0.0)
    return max(reach, spread) or 1.0
