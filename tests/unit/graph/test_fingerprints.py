"""Fingerprints: what they prove, what they do not, and graphs that use them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from back_ends import python_opaque, run_python, symbols
from hypothesis import assume, given
from random_formulas import OnRounded, OnSymbols, Rounded, Unclear, formulas, points, run

from gudgeon.compile.graph import Graph, Module, atan, cos, exp, log, sin, sqrt, tanh
from gudgeon.compile.graph.passes.fingerprint import (
    PRIME,
    Fingerprints,
    ProvenGraph,
    random_residue,
    residue,
    unit_residues,
)
from gudgeon.compile.graph.passes.transfer import Transfer


def vanishes(formula) -> bool:
    return Fingerprints().of({"x": formula})["x"] == 0


@pytest.mark.parametrize("value", [0.0, 1.0, -1.0, 0.5, 0.1, -3.75, 1e-300, 6.61e10, math.pi, 5e-324])
def test_a_float_is_exact(value):
    exact = Fraction(value)
    assert residue(value) * exact.denominator % PRIME == exact.numerator % PRIME


def test_the_points_are_the_same_everywhere():
    assert random_residue("input", "y", 3) == 47654929297664786470031353044947993931
    assert Fingerprints().of({"x": Graph().input("y", 3)})["x"] == random_residue("input", "y", 3)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_unit_residues_have_length_one(count):
    assert sum(x * x for x in unit_residues(count, "here")) % PRIME == 1


def test_what_is_identically_zero_is_seen():
    graph = Graph()
    a, b, c = graph.inputs("y", 3)
    zeros = [
        (a + b) * (a + b) - (a * a + 2.0 * (a * b) + b * b),
        (a * a - b * b) / (a - b) - (a + b),
        sin(a) * sin(a) + cos(a) * cos(a) - 1.0,
        sin(a - b) + sin(b - a),
        cos(a - b) - cos(b - a),
        tanh(0.0 * c) + atan(a - b) + atan(b - a),
        (a * b) * (b * c) - (a * c) * (b * b),
        # the determinant of a rotation matrix
        cos(a) * (cos(a) * cos(b)) + sin(a) * (sin(a) * cos(b)) - cos(b),
        1.0 / (1.0 / a + 1.0 / b) - a * b / (a + b),
    ]
    assert all(vanishes(x) for x in zeros)


def test_what_only_vanishes_somewhere_is_not_taken_for_zero():
    graph = Graph()
    a, b = graph.inputs("y", 2)
    others = [a - b, a * b - a * a, sin(a) - a, sin(a) * cos(b) - cos(a) * sin(b), sqrt(a * a) - a, exp(a) - 1.0,
              log(a), 1e-300 * a, sqrt(a) - sqrt(b), 1e-16 * sin(b)]  # fmt: skip
    assert not any(vanishes(x) for x in others)


def test_what_divides_by_nothing_has_no_fingerprint():
    graph = Graph()
    a, b = graph.inputs("y", 2)
    nothing = (a + b) * (a + b) - (a * a + 2.0 * (a * b) + b * b)
    found = Fingerprints().of({0: 1.0 / nothing, 1: a / nothing - b, 2: log(nothing), 3: exp(nothing)})
    assert found == {0: None, 1: None, 2: None, 3: 1}


def test_inputs_have_the_values_they_are_given():
    graph = Graph()
    a, b, c = graph.inputs("y", 3)
    formula = a * (b - c)
    assert not vanishes(formula)
    assert Fingerprints({("y", 0): 0}).of({"x": formula})["x"] == 0
    same = random_residue("whatever")
    assert Fingerprints({("y", 1): same, ("y", 2): same}).of({"x": formula})["x"] == 0
    here, there = (Fingerprints({("y", 0): 5}, elsewhere=x).of({"a": a, "b": b}) for x in (False, True))
    assert here["a"] == there["a"] == 5 and here["b"] != there["b"]


def test_opaque_calls_are_functions_of_their_arguments():
    graph = Graph()
    a, b, guard = graph.inputs("y", 3)
    law, other = (python_opaque(f, 2, name="law") for f in (lambda x, y: x * y, lambda x, y: x + y))
    plus, again = graph.call(law, (a + b, b)), graph.call(law, (b - (-a), (a * b) / a))
    assert vanishes(plus - again)
    assert not vanishes(plus - graph.call(other, (a + b, b)))
    assert not vanishes(plus - graph.call(law, (b, a + b)))
    guarded = graph.call(law, (a, b), guards=(guard - 1.0 * guard + (a + b) - b - a,))
    assert vanishes(guarded)
    assert not vanishes(graph.call(law, (a, b), guards=(guard,)))


def test_a_proven_graph_has_one_node_for_equal_formulas():
    graph = ProvenGraph(Fingerprints())
    a, b = graph.inputs("y", 2)
    product = (a + b) * (a - b)
    assert a * a - b * b is product
    assert b * b - a * a is -product
    assert (a + b) * (a + b) - (a * a + 2.0 * (a * b)) is b * b
    assert (a * a - b * b) / (a - b) - a is b
    assert sin(a) * sin(a) + cos(a) * cos(a) - 1.0 is graph.zero


@given(formulas(), points())
def test_a_proven_graph_keeps_values(formula, point):
    graph, proven = Graph(), ProvenGraph(Fingerprints())
    outputs = run(formula, symbols(graph, point), OnSymbols(point.p))
    try:
        expected = run(formula, [Rounded(x) for x in point.values], OnRounded(point.p))
    except Unclear:
        assume(False)
    over = Transfer(proven)
    over.all(outputs)
    module = Module(proven, {"f": [over(x) for x in outputs]}, len(point.p))
    assert module.functions["f"].size <= Module(graph, {"f": outputs}, len(point.p)).functions["f"].size + 2
    for found, rounded in zip(run_python(module, point), expected, strict=True):
        assert abs(found - rounded.value) <= 1e-9 * (1.0 + abs(rounded.value)) + 1e3 * rounded.error
