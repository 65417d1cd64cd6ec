"""Slider-crank and triple pendulum of Ambrosio and Pombo 2018 against solutions in minimal coordinates.

The reference numbers come from programs of their own: two or four coordinates, equations of motion checked by
differences, event location on the step. Tolerances are those of the reference, not of this program.
"""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import ambrosio2018


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
