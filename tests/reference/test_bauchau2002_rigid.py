"""The crank-slider of Bauchau and Rodriguez 2002 (Section 7.1, Table 1) on its motor, with rigid links.

The figures beside are those of an independent code for the same mechanism with flexible links; speeds hang on the
motor, not on the links, so that rigid ones must come close. The twin is the same with one coordinate, by hand.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq

import gudgeon as gd

CRANK, ARM, SPEED = 0.25, 0.75, 150.0 * math.pi / 30.0
MOTOR = {"resistance": 0.15, "inductance": "100 uH", "back_emf": 14.70, "torque_constant": 17.80}


def crank_slider() -> gd.Mechanism:
    """Steel bars of 30 x 10 mm, 30 mm deep in the plane; stretched out, at 150 rpm."""
    m = gd.Mechanism("crank-slider")
    tip = CRANK * SPEED
    links = {}
    for name, length, middle, spin in (("crank", CRANK, CRANK / 2, SPEED), ("arm", ARM, CRANK + ARM / 2, -tip / ARM)):
        mass = 7850.0 * 0.03 * 0.01 * length
        links[name] = m.body(name, mass=mass, inertia=mass * (length**2 + 0.03**2) / 12.0, at=(middle, 0.0), spin=spin,
                             velocity=(0.0, tip / 2))  # fmt: skip
    slider = m.body("slider", mass=40.0, inertia=1.0, at=(CRANK + ARM, 0.0))
    m.revolute("main", journal=links["crank"], bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal=links["arm"], bearing=links["crank"], at=(CRANK, 0.0))
    m.revolute("pin", journal=links["arm"], bearing=slider, at=(CRANK + ARM, 0.0))
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ARM, 0.0), axis=(1.0, 0.0))
    return m


def third_revolution(run: gd.Run) -> tuple[float, float]:
    """Times at which the third turn of the crank begins and ends [s]."""
    turn, speed = run["main.travel"], run["main.speed"]
    found = []
    for angle in (4.0 * math.pi, 6.0 * math.pi):
        k = int(np.searchsorted(turn, angle))
        within = slice(k - 1, k + 1)
        course = CubicHermiteSpline(run.t[within], turn[within], speed[within])
        found.append(brentq(lambda t, course=course, angle=angle: course(t) - angle, *run.t[within]))
    return found[0], found[1]


# With the crank angle a as the only coordinate, the arm leans by sin(b) = -(r/l) sin(a) and the slider is at
# r cos(a) + l cos(b); the kinetic energy is m(a) a'^2 / 2, and m a'' + m' a'^2 / 2 = K_T I.
def inertia(a):
    """m(a) [kg m^2], also of a complex angle, whose imaginary part gives the slope."""
    lean = np.arcsin(-CRANK / ARM * np.sin(a))
    turn = -CRANK / ARM * np.cos(a) / np.cos(lean)  # b' / a'
    crank, arm = (7850.0 * 0.03 * 0.01 * length for length in (CRANK, ARM))
    middle = -CRANK * np.sin(a) - ARM / 2 * np.sin(lean) * turn, CRANK * np.cos(a) + ARM / 2 * np.cos(lean) * turn
    slider = -CRANK * np.sin(a) - ARM * np.sin(lean) * turn
    own = crank * ((CRANK**2 + 0.03**2) / 12.0 + CRANK**2 / 4) + arm * (ARM**2 + 0.03**2) / 12.0 * turn**2
    return own + arm * (middle[0] ** 2 + middle[1] ** 2) + 40.0 * slider**2


def by_hand(voltage: float) -> float:
    """Mean speed of the third revolution [rpm]."""

    def slopes(t, y):
        a, speed, current = y
        slope = inertia(a + 1e-30j).imag / 1e-30
        rate = (17.80 * current - 0.5 * slope * speed**2) / inertia(a)
        return [speed, rate, (voltage - 0.15 * current - 14.70 * speed) / 100e-6]

    marks = [lambda t, y, turns=turns: y[0] - 2.0 * math.pi * turns for turns in (2, 3)]
    found = solve_ivp(slopes, (0.0, 1.3), [0.0, SPEED, 0.0], "DOP853", rtol=1e-11, atol=1e-11, events=marks)
    return 60.0 / (found.t_events[1][0] - found.t_events[0][0])


@pytest.mark.parametrize(("voltage", "flexible"), [(225.0, 146.149), (231.0, 150.046)])
def test_mean_speed_of_the_third_revolution(voltage, flexible):
    m = crank_slider()
    m.motor("main", voltage=voltage, **MOTOR)
    run = gd.simulate(m, duration=1.3, rtol=1e-10)
    begin, end = third_revolution(run)
    assert 60.0 / (end - begin) == pytest.approx(flexible, rel=1e-4)
    assert run.evidence.balance < 1e-9 * np.abs(run["energy.electrical"]).max()
    assert 60.0 / (end - begin) == pytest.approx(by_hand(voltage), rel=1e-8)


def test_play_in_the_pin_hardly_changes_the_mean_speed():
    m = crank_slider()
    m.motor("main", voltage=225.0, **MOTOR)
    loose = m.refit(pin=gd.Clearance("0.5 mm", wall=gd.Hertz(stiffness=64e9)))
    run = gd.simulate(loose, duration=1.3, rtol=1e-9)
    begin, end = third_revolution(run)
    assert 60.0 / (end - begin) == pytest.approx(146.148, rel=1e-4)
    assert len(run.contacts) >= 4
