"""Formulas written anew: the same values, with what was replaced."""

import math
import random

import pytest
from back_ends import Point, python_opaque, run_python

from gudgeon.compile.graph import Graph, Module, cos, exp, sin, sqrt
from gudgeon.compile.graph.passes.transfer import Transfer


def test_with_numbers_for_all_inputs_the_result_is_a_number():
    graph = Graph()
    t, (x, y) = graph.input("t"), graph.inputs("y", 2)
    formula = sin(x * t) / (2.0 + y * y) - sqrt(exp(y)) * cos(x - y) + (-x) * 3.0
    here = Transfer(graph, {("t", 0): 0.5, ("y", 0): 1.25, ("y", 1): -0.75})
    a, b = 1.25, -0.75
    expected = math.sin(a * 0.5) / (2.0 + b * b) - math.sqrt(math.exp(b)) * math.cos(a - b) - 3.0 * a
    assert float(here(formula)) == pytest.approx(expected, rel=1e-15)
    assert float(here(7.0)) == 7.0


def test_a_graph_folds_what_becomes_known():
    old, new = Graph(), Graph()
    x, y = old.inputs("y", 2)
    u = new.input("y", 5)
    over = Transfer(new, {("y", 0): u, ("y", 1): 0.0})
    assert over(x + y * sin(x)) is u
    assert over(cos(y)) is new.one


def test_nodes_are_replaced_whole():
    graph = Graph()
    x, y = graph.inputs("y", 2)
    known = sin(x) * y
    over = Transfer(graph, nodes=[(-known, 4.0)])
    assert float(over(known)) == -4.0
    assert over(known + x) is x + -4.0


def test_calls_keep_their_guards_and_find_their_block():
    old, new = Graph(), Graph()
    x, p = old.input("y"), old.input("p", 1)
    law = python_opaque(lambda a, block: a * block[0], 1)
    force = old.call(law, [x], block=1, guards=[p])
    over = Transfer(new, {("p", 1): new.input("p", 3)}, blocks={1: 3})
    moved = over(force)
    assert moved.data == (law, 3, 1)
    assert [a.data for a in moved.args] == [("p", 3), ("y", 0)]


@pytest.mark.parametrize("seed", range(10))
def test_without_replacements_nothing_changes(seed):
    chance, old, new = random.Random(seed), Graph(), Graph()
    nodes = old.inputs("y", 4)
    for _ in range(60):
        a, b = chance.choice(nodes), chance.choice(nodes)
        nodes.append(chance.choice((a + b, a - b, a * b, -a, sin(a), a / (1.5 + b * b))))
    over, y = Transfer(new), (0.3, -0.7, 1.1, 0.2)
    found = run_python(Module(new, {"f": [over(x) for x in nodes]}, 0), Point(y=y))
    expected = run_python(Module(old, {"f": nodes}, 0), Point(y=y))
    assert found.tolist() == pytest.approx(expected.tolist(), rel=1e-12, abs=1e-12)
