"""Slider-crank and triple pendulum of Ambrosio and Pombo 2018 against solutions in minimal coordinates.

The reference numbers come from programs of their own: two or four coordinates, equations of motion checked by
differences, event location on the step. Tolerances are those of the reference, not of this program.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from printed_axial import print_axial_forces

import gudgeon as gd
from gudgeon.papers import ambrosio2018
from gudgeon.simulation import Numerics, prepare


def at(run: gd.Run, name: str, t: float) -> float:
    """The channel at an output time."""
    return float(run[name][int(np.argmin(np.abs(run.t - t)))])


# -- ideal joints ---------------------------------------------------------------------------------------------------

IDEAL = {  # t: x of the slider [m], angle of the crank [rad]
    "P": {0.5: (0.1850412378, 5.6398866779), 1.0: (0.2078958407, 10.9944976566), 2.0: (0.2898354957, 21.4192029174),
          3.0: (0.2349724336, 32.1317354273), 4.0: (0.1943486716, 43.8281769976), 5.0: (0.2202526546, 54.7250510725)},
    "G": {0.5: (0.1849526298, 5.5837625533), 1.0: (0.2117216614, 10.9135907299), 2.0: (0.2890851971, 21.0727445228),
          3.0: (0.2284848137, 32.0083277557), 4.0: (0.1882304756, 43.6017539065), 5.0: (0.2407195737, 54.3333321683)},
    "M": {0.5: (0.1886173756, 5.2558931290), 1.0: (0.2363628560, 10.4345767696), 2.0: (0.2620462718, 20.1141555074),
          3.0: (0.1994050933, 31.4009406841), 4.0: (0.2378178002, 41.8226987940), 5.0: (0.2610020064, 51.5065784326)},
}  # fmt: skip
START = {"P": (-25.669565217, 0.76662), "G": (-25.684190589, 0.76643568), "M": (-26.446241088, 0.7656984)}


@pytest.mark.parametrize("model", IDEAL)
def test_ideal_slider_crank(model):
    run = gd.simulate(ambrosio2018.slider_crank(model), duration=5, output=0.1)
    for t, (x, theta) in IDEAL[model].items():
        assert at(run, "slider.x", t) == pytest.approx(x, abs=1e-6)
        assert at(run, "main.travel", t) == pytest.approx(theta, abs=1e-5)
    acceleration, energy = START[model]
    assert run["crank.alphax"][0] == pytest.approx(acceleration, abs=1e-8)
    assert run["energy.balance"][0] == pytest.approx(energy, abs=1e-7)
    assert np.ptp(run["energy.balance"]) < 1e-6
    assert run.evidence.dof == 1 and not run.evidence.redundant


def test_force_between_crank_and_rod():
    run = gd.simulate(ambrosio2018.slider_crank("P"), duration=5, output=0.005, method="dop853", rtol=1e-11)
    expected = {
        0.1: (2.15690157, -0.44843527, 0.22966215),
        0.5: (27.96323495, -21.28571056, -27.91504637),
        2.0: (-69.96877758, 16.79811537, 24.40737885),
    }
    for t, force in expected.items():
        assert [at(run, f"ball.f{axis}", t) for axis in "xyz"] == pytest.approx(force, abs=1e-6)
    assert run["ball.force"].max() == pytest.approx(79.158, abs=1e-3)
    assert (run["ball.fx"].min(), run["ball.fx"].max()) == pytest.approx((-73.01, 32.91), abs=1e-2)
    assert (run["slider.x"].min(), run["slider.x"].max()) == pytest.approx((0.184953, 0.290160), abs=2e-6)


# -- spherical clearance --------------------------------------------------------------------------------------------

BALL = {  # clearance and rule: t: x, angle, tolerance of x; then times of full turns
    ("0 mm", "above"): (
        {0.5: (0.184228685, 5.59733631, 1e-6), 1.0: (0.212195038, 10.90808723, 1e-6),
         2.0: (0.273433985, 20.40704043, 1e-6)},
        (0.57953, 1.16526, 1.76126, 2.36202, 2.95895),
    ),
    ("1 um", "above"): (
        {0.5: (0.184411076, 5.53378331, 1e-6), 1.0: (0.231617574, 10.52288007, 1e-5),
         2.0: (0.215691823, 19.19397568, 1e-5), 5.0: (0.263802546, 32.72306960, 1e-5)},
        (0.59385, 1.22695, 1.90541, 2.64549, 3.48407),
    ),
    ("1 um", "both"): (
        {0.5: (0.184331658, 5.55247402, 1e-6), 5.0: (0.204609768, 44.09109056, 1e-5)},
        (0.58970, 1.20614, 1.85335, 2.53668, 3.26340, 4.04781, 4.93040),
    ),
    ("1 mm", "above"): (
        {0.5: (0.183333783, 5.45430151, 1e-6), 1.0: (0.239817196, 10.34690900, 1e-5)}, (0.61001, 1.25626)
    ),
    ("1 mm", "both"): (
        {0.5: (0.183320514, 5.45604727, 1e-6), 1.0: (0.239344299, 10.35595528, 1e-5)}, (0.60927, 1.25638)
    ),
}  # fmt: skip
ENERGY = {
    "1 um": (0.73335, 0.71341, 0.69925, 0.67606, 0.66310), "0.1 mm": (0.74596, 0.73381, 0.71645, 0.70768, 0.69849),
    "1 mm": (0.73139, 0.70763, 0.68865, 0.6244, 0.60106),
}  # fmt: skip
CONTACTS = {"1 um": 1, "0.1 mm": 2, "1 mm": 35}


@pytest.mark.parametrize(("clearance", "rule"), BALL)
def test_spherical_clearance(clearance, rule):
    states, turns = BALL[clearance, rule]
    m = ambrosio2018.slider_crank("P", ball=clearance, ratio_limit=rule)
    run = gd.simulate(m, duration=5, output=0.01, rtol=1e-10, channels=["slider.x", "main.travel"])
    for t, (x, theta, tolerance) in states.items():
        assert at(run, "slider.x", t) == pytest.approx(x, abs=tolerance)
        assert at(run, "main.travel", t) == pytest.approx(theta, abs=100 * tolerance)
    for k, t in enumerate(turns, 1):
        assert np.interp(t, run.t, run["main.travel"]) == pytest.approx(2 * np.pi * k, abs=0.011)  # 1e-3 s
    assert run.evidence.balance < 1e-8


def test_a_ball_without_play_never_parts():
    """No first touch, so that the ratio of rates is 1: the law is 1.328 times as stiff and does not damp."""
    run = gd.simulate(ambrosio2018.slider_crank("P", ball=0.0), duration=0.5, output=2e-4, rtol=1e-9)
    assert len(run.contacts) == 0
    assert run["ball.normal"] == pytest.approx(5e6 * 1.328125 * run["ball.offset"] ** 1.5, rel=1e-9, abs=1e-9)
    assert "then has no damping and is 1.328 times as stiff" in run.evidence.warnings[0]
    # what the contact took it still holds
    held = 0.4 * 5e6 * 1.328125 * run["ball.offset"] ** 2.5
    assert run["energy.contact"] == pytest.approx(held, abs=1e-9)
    # deflection up to 0.56 mm in the first 0.5 s
    assert run["ball.offset"].max() == pytest.approx(0.56e-3, rel=0.01)


@pytest.mark.parametrize("clearance", ENERGY)
def test_energy_left_after_spherical_clearance(clearance):
    run = gd.simulate(ambrosio2018.slider_crank("P", ball=clearance), duration=5, output=0.1, rtol=1e-10)
    energy = run["energy.kinetic"] + run["energy.potential"]
    found = [float(energy[int(np.argmin(np.abs(run.t - t)))]) for t in (1, 2, 3, 4, 5)]
    lost, expected = 0.76662 - np.array(found), 0.76662 - np.array(ENERGY[clearance])
    # within the horizon to the last digit given, later by a tenth
    known = 2 if clearance == "1 mm" else 5
    assert lost[:known] == pytest.approx(expected[:known], abs=2e-5)
    assert found == pytest.approx(ENERGY[clearance], rel=0.1)
    assert len(run.contacts) == pytest.approx(CONTACTS[clearance], rel=0.25)


# -- revolute clearance: dimensions are assumed, see the reference ------------------------------------------------

G1, G2, G3 = {"length": 0.02, "shared": True}, {"length": 0.1, "shared": True}, {"length": 0.1, "shared": False}


@pytest.mark.parametrize(
    ("bearing", "clearance", "time", "rate"),
    [
        (G3, "1 mm", 0.013628382, 0.14813977),
        (G3, "1 um", 0.000435331, 0.00459587),
        (G1, "1 mm", 0.016321903, 0.12486587),
        (G1, "0.1 mm", 0.005232211, 0.03848235),
        (G1, "1 um", 0.000526462, 0.00380162),
    ],
)
def test_first_touch_of_a_loose_bearing(bearing, clearance, time, rate):
    run = gd.simulate(ambrosio2018.slider_crank("P", bearing=clearance, **bearing), duration=0.02)
    first = run.contacts[0]
    assert first.contact == "main.strip_10"
    assert first.t_on == pytest.approx(time, abs=1e-9)
    assert first.speed_on == pytest.approx(rate, abs=1e-8)


LOOSE = {  # bearing and clearance: t: x, and the tolerance of our x
    ("G3", "0 mm"): {0.1: (0.226785676, 1e-8), 0.25: (0.285159546, 1e-7), 0.5: (0.184558440, 1e-6)},
    ("G3", "1 um"): {0.1: (0.226776099, 1e-8), 0.25: (0.285178687, 1e-7), 0.5: (0.184962056, 1e-7)},
    ("G2", "1 um"): {0.1: (0.226746927, 1e-7), 0.25: (0.285364914, 1e-7), 0.5: (0.192178293, 3e-5)},
    ("G2", "0.1 mm"): {0.1: (0.226714259, 1e-6), 0.25: (0.285490436, 1e-6), 0.5: (0.188978092, 3e-5)},
    ("G1", "1 um"): {0.1: (0.225971852, 1e-6), 0.25: (0.285552575, 1e-6), 0.5: (0.268168449, 3e-5)},
}
BEARINGS = {"G1": G1, "G2": G2, "G3": G3}


@pytest.mark.parametrize(("bearing", "clearance"), LOOSE)
def test_motion_of_a_loose_bearing(bearing, clearance):
    """The reference asks 1e-6 m to 0.25 s and 1e-5 m to 0.5 s of G3; the others tilt more, and with the tilt grows what
    the next test shows: the reference lets axial forces act at two points, which leaves a couple; here both act at
    one, and the energy is kept."""
    m = ambrosio2018.slider_crank("P", bearing=clearance, **BEARINGS[bearing])
    run = gd.simulate(m, duration=0.5, output=0.05)
    for t, (x, tolerance) in LOOSE[bearing, clearance].items():
        assert at(run, "slider.x", t) == pytest.approx(x, abs=tolerance)
    assert run.evidence.balance < 1e-8


PUBLISHED = {  # the horizon of the reference at 1e-6 m is 0.34 s for G3 and 1 mm
    ("G3", "0 mm"): ({0.1: 0.226785676, 0.25: 0.285159546, 0.5: 0.184558440, 1.0: 0.215696611}, 3e-6),
    ("G3", "1 um"): ({0.1: 0.226776099, 0.25: 0.285178687, 0.5: 0.184962056}, 2e-6),
    ("G3", "1 mm"): ({0.1: 0.226455968, 0.25: 0.2858015}, 2e-5),
    ("G2", "1 um"): ({0.1: 0.226746927, 0.25: 0.285364914, 0.5: 0.192178293}, 5e-5),
    ("G2", "0.1 mm"): ({0.1: 0.226714259, 0.25: 0.285490436, 0.5: 0.188978092}, 2e-5),
    ("G1", "0 mm"): ({0.1: 0.225979395, 0.25: 0.285372388, 0.5: 0.288041033}, 2e-4),
    ("G1", "1 um"): ({0.1: 0.225971852, 0.25: 0.285552575, 0.5: 0.268168449}, 2e-4),
    ("G1", "1 mm"): ({0.1: 0.225469026, 0.25: 0.287851369, 0.5: 0.2632701}, 5e-4),
}


@pytest.mark.parametrize(("bearing", "clearance"), PUBLISHED)
def test_what_parts_us_from_the_reference_is_the_couple_of_its_axial_forces(bearing, clearance, monkeypatch):
    """With the axial force on the crank at its own point, and the depth measured along the journal's axis to the
    bearing's, as printed, every row of the reference comes out to 3e-7 m, through hundreds of contacts of 10 strips.
    That placement makes energy out of nothing: up to 0.7 mJ in 0.5 s, 1e-3 of all there is."""
    print_axial_forces(monkeypatch)
    states, made = PUBLISHED[bearing, clearance]
    m = ambrosio2018.slider_crank("P", bearing=clearance, **BEARINGS[bearing])
    # in coordinates of joints the couple that is left would act on other coordinates
    run = prepare(m, duration=max(states), output=0.05, rtol=1e-9, numerics=Numerics(coordinates="absolute")).run()
    for t, x in states.items():
        assert at(run, "slider.x", t) == pytest.approx(x, abs=3e-7)
    assert run.evidence.balance > made


# G3 with 0 mm and 1 mm is chaotic within 5 s: see test_ambrosio2018_spread
WHOLE = {  # bearing and clearance: most turns in 5 s, energy left [J], largest tilt [rad]
    ("G3", "1 um"): (3.942, 0.60333, 0.0079),
    ("G2", "1 um"): (0.923, 0.37162, 0.0356),
    ("G2", "0.1 mm"): (1.876, 0.39842, 0.0408),
    ("G1", "1 um"): (0.576, 0.19840, 0.287),
    ("G1", "1 mm"): (0.598, 0.19782, 0.392),
}


QUICK = (("G3", "1 um"), ("G1", "1 um"))


@cache
def five_seconds(bearing, clearance):
    m = ambrosio2018.slider_crank("P", bearing=clearance, **BEARINGS[bearing])
    names = ["main.travel", "main.tilt", "energy.kinetic", "energy.potential"]
    return gd.simulate(m, duration=5, output=0.01, rtol=1e-8, channels=names)


EACH = [pytest.param(*key, marks=() if key in QUICK else pytest.mark.slow) for key in WHOLE]


@pytest.mark.parametrize(("bearing", "clearance"), EACH)
def test_turns_and_energy_of_a_loose_bearing(bearing, clearance):
    turns, energy, _ = WHOLE[bearing, clearance]
    run = five_seconds(bearing, clearance)
    assert run["main.travel"].max() / (2 * np.pi) == pytest.approx(turns, abs=1.0)
    assert (run["energy.kinetic"] + run["energy.potential"])[-1] == pytest.approx(energy, rel=0.1)


@pytest.mark.parametrize(("bearing", "clearance"), EACH)
def test_tilt_of_a_loose_bearing(bearing, clearance):
    tilt = WHOLE[bearing, clearance][2]
    assert five_seconds(bearing, clearance)["main.tilt"].max() == pytest.approx(tilt, rel=0.1)


# -- triple pendulum ------------------------------------------------------------------------------------------------

COORDINATES = ("swing.travel", "slide.travel", "slide.turn", "elbow.travel")
PENDULUM = {
    "hysteresis": {
        0.3: (0.230817933, -0.204453879, 0.048352443, -0.229298691),
        0.5: (0.827026802, -0.128944904, 0.102339899, -0.526440937),
        1.0: (2.427938610, -0.139114499, -0.150443400, 0.611394369),
        4.0: (2.824682139, -0.117825151, 0.016479002, 0.510066848),
    },
    "kelvin-voigt": {
        0.3: (0.230817933, -0.204453879, 0.048352443, -0.229298691),
        0.5: (0.759088212, -0.250286952, 0.095563044, -0.494117693),
        1.0: (2.345999514, -0.250086724, -0.154349801, 0.643309485),
        4.0: (2.615329696, -0.205396105, 0.442715464, 0.750394406),
    },
}
# contact, start, rate, peak. The reference takes the largest of its steps as the peak. In the second scenario the force
# falls at once where the rate falls below the tolerance of the law, and it prints 88.588847, 7.593885 and 110.077090:
# 0.10 to 0.13 % low. The peaks here are those of a program of its own (scipy's DOP853 on the four coordinates, dense
# output), 88.69146358 at both rtol 1e-10 and 1e-12; the largest of its steps is 88.68179 at 1e-8, 88.69073 at 1e-10.
STOPS = {
    "hysteresis": [
        ("slide.stop.lower", 0.329199182, 1.666355245, 23.196991),
        ("slide.stop.lower", 0.720573966, 1.324095339, 17.684895),
        ("elbow.stop.upper", 1.051486774, 3.254836381, 2.996370),
        ("slide.stop.upper", 1.447056512, 1.791546106, 25.203562),
    ],
    "kelvin-voigt": [
        ("slide.stop.lower", 0.329199182, 1.666355245, 88.69146358),
        ("slide.stop.lower", 0.368798501, 0.119116034, None),
        ("elbow.stop.upper", 1.042077786, 3.280268452, 7.60409142),
        ("slide.stop.upper", 1.620595207, 2.071411697, 110.1929511),
        ("slide.stop.upper", 1.683749828, None, None),
    ],
}
PENDULUM_ENERGY = {
    "hysteresis": (-0.02156197, -0.04598436, -0.08573195, -0.10553782),
    "kelvin-voigt": (-0.03931150, -0.13055056, -0.15625345, -0.27298807),
}


@pytest.mark.parametrize("stops", PENDULUM)
def test_triple_pendulum(stops):
    run = gd.simulate(ambrosio2018.triple_pendulum(stops), duration=4, output=0.1, rtol=1e-10)
    for t, expected in PENDULUM[stops].items():
        assert [at(run, name, t) for name in COORDINATES] == pytest.approx(expected, abs=1e-6)
    energy = run["energy.kinetic"] + run["energy.potential"]
    found = [float(energy[int(np.argmin(np.abs(run.t - t)))]) for t in (1, 2, 3, 4)]
    assert found == pytest.approx(PENDULUM_ENERGY[stops], abs=1e-7)
    records = iter(run.contacts)
    for name, start, rate, peak in STOPS[stops]:
        record = next(r for r in records if r.contact == name)
        assert record.t_on == pytest.approx(start, abs=1e-7)
        assert rate is None or record.speed_on == pytest.approx(rate, abs=1e-6)
        assert peak is None or record.peak_force == pytest.approx(peak, rel=1e-4 if stops == "hysteresis" else 1e-6)
    if stops == "kelvin-voigt":
        closed = [r.t_off for r in run.contacts if r.contact == "slide.stop.lower"]
        assert closed[1] == pytest.approx(1.044205751, abs=1e-6)


def test_stops_that_give_nothing_back_go_on_touching():
    """The article expects no more contact with a restitution of zero; the last of these 10 s starts at 9.05 s."""
    run = gd.simulate(ambrosio2018.triple_pendulum("kelvin-voigt", energy_ratio=0.0), duration=10, output=1.0,
                      rtol=1e-10)  # fmt: skip
    assert (run["energy.kinetic"] + run["energy.potential"])[-1] == pytest.approx(-0.65086347, abs=1e-7)
    last = run.contacts[-1]
    assert last.contact == "elbow.stop.upper" and last.t_on == pytest.approx(9.04881264, abs=1e-7)
