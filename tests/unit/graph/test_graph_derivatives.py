"""`Direction` is the derivative along a motion: against differences and against complex steps."""

import cmath
import math

import numpy as np
import pytest
from back_ends import Point, python_opaque, symbols, value
from hypothesis import assume, given, settings
from random_formulas import SMOOTH, OnSymbols, formulas, points, run

from gudgeon.compile.graph import Direction, Graph, Module, Opaque, atan, cos, exp, log, python, sin, sqrt, tanh

STEP = 1e-30  # of the complex argument; nothing is subtracted, so it may be tiny


def evaluate(function, t, y, p):
    """Every intermediate value of a function of a module, at real or complex arguments."""
    scope = {name: getattr(cmath, name) for name in ("sin", "cos", "sqrt", "exp", "log", "tanh", "atan")}
    exec(python.source(function).replace("return None", "return locals()"), scope)
    found = scope["f"](t, y, p, [], {})
    return found["out"], [abs(v) for name, v in found.items() if name.startswith("v")]


def along(point, speeds, step):
    """The point moved by a step, real or complex, and the point's arrays."""
    t, *rest = (x + step * v for x, v in zip(point.values, speeds, strict=True))
    return t, rest[: len(point.y)], rest[len(point.y) :]


def unhoisted(graph, outputs):
    """One function with everything in it."""
    module = Module(graph, {"f": outputs}, 0)
    return Module._lower(module, "f", outputs, {})


SPEEDS = [1.0, 0.5, -2.0, 1.25, 0.0, 0.75, -1.0]  # of t, y and p


@settings(max_examples=100, deadline=None, derandomize=True)
@given(formulas(SMOOTH, longest=12), points())
def test_rate_and_second_rate_agree_with_complex_steps(formula, point):
    graph = Graph()
    inputs = symbols(graph, point)
    ddt = Direction(graph, zip(inputs, SPEEDS, strict=True))
    f = run(formula, inputs, OnSymbols(point.p))[-1]
    rate = ddt(f)
    function = unhoisted(graph, [graph.scalar(f), rate, ddt(rate)])
    try:
        exact, sizes = evaluate(function, *along(point, SPEEDS, 0.0))
        stepped, _ = evaluate(function, *along(point, SPEEDS, STEP * 1j))
    except (OverflowError, ZeroDivisionError):
        assume(False)
    size = max(1.0, *sizes)
    assume(size < 1e4)
    for k in (0, 1):
        slope = complex(stepped[k]).imag / STEP
        assert abs(slope - complex(exact[k + 1]).real) <= 1e-12 * size * max(1.0, abs(slope))


FORMULAS = {
    "polynomial": lambda t, x, y: 3 * x**3 - 2 * x * y + y**4 - t * x,
    "rational": lambda t, x, y: (x + t) / (y * y + 1) - 1 / x,
    "powers": lambda t, x, y: x**-2 + (1 + y * y) ** 0.5 + (t * x) ** 5,
    "trigonometric": lambda t, x, y: sin(x * y) * cos(t - 3 * x) + atan(y / x),
    "exponential": lambda t, x, y: exp(-t * x) * log(2 + y * y) + tanh(x - y),
    "pendulum": lambda t, x, y: sqrt((0.3 * sin(x) - cos(y)) ** 2 + (0.3 * cos(x) + 2 * sin(y)) ** 2),
    "time only": lambda t, x, y: sin(3 * t) * t,
    "sums": lambda t, x, y: (x - y) * (y - x) + (x + y) - (x - t) / (y + 7),
}


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS.keys())
def test_rate_and_second_rate_agree_with_central_differences(formula):
    graph = Graph()
    t, x, y = graph.input("t"), *graph.inputs("y", 2)
    u, v = graph.inputs("p", 2)
    ddt = Direction(graph, [(t, 1), (x, u), (y, v)])
    f = formula(t, x, y)
    place, speed = np.array([0.4, 0.9, -0.6]), np.array([1.0, 0.7, 1.3])

    def moved(s):
        a, b, c = (place + s * speed).tolist()
        return formula(a, b, c)

    point = Point(t=place[0], y=tuple(place[1:]), p=tuple(speed[1:]))
    h = 1e-3
    d1, d2 = ((moved(s) - moved(-s)) / (2 * s) for s in (h, 2 * h))
    assert value(ddt(f), point) == pytest.approx((4 * d1 - d2) / 3, rel=1e-7, abs=1e-7)
    s1, s2 = ((moved(s) - 2 * moved(0.0) + moved(-s)) / s**2 for s in (h, 2 * h))
    assert value(ddt(ddt(f)), point) == pytest.approx((4 * s1 - s2) / 3, rel=1e-5, abs=1e-5)


