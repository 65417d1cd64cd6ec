"""The formulations "absolute" and "tree": equations solved for the accelerations, in straight-line code.

In "absolute" every body has its own coordinates and joints are constraints. In "tree" a body has the coordinates of the
joint that carries it; what a run reports then comes from the same mechanism in absolute coordinates (tree.outputs).
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gudgeon.assemble.contact.events import EventWalls
from gudgeon.assemble.contact.joint_friction import MOST, LoadEquations, check_unique, closed, pressing, put_friction
from gudgeon.assemble.contact.refusals import contact_refusals
from gudgeon.assemble.needs import Needs, Refusal
from gudgeon.assemble.report.channels import channels, ledger
from gudgeon.assemble.report.redundancy import redundancy_of
from gudgeon.assemble.solve.equations import Solution
from gudgeon.assemble.solve.jacobian import jacobian
from gudgeon.assemble.solve.reduce import FunctionSet, Grounds, reduced
from gudgeon.assemble.solve.start import Kinematics, Start, find_start, start_rows, state_units, with_short_rows
from gudgeon.assemble.structure import (
    Compiled,
    Structure,
    StructureFormulas,
    Traced,
    TracedBodies,
    fill,
    late_numbers,
    motion_of,
)
from gudgeon.assemble.system import AssemblyOptions, Backend, Formulated, StateLayout
from gudgeon.assemble.trace.trace import Trace
from gudgeon.assemble.tree.equations import in_time
from gudgeon.assemble.tree.outputs import TreeOutputs, numbers
from gudgeon.assemble.tree.tree import Tree, grow
from gudgeon.compile.graph import Module, Scalar, llvm, python
from gudgeon.compile.graph.llvm import CALLBACK, call_address
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError

# Operations of the slopes times the number of states, beyond which no formula of the Jacobian is compiled and a
# method takes differences. Of spatial mechanisms with 54 to 81 states and films the formula took 40 to 170 s to compile
# where the slopes take 2 to 4 s; it has a sixth of the operations of differences, which take less time than the
# factorisation.
MOST_FOR_JACOBIAN = 100_000


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
    return _assembled(mechanism, needs, options, None)


def assemble_tree(mechanism: Mechanism, needs: Needs, options: AssemblyOptions) -> Formulated:
    """Every body by the coordinates of the joint that carries it."""
    return _assembled(mechanism, needs, options, grow(mechanism))


def _assembled(mechanism: Mechanism, needs: Needs, options: AssemblyOptions, tree: Tree | None) -> Formulated:
    """Trace, find a start, solve for the accelerations and compile."""
    tried: dict[bool, TracedBodies] = {}

    def find(own_rows: bool) -> tuple[Start, Trace]:
        traced = Traced.by(lambda graph: Trace(mechanism, contact=needs.contact, own_rows=own_rows, graph=graph))
        # constraints, their rates and gradients come first in the code, since the start asks for them
        tried[own_rows] = TracedBodies(traced, *start_rows(traced.trace))
        return find_start(mechanism, tried[own_rows].own, tried[own_rows].twin, options.size), traced.trace

    start, absolute = with_short_rows(mechanism, find)
    if absolute.sliding:
        jacobian_rows = Kinematics(absolute).rows(start.q, start.v)[2]
        check_unique(absolute, jacobian_rows, start.redundant, numbers(absolute, start.q, start.v))
        absolute = put_friction(absolute)
    of_tree, trace, outputs = None, absolute, None
    if tree is not None:
        of_tree = Traced.by(lambda graph: Trace(mechanism, own_rows=absolute.own_rows, tree=tree, graph=graph))
        trace = put_friction(of_tree.trace) if of_tree.trace.sliding else of_tree.trace
        outputs = TreeOutputs(absolute, trace, start)
    redundancy = redundancy_of(absolute, start, options.size)
    formulas, grounds = _formulas(absolute, trace, outputs, start, needs, options)
    made = fill(formulas, absolute, trace, outputs, start, redundancy, options.size, formulas.layout.reduction)
    known = late_numbers(absolute, options.size).keys()
    if absolute.sliding or options.backend != "llvm" or not known >= set(formulas.late):
        return made  # friction of ideal joints and what links with modes report depend on numbers in more ways
    structure = Structure(
        needs=needs, tried=tried, tree=of_tree, start=start, formulas=formulas, grounds=grounds,
        tree_redundant=[] if outputs is None else outputs.redundant(options.size),
        signs=[] if outputs is None else outputs.signs(), outputs=outputs,
    )  # fmt: skip
    return replace(made, structure=structure)


def _formulas(absolute: Trace, trace: Trace, outputs: TreeOutputs | None, start: Start, needs: Needs,
              options: AssemblyOptions) -> tuple[StructureFormulas, Grounds | None]:  # fmt: skip
    """Solve for the accelerations and compile."""
    size, late = options.size, len(absolute.parameters)
    redundant = start.redundant if outputs is None else outputs.redundant(size)
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
    reported = channels(trace, solution, size) if outputs is None else outputs.channels(solution, size)
    functions = _functions(trace, solution, walls, list(reported.values()))
    slopes = Module(trace.graph, {"rhs": functions["rhs"]}, len(trace.parameters)) if needs.jacobian else None
    short = slopes is not None and slopes.functions["rhs"].size * trace.states.controlled <= MOST_FOR_JACOBIAN
    formula = slopes is not None and (needs.formula or short)
    if formula:
        functions["jacobian"] = jacobian(solution, trace.states, loads)
    functions = in_time(trace, functions if loads is None else closed(functions, loads))
    now = FunctionSet(trace.graph, functions, motion_of(start, outputs), trace.contacts, state_units(trace))
    coordinates, grounds = len(start.q if outputs is None else outputs.start()[0]), None
    names = tuple(absolute.parameters.names[late:])
    if options.reduce and not needs.delassus and not formula:
        now, grounds = reduced(trace, now, size)
    coordinates = now.positions(coordinates)
    module = Module(now.graph, now.functions, len(trace.parameters))
    layout = StateLayout(
        positions=coordinates, velocities=len(now.units) - coordinates,
        controlled=trace.states.controlled - now.left_out,
        rows=len(solution.values), events=trace.events, units=now.units, internal=trace.states.names,
        integrals=list(trace.states.integrals), reduction=now.reduction,
    )  # fmt: skip
    return StructureFormulas(
        module=module, operations={name: f.size for name, f in module.functions.items()},
        compiled=_compiled(module, options.backend), layout=layout, total=trace.states.total,
        names=trace.parameters.names, late=names, channels=list(reported), contacts=now.contacts,
        frictions=now.places_of(trace.frictions),
        constraint_names=[c.name for c in absolute.equations.constraints],
        redundant=[trace.equations.constraints[r].name for r in redundant],
    ), grounds  # fmt: skip


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


def _compiled(module: Module, backend: Backend) -> Callable[[np.ndarray], Compiled]:
    """What gives the functions by either back end for parameters p."""
    if backend == "llvm":
        addresses = llvm.compile_module(module)
        made = Compiled(addresses, lambda name, t, *arrays: call_address(addresses[name], t, *arrays))
        return lambda p: made
    if backend != "python":
        raise GudgeonError(f'backend "{backend}" is not known; choose "llvm" or "python"')
    # the same time loop, with Python functions behind the addresses
    functions = python.compile_module(module)

    def compiled(p: np.ndarray) -> Compiled:
        callbacks = {
            name: CALLBACK(_callback(function, p, len(module.functions[name].outputs)))
            for name, function in functions.items()
        }
        addresses = {name: ctypes.cast(c, ctypes.c_void_p).value or 0 for name, c in callbacks.items()}
        return Compiled(addresses, lambda name, t, *arrays: functions[name](t, *arrays), callbacks)

    return compiled


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
