"""What branches on a symbol is refused, naming the line that asked."""

import math
import operator

import numpy as np
import pytest

from gudgeon.compile.graph import Graph, Scalar, SymbolicBranch, atan, cos, exp, log, sin, sqrt, tanh


@pytest.fixture
def x():
    return Graph().input("y")


def refusal(formula, *arguments):
    with pytest.raises(SymbolicBranch) as caught:
        formula(*arguments)
    return str(caught.value)


REFUSED = {
    "<": lambda x: x < 1,
    "<=": lambda x: x <= 1,
    ">": lambda x: x > 1,
    ">=": lambda x: x >= 1,
    "==": lambda x: x == 1,
    "!=": lambda x: x != 1,
    "reflected <": lambda x: operator.lt(1.0, x),
    "between symbols": lambda x: x < x * 2,
    "numpy on the left": lambda x: np.float64(1.0) < x,
    "bool": lambda x: bool(x),
    "if": lambda x: 1.0 if x else 0.0,
    "and": lambda x: x and 1.0,
    "not": lambda x: not x,
    "abs": lambda x: abs(x),
    "np.abs": lambda x: np.abs(x),
    "float": lambda x: float(x),
    "math.sin": lambda x: math.sin(x),
    "math.sqrt": lambda x: math.sqrt(2 * x),
    "max": lambda x: max(x, 0.0),
    "min": lambda x: min(0.0, x),
    "np.maximum": lambda x: np.maximum(x, 0.0),
    "in": lambda x: 1.0 in [x],
    "power 0.3": lambda x: x**0.3,
    "power 1.5": lambda x: x**1.5,
    "power 65": lambda x: x**65,
    "power inf": lambda x: x**math.inf,
    "power nan": lambda x: x**math.nan,
    "power symbol": lambda x: x**x,
}


@pytest.mark.parametrize("formula", REFUSED.values(), ids=REFUSED.keys())
def test_it_is_refused_naming_file_and_line(x, formula):
    assert f"{__file__}:{formula.__code__.co_firstlineno}, in <lambda>" in refusal(formula, x)


def test_the_line_inside_a_longer_formula_is_named(x):
    def stiffness(x):
        square = x * x
        if square > 2.0:
            return 0.0
        return square

    line = stiffness.__code__.co_firstlineno + 2
    assert f"{__file__}:{line}, in stiffness" in refusal(stiffness, x)


def test_the_line_of_a_helper_that_branches_is_named(x):
    def clip(value):
        return min(1.0, value)

    def formula(x):
        return clip(sin(x)) + 1.0

    assert f"{__file__}:{clip.__code__.co_firstlineno + 1}, in clip" in refusal(formula, x)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (lambda x: x < 1, ["< of a symbolic value", "opaque function"]),
        (lambda x: bool(x), ["truth value", "opaque function"]),
        (lambda x: abs(x), ["abs()", "opaque function"]),
        (lambda x: math.cos(x), ["float()", "gudgeon.sin"]),
        (lambda x: x**0.3, ["power 0.3", "only integer powers", "exp and log"]),
    ],
)
def test_the_message_says_what_and_how_to_do_it_instead(x, formula, words):
    message = refusal(formula, x)
    assert all(word in message for word in words)


def test_a_refusal_is_a_type_error():
    assert issubclass(SymbolicBranch, TypeError)


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_even_equal_nodes_and_constants_do_not_compare(x, name):
    compare = getattr(operator, name)
    with pytest.raises(SymbolicBranch):
        compare(x, x)
    with pytest.raises(SymbolicBranch):
        compare(x.graph.constant(1), 1)


def test_a_symbol_is_no_key(x):
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


def test_a_constant_is_a_float(x):
    assert float(x.graph.constant(2.5)) == 2.5
    assert math.sin(x.graph.constant(0.5)) == math.sin(0.5)
    assert x ** x.graph.constant(2) is x * x


@pytest.mark.parametrize("function", [sin, cos, sqrt, exp, log, tanh])
def test_functions_of_numpy_work(x, function):
    assert getattr(np, function.__name__)(x) is function(x)


def test_arctan_of_numpy_works(x):
    assert np.arctan(x) is atan(x)


def test_numbers_and_arrays_of_numpy_work(x):
    two = np.float64(2.0)
    assert two * x is x * two is 2 * x
    assert two + x is x + 2
    assert two - x is 2 - x
    assert two / x is 2 / x
    assert x**two is x**2
    assert x ** np.int64(3) is x**3
    scaled = np.array([1.0, 2.0]) * x
    assert scaled[0] is x
    assert scaled[1] is 2 * x
    assert np.dot(np.array([x, x]), np.array([1.0, 2.0])) is 3 * x


def test_a_symbol_has_a_short_name(x):
    assert repr(x) == "<y[0]>"
    assert repr(x.graph.constant(0.5)) == "<0.5>"
    assert repr(sin(x)).startswith("<sin #")
    assert isinstance(x, Scalar)
