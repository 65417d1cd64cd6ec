"""Knobs: what a march starts with for other numbers, without assembling it again."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.export.image import image_of
from gudgeon.export.knobs import depend, read_knobs, usual_knobs
from gudgeon.export.live import check_live, live
from gudgeon.model.run_settings import RunSettings
from gudgeon.papers import bauchau2002, flores2007, schwab2002
from gudgeon.simulation.prepare import Numerics, prepare

KNOBS = {"pin.radial_clearance": ("0.2 mm", "0.6 mm"), "main.speed": ("400 rad/s", "600 rad/s"), "rod.mass": None}


def ready(mechanism):
    return prepare(mechanism, numerics=Numerics(loop="shared", reduce=False), revolutions=1, method="dopri5")


def test_numbers_of_other_values_are_those_of_the_assembled_mechanism():
    """Every word of the memory of a march, at values that were never assembled."""
    m = schwab2002.hertz()
    image = image_of(ready(m))
    places = np.array(list(image.numbers))
    made = 0

    def numbers(mechanism):
        nonlocal made
        made += 1
        other = image_of(ready(mechanism))
        return other.words[places], other.has_structure_of(image)

    knobs = read_knobs(m, KNOBS)
    dependence = depend(m, knobs, numbers, np.array(list(image.numbers.values())))
    assembled = made
    tolerances = places >= image.arrays["atol"] // 8
    for values in np.random.default_rng(0).uniform([k.low for k in knobs], [k.high for k in knobs], (3, 3)):
        other = m
        for knob, value in zip(knobs, values, strict=True):
            other = other.vary(knob.path, float(value))
        exact = numbers(other)[0]
        size = np.abs(exact).max()
        ours = dependence.at(values)
        assert ours[~tolerances] == pytest.approx(exact[~tolerances], rel=1e-10, abs=1e-14 * size)
        assert ours[tolerances] == pytest.approx(exact[tolerances], rel=1e-3, abs=1e-14 * size)
    assert assembled < 100
    assert 5 < len(dependence.places) < 40  # clearance, stiffness, speed, mass ... and no others


def test_no_knobs_change_nothing():
    m = schwab2002.hertz()
    dependence = depend(m, [], lambda mechanism: (np.arange(3.0), None))
    assert dependence.at([]).tolist() == [0.0, 1.0, 2.0] and not len(dependence.places)


def test_usual_knobs_are_play_speed_restitution_friction_and_masses():
    m = flores2007.slider_crank("0.5 mm", friction=0.03)
    assert usual_knobs(m) == ["pin.radial_clearance", "main.speed", "pin.restitution", "pin.friction", "rod.mass",
                              "slider.mass"]  # fmt: skip
    for knob in read_knobs(m, usual_knobs(m)):
        assert knob.low <= knob.value <= knob.high and knob.low < knob.high


def test_a_range_may_be_written_behind_the_path():
    (knob,) = read_knobs(schwab2002.hertz(), ["pin.radial_clearance=0.2 mm .. 0.9 mm"])
    assert knob.low == pytest.approx(2e-4) and knob.high == pytest.approx(9e-4) and knob.unit == "m"


@pytest.mark.parametrize(("knobs", "words"), [
    (["pin.nix"], "unknown parameter"),
    (["pin.radial_clearance=0.1 mm"], "write path=low..high"),
    ({"pin.radial_clearance": ("0.6 mm", "0.9 mm")}, "without the value of the model"),
    ({"pin.radial_clearance": ("0.5 mm", "0.5 mm")}, "is empty"),
    ({"pin.radial_clearance": ("0.1 kg", "1 kg")}, "wrong dimension"),
    (["crank.spin"], "it is 0"),
])  # fmt: skip
def test_knobs_that_make_no_sense_are_refused(knobs, words):
    with pytest.raises(gd.GudgeonError, match=words):
        read_knobs(schwab2002.hertz(), knobs)


def test_a_knob_that_changes_the_structure_is_refused():
    """At length 0 or 1 a number is left out of the equations."""
    m = schwab2002.hertz()

    def numbers(mechanism):
        return np.array([mechanism.parameters["rod.mass"]]), mechanism.parameters["rod.mass"] > 0.2

    with pytest.raises(gd.GudgeonError, match=r"rod\.mass .* kg change the equations"):
        depend(m, read_knobs(m, {"rod.mass": (0.1, 0.5)}), numbers)


def test_kinks_are_refused():
    m = schwab2002.hertz()

    def numbers(mechanism):
        return np.array([max(0.2, mechanism.parameters["rod.mass"])]), None

    with pytest.raises(gd.GudgeonError, match="kinks or jumps"):
        depend(m, read_knobs(m, {"rod.mass": (0.1, 0.5)}), numbers)


@pytest.mark.parametrize(("make", "settings", "words"), [
    (bauchau2002.A4, {"duration": 1e-3}, 'cannot draw how "crank" bends'),
    (schwab2002.impact, {"revolutions": 1, "method": "impact"}, "walls as rigid"),
    (schwab2002.hertz, {"revolutions": 1, "method": "alpha", "rtol": 1e-4}, "not one piece of code"),
])  # fmt: skip
def test_what_cannot_be_on_a_live_page_is_refused_before_it_runs(make, settings, words):
    with pytest.raises(gd.GudgeonError, match=words):
        check_live(make(), RunSettings(**settings))


def test_the_page_and_its_modules_are_small():
    view = live(schwab2002.hertz(), revolutions=1, method="dopri5", knobs={"rod.mass": (0.1, 0.2)})
    assert len(view.text) < 1.2e6 and "wasm-unsafe-eval" in view.text and "worker-src blob:" in view.text
