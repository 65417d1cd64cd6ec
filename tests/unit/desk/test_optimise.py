"""Optima that a hand calculation confirms: counterweights of a slider-crank whose rod has no mass; what is refused."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import gudgeon as gd
from gudgeon.desk.goal import read_goal
from gudgeon.study import normal

CRANK, ROD, ARM = 0.05, 0.2, 0.06  # [m]
SLIDER, DISC, SPEED, G = 1.0, 0.4, 8.0 * math.pi, 9.81  # [kg], [rad/s], [m/s^2]


def vertical(weight=0.3, gravity=G, arm=ARM):
    """A slider above its crank, which carries a counterweight on the other side."""
    m = gd.Mechanism("vertical", gravity=(0, -gravity))
    crank = m.body("crank", mass=DISC, inertia=1e-4, at=(0, 0), angle=math.pi / 2)
    rod = m.body("rod", mass=1e-8, inertia=1e-11, at=(0, CRANK + ROD / 2), angle=math.pi / 2)
    slider = m.body("slider", mass=SLIDER, inertia=1e-4, at=(0, CRANK + ROD))
    block = m.body("weight", mass=weight, inertia=1e-6, at=(0, -arm))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.rigid("bolt", journal=block, bearing=crank, at=(0, -arm))
    m.revolute("big", journal=crank, bearing=rod, at=(0, CRANK))
    m.revolute("wrist", journal=rod, bearing=slider, at=(0, CRANK + ROD))
    m.translational("guide", journal=slider, bearing=m.ground, at=(0, CRANK + ROD), axis=(0, 1))
    m.drive("main", speed=SPEED)
    return m


def bearing(weight, gravity=G):
    """The force on the crank over a turn by hand: the rod, without mass, pushes along itself what the slider needs."""
    angle = np.linspace(0.0, 2.0 * math.pi, 7201)
    s = CRANK * np.sin(angle)
    c = np.sqrt(ROD**2 - s**2)
    ds = CRANK * np.cos(angle)
    acceleration = SPEED**2 * (-CRANK * np.cos(angle) - (ds**2 - s**2) / c - (s * ds) ** 2 / c**3)
    up = SLIDER * (gravity + acceleration)
    turning = weight * ARM * SPEED**2
    # the crank is at angle from the vertical; the rod leans by s / c to the other side
    fx = -up * s / c + turning * np.sin(angle)
    fy = up + (DISC + weight) * gravity + turning * np.cos(angle)
    return fx, fy


def test_the_force_in_the_bearing_is_that_of_the_hand_calculation():
    run = gd.simulate(vertical(0.5), revolutions=1)
    fx, fy = bearing(0.5)
    assert (run["main.fy"].min(), run["main.fy"].max()) == pytest.approx((fy.min(), fy.max()), rel=1e-6)
    assert abs(run["main.fx"]).max() == pytest.approx(abs(fx).max(), rel=1e-5)  # between two recorded steps


def test_the_least_counterweight_that_keeps_the_force_one_sided():
    """At the upper dead centre the slider pulls with m r w^2 (1 + r/l); nowhere else is less force left."""
    pull = SLIDER * CRANK * SPEED**2 * (1.0 + CRANK / ROD)
    exact = (pull - (SLIDER + DISC) * G) / (ARM * SPEED**2 + G)
    assert bearing(exact)[1].min() == pytest.approx(0.0, abs=1e-9)
    found = gd.optimise(vertical(), {"weight.mass": ("0.1 kg", "2 kg")}, "weight.mass",
                        limits={"lowest main.fy": ">= 0 N"}, generations=14, seed=1)  # fmt: skip
    assert found.feasible and exact * (1 - 1e-6) <= found["weight.mass"] <= exact * 1.005
    value, there, kept = found.kept["lowest main.fy"]
    assert kept and value == pytest.approx(bearing(0.3)[1].min(), rel=1e-5) and there >= 0.0
    low, high = found.as_good["weight.mass"]
    assert low <= found["weight.mass"] <= high


@pytest.mark.slow
def test_the_least_counterweight_to_six_digits(tmp_path):
    pull = SLIDER * CRANK * SPEED**2 * (1.0 + CRANK / ROD)
    exact = (pull - (SLIDER + DISC) * G) / (ARM * SPEED**2 + G)
    found = gd.optimise(vertical(), {"weight.mass": (0.1, 2.0)}, "weight.mass", limits={"lowest main.fy": ">= 0 N"},
                        generations=60, store=tmp_path / "least")  # fmt: skip
    assert found.settled and found["weight.mass"] == pytest.approx(exact, rel=2e-6)


def test_the_least_peak_force_is_near_half_balance():
    """Without gravity: half the moment of the slider for a long rod; for this one by the hand calculation."""
    def peak(weight):
        return float(np.hypot(*bearing(weight, 0.0)).max())

    exact = minimize_scalar(peak, bounds=(0.1, 2.0), method="bounded", options={"xatol": 1e-9})
    assert exact.x == pytest.approx(0.5 * SLIDER * CRANK / ARM, rel=0.3)  # that of a long rod
    found = gd.optimise(vertical(gravity=0.0), {"weight.mass": (0.1, 2.0)}, "peak main.force", generations=14, seed=2)
    assert found["weight.mass"] == pytest.approx(exact.x, rel=5e-3)
    assert found.goal == pytest.approx(exact.fun, rel=1e-3) and found.goal >= exact.fun * (1 - 1e-6)
    assert found.start == pytest.approx(peak(0.3), rel=1e-5) and found.unit == "N"
    # what neighbours gain lies around what the optimum gains
    assert found.gain.low < found.start - found.goal < found.gain.high


def test_limits_that_nothing_keeps_are_said():
    found = gd.optimise(vertical(), {"weight.mass": (0.1, 0.2)}, "weight.mass", limits={"lowest main.fy": ">= 0 N"},
                        generations=2, population=5)  # fmt: skip
    assert not found.feasible and math.isnan(found.searched) and all(map(math.isnan, found.history))
    assert found["weight.mass"] == pytest.approx(0.2, abs=0.03)  # what breaks it least


def test_it_goes_on_where_it_was_and_a_function_may_make_the_mechanism(tmp_path):
    """The second call computes nothing; lengths are arguments of a function."""
    def build(arm):
        build.made += 1
        return vertical(0.5, 0.0, arm)

    build.made = 0
    asked = ({"arm": ("30 mm", "70 mm")}, "peak main.force")
    options = {"generations": 2, "population": 5, "store": tmp_path / "arms"}
    first = gd.optimise(build, *asked, **options)
    made = build.made
    assert made > 10 and gd.optimise(build, *asked, **options) == first
    assert build.made == made + 1  # the first one, which knows the units
    with pytest.raises(gd.GudgeonError, match="holds other runs"):
        gd.optimise(build, *asked, **options, seed=5)


def test_scatter_is_the_same_for_all_candidates_and_other_at_the_end():
    found = gd.optimise(vertical(gravity=0.0), {"weight.mass": (0.1, 0.9)}, "95 % of peak main.force", machines=8,
                        scatter={"slider.mass": normal("1 kg", "30 g")}, generations=3, population=6)  # fmt: skip
    low, high = found.spread[1]
    assert low < found.goal < high * 1.05 and found.gain.low < found.gain.value < found.gain.high
    assert found.gain.low > 0.0 and found.goal != found.searched


def test_goals_are_read():
    assert read_goal("95 % of peak pin.force", {}).share == 0.95
    assert read_goal("most lowest main.fy", {}).sign == -1.0
    share = read_goal("share of peak pin.force > 5 kN", {}).with_unit("N")
    assert share.above == 5000.0 and share.of(np.array([[1e3, 6e3, 7e3, 2e3]])) == 0.5
    assert read_goal("weight.mass", {"weight.mass": 0}).path == "weight.mass"


@pytest.mark.parametrize(("free", "goal", "options", "words"), [
    ({}, "peak main.force", {}, "nothing is free"),
    ({"weight.masss": (0, 1)}, "peak main.force", {}, 'did you mean "weight.mass"'),
    ({"weight.mass": (2.0, 1.0)}, "peak main.force", {}, "must be less"),
    ({"weight.mass": 3.0}, "peak main.force", {}, "neither two limits nor a list"),
    ({"weight.mass": (0.1, 1.0)}, "peek main.force", {}, "did you mean"),
    ({"weight.mass": (0.1, 1.0)}, "peak main.forc", {}, 'did you mean "main.force"'),
    ({"weight.mass": (0.1, 1.0)}, "95 % of peak main.force", {}, "say what scatters"),
    ({"weight.mass": (0.1, 1.0)}, "peak main.force", {"scatter": {"rod.mass": normal(0.1, 0.01)}}, "how many machines"),
    ({"weight.mass": (0.1, 1.0)}, "peak main.force", {"limits": {"peak main.force": "5 kg"}}, "limit"),
    ({"weight.mass": (0.1, 1.0)}, "peak main.force", {"generations": 0}, "whole number"),
])  # fmt: skip
def test_what_cannot_be_is_refused(free, goal, options, words):
    with pytest.raises(gd.GudgeonError, match=words):
        gd.optimise(vertical(), free, goal, **options)
