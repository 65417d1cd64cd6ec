"""Large graphs: no recursion, and work that grows with the size, not with its square."""

import sys

import pytest
from back_ends import Point, run_llvm, run_python

from gudgeon.compile.graph import Direction, Graph, Module, cos, sin, sqrt

LENGTH = 3000


def products(x, y, k):
    return x * y + 0.25


def nested(x, y, k):
    return sin(x) - y


def quotients(x, y, k):
    return y / (x * x + 1.0)


def roots(x, y, k):
    return sqrt(x * x + y * y)


def sums(x, y, k):
    return x + (y if k % 2 else cos(0.1 * k * y))


CHAINS = [products, nested, quotients, roots, sums]


def chain(step, length):
    graph = Graph()
    x, y = graph.inputs("y", 2)
    value = x
    for k in range(length):
        value = step(value, y, k)
    return graph, value


@pytest.mark.parametrize("step", CHAINS)
def test_a_long_chain_is_differentiated_twice_without_recursion(step):
    assert sys.getrecursionlimit() < LENGTH
    graph, value = chain(step, LENGTH)
    d = Direction(graph, [(graph.input("y", 0), 1.0), (graph.input("y", 1), 0.5)])
    second = d(d(value))
    module = Module(graph, {"f": [value, d(value), second]}, 0)
    assert module.functions["f"].size > 0


@pytest.mark.parametrize("step", CHAINS)
def test_nodes_grow_with_the_length_of_a_chain(step):
    counts = []
    for length in (500, 1000, 2000):
        graph, value = chain(step, length)
        d = Direction(graph, [(graph.input("y", 0), 1.0), (graph.input("y", 1), 0.5)])
        d(d(value))
        counts.append(len(graph.nodes))
    assert counts[2] - counts[1] <= 2.1 * (counts[1] - counts[0])


def growing_sums(length):
    """Sums of two earlier sums: written out they would double with every step."""
    graph = Graph()
    x, *others = graph.inputs("y", length)
    previous, last = x, others[0]
    for other in others[1:]:
        previous, last = last, last + previous + other
    return graph, last


def growing_differences(length):
    graph = Graph()
    x, *others = graph.inputs("y", length)
    previous, last = x, others[0]
    for k, other in enumerate(others[1:]):
        previous, last = last, (last - other) - (previous + others[k])
    return graph, last


@pytest.mark.parametrize("made", [growing_sums, growing_differences])
def test_like_terms_do_not_undo_the_sharing_of_sums(made):
    graph, value = made(50)
    assert Module(graph, {"f": [value]}, 0).functions["f"].size <= 3 * 50
    assert len(graph.nodes) <= 10 * 50


def test_a_derivative_is_worked_out_once_for_each_node():
    graph, value = chain(products, 300)
    d = Direction(graph, [(graph.input("y", 0), 1.0)])
    rules = []
    rule = d._rule
    d._rule = lambda node: rules.append(node.id) or rule(node)
    for node in list(graph.nodes):
        d(node)
    d(value)
    assert len(rules) == len(set(rules))


def test_a_long_sum_is_searched_to_a_fixed_depth(monkeypatch):
    graph = Graph()
    visits = []
    collect = Graph._collect

    def counted(self, node, factor, terms, depth):
        visits.append(node.id)
        collect(self, node, factor, terms, depth)

    monkeypatch.setattr(Graph, "_collect", counted)
    total = graph.zero
    for k, x in enumerate(graph.inputs("y", 2000)):
        total = total + (k + 1.0) * x
    assert len(visits) < 2000 * 20


def test_a_long_chain_runs_in_both_back_ends():
    graph, value = chain(products, LENGTH)
    module = Module(graph, {"f": [value]}, 0)
    point = Point(y=(0.5, 0.75))
    assert run_python(module, point)[0] == pytest.approx(1.0, rel=1e-12)
    short = Module(*_short(chain(nested, 300)), 0)
    assert run_llvm(short, point).tolist() == run_python(short, point).tolist()


def _short(made):
    graph, value = made
    return graph, {"f": [value]}
