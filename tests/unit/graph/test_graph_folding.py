"""What is known at assembly is folded; the rules of graph.py, one by one."""

import math
import operator

import pytest

from gudgeon.compile.graph import Graph, atan, cos, exp, log, sin, sqrt, tanh


@pytest.fixture
def graph():
    return Graph()


EQUAL = {
    # constants; 0, 1 and -1
    "x + 0": lambda x, y, z: (x + 0, x),
    "0 + x": lambda x, y, z: (0.0 + x, x),
    "x - 0": lambda x, y, z: (x - 0, x),
    "0 - x": lambda x, y, z: (0 - x, -x),
    "1 x": lambda x, y, z: (1 * x, x),
    "x 1": lambda x, y, z: (x * 1.0, x),
    "-1 x": lambda x, y, z: (-1 * x, -x),
    "x / 1": lambda x, y, z: (x / 1, x),
    "x / -1": lambda x, y, z: (x / -1, -x),
    "+x": lambda x, y, z: (+x, x),
    "x + (2 - 2)": lambda x, y, z: (x + (x.graph.constant(2) - 2), x),
    # signs
    "--x": lambda x, y, z: (0 - (-x), x),
    "neg neg x": lambda x, y, z: (operator.neg(-x), x),
    "x + -y": lambda x, y, z: (x + -y, x - y),
    "-x + y": lambda x, y, z: (-x + y, y - x),
    "x - -y": lambda x, y, z: (x - -y, x + y),
    "-x - y": lambda x, y, z: (-x - y, -(x + y)),
    "-x + -y": lambda x, y, z: (-x + -y, -(x + y)),
    "-x - -y": lambda x, y, z: (-x - -y, y - x),
    "-(x - y), difference first": lambda x, y, z: (x - y, -(y - x)),
    "-(x - y), opposite first": lambda x, y, z: (-(x - y), y - x),
    "-x y": lambda x, y, z: (-x * y, -(x * y)),
    "x -y": lambda x, y, z: (x * -y, -(x * y)),
    "-x -y": lambda x, y, z: (-x * -y, x * y),
    "-(2 x)": lambda x, y, z: (-(2 * x), -2 * x),
    "3 -x": lambda x, y, z: (3 * -x, -3 * x),
    "1 / -x": lambda x, y, z: (1 / -x, -(1 / x)),
    "x / -y": lambda x, y, z: (x / -y, -(x / y)),
    "sin -x": lambda x, y, z: (sin(-x), -sin(x)),
    "tanh -x": lambda x, y, z: (tanh(-x), -tanh(x)),
    "atan -x": lambda x, y, z: (atan(-x), -atan(x)),
    "cos -x": lambda x, y, z: (cos(-x), cos(x)),
    "cos(y - x)": lambda x, y, z: (cos(x - y), cos(y - x)),
    # constant factors
    "2 (3 x)": lambda x, y, z: (2 * (3 * x), 6 * x),
    "(2 x) y": lambda x, y, z: ((2 * x) * y, 2 * (x * y)),
    "x (2 y)": lambda x, y, z: (x * (2 * y), 2 * (x * y)),
    "(2 x) (3 y)": lambda x, y, z: ((2 * x) * (3 * y), 6 * (x * y)),
    "(x / 2) / 2": lambda x, y, z: ((x / 2) / 2, 0.25 * x),
    "0.5 (2 x)": lambda x, y, z: (0.5 * (2 * x), x),
    "1 / (4 x)": lambda x, y, z: (1 / (4 * x), 0.25 / x),
    "x / (4 y)": lambda x, y, z: (x / (4 * y), 0.25 * (x / y)),
    # like terms
    "x + x": lambda x, y, z: (x + x, 2 * x),
    "2 x + x": lambda x, y, z: (2 * x + x, 3 * x),
    "2 x - x": lambda x, y, z: (2 * x - x, x),
    "2 x + y - x": lambda x, y, z: (2 * x + y - x, x + y),
    "(x + y) - x": lambda x, y, z: ((x + y) - x, y),
    "(x + y) - (x + z)": lambda x, y, z: ((x + y) - (x + z), y - z),
    "(x - y) + y": lambda x, y, z: ((x - y) + y, x),
    "-(x + y) + x": lambda x, y, z: (-(x + y) + x, -y),
    "x + (z - 3 x)": lambda x, y, z: (x + (z - 3 * x), -2 * x + z),
    "(x + 1) + 2": lambda x, y, z: ((x + 1) + 2, x + 3),
    "(x + 1) - 1": lambda x, y, z: ((x + 1) - 1, x),
    "(1 - x) + (x + y)": lambda x, y, z: ((1 - x) + (x + y), y + 1),
    "3 x y - 2 y x": lambda x, y, z: (3 * x * y - 2 * y * x, x * y),
    "sin x + sin x": lambda x, y, z: (sin(x) + sin(x), 2 * sin(x)),
    # reciprocals
    "x / y": lambda x, y, z: (x / y, x * (1 / y)),
    "1 / (1 / x)": lambda x, y, z: (1 / (1 / x), x),
    "x / (1 / y)": lambda x, y, z: (x / (1 / y), x * y),
    "(x / y) y": lambda x, y, z: ((x / y) * y, x),
    "y (x / y)": lambda x, y, z: (y * (x / y), x),
    "(x y) / y": lambda x, y, z: ((x * y) / y, x),
    "(x y) / x": lambda x, y, z: ((x * y) / x, y),
    "(x y z) / y": lambda x, y, z: ((x * y * z) / y, x * z),
    "(x / y z) y": lambda x, y, z: ((x / y * z) * y, x * z),
    "(x / (2 y)) y": lambda x, y, z: ((x / (2 * y)) * y, 0.5 * x),
    "(x / -y) y": lambda x, y, z: ((x / -y) * y, -x),
    "(x / (y + z)) (z + y)": lambda x, y, z: ((x / (y + z)) * (z + y), x),
    "x^3 / x": lambda x, y, z: (x**3 / x, x**2),
    # powers
    "x^1": lambda x, y, z: (x**1, x),
    "x^2": lambda x, y, z: (x**2, x * x),
    "x^3": lambda x, y, z: (x**3, x * x * x),
    "x^4": lambda x, y, z: (x**4, (x * x) * (x * x)),
    "x^2.0": lambda x, y, z: (x**2.0, x * x),
    "x^-1": lambda x, y, z: (x**-1, 1 / x),
    "x^-2": lambda x, y, z: (x**-2, 1 / (x * x)),
    "x^-2 x^2 y": lambda x, y, z: ((x**-2 * y) * x**2, y),
    "x^0.5": lambda x, y, z: (x**0.5, sqrt(x)),
    "(-x)^2": lambda x, y, z: ((-x) ** 2, x**2),
    "(-x)^3": lambda x, y, z: ((-x) ** 3, -(x**3)),
    "(2 x)^3": lambda x, y, z: ((2 * x) ** 3, 8 * x**3),
}


