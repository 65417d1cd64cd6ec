"""A guarded call is made only where every guard is positive; elsewhere it is zero."""

import math

import pytest
from back_ends import Point, python_opaque, run_llvm, run_python

from gudgeon.compile.graph import Graph, Module
from gudgeon.compile.native.scalar import opaque

GUARDS = [
    (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-0.0, 1.0),
    (5e-324, 1.0), (math.inf, 1.0), (math.nan, 1.0), (1.0, math.nan), (1.0, -math.inf),
]  # fmt: skip


class Spy:
    """An opaque function that notes its calls."""

    def __init__(self):
        self.calls = []
        self.opaque = python_opaque(self.note, 1)

    def note(self, x):
        self.calls.append(x)
        return 7.0 + x


def guarded(function, count):
    graph = Graph()
    guards = graph.inputs("y", count)
    return Module(graph, {"f": [graph.call(function, [graph.input("t")], guards=guards)]}, 0)


@pytest.mark.parametrize("back_end", [run_python, run_llvm])
@pytest.mark.parametrize("guards", GUARDS)
def test_the_call_is_made_where_all_guards_are_positive(back_end, guards):
    spy = Spy()
    result = back_end(guarded(spy.opaque, 2), Point(t=3.0, y=guards))[0]
    if all(g > 0.0 for g in guards):
        assert (spy.calls, result) == ([3.0], 10.0)
    else:
        assert (spy.calls, result) == ([], 0.0)


@pytest.mark.parametrize("back_end", [run_python, run_llvm])
def test_without_guards_the_call_is_always_made(back_end):
    spy = Spy()
    assert back_end(guarded(spy.opaque, 0), Point(t=-1.0))[0] == 6.0
    assert spy.calls == [-1.0]


@pytest.mark.parametrize("back_end", [run_python, run_llvm])
def test_a_shared_call_is_made_once(back_end):
    spy = Spy()
    graph = Graph()
    t, x = graph.input("t"), graph.input("y")
    call = graph.call(spy.opaque, [t], guards=[x])
    again = graph.call(spy.opaque, [t], guards=[x])
    module = Module(graph, {"f": [call * x, again + x, again]}, 0)
    assert back_end(module, Point(t=1.0, y=(2.0,))).tolist() == [16.0, 10.0, 8.0]
    assert spy.calls == [1.0]


@pytest.mark.parametrize("back_end", [run_python, run_llvm])
def test_a_guarded_call_may_guard_another(back_end):
    outer, inner = Spy(), Spy()
    graph = Graph()
    t, x = graph.input("t"), graph.input("y")
    first = graph.call(inner.opaque, [t], guards=[x])
    module = Module(graph, {"f": [graph.call(outer.opaque, [first], guards=[first])]}, 0)
    assert back_end(module, Point(t=1.0, y=(-1.0,)))[0] == 0.0
    assert (inner.calls, outer.calls) == ([], [])
    assert back_end(module, Point(t=1.0, y=(1.0,)))[0] == 15.0
    assert (inner.calls, outer.calls) == ([1.0], [8.0])


def branching_law(depth, rate, p):
    if rate > 0.0:
        return p[0] * depth
    return p[1] * math.sqrt(depth)


def test_a_compiled_law_runs_behind_its_guard_and_reads_its_block():
    graph = Graph()
    depth, rate = graph.inputs("y", 2)
    force = graph.call(opaque(branching_law, 2), [depth, rate], block=1, guards=[depth])
    module = Module(graph, {"f": [force]}, 3)
    for y, expected in (((4.0, 1.0), 40.0), ((4.0, -1.0), 6.0), ((-4.0, 1.0), 0.0), ((-4.0, -1.0), 0.0)):
        point = Point(y=y, p=(0.0, 10.0, 3.0))
        assert run_llvm(module, point)[0] == run_python(module, point)[0] == expected
