"""S4: the slider-crank with impacts as instants. Schwab, Meijaard, Meijers 2002, sections 4 and 5.2."""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference_data import PLANAR, close
from scipy.integrate import solve_ivp

import gudgeon as gd
from gudgeon.papers import schwab2002

REF = PLANAR["S4"]
PERIOD = 2.0 * math.pi / schwab2002.SPEED
R, L, M, W, C, E = schwab2002.CRANK, schwab2002.ROD, schwab2002.MASS, schwab2002.SPEED, 0.5e-3, 0.95
I_B = M * L * L / 3.0


@pytest.fixture(scope="module")
def run() -> gd.Run:
    return gd.simulate(schwab2002.impact(), revolutions=0.9, method="impact", rtol=1e-12)


def test_first_impacts(run: gd.Run) -> None:
    """Time, speed, angle, effective mass, impulse and Eq 28, to the digits printed."""
    for impact, record, row in zip(run.impacts, run.contacts, REF["impacts"], strict=False):
        t, speed, angle, mass, impulse, force = row
        assert abs(impact.t - t) < 1e-12
        assert close(impact.speed, speed, 1e-9)
        assert abs(record.angle - angle) < 1e-8
        assert close(impact.mass, mass, 1e-9)
        assert close(impact.impulse, impulse, 1e-8)
        assert close(impact.peak_force, force, 1e-8)


def free_flight(t: float, y: np.ndarray) -> list[float]:
    """Rod angle and slider in minimal coordinates, rod and slider apart; the crank turns evenly."""
    phi = y[0]
    ax, ay = -R * W * W * math.cos(W * t), -R * W * W * math.sin(W * t)
    across = -math.sin(phi) * ax + math.cos(phi) * ay
    return [y[2], y[3], -M * 0.5 * L * across / I_B, 0.0]


def gap(t: float, y: np.ndarray) -> float:
    return C - math.hypot(*offset(t, y))


gap.terminal, gap.direction = True, -1.0  # type: ignore[attr-defined]


def offset(t: float, y: np.ndarray) -> tuple[float, float]:
    return (R * math.cos(W * t) + L * math.cos(y[0]) - y[1], R * math.sin(W * t) + L * math.sin(y[0]))


def bounce(t: float, y: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Closing speed, effective mass, and the state after the impact."""
    x, z = offset(t, y)
    n = (x / C, z / C)
    lever = L * (-math.sin(y[0]) * n[0] + math.cos(y[0]) * n[1])
    speed = lever * y[2] - n[0] * y[3] + R * W * (-math.sin(W * t) * n[0] + math.cos(W * t) * n[1])
    mass = 1.0 / (lever * lever / I_B + n[0] * n[0] / M)
    impulse = (1.0 + E) * mass * speed
    return speed, mass, y + np.array([0.0, 0.0, -lever * impulse / I_B, n[0] * impulse / M])


def test_impacts_against_minimal_coordinates(run: gd.Run) -> None:
    """Fifteen impacts of a two-coordinate model, integrated by another program, to 1e-6 (we see 1e-9)."""
    t, y = 0.0, np.array([0.0, R + L, -R * W / L, 0.0])
    for impact in run.impacts[:15]:
        step = solve_ivp(free_flight, (t, 1.0), y, "DOP853", events=gap, rtol=1e-13, atol=1e-15, max_step=2e-5)
        t, y = step.t_events[0][0], step.y_events[0][0]
        speed, mass, y = bounce(t, y)
        assert close(impact.t, t, 1e-6)
        assert close(impact.speed, speed, 1e-6)
        assert close(impact.mass, mass, 1e-6)
        # a step off the wall, so that the same touch is not found again
        short = solve_ivp(free_flight, (t, t + 1e-9), y, "DOP853", rtol=1e-13, atol=1e-15)
        t, y = t + 1e-9, short.y[:, -1]


def test_energy_of_an_impact(run: gd.Run) -> None:
    """Kinetic energy that the drive did not put in: Eq 17 to 1e-10 of each impact, from the rows on both sides."""
    kinetic, work, pin = run["energy.kinetic"], run["energy.drive"], run["pin.force"]
    for impact in run.impacts:
        rows = np.flatnonzero(run.t == impact.t)
        before, crest, after = rows[0], rows[1], rows[-1]
        lost = kinetic[before] - kinetic[after] + work[after] - work[before]
        expected = 0.5 * (1.0 - E * E) * impact.mass * impact.speed**2
        # energies of a hundred joules are subtracted, so their rounding comes on top
        assert abs(lost - expected) < 1e-10 * expected + 1e-13 * kinetic[before]
        assert close(impact.energy_lost, expected, 1e-10)
        assert close(pin[crest], impact.peak_force, 1e-12)
    assert run.evidence.balance < 1e-9 * run.evidence.energy_scale


def test_reactions_of_an_impact(run: gd.Run) -> None:
    """The impulse travels through the rod: at its other end act components of the same size, and the drive takes its
    moment about the crank's axis."""
    first = run.impacts[0]
    x, y = first.reactions["big.x"], first.reactions["big.y"]
    assert 0.9 * first.impulse < math.hypot(x, y) < 1.1 * first.impulse
    assert first.reactions["main.x"] == pytest.approx(-x, rel=1e-9)
    angle = W * first.t
    moment = R * (math.cos(angle) * y - math.sin(angle) * x)
    assert abs(first.reactions["main.drive"]) == pytest.approx(abs(moment), rel=1e-9)


def test_lasting_contact() -> None:
    """Bounces accumulate; from there the wall holds the pin, with a force that pushes.

    With the article's restitution of 0.95 that takes some three revolutions, and rounding decides in which; with 0.7
    it takes a millisecond.
    """
    run = gd.simulate(schwab2002.impact(restitution=0.7), revolutions=2, method="impact", rtol=1e-12)
    lasting = [r for r in run.contacts if r.kind == "contact"]
    assert len(lasting) > 3 and lasting[0].t_on == pytest.approx(0.9941e-3, rel=1e-3)
    for record in lasting:
        inside = (run.t > record.t_on) & (run.t < (record.t_off if record.ended else np.inf))
        assert np.abs(run["pin.depth"][inside]).max() < 1e-13
        assert run["pin.normal"][inside].min() > -1e-6
        assert record.peak_force > 0.0
    assert run.evidence.balance < 1e-8 * run.evidence.energy_scale
