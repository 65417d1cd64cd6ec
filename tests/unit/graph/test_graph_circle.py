"""Our own sine and cosine, in machine code, are those of the C library to two units."""

import math

import numpy as np
import pytest
from back_ends import Point, run_llvm

from gudgeon.compile.graph import Graph, Module, cos, sin

RANDOM = np.random.default_rng(5)
QUARTERS = np.arange(-600, 601) * (math.pi / 2)
ANGLES = {
    "first quarter": RANDOM.uniform(-0.8, 0.8, 500),
    "a few turns": RANDOM.uniform(-100.0, 100.0, 500),
    "many turns": RANDOM.uniform(-1e6, 1e6, 1000),
    "a billion turns": RANDOM.uniform(-1e10, 1e10, 1000),
    "hardly an angle": RANDOM.uniform(-1e15, 1e15, 300),
    "tiny": RANDOM.uniform(-1.0, 1.0, 300) * 10.0 ** RANDOM.integers(-300, -5, 300),
    "quarter turns": QUARTERS,
    "beside quarter turns": np.nextafter(QUARTERS, np.inf),
    "eighths of turns": QUARTERS + math.pi / 4,
}


@pytest.fixture(scope="module")
def circle():
    graph = Graph()
    x = graph.input("y")
    module = Module(graph, {"f": [sin(x), cos(x)]}, 0)
    return lambda angle: run_llvm(module, Point(y=(angle,)), exact=False).tolist()


@pytest.mark.parametrize("angles", ANGLES.values(), ids=ANGLES.keys())
def test_sine_and_cosine_are_right_to_two_units_in_the_last_place(circle, angles):
    for angle in angles.tolist():
        for found, exact in zip(circle(angle), (math.sin(angle), math.cos(angle)), strict=True):
            assert abs(found - exact) <= 2.0 * math.ulp(exact)


@pytest.mark.parametrize("angle", [3e15, -1e20, 1e300])
def test_what_is_hardly_an_angle_has_a_sine_of_some_size(circle, angle):
    """Runs that diverge are to end as in plain Python, where sines are never large."""
    sine, cosine = circle(angle)
    assert sine * sine + cosine * cosine == pytest.approx(1.0, rel=1e-15)


@pytest.mark.parametrize("angle", [math.nan, math.inf, -math.inf])
def test_what_is_no_angle_has_no_sine(circle, angle):
    assert np.isnan(circle(angle)).all()


def test_either_of_them_may_be_asked_for_alone():
    graph = Graph()
    x, y = graph.inputs("y", 2)
    module = Module(graph, {"f": [sin(x), cos(y)]}, 0)
    found = run_llvm(module, Point(y=(0.7, 2.5)), exact=False)
    assert found == pytest.approx([math.sin(0.7), math.cos(2.5)], rel=1e-15)
