"""The formulations "absolute" and "tree": equations solved for the accelerations, in straight-line code.

In "absolute" every body has its own coordinates and joints are constraints. In "tree" a body has the coordinates of the
joint that carries it; what a run reports then comes from the same mechanism in absolute coordinates (tree.outputs).
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gudgeon.assemble.contact.events import EventWalls
from gudgeon.assemble.contact.joint_friction import (
    LOCKED_REMEDY,
    MOST,
    LoadEquations,
    check_unique,
    closed,
    locking,
    pressing,
    put_friction,
)
from gudgeon.assemble.contact.refusals import contact_refusals
from gudgeon.assemble.needs import Needs, Refusal
from gudgeon.assemble.report.channels import channels, ledger
from gudgeon.assemble.report.redundancy import marked, redundancy_of
from gudgeon.assemble.solve.equations import Solution
from gudgeon.assemble.solve.jacobian import jacobian
from gudgeon.assemble.solve.reduce import FunctionSet, reduced
from gudgeon.assemble.solve.start import (
    Kinematics,
    Start,
    initial_state,
    no_contact,
    start_of,
    state_units,
    with_short_rows,
)
from gudgeon.assemble.system import AssemblyOptions, Backend, CompiledCode, Formulated, StateLayout, SystemReport
from gudgeon.assemble.trace.trace import Trace
from gudgeon.assemble.tree.equations import in_time
from gudgeon.assemble.tree.outputs import TreeOutputs, numbers
from gudgeon.assemble.tree.tree import Tree, grow
from gudgeon.compile.graph import Module, Scalar, llvm, python
from gudgeon.compile.graph.llvm import CALLBACK, call_address
from gudgeon.compile.graph.module import PREPARE
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError

# Operations of the slopes times the number of states, beyond which no formula of the Jacobian is compiled and a method
# takes differences. Of spatial mechanisms with 54 to 81 states and films the formula took 40 to 170 s to compile, the
# slopes 2 to 4 s; it has a sixth of the operations of differences, whose time is below that of the factorisation.
MOST_FOR_JACOBIAN = 20_000


def acceleration_refusals(mechanism: Mechanism, needs: Needs) -> list[Refusal]:
    """What no equations solved for the accelerations can do."""
    refusals = []
    if needs.form != "acceleration":
        reason = f'the equations are not in the form "{needs.form}"'
        refusals.append(Refusal("accelerations", reason, 'take the formulation "residual"'))
    if mechanism.beams:
        what, reason = f'mechanism "{mechanism.name}"', "beams need a method for equations in residual form"
        refusals.append(Refusal(what, reason, 'choose method="alpha"'))
    rubbing = sum(len(joint.reaction_friction) for joint in mechanism.joints.values())
    if rubbing > MOST:
        what = f"friction in {rubbing} ideal mates"
        reason = f"with more than {MOST} the code that solves for their loads takes minutes to compile"
        refusals.append(Refusal(what, reason, 'choose method="alpha", which has reactions among its unknowns'))
    if needs.contact == "multiplier":
        reason = "multipliers of rigid walls are among the states of the residual form only"
        refusals.append(Refusal("hard walls", reason, 'choose method="impact"'))
    return refusals + contact_refusals(mechanism, needs)


def refuses(mechanism: Mechanism, needs: Needs) -> list[Refusal]:
    """What the formulation "absolute" cannot do."""
    return acceleration_refusals(mechanism, needs)


def assemble_absolute(mechanism: Mechanism, needs: Needs, options: AssemblyOptions) -> Formulated:
    """Every body by its own coordinates."""
    return _formulated(needs, options, *_trace(mechanism, needs, options), None)


def assemble_tree(mechanism: Mechanism, needs: Needs, options: AssemblyOptions) -> Formulated:
    """Every body by the coordinates of the joint that carries it."""
    return _formulated(needs, options, *_trace(mechanism, needs, options), grow(mechanism))


def _trace(mechanism: Mechanism, needs: Needs, options: AssemblyOptions) -> tuple[Trace, Start]:
    """The mechanism by the coordinates of its bodies, and where its motion starts."""

    def find(own_rows: bool) -> tuple[Start, Trace]:
        trace = Trace(mechanism, contact=needs.contact, own_rows=own_rows)
        # constraints, their rates and gradients come first in the code, since the start asks for them
        return start_of(trace, options.size), trace

    start, trace = with_short_rows(mechanism, find)
    return trace, start


def _formulated(needs: Needs, options: AssemblyOptions, absolute: Trace, start: Start, tree: Tree | None) -> Formulated:
    """Solve for the accelerations and compile."""
    if absolute.sliding:
        jacobian_rows = Kinematics(absolute).rows(start.q, start.v)[2]
        check_unique(absolute, jacobian_rows, start.redundant, numbers(absolute, start.q, start.v))
        absolute = put_friction(absolute)
    trace, outputs = _by_tree(absolute, start, tree)
    redundancy = redundancy_of(absolute, start, options.size)
    redundant = start.redundant if outputs is None else outputs.redundant(options.size)
    # of the rows that close loops of a tree, some say nothing about its speeds
    solution = trace.equations.solve(redundant, options.feedback, hold=outputs is None and start.loses_hold)
    loads = None
    if trace.sliding:
        pressed = pressing(trace, solution) if outputs is None else outputs.pressing(solution)
        loads = LoadEquations(trace.graph, pressed)
    walls = EventWalls(trace, solution, needs.sticking) if needs.delassus else None
    if walls is not None:
        trace, solution = walls.close()
    for name, power in ledger(trace, solution).items():
        trace.states.integrate(name, power)
    size = options.size
    reported = channels(trace, solution, size) if outputs is None else outputs.channels(solution, size)
    reported = marked(reported, redundancy)
    functions = _functions(trace, solution, walls, list(reported.values()))
    slopes = Module(trace.graph, {"rhs": functions["rhs"]}, len(trace.parameters)) if needs.jacobian else None
    formula = slopes is not None and slopes.functions["rhs"].size * trace.states.controlled <= MOST_FOR_JACOBIAN
    if formula:
        functions["jacobian"] = jacobian(solution, trace.states, loads)
    functions = in_time(trace, functions if loads is None else closed(functions, loads))
    q, v = (start.q, start.v) if outputs is None else outputs.start()
    now = FunctionSet(trace.graph, functions, np.concatenate([q, v]), trace.contacts, state_units(trace))
    if options.reduce and not needs.delassus and not formula:
        now = reduced(trace, now, options.size)
    module = Module(now.graph, now.functions, len(trace.parameters))
    p = _room(trace, module)
    addresses, call, references = _compile(module, options.backend, p)
    call(PREPARE, 0.0, np.zeros(1), p, np.zeros(1), p[len(trace.parameters) :])
    y0 = now.contract(initial_state(trace, now.motion, list(reported), lambda y, out: call(
        "channels", 0.0, now.contract(y), p, no_contact(trace), out)))  # fmt: skip
    frictions = now.places_of(trace.frictions)
    if frictions:
        values = np.zeros(2 * len(frictions))
        call("friction", 0.0, y0, p, no_contact(trace), values)
        locked = locking(frictions, values)
        if locked is not None:
            raise GudgeonError(f"{locked.why} at the start; give it {LOCKED_REMEDY}")
    positions = now.positions(len(q))
    everywhere = outputs is None and now.reduction is None
    return Formulated(
        layout=StateLayout(
            positions=positions, velocities=len(now.units) - positions,
            controlled=trace.states.controlled - now.left_out, rows=len(solution.values),
            events=trace.events, units=now.units, internal=trace.states.names,
            integrals=list(trace.states.integrals), reduction=now.reduction,
        ),
        code=CompiledCode(
            addresses=addresses, p=p, parameter_names=trace.parameters.names,
            operations={name: f.size for name, f in module.functions.items()}, module=module, references=references,
        ),
        report=SystemReport(
            channels=list(reported), contacts=now.contacts, films=trace.films,
            constraint_names=[c.name for c in absolute.equations.constraints],
            redundant=[trace.equations.constraints[r].name for r in redundant], redundancy=redundancy,
            frictions=frictions,
        ),
        start=start, y0=y0, typical_speeds=(0.0, 0.0) if everywhere else _speeds(absolute, start),
    )  # fmt: skip


def _by_tree(absolute: Trace, start: Start, tree: Tree | None) -> tuple[Trace, TreeOutputs | None]:
    """The equations in the coordinates of a tree and what is behind it; without one as they are."""
    if tree is None:
        return absolute, None
    trace = Trace(absolute.mechanism, own_rows=absolute.own_rows, tree=tree)
    trace = put_friction(trace) if trace.sliding else trace
    return trace, TreeOutputs(absolute, trace, start)


def _functions(trace: Trace, solution: Solution, walls: EventWalls | None,
               reported: Sequence[Scalar]) -> dict[str, Sequence[Scalar]]:  # fmt: skip
    """What is compiled, by name."""
    events = [c for c in trace.contacts if c.index is not None]
    functions: dict[str, Sequence[Scalar]] = {
        "rhs": [*trace.equations.rates, *solution.accelerations, *trace.states.rates],
        "gaps": [x for c in events for x in (c.depth, c.rate, c.normal)],
        "project": solution.projection(),
        "channels": reported,
    }
    if walls is not None:
        functions |= {"gaps": walls.gaps(), "project": walls.projection(), "delassus": walls.delassus_matrix(),
                      "velocity_jump": walls.velocity_jump()}
        if walls.sticking and walls.rows_per_contact > 2:
            functions["row_accelerations"] = walls.row_accelerations
    return functions


def _speeds(absolute: Trace, start: Start) -> tuple[float, float]:
    units = [x for b in absolute.moving for x in b.velocity_units]
    largest = [max((abs(x) for x, u in zip(start.v, units, strict=True) if u == unit), default=0.0)
               for unit in ("m/s", "rad/s")]  # fmt: skip
    return float(largest[0]), float(largest[1])


def _room(trace: Trace, module: Module) -> np.ndarray:
    """The parameters, with room behind them for what `prepare` derives from them."""
    p = np.zeros(len(trace.parameters) + module.prepared + 1)
    p[: len(trace.parameters)] = trace.parameters.values
    return p


def _compile(module: Module, backend: Backend, p: np.ndarray) -> tuple[dict[str, int], Callable[..., None], Any]:
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