@pytest.mark.parametrize("sides", EQUAL.values(), ids=EQUAL.keys())
def test_both_sides_are_one_node(graph, sides):
    left, right = sides(*graph.inputs("y", 3))
    assert left is right


ZERO = {
    "0 x": lambda x, y: 0 * x,
    "0 / x": lambda x, y: 0 / x,
    "x - x": lambda x, y: x - x,
    "x + -x": lambda x, y: x + -x,
    "(x + y) - (y + x)": lambda x, y: (x + y) - (y + x),
    "(x - y) + (y - x)": lambda x, y: (x - y) + (y - x),
    "2 x - x - x": lambda x, y: 2 * x - x - x,
    "x y - y x": lambda x, y: x * y - y * x,
    "sin(-x) + sin x": lambda x, y: sin(-x) + sin(x),
}


@pytest.mark.parametrize("formula", ZERO.values(), ids=ZERO.keys())
def test_it_vanishes(graph, formula):
    assert formula(*graph.inputs("y", 2)) is graph.zero


ONE = {
    "x / x": lambda x, y: x / x,
    "x (1 / x)": lambda x, y: x * (1 / x),
    "x^0": lambda x, y: x**0,
    "x y / (y x)": lambda x, y: (x * y) / (y * x),
}


@pytest.mark.parametrize("formula", ONE.values(), ids=ONE.keys())
def test_it_is_one(graph, formula):
    assert formula(*graph.inputs("y", 2)) is graph.one


@pytest.mark.parametrize("function", [sin, cos, sqrt, exp, log, tanh, atan])
def test_functions_of_constants_are_constants(graph, function):
    folded = function(graph.constant(0.75))
    assert folded.is_constant
    assert float(folded) == getattr(math, function.__name__)(0.75) == function(0.75)


def test_arithmetic_on_constants_is_that_of_floats(graph):
    a, b = graph.constant(0.1), graph.constant(0.3)
    found = [a + b, a - b, a * b, a / b, -a, a**3, 1 / b]
    assert all(x.is_constant for x in found)
    floats = [0.1 + 0.3, 0.1 - 0.3, 0.1 * 0.3, 0.1 / 0.3, -0.1, 0.1 * (0.1 * 0.1), 1 / 0.3]
    assert [float(x) for x in found] == floats


def test_there_is_one_zero_without_a_sign(graph):
    assert graph.constant(-0.0) is graph.zero
    assert math.copysign(1.0, float(-graph.zero)) == 1.0


def test_a_constant_factor_stands_in_front(graph):
    x, y = graph.inputs("y", 2)
    product = (x * 3) * (y * 2)
    assert product.op == "multiply"
    assert float(product.args[0]) == 6.0
    assert product.args[1] is x * y


def test_equal_divisors_are_divided_once(graph):
    x, y, z = graph.inputs("y", 3)
    first, second = x / z, y / z
    assert [n.op for n in graph.nodes].count("reciprocal") == 1
    assert first.args[1] is second.args[1] or first.args[1] is second.args[0]


def test_a_product_with_another_divisor_does_not_cancel(graph):
    x, y, z = graph.inputs("y", 3)
    assert (x / y) * z is not x
    assert (x / (y * y)) * y is not x


def test_a_fold_creates_no_operation(graph):
    x, y = graph.inputs("y", 2)
    s = x / y
    before = len(graph.nodes)
    assert s * y is x
    assert s - s is graph.zero
    assert s / s is graph.one
    assert (s + x) - x is s
    assert [n.op for n in graph.nodes[before:]] == ["add"]
