"""Labels of systems whose motion is known."""

from __future__ import annotations

import math

import pytest
from known_systems import bouncing_ball, doubling, duffing, impact_oscillator, oscillator

import gudgeon as gd
from gudgeon.analysis.motions.regimes import CHAOTIC, QUASI, UNSETTLED
from gudgeon.papers import flores2007

TURN = 2.0 * math.pi


def test_linear_oscillator_follows_its_load():
    found = gd.regime(oscillator(3.0, 0.4, (1.0, 2.0)), transient=40, turns=60, period=TURN / 2.0)
    assert (found.label, found.period) == ("period-1", 1)
    assert found.exponent_per_second.value == pytest.approx(-0.2, abs=0.002)
    assert found.confidence > 0.99 and found.horizon == math.inf and "decay" in found.beyond


def test_torus_of_two_frequencies():
    """Undamped, sqrt(5) against 2: neither grows nor dies, and never repeats."""
    found = gd.regime(oscillator(math.sqrt(5.0), 0.0, (1.0, 2.0)), transient=0, turns=100, period=TURN / 2.0)
    assert found.label == QUASI and found.period == 0 and found.confidence > 0.9
    assert abs(found.exponent.value) < 3 * found.exponent.error < 0.05


def test_torus_whose_second_frequency_comes_from_outside():
    mechanism = oscillator(3.0, 0.4, (1.0, 2.0), (1.0, 2.0 * math.sqrt(2.0)))
    found = gd.regime(mechanism, transient=40, turns=80, period=TURN / 2.0)
    assert found.label == QUASI and "from outside" in found.notes[0]
    assert found.exponent_per_second.value == pytest.approx(-0.2, abs=0.002)


def test_what_still_settles_is_not_labelled():
    found = gd.regime(oscillator(3.0, 0.01, (1.0, 2.0)), transient=0, turns=80, period=TURN / 2.0)
    assert found.label == UNSETTLED and found.confidence == 0.0
    assert "getting closer; give a longer transient" in found.notes[0]


@pytest.mark.parametrize("force, label", [(0.20, "period-1"), (0.28, "period-2"), (0.29, "period-4"),
                                          (0.37, "period-5"), (0.50, CHAOTIC), (0.65, "period-2")])  # fmt: skip
def test_duffing_with_two_wells(force, label):
    """x'' + 0.3 x' - x + x³ = F cos 1.2 t: the well-known way to chaos and out of it again."""
    turns = 200 if label == CHAOTIC else 60
    found = gd.regime(duffing(-1.0, 1.0, 0.3, force, 1.2), transient=200, turns=turns, period=TURN / 1.2)
    assert found.label == label, str(found)
    # the flow shrinks areas by exp(-0.3 t): both exponents together are -0.3 per second
    assert found.exponent_per_second.value > -0.15 - 3 * found.exponent_per_second.error


@pytest.mark.parametrize("restitution", [0.5, 0.8])
def test_bouncing_ball_doubles_where_the_closed_form_says(restitution):
    """To 1 %: the compliant wall takes 0.3 % of the period for a bounce."""
    threshold = doubling(restitution)
    below, above = (
        gd.regime(bouncing_ball(f * threshold, restitution), transient=150, turns=40, period=TURN / 200.0)
        for f in (0.99, 1.01)
    )
    assert (below.label, above.label) == ("period-1", "period-2"), f"{below}\n{above}"


def test_bouncing_ball_has_no_period_one_below_its_start():
    """Below gamma = pi (1 - e) / (1 + e) the table cannot give back what a bounce takes."""
    e = 0.8
    least = math.pi * (1 - e) / (1 + e)
    found = gd.regime(bouncing_ball(1.05 * least, e), transient=100, turns=40, period=TURN / 200.0)
    assert found.label == "period-1" and found.residual < 1e-4
    run = gd.simulate(bouncing_ball(0.95 * least, e), duration=60 * TURN / 200.0, rtol=1e-8, channels=["flight.travel"])
    speeds = run.contacts.column("speed_on")
    assert speeds[-1] < 0.5 * speeds[0]


@pytest.mark.parametrize("omega, label", [(2.5, "period-1"), (2.8, CHAOTIC), (3.0, "period-2")])
def test_forced_impact_oscillator(omega, label):
    """Shaw, Holmes 1983, e = 0.8: period-1 above omega = 2, doublings, a band of chaos, a window of period-2. Between
    impacts areas are kept, and an impact shrinks them by e²: where multipliers are complex the exponent is ln e for
    each impact, one in a period of period-1."""
    turns = 400 if label == CHAOTIC else 80
    found = gd.regime(impact_oscillator(omega, 0.8), transient=200, turns=turns, period=TURN / omega)
    assert found.label == label, str(found)
    if label == "period-1":
        assert found.exponent.value == pytest.approx(math.log(0.8), abs=0.03)


def test_ideal_joints_leave_nothing_to_chance():
    found = gd.regime(flores2007.slider_crank(None), transient=1, turns=40)
    assert found.label == "period-1" and found.exponent.value == -math.inf


def test_a_run_goes_on_where_it_ended():
    run = gd.simulate(flores2007.slider_crank("0.01 mm"), revolutions=10, channels=[])
    found = gd.regime(run, turns=40)
    assert found.label == "period-1" and found.transient == 0.0 and found.length == 1e-5


def test_what_a_regime_cannot_be_asked():
    loose = flores2007.slider_crank("0.5 mm")
    refused = (({"turns": 10}, "needs 40 or more"), ({"transient": -1}, "must not be negative"),
               ({"period": "-1 s"}, "must be positive"), ({"method": "euler"}, "is not known"))  # fmt: skip
    for settings, words in refused:
        with pytest.raises(gd.GudgeonError, match=words):
            gd.regime(loose, **settings)
    with pytest.raises(gd.GudgeonError, match=r"give period= \[s\]"):
        gd.regime(oscillator(3.0, 0.4))
