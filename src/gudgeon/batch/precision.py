"""How many digits trajectories have, and which part of their equations has them.

A gap is a small difference of large numbers: 1 um of 0.2 m is 18 bits down, and single precision has 24. Time loses its
digits in the same way: steps of 1e-9 s after 0.1 s are 27 bits down. So what single precision can do is the part in
which nothing nearly cancels:

    clock, states, the step's sum       double
    kinematics: what laws are asked     double    sine and cosine, places, gaps, their rates, slip
    laws, equations, slopes             single    forces, mass matrix, elimination, accelerations

An acceleration is then wrong by some 1e-7 of itself, which matters as little as it accelerates. Peak forces of three
mechanisms have the error of double precision down to a tolerance of 1e-9; at 1e-11 steps are refused for rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from gudgeon.batch import trajectory
from gudgeon.compile.graph.llvm import Emitter
from gudgeon.compile.graph.module import Function, Instruction
from gudgeon.compile.python.arithmetic import converted
from gudgeon.compile.python.source import plain
from gudgeon.compile.python.values import DOUBLE, FLOAT
from gudgeon.methods import contract
from gudgeon.methods.march import events
from gudgeon.methods.march.events import TIME_TOLERANCE

__all__ = [
    "BARE",
    "DOUBLE_PRECISION",
    "FEWER_DIGITS",
    "PRECISIONS",
    "SINGLE",
    "SLOPES",
    "Mixed",
    "Precision",
    "error_norm",
    "narrow",
    "wide",
]

LEAVES = ("constant", "input")
PLAIN = ("add", "subtract", "multiply", "divide", "reciprocal", "negate", "call")
ROUGH, ROUNDS = 2.0**-24, 3  # of the way of a step
SMALLEST = 1e-30  # constants below have no place in single precision, where their squares vanish


@dataclass(frozen=True)
class Precision:
    """narrow: arrays of a march that hold single numbers; kinematics: whether what laws are asked is in double."""

    name: str
    narrow: frozenset[str] = frozenset()
    kinematics: bool = True
    tightest: float = 1e-14  # relative tolerance below which there is nothing to gain

    def kind(self, array: str) -> str:
        return "single" if array in self.narrow else "real"


_SMALL = frozenset(("gap", "gap_new", "gap_within", "fix", "m", "control"))
DOUBLE_PRECISION = Precision("double")
SINGLE = Precision("single", _SMALL, tightest=1e-9)
# two that are no choice, for benchmarks/single.py: slopes kept with few digits, and all but the clock
SLOPES = Precision("slopes", _SMALL | {"k"}, tightest=1e-6)
BARE = Precision("bare", _SMALL | {"k", "y", "new", "out"}, kinematics=False, tightest=1e-6)
PRECISIONS = {precision.name: precision for precision in (DOUBLE_PRECISION, SINGLE)}


def pruned(function: Function) -> Function:
    """Without what its outputs do not need."""
    needed = set(function.outputs)
    for i in reversed(function.code):
        if i.result in needed:
            needed.update(i.args)
    return Function(function.name, tuple(i for i in function.code if i.result in needed), function.outputs)


def wide(function: Function, exact: int = 0) -> frozenset[int]:
    """Nodes to be computed in double: all that a law, a root or a circle function is asked, down to the states.

    Laws themselves are not: what they give is a force. The norm of a vector is kept from zero by a constant of 1e-300,
    so that whatever is divided by it has to be in double as well.
    """
    live = function.code
    tiny = {i.result for i in live if i.op == "constant" and 0.0 < abs(i.data) < SMALLEST}
    found = {a for i in live if i.op not in (*LEAVES, *PLAIN) or i.op == "call" for a in i.args}
    found |= {i.result for i in live if tiny.intersection(i.args)} | set(function.outputs[:exact])
    for i in reversed(live):
        if i.result in found and not _is_law(i):
            found.update(i.args)
    inverse: set[int] = set()
    for i in live:
        if i.op not in (*LEAVES, *PLAIN):
            found.add(i.result)
        elif i.op == "reciprocal" and i.args[0] in found:
            found.add(i.result)
            inverse.add(i.result)
        elif (i.op == "divide" and i.args[1] in found) or (i.op == "multiply" and inverse.intersection(i.args)):
            found.add(i.result)
    return frozenset(found - {i.result for i in live if _is_law(i)})


def _is_law(i: Instruction) -> bool:
    """A call behind guards; others, such as a search for the deepest place, belong to kinematics."""
    return i.op == "call" and i.data[2] > 0


class Mixed(Emitter):
    """Writes a function f(double t, y, p, m, out), its arrays of either precision, computed in both."""

    def __init__(self, unit: ir.Module, function: Function, flags: tuple[str, ...], narrow: set[str],
                 library: Callable[..., ir.Function], callee: Callable[[Any, ir.FunctionType], ir.Value], *,
                 kinematics: bool, exact: int = 0) -> None:  # fmt: skip
        held = {array: FLOAT if array in narrow else DOUBLE for array in self.arrays}
        self.signature = ir.FunctionType(ir.VoidType(), [DOUBLE, *(held[array].as_pointer() for array in self.arrays)])
        used = pruned(function)
        self.wide, self.kinematics = wide(used, exact) if kinematics else frozenset(), kinematics
        self.library = library
        super().__init__(unit, used, flags, library=library, callee=callee)

    def emit(self) -> None:
        self.run()
        for k, node in enumerate(self.function.outputs):
            place = self._element("out", k)
            self.builder.store(self._as(self.values[node], place.type.pointee), place)
        self.builder.ret_void()

    def type_of(self, node: int) -> ir.Type:
        return DOUBLE if node in self.wide else FLOAT

    def _as(self, value: ir.Value, wanted: ir.Type) -> ir.Value:
        return value if value.type == wanted else converted(self.builder, value, wanted)

    def _arguments(self, i: Instruction) -> list[ir.Value]:
        guards = i.data[2] if i.op == "call" else 0
        values, wanted = [self.values[a] for a in i.args], self.type_of(i.result)
        return [*values[:guards], *(self._as(value, wanted) for value in values[guards:])]

    def _value(self, i: Instruction) -> ir.Value:
        if i.op == "constant":
            # a leaf is converted where it is used
            small = not self.kinematics and 0.0 < abs(i.data) < SMALLEST
            return ir.Constant(DOUBLE, math.copysign(SMALLEST, i.data) if small else i.data)
        if i.op in (*LEAVES, *PLAIN, "sin", "cos"):
            return super()._value(i)
        args = self._arguments(i)
        return self.builder.call(self.library(i.op, args[0].type), args)


def narrow(x: float) -> float:
    """x with the digits of single precision; in Python as it is."""
    return x


def error_norm(defect: Any, y: Any, new: Any, atol: Any, rtol: float, controlled: int) -> float:
    """As `methods.contract.error_norm`: what is compared with 1 needs no digits of double precision."""
    total = narrow(defect[0] * 0.0)
    for i in range(controlled):
        scaled = narrow(defect[i]) / narrow(atol[i] + rtol * max(abs(y[i]), abs(new[i])))
        total += scaled * scaled
    return math.sqrt(total / controlled)


def roughness(w: Any, h: float) -> float:
    """What few digits leave open of a place at the end of a step [m]."""
    return ROUGH * h * w.speed


def found(w: Any, depth: float, rate: float, bracket: float, limit: float, rounds: int) -> bool:
    """As in `trajectory`; after three rounds of Newton's method no closer than the end of a step is known."""
    open_ = roughness(w, limit) if rounds >= ROUNDS else 0.0
    return abs(depth) <= TIME_TOLERANCE * abs(rate) + open_ or bracket <= 1e-15 * limit


def close_to_zero(w: Any, rate: float) -> float:
    """As in `methods.events`."""
    return TIME_TOLERANCE * abs(rate) + roughness(w, w.h)


# what takes the place of functions of the march where slopes have few digits
FEWER_DIGITS = {
    plain(contract.error_norm): error_norm, plain(events.close_to_zero): close_to_zero, trajectory.found: found,
}  # fmt: skip
