"""Measures: flat numbers and words of one motion."""

from __future__ import annotations

import math
import pickle
from dataclasses import fields

import pytest
from known_systems import oscillator

import gudgeon as gd
from gudgeon.analysis import Motion, named, observe
from gudgeon.analysis.measures import MEASURES
from gudgeon.analysis.measures.peak import PeakValue
from gudgeon.papers import flores2007

TURN = 2.0 * math.pi


def test_all_measures_of_one_motion():
    """A settled cycle: peaks of every turn are the peak, the joint always touches and nothing begins."""
    names = ["peak pin.force", "mean peak pin.force", "rms pin.force", "touching pin", "contacts pin", "regime"]
    found = observe(flores2007.slider_crank("0.01 mm"), names, transient=30, turns=40)
    expected = [name for text in names for name in named(text).names]
    assert list(found) == expected
    assert all(type(value) in (float, str) for value in found.values())
    # cases of reference: settled peak of the force 2762.377 N
    assert found["peak pin.force"] == pytest.approx(2762.377, rel=1e-4)
    assert found["mean peak pin.force"] == pytest.approx(found["peak pin.force"], rel=1e-4)
    assert found["mean peak pin.force error"] < 0.1
    assert found["touching pin"] == 1.0 and found["contacts pin"] == 0.0
    assert found["regime"] == "period-1" and found["period"] == 1.0 and found["exponent"] < -1.0


def test_rms_and_peak_of_a_cosine():
    m = oscillator(3.0, 1.0, (1.0, 2.0))
    size = 1.0 / math.hypot(5.0, 2.0)
    found = observe(m, ["rms mass.x", PeakValue("mass.x")], transient=20, turns=10, period=math.pi)
    assert found["rms mass.x"] == pytest.approx(size / math.sqrt(2.0), rel=1e-4)
    assert found["peak mass.x"] == pytest.approx(size, rel=1e-6)
    assert PeakValue("mass.x").measure(m, transient=20, turns=2, period=math.pi)["peak mass.x"] == pytest.approx(
        size, rel=1e-6
    )


def test_the_same_motion_twice_is_the_same_to_the_last_digit():
    loose = flores2007.slider_crank("0.5 mm")
    first, second = (observe(loose, ["regime"], transient=5, turns=40, rtol=1e-7) for _ in range(2))
    assert first == second and first["regime"] == "chaotic"
    assert 0.5 < first["horizon"] < 3.0


@pytest.mark.parametrize("text, words", [("peek pin.force", 'did you mean "peak"'), ("peak", 'write "peak CHANNEL"'),
                                         ("", "choose from"), ("regime pin", 'write "regime"')])  # fmt: skip
def test_unknown_measures_are_refused(text, words):
    with pytest.raises(gd.GudgeonError, match=words):
        named(text)


def test_measures_travel_to_other_processes():
    for word, sort in MEASURES.items():
        measure = named(f"{word} pin.force" if fields(sort) else word)
        assert pickle.loads(pickle.dumps(measure)) == measure


def test_parts_of_a_motion_are_computed_once():
    motion = Motion(flores2007.slider_crank("0.01 mm"), transient=5, turns=40, channels=["pin.force"])
    assert motion.before is motion.before and motion.rows is motion.rows and motion.exponent is motion.exponent
    assert motion.run.channels[0] == "pin.force"
    assert motion.run.t[0] == pytest.approx(5 * motion.flow.period)
