"""The time loop of an explicit method compiled for one mechanism: its equations, its laws and the loop as one function.

The loop that all mechanisms share calls their functions by address, and keeps its numbers in memory. Here they are
known when the loop is compiled, so that states and slopes stay in registers: a step takes two thirds of the time. It
costs some tenths of a second for each new structure of a mechanism, none for other numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from llvmlite import ir

from gudgeon.assemble import System
from gudgeon.batch.trajectory import end_of_step, going, next_step, start, trajectory, watch
from gudgeon.compile.python import target
from gudgeon.compile.python.reader import Reader
from gudgeon.compile.python.source import plain
from gudgeon.compile.python.unit import Unit
from gudgeon.compile.python.values import DOUBLE, LONG, Array, Bundle, Number
from gudgeon.methods.contract import CONTROL_SIZE, CONTROLLED, Method
from gudgeon.methods.explicit.dop853 import Dop853
from gudgeon.methods.explicit.dopri5 import Dopri5, restart
from gudgeon.methods.march import memory as W
from gudgeon.methods.march.driver import TAPE_ROWS
from gudgeon.methods.march.loop import begin, ready
from gudgeon.methods.march.memory import BUDGET, REJECTED, STEPS, T_END, T
from gudgeon.methods.march.own import TOO_MANY, enter
from gudgeon.quantity import GudgeonError

__all__ = ["Whole", "whole"]

NAME = "march"
EVENT_ROWS = 4096
# arrays of `methods.work.Work` that outlast a visit, as `methods.own` hands them over; those up to `peak` are held in
# variables meanwhile
HELD = ("clock", "count", "y", "m", "k", "control", "atol", "gap", "peak")
OUTSIDE = ("p", "tape", "events")
METHODS: tuple[type[Method], ...] = (Dopri5, Dop853)
LARGEST, MOST_CONTACTS = 3000, 4  # operations of the equations, contacts: beyond, compiling takes too long


def _nothing(w: Any) -> int:
    """A march that was prepared before."""
    return 0


def _start(w: Any) -> int:
    """What precedes the first step, where none was made yet."""
    if w.count[STEPS] + w.count[REJECTED] == 0:
        begin(restart, w)
    return 0


def _unseen(interpolate: Any, w: Any, h: float) -> int:
    """Rows are recorded, no channels watched."""
    return 0


def _until_the_end(w: Any, turns: int) -> bool:
    return w.clock[T] < w.clock[T_END]


def _ready(w: Any, tries: int, most: int) -> int:
    return ready(w, most)


def loop(w: Any) -> int:
    """As `methods.march.loop`, with one place where a step is done."""
    return trajectory(w, 0, w.count[STEPS] + w.count[REJECTED] + w.count[BUDGET])


INSTEAD = {start: _start, going: _until_the_end, next_step: _ready, end_of_step: _nothing, watch: _unseen}


def _sizes(system: System, method: Method) -> dict[str, tuple[int, ...]]:
    states, contacts = system.states, max(1, system.events)
    gaps = max(1, W.STRIDE * system.events)
    return {
        "clock": (W.CLOCK_SIZE,), "count": (W.COUNT_SIZE,), "y": (states,), "m": (system.memory,),
        "k": (method.work_rows(states), states),
        "control": (CONTROL_SIZE,), "atol": (states,), "gap": (gaps,), "peak": (contacts, W.PEAK_SIZE),
        "p": (len(system.p),), "tape": (TAPE_ROWS, 1 + states + system.memory),
        "events": (EVENT_ROWS, W.E_SIZE + states + system.memory),
    }  # fmt: skip


def code(system: System, method: Method) -> str:
    """The loop of this mechanism as LLVM code: march(pointers to HELD and OUTSIDE) gives the status."""
    # the steps of the loop are those of dopri5; another method puts its own in their place
    own = zip(map(plain, Dopri5().functions()), map(plain, method.functions()), strict=True)
    unit = Unit(instead={**INSTEAD, **dict(own)})
    names = (*HELD, *OUTSIDE)
    pointers = [LONG.as_pointer() if name == "count" else DOUBLE.as_pointer() for name in names]
    function = ir.Function(unit.module, ir.FunctionType(LONG, pointers), NAME)
    for argument in function.args:
        argument.add_attribute("noalias")
    reader = Reader(unit, function, {})
    given = dict(zip(names, function.args, strict=True))
    w = _work(system, method, reader, unit, given)
    for name in HELD:
        _move(reader, getattr(w, name), given[name], back=False)
    status = reader.inline(loop, {"w": w})
    for name in HELD:
        _move(reader, getattr(w, name), given[name], back=True)
    reader.builder.ret(reader.builder.sext(status.value, LONG))
    reader.finish()
    return str(unit.module)


def _work(system: System, method: Method, reader: Reader, unit: Unit, given: dict[str, ir.Value]) -> Any:
    sizes, states, functions = _sizes(system, method), system.states, system.module.functions
    counts = {
        W.POSITIONS: system.positions, W.VELOCITIES: system.velocities, W.ROWS: system.rows, W.CONTACTS: system.events,
        W.FIXED: int(system.projected),
    }  # fmt: skip
    fixed: dict[str, dict[int, Any]] = {"count": counts, "control": {CONTROLLED: float(system.controlled)}}
    held = {name: reader.array("int" if name == "count" else "real", *sizes[name], fixed=fixed.get(name))
            for name in HELD}  # fmt: skip
    gaps = sizes["gap"][0]
    fix = system.positions + system.velocities + 2 * system.rows
    return Bundle(
        **held, **{name: Array("real", given[name], sizes[name]) for name in OUTSIDE},
        address=Array("int", None, (5,), {W.RHS: unit.system(functions["rhs"], "rhs"),
                                          W.GAPS: unit.system(functions["gaps"], "gaps"),
                                          W.PROJECT: unit.system(functions["project"], "project")}),
        new=reader.array("real", states), out=reader.array("real", states),
        gap_new=reader.array("real", gaps), gap_within=reader.array("real", gaps),
        fix=reader.array("real", max(1, fix)), jump=Array("real", None, (1,)),
        bristle=Array("int", None, (2 * max(1, system.events),), dict(enumerate(int(x) for x in system.bristles))),
    )  # fmt: skip


def _move(reader: Reader, array: Array, outside: ir.Value, *, back: bool) -> None:
    """Numbers of an array in or out, one by one, so that the array can live in registers."""
    b, width = reader.builder, array.shape[-1]
    for k in range(width * (array.shape[0] if len(array.shape) == 2 else 1)):
        index = (k,) if len(array.shape) == 1 else divmod(k, width)
        place = b.gep(outside, [LONG(k)])
        if k in array.fixed:
            continue
        if back:
            value = reader.load(array, index).value
            b.store(b.sext(value, LONG) if array.kind == "int" else value, place)
        else:
            value = b.load(place)
            value = b.trunc(value, ir.IntType(32)) if array.kind == "int" else value
            reader.store(array, index, Number(array.kind, value))


class Whole:
    """The compiled loop; called with the arrays of a march it goes on as `method.march()` does."""

    def __init__(self, system: System, method: Method) -> None:
        self._address, self._kept = target.host(code(system, method), NAME)
        self._shared: Callable[[W.Work], int] = method.march()

    def __call__(self, w: W.Work) -> int:
        status = int(enter(self._address, w))
        return self._shared(w) if status == TOO_MANY else status


_made: dict[tuple[Any, ...], Whole] = {}
_known: WeakKeyDictionary[Any, dict[type[Method], Whole]] = WeakKeyDictionary()  # comparing code takes its time


def whole(system: System, method: Method) -> Whole:
    """The loop of this mechanism, made once for all with the same equations; refused where it cannot be made."""
    size, advice = system.module.functions["rhs"].size, 'leave loop="own" out'
    if type(method) not in METHODS:
        raise GudgeonError(f'loop "own" marches by dopri5 or dop853, not by {method.title}; {advice}')
    if system.events > MOST_CONTACTS or size > LARGEST:
        raise GudgeonError(
            f'loop "own": "{system.mechanism.name}" has {system.events} contacts and {size} operations, which would be '
            f"compiled for long; up to {MOST_CONTACTS} and {LARGEST} are possible, {advice}"
        )
    known = _known.setdefault(system.module, {})
    if type(method) not in known:
        key = (type(method), *system.module.key)
        if key not in _made:
            _made[key] = Whole(system, method)
        known[type(method)] = _made[key]
    return known[type(method)]
