"""Secant slopes: their product with the step is the change of the formula, to the last digits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gudgeon.compile.graph import Graph, Module, cos, exp, python, sin, sqrt
from gudgeon.compile.graph.passes.secant import Secant, sinc, turn_share
from gudgeon.compile.graph.passes.transfer import Transfer

FORMULAS = {
    "product": lambda x, y, a: x * y * (x + 2.0 * y) - 3.0 * x,
    "quotient": lambda x, y, a: x / (y * y + 1.0),
    "distance": lambda x, y, a: sqrt((x - 0.3) * (x - 0.3) + y * y + 1e-300),
    "turned point": lambda x, y, a: x + 0.7 * cos(a) - 0.2 * sin(a),
    "shifted angle": lambda x, y, a: y * sin(a + 0.4) - cos(2.0 * a),
    "angle": lambda x, y, a: a * x,
}


def slopes(formula):
    """Values at both ends and the three slopes, as a function of the ends."""
    graph = Graph()
    b, a = graph.inputs("y", 3), graph.inputs("y", 3, 3)
    before = Transfer(graph, {("y", k): x for k, x in enumerate(a)})
    value = graph.scalar(formula(*b))
    found = [Secant(graph, before, *(([], [x]) if k == 2 else ([x], [])))(value) for k, x in enumerate(b)]
    run = python.compile_module(Module(graph, {"f": [before(value), value, *found]}, 0))["f"]

    def evaluate(start, end):
        out = np.zeros(5)
        run(0.0, np.concatenate([end, start]), np.zeros(1), np.zeros(1), out)
        return out[0], out[1], out[2:]

    return evaluate


@pytest.mark.parametrize("name", FORMULAS)
def test_the_slopes_times_the_step_are_the_change(name):
    evaluate = slopes(FORMULAS[name])
    rng = np.random.default_rng(7)
    for size in (1.0, 1e-3, 1e-7):
        start, step = rng.normal(size=3), size * rng.normal(size=3)
        end = start + step
        step = end - start
        before, after, found = evaluate(start, end)
        step[2] = 2.0 * math.tan(0.5 * step[2])
        assert found @ step == pytest.approx(
            after - before, abs=1e-14 * (abs(before) + abs(after) + np.abs(found).sum())
        )


def test_they_are_the_gradient_where_the_ends_meet():
    evaluate = slopes(FORMULAS["turned point"])
    point = np.array([0.2, -0.4, 0.9])
    assert np.allclose(evaluate(point, point)[2], [1.0, 0.0, -0.7 * math.sin(0.9) - 0.2 * math.cos(0.9)], atol=1e-15)


def test_a_turning_point_moves_by_its_mean_position():
    """The step of an angle is counted so that a common rotation has no moment, however large it is."""
    start, end = np.array([0.0, 0.0, 0.3]), np.array([0.0, 0.0, 1.9])
    mean = 0.5 * sum(0.7 * math.sin(a) + 0.2 * math.cos(a) for a in (0.3, 1.9))
    assert slopes(FORMULAS["turned point"])(start, end)[2][2] == pytest.approx(-mean, rel=1e-14)


def test_sinc_is_smooth_at_zero():
    for x in (0.0, 1e-8, 0.3, 1.9):
        assert sinc(x) == pytest.approx(math.sin(x) / x if x else 1.0, rel=1e-15)
    graph = Graph()
    angle, before = graph.inputs("y", 2)
    run = python.compile_module(Module(graph, {"f": [turn_share(angle, before)]}, 0))["f"]
    out = np.zeros(1)
    run(0.0, np.array([0.5, 0.1]), np.zeros(1), np.zeros(1), out)
    assert out[0] == pytest.approx(0.4 / (2.0 * math.tan(0.2)), rel=1e-14)


def test_what_has_no_rule_is_refused():
    with pytest.raises(TypeError, match="exp has no secant slope"):
        slopes(lambda x, y, a: exp(x))
