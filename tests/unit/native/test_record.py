"""Records: what Python writes compiled code reads and the reverse, in every way a record gets into a kernel."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest

from gudgeon.compile.native.kernel import compile_kernels, evaluate, kernel, record_at
from gudgeon.compile.native.record import Floats, Integers, Matrix, Record, Table
from gudgeon.quantity import GudgeonError


class Instant(Record):
    t: float
    y: Floats


class March(Record):
    t: float
    steps: int
    y: Floats
    bristle: Integers
    k: Matrix
    place: Table
    inner: Instant
    method: int


class Longer(March):
    rate: float
    spare: Floats


def march(**fields):
    arrays = {"y": np.arange(3.0), "bristle": np.arange(4), "k": np.arange(6.0).reshape(2, 3),
              "place": np.arange(6).reshape(3, 2), "inner": Instant(t=0.5, y=np.full(2, 7.0))}  # fmt: skip
    return March(**(arrays | fields))


# -- in Python ------------------------------------------------------------------------------------------------


def test_layout_is_what_lies_in_memory():
    w = march(t=1.5, steps=-3)
    offsets = {name: place.offset for name, place in March.layout.items()}
    assert offsets == {"t": 0, "steps": 8, "y": 16, "bristle": 32, "k": 48, "place": 72, "inner": 96, "method": 104}
    assert March.nbytes == 112
    assert [place.kind for place in March.layout.values()] == [
        "float", "integer", "floats", "integers", "matrix", "table", "record", "integer"]  # fmt: skip
    assert March.layout["inner"].record is Instant
    slots = (ctypes.c_int64 * 14).from_address(w.address)
    assert ctypes.c_double.from_address(w.address).value == 1.5
    assert list(slots)[1:] == [-3, w.y.ctypes.data, 3, w.bristle.ctypes.data, 4, w.k.ctypes.data, 2, 3,
                               w.place.ctypes.data, 3, 2, w.inner.address, 0]  # fmt: skip


def test_numbers_begin_at_zero_and_arrays_empty():
    w = March()
    assert (w.t, w.steps, w.inner) == (0.0, 0, None)
    assert w.y.shape == (0,) and w.k.shape == (0, 0) and w.place.dtype == np.int64
    assert type(w.t) is float and type(w.steps) is int


def test_arrays_are_the_very_objects_and_are_kept():
    y = np.zeros(3)
    w = March(y=y)
    assert w.y is y
    w.y = np.full(1000, 4.0)  # nobody else has it
    w.inner = Instant(t=3.0)
    gc.collect()
    assert ctypes.c_double.from_address(w.y.ctypes.data + 999 * 8).value == 4.0
    assert w.inner.t == 3.0
    w.inner = None
    assert ctypes.c_int64.from_address(w.address + March.layout["inner"].offset).value == 0


def test_numbers_of_numpy_are_numbers():
    w = March(t=np.float64(2.0), steps=np.int64(2**62))
    assert (w.t, w.steps) == (2.0, 2**62)
    w.t = 3
    assert w.t == 3.0


def test_one_record_continues_another():
    assert list(Longer.layout)[: len(March.layout)] == list(March.layout)
    assert Longer.layout["rate"].offset == March.nbytes
    w = Longer(t=1.0, rate=2.0, spare=np.ones(2))
    assert (w.t, w.rate, w.spare.tolist()) == (1.0, 2.0, [1.0, 1.0])
    assert "rate" not in March.layout and repr(Instant(t=1.0)) == "Instant(t=1.0, y=array(0,))"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"step": 1}, "March has no field 'step'; 'steps'?"),
        ({"qqq": 1}, "it has t, steps, y"),
        ({"t": "late"}, "t is a number, not 'late'"),
        ({"steps": 1.5}, "steps is an integer of 64 bits, not 1.5"),
        ({"steps": 2**63}, "integer of 64 bits"),
        ({"y": [1.0]}, r"y is an array of float64 with 1 axis, not \[1.0\]"),
        ({"y": np.arange(3)}, "y is an array of float64 with 1 axis, not one of int64 with 1"),
        ({"y": np.zeros((2, 2))}, "not one of float64 with 2"),
        ({"y": np.zeros(4, ">f8")}, "not one of >f8"),
        ({"y": np.zeros(4)[::2]}, "without gaps"),
        ({"k": np.zeros((2, 3)).T}, "k is an array of float64 with 2 axes that lies row by row"),
        ({"place": np.broadcast_to(np.int64(0), (1, 1))}, "can be written"),
        ({"inner": 3}, "inner is a record Instant, not 3"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(fields, message):
    with pytest.raises(GudgeonError, match=message):
        March(**fields)
    w = March()
    for name in set(fields) & set(March.layout):
        with pytest.raises(GudgeonError, match=message):
            setattr(w, name, fields[name])


def test_a_field_that_is_not_there_cannot_be_assigned():
    with pytest.raises(AttributeError, match="step"):
        March().step = 3


def test_declarations_that_mean_nothing_are_refused():
    with pytest.raises(GudgeonError, match="field 'name' is declared as <class 'str'>"):
        type(Record)("Bad", (Record,), {"__annotations__": {"name": str}, "__module__": __name__})
    with pytest.raises(GudgeonError, match="'t' cannot be declared"):
        type(Record)("Bad", (Record,), {"__annotations__": {"t": float}, "t": 3.0, "__module__": __name__})
    with pytest.raises(GudgeonError, match="'address' cannot be declared"):
        type(Record)("Bad", (Record,), {"__annotations__": {"address": int}, "__module__": __name__})
    with pytest.raises(GudgeonError, match="'Nowhere' is not defined"):
        type(Record)("Bad", (Record,), {"__annotations__": {"x": "Nowhere"}, "__module__": __name__})
    with pytest.raises(GudgeonError, match="one other record at most"):
        type(Record)("Bad", (March, Instant), {"__module__": __name__})


# -- in kernels -----------------------------------------------------------------------------------------------


@kernel
def advance(w: March, h: float) -> float:
    w.t += h
    w.steps += 1
    w.steps = w.steps * 2
    for i in range(w.y.shape[0]):
        w.y[i] += h
    w.k[1, 2] = w.k.shape[0] * 10 + w.k.shape[1]
    w.bristle[3] = w.place[2, 1] + w.place.shape[1]
    w.inner.t = w.inner.y[1]
    return w.t


def test_kernels_and_python_see_the_same_memory():
    w = march(t=1.0, steps=4)
    assert advance(w, 0.25) == 1.25
    assert (w.t, w.steps, w.y.tolist()) == (1.25, 10, [0.25, 1.25, 2.25])
    assert w.k[1, 2] == 23.0 and w.bristle.tolist() == [0, 1, 2, 7]
    assert w.inner.t == 7.0
    w.y = np.zeros(1)  # another array: the next call takes it
    w.t = 5.0
    assert advance(w, 1.0) == 6.0 and w.y.tolist() == [1.0]


@kernel
def sizes(w: March) -> int:
    return w.y.shape[0] + w.k.shape[0] + w.k.shape[1] + w.place.shape[0] + len(w.bristle)


def test_arrays_never_given_have_no_entries():
    assert sizes(March()) == 0


@kernel
def doubled(w: March) -> float:
    w.steps += 1
    return 2.0 * w.t


@kernel
def total(w: March, y: Floats) -> float:
    found = doubled(w)
    for i in range(y.shape[0]):
        found += y[i]
    return found


@kernel
def twice(f: Any, w: March) -> float:
    return f(w, w.y) + f(w, w.k[1])


@kernel
def outer(w: March) -> float:
    return total(w, w.y) + total(w, w.inner.y) + twice(total, w)


def test_helpers_take_records_arrays_rows_and_functions():
    w = march(t=10.0)
    assert outer(w) == (20 + 3) + (20 + 14) + (20 + 3) + (20 + 12)
    assert w.steps == 4


@kernel
def everything(a: float, n: int, yes: bool, y: Floats, k: Matrix, b: Integers, p: Table) -> bool:
    y[0] = a + n
    k[1, 0] = 1.0 if yes else 2.0
    b[1] = p[1, 1] // 2
    return y.shape[0] > n


def test_every_type_comes_from_python():
    y, k, b, p = np.zeros(3), np.zeros((2, 2)), np.zeros(2, np.int64), np.array([[1, 2], [3, -5]])
    assert everything(0.5, 2, True, y, k, b, p) is True
    assert (y[0], k[1, 0], b[1]) == (2.5, 1.0, -3)
    assert everything(0.5, 3, False, y, k, b, p) is False and k[1, 0] == 2.0
    for wrong in ((0.5, 2, True, [1.0], k, b, p), (0.5, 2, True, y, k.T[:1], b, p), (0.5, 2, True, y, k, p, p), (0.5,)):
        with pytest.raises(TypeError):
            everything(*wrong)
    with pytest.raises(TypeError, match="a record March is expected"):
        advance(Instant(), 1.0)


@kernel
def call(w: March) -> None:
    evaluate(w.method, w.t, w.y, w.inner.y, w.inner.y, w.y)


def test_arrays_of_records_are_arguments_of_a_system():
    pointers = [ctypes.POINTER(ctypes.c_double)] * 4

    @ctypes.CFUNCTYPE(None, ctypes.c_double, *pointers)
    def system(t, y, p, m, out):
        out[0] = t + y[2] + p[0]

    w = march(t=1.0, method=ctypes.cast(system, ctypes.c_void_p).value)
    call(w)
    assert w.y[0] == 10.0


class Alpha(Record):
    beta: float
    history: Matrix


@kernel
def alpha(w: March, h: float) -> float:
    s = record_at(w.method, Alpha)
    s.beta += h
    s.history[0, 1] = w.t
    return s.beta


@kernel
def step(w: March, h: float) -> float:
    raise NotImplementedError


@kernel
def loop(w: March) -> float:
    last = 0.0
    for _ in range(3):
        last = step(w, 0.5)
    return last + record_at(w.method, Alpha).beta


def test_steps_of_methods_are_put_into_a_loop_and_find_their_own_record():
    s = Alpha(beta=1.0, history=np.zeros((1, 2)))
    w = march(t=4.0, method=s.address)
    (marches,) = compile_kernels([loop], {step: alpha})
    assert marches(w) == 5.0
    assert s.beta == 2.5 and s.history.tolist() == [[0.0, 4.0]]
    (advances,) = compile_kernels([loop], {step: advance})
    assert advances(w) == 5.5 + 2.5  # another method in the same loop


@kernel
def exchange(w: March) -> None:
    w.y = w.inner.y


@kernel
def refer(w: March) -> None:
    w.inner = w.inner


@kernel
def misspelt(w: March) -> float:
    return w.step


@kernel
def fruitless(w: March) -> int:
    return w.t


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (exchange, "w.y cannot be changed"),
        (refer, "w.inner cannot be changed"),
        (misspelt, "March has no field step"),
        (fruitless, "it does not give <class .int.>"),
        (step, "raise is not arithmetic"),
    ],
)
def test_what_kernels_cannot_do_is_refused_with_its_line(function, message):
    line = function.py_func.__code__.co_firstlineno
    with pytest.raises(GudgeonError, match=f"{function.__name__} .*test_record.py:({line}|{line + 2}).*{message}"):
        function.address  # noqa: B018


# -- between processes ----------------------------------------------------------------------------------------

MODULE = """
import numpy as np
from gudgeon.compile.native.kernel import kernel, record_at
from gudgeon.compile.native.record import Floats, Record
from gudgeon.compile.python import target