def test_derivatives_are_folded_and_shared():
    graph = Graph()
    x, y = graph.inputs("y", 2)
    d = Direction(graph, [(x, 1)])
    assert d(x) is graph.one
    assert d(y) is graph.zero
    assert d(3 * x + y) is graph.constant(3)
    assert d(x * y) is y
    assert d(x * x) is 2 * x
    assert d(sin(x)) is cos(x)
    assert d(exp(x)) is exp(x)
    assert d(cos(x)) is -sin(x)
    assert d(log(x)) is 1 / x
    assert d(sin(y) * exp(y)) is graph.zero
    assert d(2.0) is graph.zero
    assert d(d(x * x)) is graph.constant(2)


def test_a_velocity_is_held_unless_it_is_seeded():
    graph = Graph()
    x, v, a = graph.inputs("y", 3)
    held, moving = Direction(graph, [(x, v)]), Direction(graph, [(x, v), (v, a)])
    assert held(held(x * x)) is 2 * (v * v)
    assert held(held(x)) is graph.zero
    assert moving(moving(x)) is a


def test_differentiation_stops_at_a_seeded_node():
    graph = Graph()
    x, y, w = graph.inputs("y", 3)
    angle = sin(x) * y + x
    d = Direction(graph, [(x, 1), (angle, w)])
    assert d(angle) is w
    assert d(angle * angle) is 2 * (angle * w)
    assert d(cos(angle)) is -(w * sin(angle))
    assert d(angle * x) is w * x + angle


SEEDED = {
    "x - y": lambda x, y: x - y,
    "-(x - y)": lambda x, y: -(x - y),
    "4 x y": lambda x, y: 4 * (x * y),
    "-x / 2": lambda x, y: -0.5 * x,
    "-x": lambda x, y: -x,
}


@pytest.mark.parametrize("formula", SEEDED.values(), ids=SEEDED.keys())
def test_a_seeded_node_has_its_rate_whatever_its_sign_and_factor(formula):
    graph = Graph()
    x, y, w = graph.inputs("y", 3)
    node = formula(x, y)
    d = Direction(graph, [(node, w)])
    assert d(node) is w
    assert d(-node) is -w
    assert d(2 * node) is 2 * w


def test_a_constant_cannot_change():
    graph = Graph()
    two = graph.constant(2)
    d = Direction(graph, [(two, 1)])
    assert d(two * graph.input("y")) is graph.zero


def test_explicit_time_comes_out_of_its_seed():
    graph = Graph()
    t, x, v, p = graph.input("t"), *graph.inputs("y", 2), graph.input("p")
    frozen, moving = Direction(graph, [(x, v)]), Direction(graph, [(t, 1), (x, v)])
    assert frozen(x - p * t) is v
    assert moving(x - p * t) is v - p
    assert moving(sin(t)) is cos(t)
    assert moving(moving(t * x)) is 2 * v


def test_a_seed_that_comes_late_counts_as_if_it_had_come_first():
    graph = Graph()
    x, y = graph.inputs("y", 2)
    d = Direction(graph, [(x, 1)])
    assert d(x * y + y) is y
    d.seed(y, 3)
    assert d(y) is graph.constant(3)
    assert d(x * y + y) is Direction(graph, [(x, 1), (y, 3)])(x * y + y)


# -- opaque functions ---------------------------------------------------------------------------------------

BY_X = python_opaque(lambda x, y: y * y, 2, name="by_x")
BY_Y_BY_X = python_opaque(lambda x, y: 2.0 * y, 2, name="by_y_by_x")
BY_Y_BY_Y = python_opaque(lambda x, y: 2.0 * x, 2, name="by_y_by_y")
BY_Y = python_opaque(lambda x, y: 2.0 * x * y, 2, name="by_y", partials=(BY_Y_BY_X, BY_Y_BY_Y))
PRODUCT = python_opaque(lambda x, y: x * y * y, 2, name="product", partials=(BY_X, BY_Y))


