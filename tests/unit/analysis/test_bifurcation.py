"""Diagrams over a parameter: continuation, hysteresis, table and figure."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest
from known_systems import CubicWell, bouncing_ball, doubling, on_a_rail

import gudgeon as gd
from gudgeon.draw import bifurcation as drawn
from gudgeon.papers import flores2007

TURN = 2.0 * math.pi
FORCE, DAMPING = 0.1, 0.1


def hardening() -> gd.Mechanism:
    """x'' + 0.1 x' + k x + x³ = 0.1 cos t; k is the stiffness of a spring that can be varied."""
    m = on_a_rail("hardening", 0.0)
    m.revolute("well", journal="mass", bearing=m.ground, journal_point=(0.0, 0.0), bearing_point=(0.0, 0.0),
               fit=gd.Bushing(CubicWell(0.0, 0.0, 1.0)))  # fmt: skip
    m.spring("spring", "mass", m.ground, stiffness=1.0, damping=DAMPING, point_i=(0.0, 0.0), at_j=(-9.0, 0.0),
             free_length=9.0)  # fmt: skip
    m.force("mass", (lambda t: FORCE * gd.cos(t), 0.0), name="load")
    return m


def amplitudes(k: float) -> list[float]:
    """Harmonic balance: ((k - 1) + 3/4 A²)² A² + (0.1 A)² = 0.1²; the real roots in A, rising."""
    d = k - 1.0
    roots = np.roots([9.0 / 16.0, 1.5 * d, d * d + DAMPING**2, -(FORCE**2)])
    return sorted(math.sqrt(r.real) for r in roots if abs(r.imag) < 1e-9 and r.real > 0.0)


def phase_x(amplitude: float, k: float) -> float:
    """x at the strobe: A cos(lag)."""
    return amplitude * math.cos(math.atan2(DAMPING, k - 1.0 + 0.75 * amplitude**2))


def test_jump_of_a_hardening_spring():
    """Two motions where harmonic balance has three: the way up and the way down take one each."""
    values = np.linspace(0.35, 1.05, 15)
    found = gd.bifurcate(
        hardening(), "spring.stiffness", values, "mass.x", transient=80, turns=20, first=100, period=TURN
    )
    three = [k for k in values if len(amplitudes(k)) == 3]
    assert 3 <= len(three) < len(values)
    # to the value where the small motion ends: within one step of harmonic balance
    assert {round(x, 6) for x in found.hysteresis} <= {round(k, 6) for k in values if 0.3 < k < 1.0}
    assert len(found.hysteresis) >= len(three) - 2
    assert (found.up.periods == 1).all() and (found.down.periods == 1).all()
    middle = three[len(three) // 2]
    small, _, large = amplitudes(middle)
    at = int(np.argmin(np.abs(values - middle)))
    ends = sorted([found.up.points[at, -1], found.down.points[at, -1]])
    assert ends == pytest.approx(sorted([phase_x(small, middle), phase_x(large, middle)]), rel=0.05)


def test_doubling_of_the_bouncing_ball_by_restitution():
    """gamma = 1.3: period-1 doubles as e rises through the value where the closed form is 1.3."""
    gamma = 1.3
    low, high = 0.5, 0.8
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if doubling(middle) > gamma else (low, middle)
    ball = bouncing_ball(gamma, low - 0.03)
    path = "ball.mass"
    with pytest.raises(gd.GudgeonError, match="is not enough for a diagram; give two or more"):
        gd.bifurcate(ball, path, [0.1], "ball.y", period=TURN / 200.0)
    before, after = (
        gd.regime(bouncing_ball(gamma, e), transient=120, turns=40, period=TURN / 200.0)
        for e in (low - 0.01, low + 0.01)
    )
    assert (before.label, after.label) == ("period-1", "period-2")
    # the mass of the ball does not matter: one motion on both ways
    found = gd.bifurcate(ball, path, [0.05, 0.1, 0.2], "ball.y", transient=40, turns=20, first=60, period=TURN / 200.0)
    assert (found.up.periods == 1).all() and len(found.hysteresis) == 0


def test_speed_is_followed_with_the_phase_of_the_drive(tmp_path):
    """The strobe of a slider-crank without play is the same position at every speed."""
    m = flores2007.slider_crank(None)
    seen = []
    found = gd.bifurcate(m, "main.speed", [-400.0, -500.0, -600.0], "slider.x", transient=2, turns=4, first=1,
                         on_point=lambda done, total: seen.append((done, total)))  # fmt: skip
    assert np.abs(found.up.points - 0.17).max() < 1e-9 and np.abs(found.down.points - 0.17).max() < 1e-9
    assert seen == [(k, 6) for k in range(1, 7)]
    rows = list(csv.reader(found.to_csv(tmp_path / "a.csv").open(encoding="utf-8")))
    assert rows[0] == ["main.speed [SI]", "branch", "strobe", "period", "slider.x [m]"]
    assert len(rows) == 1 + 2 * 3 * 4 and rows[1][:2] == ["-600.0", "up"]


def test_figure_shows_both_ways():
    found = gd.bifurcate(flores2007.slider_crank("0.05 mm"), "pin.radial_clearance", [1e-5, 2e-5, 3e-5],
                         "pin.eccentricity", transient=5, turns=8, first=10)  # fmt: skip
    figure = drawn(found, unit="mm").figure
    upper, lower = figure.axes
    assert lower.get_xlabel() == "pin.radial_clearance [mm]"
    low, high = upper.get_xlim()
    assert 0.009 < low <= 0.01 and 0.03 <= high < 0.031  # points at the ends are seen whole
    drawn_points = sum(len(line.get_xdata()) for line in upper.lines if line.get_marker() == "o")
    assert drawn_points == 2 * 3 * 8
    only_up = gd.bifurcate(flores2007.slider_crank("0.05 mm"), "pin.radial_clearance", [1e-5, 2e-5], "pin.ex",
                           transient=5, turns=8, first=10, both=False)  # fmt: skip
    assert only_up.down is None and len(only_up.hysteresis) == 0 and drawn(only_up).figure.axes
    with pytest.raises(gd.GudgeonError, match=r'channel "pin\.nothing" is not known'):
        gd.bifurcate(flores2007.slider_crank("0.05 mm"), "pin.radial_clearance", [1e-5, 2e-5], "pin.nothing")
