"""Hard walls with friction in space, event by event: sliding, stopping, sticking, breaking loose in two directions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import gudgeon as gd

MU, G, MASS = 0.2, 9.81, 0.5
WAY = np.array([0.8, -0.6])
GAP = 1e-9  # [m] so low a fall that it is none


def table(velocity=(0.0, 0.0), slope=0.0, spin=0.0, pull=None, strips=3) -> gd.Mechanism:
    """A pad of three points on a table, `slope` [rad] falling along x, pulled along x and y."""
    m = gd.Mechanism("table", planar=False, gravity=(G * math.sin(slope), 0.0, -G * math.cos(slope)), start="given")
    m.body("pad", mass=MASS, inertia=(1e-4, 1e-4, 2e-4), at=(0, 0, 0), velocity=(*velocity, 0.0), spin=(0.0, 0.0, spin))
    wall = gd.LankaraniNikravesh(stiffness=1e8, restitution=0.0)
    m.joint("planar", "j", journal="pad", bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1), radius=0.02, strips=strips,
            fit=gd.Clearance(GAP, wall=wall, friction=gd.ModifiedCoulomb(MU)))  # fmt: skip
    if pull is not None:
        m.force("pad", (*pull, 0.0))
    return m


def velocity(run: gd.Run) -> np.ndarray:
    return np.array([run["pad.vx"], run["pad.vy"]])


def test_a_pad_slides_straight_and_stops():
    """v = v0 - mu g t along one line that is none of the axes, then rest, to the tolerance."""
    speed = 0.3
    run = gd.simulate(table(speed * WAY), duration=0.25, method="impact", output=1e-3)
    expected = WAY[:, None] * np.clip(speed - MU * G * run.t, 0.0, None)
    assert velocity(run) == pytest.approx(expected, abs=1e-9)
    stop = speed / (MU * G)
    assert run["pad.x"][-1] == pytest.approx(0.8 * 0.5 * speed * stop, rel=1e-8)
    rest = run.t > stop
    assert np.abs(velocity(run)[:, rest]).max() < 1e-10
    assert run["j.lower_1.friction"][5] == pytest.approx(-MU * MASS * G / 3, rel=1e-9)
    assert np.abs(run["j.lower_1.friction"][rest]).max() < 1e-9
    assert run.evidence.energy["friction"] == pytest.approx(0.5 * MASS * speed**2, rel=1e-8)
    assert run.evidence.balance < 1e-9


def test_on_a_slope_the_path_bends_and_the_pad_holds():
    """v' = g sin - mu g cos v/|v|: the direction turns ever faster towards the fall line as the pad comes to rest."""
    slope, speed = 0.15, 0.3
    pull, limit = np.array([G * math.sin(slope), 0.0]), MU * G * math.cos(slope)

    def stops(_, v):
        return np.hypot(*v) - 1e-8

    stops.terminal = True
    known = solve_ivp(lambda _, v: pull - limit * v / np.hypot(*v), (0.0, 2.0), speed * WAY, method="DOP853",
                      rtol=1e-12, atol=1e-14, events=stops, dense_output=True)  # fmt: skip
    stop = known.t[-1]
    run = gd.simulate(table(speed * WAY, slope), duration=0.8, method=gd.Impact(rtol=1e-10), output=2e-3)
    assert stop < 0.6
    moving = run.t < stop
    assert velocity(run)[:, moving] == pytest.approx(known.sol(run.t[moving]), abs=1e-9)
    assert np.abs(velocity(run)[:, run.t > stop + 1e-6]).max() < 1e-10
    # what holds it there is its weight along the slope
    assert run["j.fx"][-1] == pytest.approx(-MASS * G * math.sin(slope), rel=1e-9)
    assert run.evidence.balance < 1e-8


