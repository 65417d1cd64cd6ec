"""Hertz and the laws F = K depth^n (1 + chi rate / rate0)."""

import pytest

from gudgeon.laws import (
    STEEL,
    ExactRestitution,
    Flores2011,
    Gonthier,
    Hertz,
    HuntCrossley,
    LankaraniNikravesh,
    Material,
    Pair,
)
from gudgeon.quantity import GudgeonError

PIN = Pair(bearing_radius=0.010, journal_radius=0.0095, name="pin")


def force(law, depth, rate=0.0, rate0=1.0):
    return law.force(depth, rate, rate0, list(law.pack(PIN).values()))


def test_stiffness_of_schwab():
    law = Hertz(Material("steel", 2.06e11, 0.3, 7800.0))
    assert law.pack(PIN)["stiffness"] == pytest.approx(6.57826507230314e10, rel=1e-14)


@pytest.mark.parametrize(
    ("clearance", "stiffness"),
    [(0.5e-3, 6.6101983979e10), (0.2e-3, 1.06153846154e11), (0.1e-3, 1.50888204748e11),
     (0.01e-3, 4.79314357547e11)],
)  # fmt: skip
def test_stiffness_of_flores(clearance, stiffness):
    pair = Pair(bearing_radius=0.010, journal_radius=0.010 - clearance)
    assert Hertz(STEEL).pack(pair)["stiffness"] == pytest.approx(stiffness, rel=1e-10)


def test_two_materials_enter_as_a_sum_of_compliances():
    soft = Material("soft", STEEL.youngs_modulus / 3, STEEL.poisson_ratio, 1000.0)
    ratio = Hertz((STEEL, soft)).pack(PIN)["stiffness"] / Hertz(STEEL).pack(PIN)["stiffness"]
    assert ratio == pytest.approx(0.5)


def test_given_stiffness_and_exponent():
    assert force(Hertz(stiffness="2 N/m^1.5"), 4.0) == 16.0
    assert force(Hertz(stiffness=2.0, exponent=2), 3.0) == pytest.approx(18.0)
    assert Hertz(stiffness="1 N/mm^1.5").stiffness == pytest.approx(1e3**1.5)


@pytest.mark.parametrize(
    ("law", "chi"),
    [
        (Hertz(), 0.0),
        (HuntCrossley(restitution=0.8), 0.3),
        (LankaraniNikravesh(restitution=0.6), 0.48),
        (Flores2011(restitution=0.5), 1.6),
        (Gonthier(restitution=0.5), 1.5),
        (ExactRestitution(restitution=1.0), 0.0),
    ],
)
def test_hysteresis(law, chi):
    assert law.hysteresis == pytest.approx(chi)
    elastic = force(law, 1e-5)
    assert force(law, 1e-5, 0.5) == pytest.approx(elastic * (1 + 0.5 * chi))


@pytest.mark.parametrize(
    ("limit", "clip", "expected"),
    [("none", False, (2.5, -2.0)), ("above", False, (1.75, -2.0)), ("both", False, (1.75, 0.25)),
     ("none", True, (2.5, 0.0))],
)  # fmt: skip
def test_ratio_limit_and_clip(limit, clip, expected):
    law = LankaraniNikravesh(stiffness=1.0, restitution=0.0, ratio_limit=limit, clip=clip)
    assert (force(law, 1.0, 2.0), force(law, 1.0, -4.0)) == expected


def test_ratio_is_one_without_first_touch_rate():
    law = LankaraniNikravesh(stiffness=1.0, restitution=0.0)
    assert force(law, 1.0, -5.0, rate0=0.0) == force(law, 1.0, 5.0, rate0=0.0) == 1.75


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: LankaraniNikravesh(restitution=1.2), ["LankaraniNikravesh: restitution 1.2", "at most 1"]),
        (lambda: Flores2011(restitution=0), ["Flores2011: restitution 0", "greater than 0", "0.01"]),
        (lambda: Hertz("steel"), ["Hertz: material 'steel'", "give STEEL"]),
        (lambda: Hertz((STEEL,)), ["Hertz: material", "(STEEL, BRONZE)"]),
        (lambda: Hertz(stiffness="3 N/m"), ['Hertz: stiffness "3 N/m"', "[N/m^1.5]"]),
        (lambda: Hertz(stiffness=-1.0), ["Hertz: stiffness -1.0", "greater than 0"]),
        (lambda: Hertz(exponent=1.2), ["Hertz: exponent 1.2", "give stiffness=..."]),
        (lambda: Gonthier(restitution=0.5, ratio_limit="below"), ["ratio_limit 'below'", '"above"']),
        (lambda: Material("x", "1 N", 0.3, 1.0), ["Material: youngs_modulus", "[Pa]"]),
        (lambda: Material("x", 1.0, 0.7, 1.0), ["Material: poisson_ratio 0.7", "at most 0.5"]),
    ],
)
def test_refused(make, words):
    with pytest.raises(GudgeonError) as caught:
        make()
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_joint_without_radii_is_named():
    with pytest.raises(GudgeonError, match=r'joint "stop": Hertz needs the radii.*give stiffness=\.\.\.'):
        Hertz().pack(Pair(name="stop"))
    with pytest.raises(GudgeonError, match=r'joint "pin": Hertz needs a clearance.*give the law stiffness='):
        Hertz().pack(Pair(0.01, 0.01, name="pin"))


def test_warnings():
    law = LankaraniNikravesh(STEEL, restitution=0.9)
    assert law.warnings(PIN, depth=1e-5, rate=0.05, force=100.0) == []
    deep, fast = law.warnings(PIN, depth=2e-4, rate=4.0, force=1e5)
    assert "40% of the clearance" in deep and "half-width" in deep
    assert "4 m/s exceeds the elastic limit speed 0.0515 m/s" in fast
    assert LankaraniNikravesh(stiffness=1e9, restitution=0.9).warnings(PIN, 2e-4, 4.0, 1e5) == []
