"""Both back ends compute what the formula says: to rounding, and bit for bit where nothing is fused."""

import math

import numpy as np
import pytest
from back_ends import Point, python_opaque, run_llvm, run_python, symbols, value
from hypothesis import assume, given, settings
from random_formulas import OnNumbers, OnRounded, OnSymbols, Rounded, Unclear, formulas, points, run

from gudgeon.compile.graph import Graph, Module, grades, llvm, python
from gudgeon.compile.graph.functions import FUNCTIONS

LARGEST = 1e8


def traced(formula, point):
    graph = Graph()
    outputs = run(formula, symbols(graph, point), OnSymbols(point.p))
    return Module(graph, {"f": outputs}, len(point.p))


def expected(formula, point):
    """Values of a formula with bounds of their rounding error."""
    try:
        values = run(formula, [Rounded(x) for x in point.values], OnRounded(point.p))
    except (Unclear, OverflowError):
        assume(False)
    assume(all(abs(v.value) < LARGEST and v.error < 1e-3 for v in values))
    return np.array([v.value for v in values]), np.array([v.error for v in values])


@settings(max_examples=150, deadline=None, derandomize=True)
@given(formulas(), points())
def test_the_python_back_end_computes_the_formula(formula, point):
    values, errors = expected(formula, point)
    direct = run(formula, point.values, OnNumbers(point.p))
    found = run_python(traced(formula, point), point)
    assert (np.abs(np.array(direct) - values) <= errors).all()
    assert (np.abs(found - values) <= errors).all()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(formulas(), points())
def test_exact_machine_code_equals_python_bit_for_bit(formula, point):
    module = traced(formula, point)
    with np.errstate(all="ignore"):
        try:
            by_python = run_python(module, point)
        except (OverflowError, ValueError):  # functions of math refuse inf
            assume(False)
    assume(not np.isnan(by_python).any())  # the sign of a NaN is not arithmetic
    assert run_llvm(module, point, exact=True).tobytes() == by_python.tobytes()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(formulas(), points())
def test_fused_machine_code_agrees_to_rounding(formula, point):
    values, errors = expected(formula, point)
    found = run_llvm(traced(formula, point), point, exact=False)
    assert (np.abs(found - values) <= errors).all()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(formulas(), points())
def test_both_grades_of_machine_code_agree_bit_for_bit(formula, point):
    """Whoever keeps an address of the quick grade gets the fast one where it is, with the same results."""
    module = traced(formula, point)
    quick = run_llvm(module, point, exact=False)
    entries = llvm.compile_module(module).values()
    assume(grades.waits(entries))  # else an earlier formula had the same code
    grades.used(entries, 1e-9)
    assert grades.waits(entries)
    grades.used(entries, 100.0)
    assert not grades.waits(entries)
    assert run_llvm(module, point, exact=False).tobytes() == quick.tobytes()


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_of_machine_code_is_that_of_math(name):
    graph = Graph()
    module = Module(graph, {"f": [graph.apply(name, graph.input("y"))]}, 0)
    evaluate = getattr(math, name)
    for x in np.geomspace(1e-6, 300.0, 100).tolist():
        assert run_llvm(module, Point(y=(x,)))[0] == evaluate(x) == run_python(module, Point(y=(x,)))[0]


def test_inputs_come_from_their_arrays():
    graph = Graph()
    nodes = [graph.input("t"), graph.input("y", 2), graph.input("p", 1), graph.input("m", 1)]
    module = Module(graph, {"f": nodes}, 3)
    point = Point(t=1.0, y=(0.0, 0.0, 2.0), p=(0.0, 3.0, 0.0), m=(0.0, 4.0))
    assert run_python(module, point).tolist() == run_llvm(module, point).tolist() == [1.0, 2.0, 3.0, 4.0]


def test_an_output_may_be_a_constant_or_appear_twice():
    graph = Graph()
    x = graph.input("y")
    module = Module(graph, {"f": [graph.constant(2.5), x, x * x, x, graph.zero]}, 0)
    point = Point(y=(3.0,))
    assert run_python(module, point).tolist() == run_llvm(module, point).tolist() == [2.5, 3.0, 9.0, 3.0, 0.0]


def test_infinite_constants_are_computed_with():
    graph = Graph()
    x = graph.input("y")
    module = Module(graph, {"f": [x - math.inf, graph.constant(math.inf), -(x + math.inf)]}, 0)
    assert run_python(module, Point()).tolist() == [-math.inf, math.inf, -math.inf]
    assert run_llvm(module, Point()).tolist() == [-math.inf, math.inf, -math.inf]


def test_an_opaque_function_may_have_any_name():
    graph = Graph()
    law = python_opaque(lambda x: 2.0 * x, 1, name="Lankarani-Nikravesh (1990)")
    assert value(graph.call(law, [graph.input("y")]), Point(y=(1.5,))) == 3.0


def test_two_opaque_functions_of_one_name_are_kept_apart():
    graph = Graph()
    x = graph.input("y")
    double, triple = (python_opaque(f, 1, name="law") for f in (lambda x: 2.0 * x, lambda x: 3.0 * x))
    module = Module(graph, {"f": [graph.call(double, [x]), graph.call(triple, [x])]}, 0)
    point = Point(y=(1.0,))
    assert run_python(module, point).tolist() == run_llvm(module, point).tolist() == [2.0, 3.0]


def test_a_call_gets_its_arguments_in_order_and_its_parameters_by_pointer():
    def weighted(a, b, p):
        return a - b + 100.0 * p[0] + 1000.0 * p[1]

    graph = Graph()
    x, y = graph.inputs("y", 2)
    module = Module(graph, {"f": [graph.call(python_opaque(weighted, 2, block=True), [y, x], block=1)]}, 3)
    point = Point(y=(1.0, 5.0), p=(9.0, 2.0, 3.0))
    assert run_python(module, point).tolist() == run_llvm(module, point).tolist() == [3204.0]


def test_the_source_is_one_readable_line_for_each_operation():
    graph = Graph()
    x, a = graph.input("y"), graph.input("p")
    code = python.source(Module(graph, {"f": [x / a + 1.0]}, 0).functions["f"])
    assert code.splitlines()[0] == "def f(t, y, p, m, out):"
    assert "y[0]" in code
    assert "1.0" in code


def test_exactness_is_part_of_what_was_compiled():
    graph = Graph()
    x, y, z = graph.inputs("y", 3)
    module = Module(graph, {"f": [x * y + z]}, 0)
    assert llvm.compile_module(module, exact=False) != llvm.compile_module(module, exact=True)