@pytest.mark.slow
def test_a_pull_that_turns_breaks_the_pad_loose():
    """Rest until the pull is mu m g, then m v' = F - mu m g v/|v| from rest, into the direction of the pull."""
    pull = (lambda t: 16.0 * t, lambda t: 12.0 * t + 40.0 * t * t)
    run = gd.simulate(table(pull=pull), duration=0.2, method="impact", output=1e-3)

    def force(t):
        return np.array([f(t) for f in pull])

    limit = MU * MASS * G
    begin = brentq(lambda t: np.hypot(*force(t)) - limit, 1e-3, 0.2)
    first = 1e-10 * force(begin) / limit
    known = solve_ivp(lambda t, v: (force(t) - limit * v / np.hypot(*v)) / MASS, (begin, 0.2), first, method="Radau",
                      rtol=1e-10, atol=1e-13, dense_output=True)  # fmt: skip
    later = run.t > begin
    assert np.abs(velocity(run)[:, ~later]).max() < 1e-9
    assert velocity(run)[:, later] == pytest.approx(known.sol(run.t[later]), abs=1e-7)
    assert known.y[1, -1] > known.y[0, -1] > 0.1
    assert run.evidence.balance < 1e-8


def test_a_pad_that_spins_stops_all_at_once_and_moreau_tends_to_it():
    """Translation and spin end together. Time steps come nearer in proportion to their length."""
    m = table(0.2 * WAY, spin=4.0)
    options = {"duration": 0.3, "output": 1e-3}
    run = gd.simulate(m, method="impact", **options)
    speed, spin = np.hypot(*velocity(run)), np.abs(run["pad.wz"])
    moves = speed > 1e-6
    assert 100 < moves.sum() < len(run.t) - 20
    assert (spin[moves] > 1e-6).all() and spin[~moves].max() < 1e-6
    assert run.evidence.balance < 1e-9
    away = []
    for step in (4e-5, 2e-5, 1e-5):
        other = gd.simulate(m, method="moreau", step=step, **options)
        away.append(np.hypot(other["pad.x"][-1] - run["pad.x"][-1], other["pad.y"][-1] - run["pad.y"][-1]))
    assert away[-1] < 1e-5
    assert away[0] > 1.5 * away[1] > 2.25 * away[2] or away[0] < 1e-8


def in_socket(way: np.ndarray, over: np.ndarray, spin: np.ndarray, radius: float = 0.05) -> gd.Mechanism:
    """A ball that lies at the bottom of a socket so large that it is a plane; gravity against `over`."""
    large, fall = 1e3, 1e-9
    m = gd.Mechanism("billiards", planar=False, gravity=tuple(-G * over), start="given")
    m.body(
        "ball", mass=MASS, inertia=(0.4 * MASS * radius**2,) * 3, at=(0, 0, 0), velocity=tuple(way), spin=tuple(spin)
    )
    gap = large - radius
    m.spherical("j", journal="ball", bearing=m.ground, journal_point=(0, 0, 0),
                bearing_point=tuple((gap - fall) * over), radius=large,
                fit=gd.Clearance(gap, wall=gd.LankaraniNikravesh(stiffness=1e8, restitution=0.0),
                                 friction=gd.ModifiedCoulomb(MU)))  # fmt: skip
    return m


@pytest.mark.parametrize("over", [(0.0, 0.0, 1.0), (2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0)], ids=["upright", "turned"])
def test_a_sliding_ball_ends_rolling(over):
    """A ball with any spin slides in one direction until 2/7 of its slip are gone from its velocity, then it rolls."""
    up, radius = np.array(over), 0.05
    side = np.cross(up, [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side)
    ahead = np.cross(up, side)
    first, spin = 0.3 * side + 0.1 * ahead, 8.0 * side - 3.0 * ahead
    slip = first + np.cross(spin, -radius * up)
    run = gd.simulate(in_socket(first, up, spin), duration=0.12, method="impact", output=1e-3)
    until = 2.0 / 7.0 * np.linalg.norm(slip) / (MU * G)
    assert 0.03 < until < 0.1
    v = np.array([run[f"ball.v{axis}"] for axis in "xyz"])
    way = slip / np.linalg.norm(slip)
    expected = first[:, None] - way[:, None] * np.clip(MU * G * run.t, 0.0, MU * G * until)
    assert v == pytest.approx(expected, abs=1e-4)
    rolls = run.t > until + 1e-4
    # speeds are measured by the size of the socket
    assert np.abs(run["j.slip"][rolls]).max() < 1e-6
    assert run["j.normal"][-1] == pytest.approx(MASS * G, rel=1e-3)
    assert run.evidence.balance < 1e-7
