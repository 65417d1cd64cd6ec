"""Derivatives along a direction, as one more function of a mechanism.

`slopes(t, y, p, m, out)`: behind the states, y has the rates at which these and then the inputs change; `out` gets the
rates of the slopes of the states, of the channels that are reported, and of the depths of the contacts. They are
formulas of the same graph, differentiated through the solution for the accelerations, and exact.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gudgeon.assemble import System
from gudgeon.compile.graph import Direction, Module, Scalar, llvm
from gudgeon.compile.graph.llvm import call_address
from gudgeon.compile.graph.module import PREPARE
from gudgeon.methods.march.memory import GAP_COLUMNS

__all__ = ["SLOPES", "with_slopes"]

SLOPES = "slopes"
LARGEST = 60_000  # operations of a function of slopes; larger ones would take minutes to compile


def with_slopes(system: System, inputs: Sequence[int], starts: Sequence[float],
                channels: Sequence[int]) -> System:  # fmt: skip
    """The system with parameters of its own, in which the inputs, by their places in p, have these starts; it reports
    the channels with these numbers, and has the function of slopes where its laws can be differentiated."""
    module, graph = system.module, system.module.graph
    functions: dict[str, Sequence[Scalar]] = {
        name: [graph.nodes[k] for k in function.outputs]
        for name, function in module.functions.items()
        if name != PREPARE
    }
    functions["channels"] = [functions["channels"][k] for k in channels]
    depths = functions["gaps"][::GAP_COLUMNS]
    wanted = [*functions["rhs"], *functions["channels"], *depths]
    n = system.states
    seeds = [(graph.input("y", k), graph.input("y", n + k)) for k in range(n)]
    seeds += [(graph.input("p", k), graph.input("y", 2 * n + i)) for i, k in enumerate(inputs)]
    along = Direction(graph, seeds)
    with contextlib.suppress(TypeError):  # of a law that gives no derivative
        functions[SLOPES] = [along(x) for x in wanted]
    made = Module(graph, functions, module.parameters)
    if SLOPES in functions and made.functions[SLOPES].size > LARGEST:
        del functions[SLOPES]
        made = Module(graph, functions, module.parameters)
    p = np.zeros(module.parameters + made.prepared + 1)
    p[: module.parameters] = system.p[: module.parameters]
    p[list(inputs)] = starts
    addresses = llvm.compile_module(made)
    call_address(addresses[PREPARE], 0.0, np.zeros(1), p, np.zeros(1), p[module.parameters :])
    operations = {name: f.size for name, f in made.functions.items()}
    reported = [system.report.channels[k] for k in channels]
    return replace(system, code=replace(system.code, addresses=addresses, p=p, operations=operations, module=made),
                   report=replace(system.report, channels=reported))  # fmt: skip
