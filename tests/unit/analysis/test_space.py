"""Regimes of mechanisms in space: distances know Euler parameters, whose sign changes at every turn."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.motions.flow import Flow, Ruler
from gudgeon.papers import ambrosio2018


def driven(**options):
    m = ambrosio2018.slider_crank(**options)
    m.drive("main", speed=6.0)
    return m


def test_distances_in_space():
    flow = Flow.of(driven())
    system, y = flow.system, flow.start.y
    ruler = Ruler(flow, flow.start, length=1e-3)
    other = y.copy()
    other[3:7] *= -1.0  # the same orientation
    assert ruler.apart(other, y) == 0.0
    # a small turn by angle a about the first axis of the crank moves what lies a size away by a * size
    turned = y.copy()
    turned[4] += 0.5e-6
    assert ruler.apart(turned, y) == pytest.approx(1e-6 * system.size / 1e-3, rel=1e-9)
    faster = y.copy()
    faster[system.positions + 3] += 1e-3
    assert ruler.apart(faster, y) == pytest.approx(1e-3 * system.size / 6.0 / 1e-3, rel=1e-9)
    # turns of joints and integrals do not count
    assert (ruler.weights[system.positions + system.velocities :] == 0.0).all()


def test_states_are_brought_back_onto_the_joints():
    flow = Flow.of(driven())
    off = flow.start
    off.y[0] += 1e-5
    back = flow.onto(off)
    assert np.abs(flow.onto(back).y - back.y).max() < 1e-14


def test_a_driven_slider_crank_in_space_repeats_every_turn():
    found = gd.regime(driven(), transient=2, turns=40)
    assert str(found).startswith("period-1")
