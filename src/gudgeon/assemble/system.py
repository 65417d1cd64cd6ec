"""`System`: what is computed on. A mechanism's compiled functions, and the layout of its arrays."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from gudgeon.assemble.channels import Channel, channels, ledger
from gudgeon.assemble.choice import Coordinates, choose_tree
from gudgeon.assemble.contacts import Contact
from gudgeon.assemble.films import Film
from gudgeon.assemble.initial import Start, find_start
from gudgeon.assemble.jacobian import jacobian as slopes
from gudgeon.assemble.rigid import BEHIND, FRONT, Rigid
from gudgeon.assemble.shadow import Shadow, in_time
from gudgeon.assemble.trace import Trace
from gudgeon.assemble.tree_equations import TreeEquations
from gudgeon.graph import Module, Scalar, llvm, python
from gudgeon.graph.module import PREPARE
from gudgeon.model import Ideal, Mechanism
from gudgeon.quantity import GudgeonError

Backend = Literal["llvm", "python"]

_VECTOR = ctypes.POINTER(ctypes.c_double)
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_double, _VECTOR, _VECTOR, _VECTOR, _VECTOR)


@dataclass(frozen=True)
class Baumgarte:
    """Stabilisation by feedback instead of projection: alpha [1/s], beta [1/s]."""

    alpha: float = 5.0
    beta: float = 5.0


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
    keep: Any = field(repr=False, default=None)
    coordinates: str = "absolute"  # or "tree"
    paces: tuple[float, float] = (0.0, 0.0)  # where not every body has states: largest speed [m/s] and spin [rad/s]
    module: Any = field(repr=False, default=None)  # the functions before they were compiled

    @property
    def states(self) -> int:
        return len(self.y0)

    @property
    def memory(self) -> int:
        return max(1, (FRONT + BEHIND if self.rigid else FRONT) * self.events)

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

    @property
    def bristles(self) -> np.ndarray:
        """For each contact with onset: place of its friction state in y, or -1."""
        return np.array([-1 if c.state is None else c.state for c in self.event_contacts] or [-1], dtype=np.int64)


def assemble(mechanism: Mechanism, *, stabilisation: Baumgarte | None = None, backend: Backend = "llvm",
             jacobian: bool = False, rigid: bool = False, coordinates: Coordinates = "absolute") -> System:  # fmt: skip
    """Mechanism -> System: trace, find a start, solve for the accelerations, compile.

    jacobian: also the function "jacobian", which implicit methods need: `controlled` rows of `states` numbers.
    rigid: walls and stops are one-sided constraints instead of laws, for impacts as instants.
    coordinates: see `assemble.choice`.
    """
    mechanism.check()
    size = _size(mechanism)
    absolute, start = _started(mechanism, size, rigid)
    trace, shadow = absolute, None
    tree = choose_tree(mechanism, coordinates, rigid=rigid)
    if tree is not None:
        trace = Trace(mechanism, own_rows=absolute.own_rows, tree=tree)
        shadow = Shadow(absolute, trace, start)
    feedback = None if stabilisation is None else (stabilisation.alpha, stabilisation.beta)
    redundant = start.redundant if shadow is None else shadow.redundant(size)
    solution = trace.equations.solve(redundant, feedback)
    walls = Rigid(trace, solution) if rigid else None
    if walls is not None:
        solution = walls.close()
    for name, power in ledger(trace, solution).items():
        trace.states.integrate(name, power)
    reported = channels(trace, solution) if shadow is None else shadow.channels(solution)
    events = [c for c in trace.contacts.list if c.index is not None]
    functions: dict[str, Sequence[Scalar]] = {
        "rhs": [*trace.equations.rates, *solution.accelerations, *trace.states.rates],
        "gaps": [x for c in events for x in (c.depth, c.rate, c.normal)],
        "project": solution.projection(),
        "channels": list(reported.values()),
    }
    if jacobian:
        functions["jacobian"] = slopes(solution, trace.states)
    if walls is not None:
        functions |= {"gaps": walls.gaps(), "project": walls.projection(), "pairs": walls.pairs(), "kick": walls.kick()}
    if isinstance(trace.equations, TreeEquations):
        functions = in_time(trace, functions)
    module = Module(trace.graph, functions, len(trace.parameters))
    p = np.zeros(len(trace.parameters) + module.prepared + 1)
    p[: len(trace.parameters)] = trace.parameters.values
    addresses, call, keep = _compile(module, backend, len(trace.parameters), p)
    call(PREPARE, 0.0, np.zeros(1), p, np.zeros(1), p[len(trace.parameters) :])
    q, v = (start.q, start.v) if shadow is None else shadow.start()
    y0 = np.zeros(trace.states.total)
    y0[: trace.states.controlled] = np.concatenate([q, v, trace.states.starts])
    if trace.films.list:
        out = np.zeros(len(reported))
        call("channels", 0.0, y0, p, np.zeros(max(1, 2 * len(events))), out)
        _check_films(trace.films.list, {channel.name: float(x) for channel, x in zip(reported, out, strict=True)})
    names = [c.name for c in absolute.equations.constraints]
    return System(
        mechanism, addresses, p, trace.parameters.names, y0, len(q), len(v), trace.states.controlled,
        len(solution.values), trace.contacts.list, trace.contacts.events, list(reported), start,
        [trace.equations.constraints[r].name for r in redundant], names, size,
        {name: f.size for name, f in module.functions.items()}, list(trace.states.integrals),
        stabilisation is None, trace.films.list, _units(trace), rigid, keep,
        *(("absolute", (0.0, 0.0)) if shadow is None else ("tree", _speeds(absolute, start))), module,
    )  # fmt: skip


def _started(mechanism: Mechanism, size: float, rigid: bool) -> tuple[Trace, Start]:
    """The equations of a mechanism, and where its motion starts: by short rows where none of them is redundant."""
    try:
        trace, start = _start(mechanism, size, rigid, own_rows=False)
        if mechanism.planar or not start.redundant:
            return trace, start
    except GudgeonError:
        if mechanism.planar:
            raise
    return _start(mechanism, size, rigid, own_rows=True)


def _start(mechanism: Mechanism, size: float, rigid: bool, *, own_rows: bool) -> tuple[Trace, Start]:
    trace = Trace(mechanism, rigid=rigid, own_rows=own_rows)
    loose = any(not isinstance(fit, Ideal) for joint in mechanism.joints.values() for fit in joint.fit.values())
    ideal = loose and mechanism.start == "ideal"
    twin = Trace(mechanism, ideal=True, own_rows=own_rows) if ideal else trace
    return trace, find_start(trace, twin, size)


def _units(trace: Trace) -> list[str]:
    blocks = trace.equations.bodies
    return [x for b in blocks for x in b.units] + [x for b in blocks for x in b.velocity_units]


def _speeds(absolute: Trace, start: Start) -> tuple[float, float]:
    units = [x for b in absolute.moving for x in b.velocity_units]
    found = [max((abs(x) for x, u in zip(start.v, units, strict=True) if u == unit), default=0.0)
             for unit in ("m/s", "rad/s")]  # fmt: skip
    return float(found[0]), float(found[1])


def _check_films(films: list[Film], values: dict[str, float]) -> None:
    """Refuse a journal that starts outside its bearing."""
    for film in films:
        offset = values[f"{film.joint}.offset"]
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
        name: _CALLBACK(_callback(function, p, len(module.functions[name].outputs)))
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


def call_address(address: int, t: float, y: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> None:
    """Call a compiled function once from Python."""
    _CALLBACK(address)(t, *(x.ctypes.data_as(_VECTOR) for x in (y, p, m, out)))


def _size(mechanism: Mechanism) -> float:
    """A length that is typical of the mechanism: the spread of its bodies and joints [m]."""
    points = [b.at for b in mechanism.bodies.values()]
    for joint in mechanism.joints.values():
        points += [joint.journal_point, joint.bearing_point]
    reach = max((math.hypot(*p) for p in points), default=0.0)
    spread = max((math.dist(a, b) for a in points for b in points), default=0.0)
    return max(reach, spread) or 1.0
