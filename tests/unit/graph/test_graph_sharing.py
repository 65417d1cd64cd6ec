"""Equal expressions are one node, however they come about."""

from back_ends import Point, python_opaque, symbols
from hypothesis import given, settings
from random_formulas import ALL, OnSymbols, formulas, run

from gudgeon.compile.graph import Graph, cos, sin, sqrt


def larger(a, b):
    return max(a, b)


def test_equal_leaves_are_one_node():
    graph = Graph()
    assert graph.input("y", 1) is graph.inputs("y", 2)[1]
    assert graph.input("y", 1) is not graph.input("p", 1)
    assert graph.constant(2) is graph.constant(2.0)


def test_equal_expressions_are_one_node():
    graph = Graph()
    x, y = graph.inputs("y", 2)

    def formula():
        return sqrt((x - y) ** 2 + sin(x * y) / cos(2.5 * y))

    first = formula()
    count = len(graph.nodes)
    assert formula() is first
    assert len(graph.nodes) == count


def test_the_order_of_sums_and_products_does_not_matter():
    graph = Graph()
    x, y = graph.inputs("y", 2)
    assert x + y is y + x
    assert x * y is y * x
    assert x * y + sin(x) is sin(x) + y * x
    assert x - y is not y - x


def test_calls_are_shared_when_function_arguments_block_and_guards_agree():
    graph = Graph()
    x, y = graph.inputs("y", 2)
    one, two = python_opaque(larger, 2), python_opaque(larger, 2)
    call = graph.call(one, [x, y])
    assert graph.call(one, (x, y)) is call
    others = [
        graph.call(two, [x, y]),
        graph.call(one, [y, x]),
        graph.call(one, [x, y], block=0),
        graph.call(one, [x, y], guards=[x]),
        graph.call(one, [y], guards=[x]),
    ]
    assert len({id(node) for node in (call, *others)}) == 6


def test_a_node_knows_the_arrays_below_it():
    graph = Graph()
    t, x, a = graph.input("t"), graph.input("y"), graph.input("p")
    bits = graph.arrays
    assert (t * x).depends == bits["t"] | bits["y"]
    assert (a * a + 1).depends == bits["p"]
    assert graph.constant(2).depends == 0
    assert graph.call(python_opaque(larger, 1, block=True), [x], block=0).depends == bits["y"] | bits["p"]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(formulas(ALL))
def test_a_formula_traced_twice_adds_nothing(formula):
    graph, point = Graph(), Point()
    inputs, calls = symbols(graph, point), OnSymbols(point.p)
    first = run(formula, inputs, calls)
    count = len(graph.nodes)
    second = run(formula, inputs, calls)
    assert all(a is b for a, b in zip(first, second, strict=True))
    assert len(graph.nodes) == count


@settings(max_examples=100, deadline=None, derandomize=True)
@given(formulas(ALL))
def test_arguments_come_before_what_uses_them_and_no_two_nodes_are_equal(formula):
    graph, point = Graph(), Point()
    run(formula, symbols(graph, point), OnSymbols(point.p))
    seen = set()
    for k, node in enumerate(graph.nodes):
        assert node.id == k
        assert all(a.id < k for a in node.args)
        seen.add((node.op, node.data, *(a.id for a in node.args)))
    assert len(seen) == len(graph.nodes)