class Part(Record):
    y: Floats

class Whole(Record):
    t: float
    part: Part
    own: int

@kernel
def first(w: Whole) -> float:
    w.t += w.part.y[0] + record_at(w.own, Part).y[1]
    return w.t

made, make = [], target.object_code
target.object_code = lambda text, **options: made.append(text) or make(text, **options)
part = Part(y=np.array([1.0, 2.0]))
w = Whole(t=3.0, part=part, own=part.address)
print(first(w), len(made))
"""


def run(text, place, **environment):
    result = subprocess.run([sys.executable, "-c", text], cwd=place, env=os.environ | environment, text=True,
                            capture_output=True)  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def test_what_one_process_compiles_another_finds(tmp_path):
    (tmp_path / "kept_records.py").write_text(textwrap.dedent(MODULE), encoding="utf-8")
    runs = [run("import kept_records", tmp_path, GUDGEON_CACHE=str(tmp_path / "kept")) for _ in range(2)]
    assert runs == [["6.0", "1"], ["6.0", "0"]]
    changed = textwrap.dedent(MODULE).replace("    part: Part\n    own: int\n", "    own: int\n    part: Part\n")
    (tmp_path / "kept_records.py").write_text(changed, encoding="utf-8")
    assert run("import kept_records", tmp_path, GUDGEON_CACHE=str(tmp_path / "kept")) == ["6.0", "1"]


def test_declaring_and_filling_records_does_not_load_the_compiler(tmp_path):
    text = """
        import sys
        import numpy as np
        from gudgeon.compile.native.record import Floats, Record
        class Part(Record):
            t: float
            y: Floats
        w = Part(t=1.0, y=np.zeros(2))
        print(w.t, "llvmlite" in sys.modules)
        """
    assert run(textwrap.dedent(text), tmp_path) == ["1.0", "False"]
