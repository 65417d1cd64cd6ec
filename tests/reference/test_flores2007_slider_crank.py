"""F2: slider-crank with play and friction. Flores et al. 2007, section 7.

First contacts to 1e-6; the regular motions of c = 0.01 mm and friction 0.10 to 1e-4; chaotic motions by means over
windows, within three combined standard errors; friction 0.03 and 0.05 by many runs, in test_flores2007_intermittent.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference_data import PLANAR, assert_contact, close, distances, gather

import gudgeon as gd
from gudgeon.papers import flores2007

REF = PLANAR["F2"]
PERIOD = 2.0 * math.pi / abs(flores2007.SLIDER_CRANK_SPEED)
SIGNALS = ("pin.normal", "slider.ax")
CASES = {
    "c=0.5": ("0.5 mm", None), "c=0.2": ("0.2 mm", None), "c=0.1": ("0.1 mm", None), "c=0.01": ("0.01 mm", None),
    "cf=0.01": ("0.5 mm", 0.01), "cf=0.03": ("0.5 mm", 0.03), "cf=0.05": ("0.5 mm", 0.05),
    "cf=0.10": ("0.5 mm", 0.10),
}  # fmt: skip


def mechanism(case: str) -> gd.Mechanism:
    clearance, friction = CASES[case]
    return flores2007.slider_crank(clearance, friction=friction)


def cycle(case: str, turns: int) -> tuple[float, float, float]:
    """Peak force, peak acceleration and its rms over two turns after some."""
    m = mechanism(case)
    start = gd.simulate(m, revolutions=turns, rtol=1e-12, channels=[], output=PERIOD)
    run = gd.simulate(m, revolutions=2, rtol=1e-12, channels=["pin.normal", "slider.ax"], resume=start)
    rms = math.sqrt(np.trapezoid(run["slider.ax"] ** 2, run.t) / (2 * PERIOD))
    return run.maximum("pin.normal"), abs(run.peak("slider.ax").value), rms


def test_ideal_mechanism() -> None:
    ref = REF["ideal"]
    run = gd.simulate(flores2007.slider_crank(None), revolutions=1, rtol=1e-11, output=PERIOD / 20_000)
    assert close(run.minimum("slider.ax"), ref["ax"][0], 1e-8)
    assert close(run.maximum("slider.ax"), ref["ax"][1], 1e-8)
    assert close(run.maximum("main.torque"), ref["torque"], 1e-8)
    assert close(run.minimum("main.torque"), -ref["torque"], 1e-8)
    assert close(run.maximum("pin.force"), ref["force"], 1e-8)


@pytest.mark.parametrize("c", REF["stiffness"])
def test_stiffness(c: str) -> None:
    pin = flores2007.slider_crank(f"{c} mm").joints["pin"]
    ours = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9).stiffness_for(pin.pair("pin"))
    assert close(ours, REF["stiffness"][c], 1e-10)


@pytest.mark.parametrize("c", REF["first"])
def test_first_contact(c: str) -> None:
    run = gd.simulate(flores2007.slider_crank(f"{c} mm"), revolutions=0.1, rtol=1e-12, channels=[])
    assert_contact(run.contacts[0], REF["first"][c], 1e-6, 1e-9)


@pytest.mark.parametrize("case", REF["cycles"])
def test_regular_cycle(case: str) -> None:
    """To 1e-4; settled after thirty turns."""
    assert np.allclose(cycle(case, 30), REF["cycles"][case], rtol=1e-4)


def test_cycle_that_settles_slowly() -> None:
    """c = 0.1 mm: permanent contact, period-2; off by 8e-4 after 50 turns, by 1e-5 after 300."""
    assert np.allclose(cycle("c=0.1", 300), REF["drifting"]["c=0.1"], rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["c=0.5", "c=0.2", "cf=0.01"])
def test_statistics(case: str) -> None:
    """500 windows from several starts."""
    windows = gather(mechanism(case), SIGNALS, 500)
    far = distances(windows, REF["statistics"][case])
    assert max(far.values()) < 3.0, far