def test_the_chain_rule_uses_the_partials_of_an_opaque_function():
    graph = Graph()
    x, y, u, v = graph.inputs("y", 4)
    d = Direction(graph, [(x, u), (y, v)])
    arguments = [sin(x), x * y]
    rate = d(graph.call(PRODUCT, arguments))
    assert rate is graph.call(BY_X, arguments) * d(sin(x)) + graph.call(BY_Y, arguments) * d(x * y)
    point = Point(y=(0.7, -0.4, 1.5, 0.3))

    def moved(s):
        a, b = 0.7 + 1.5 * s, -0.4 + 0.3 * s
        return math.sin(a) * (a * b) ** 2

    assert value(rate, point) == pytest.approx((moved(1e-5) - moved(-1e-5)) / 2e-5, rel=1e-8)


def test_only_arguments_that_change_need_a_partial():
    graph = Graph()
    x, y = graph.inputs("y", 2)
    assert Direction(graph, [(x, 1)])(graph.call(BY_Y, [x, y])) is graph.call(BY_Y_BY_X, [x, y])
    half_known = Opaque("half", lambda x, y: 0.0, lambda: 0, partials=(None, BY_Y))
    assert Direction(graph, [(y, 1)])(graph.call(half_known, [x, y])) is graph.call(BY_Y, [x, y])
    assert Direction(graph, [])(graph.call(half_known, [x, y])) is graph.zero


def test_a_partial_of_zero_is_not_called():
    graph = Graph()
    x, y = graph.inputs("y", 2)
    law = Opaque("law", lambda x, y: 0.0, lambda: 0, partials=(0.0, BY_Y))
    assert Direction(graph, [(x, 1)])(graph.call(law, [x, y])) is graph.zero
    assert Direction(graph, [(x, 1), (y, 1)])(graph.call(law, [x, y])) is graph.call(BY_Y, [x, y])


def test_second_derivatives_use_the_partials_of_partials():
    graph = Graph()
    x, y = graph.inputs("y", 2)
    d = Direction(graph, [(y, 1)])
    assert value(d(d(graph.call(PRODUCT, [x, y]))), Point(y=(3.0, 5.0))) == 6.0


@pytest.mark.parametrize("partials", [(), (None,), (None, BY_Y)])
def test_a_missing_partial_is_named(partials):
    graph = Graph()
    x, y = graph.inputs("y", 2)
    law = Opaque("hertz", lambda x, y: 0.0, lambda: 0, partials=partials)
    with pytest.raises(TypeError, match="hertz gives no derivative with respect to its argument 0"):
        Direction(graph, [(x, 1)])(graph.call(law, [x, y]))


def test_partials_keep_the_parameters_and_the_guards_of_the_call():
    def slope(x, p):
        return 2.0 * p[0] * x

    def force(x, p):
        return p[0] * x * x

    law = python_opaque(force, 1, block=True, partials=[python_opaque(slope, 1, block=True)])
    graph = Graph()
    x, guard = graph.inputs("y", 2)
    rate = Direction(graph, [(x, 1), (guard, 1)])(graph.call(law, [x], block=2, guards=[guard]))
    assert rate.op == "call"
    assert rate.data == (law.partials[0], 2, 1)
    assert value(rate, Point(y=(3.0, 1.0), p=(0.0, 0.0, 10.0))) == 60.0
    assert value(rate, Point(y=(3.0, -1.0), p=(0.0, 0.0, 10.0))) == 0.0


def test_the_place_of_an_extremum_is_held():
    """max over s of s x - s²/2 is at s = x, with the value x²/2: its slope is x with s held, and s itself has none."""
    graph = Graph()
    (x,) = graph.inputs("y", 1)
    place = Opaque("place", lambda x: x, lambda: 0, held=True)
    s = graph.call(place, [x])
    d = Direction(graph, [(x, 1)])
    assert value(d(s * x - 0.5 * s * s), Point(y=(3.0,))) == 3.0
    assert d(s) is graph.zero
