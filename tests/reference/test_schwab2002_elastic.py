"""S6: slider-crank with play and an elastic connecting rod. Schwab, Meijaard, Meijers 2002, section 5.3.

Two programs stay together to 1e-6 c for 0.4 turns; first contacts are compared, and means over windows.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference_data import PLANAR, close, distances, gather

import gudgeon as gd
from gudgeon.analysis import modes
from gudgeon.papers import schwab2002

REF = PLANAR["S6"]


@pytest.mark.parametrize("basis", REF)
def test_natural_frequencies(basis: str) -> None:
    """Of the rod between its pins, crank and slider being held by the drive; 1 % of damping in the first."""
    found = modes(schwab2002.ideal(*schwab2002.BASES[basis]), at="start")
    assert 2.0 * math.pi * found.frequencies == pytest.approx(REF[basis]["frequencies"], rel=1e-7)
    assert found[0].damping == pytest.approx(0.01, rel=1e-9)


@pytest.mark.parametrize("basis", REF)
@pytest.mark.parametrize("method, rtol", [("dopri5", 1e-9), ("dopri5", 1e-12), ("dop853", 1e-11)])
def test_first_contacts(basis: str, method: str, rtol: float) -> None:
    """Onset, speeds and end of three contacts to 1e-5 and better: observed 1e-9, the peak force 1e-6."""
    run = gd.simulate(schwab2002.elastic(basis=basis), revolutions=0.1, method=method, rtol=rtol)
    assert len(run.contacts) >= 3
    for record, (t_on, speed, t_off, parting, force) in zip(run.contacts, REF[basis]["contacts"], strict=False):
        assert close(record.t_on, t_on, 1e-7)
        assert close(record.t_off, t_off, 1e-7)
        assert close(record.speed_on, speed, 1e-6)
        assert close(record.speed_off, parting, 1e-6)
        assert close(record.peak_force, force, 2e-6)
    assert np.abs(run["energy.balance"] - run["energy.balance"][0]).max() < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("method, options", [("radau", {"rtol": 1e-10}), ("alpha", {"rtol": 1e-9})])
def test_first_contacts_by_implicit_methods(method: str, options: dict[str, float]) -> None:
    """The second is of order 2, and its equations are the unsolved ones."""
    run = gd.simulate(schwab2002.elastic(), revolutions=0.1, method=method, **options)
    within = 1e-5 if method == "radau" else 5e-3
    for record, row in zip(run.contacts, REF["modes2"]["contacts"], strict=False):
        assert close(record.t_on, row[0], within)
        assert close(record.speed_on, row[1], within)


@pytest.mark.slow
@pytest.mark.parametrize("basis", REF)
def test_statistics(basis: str) -> None:
    """60 windows of two turns, within three combined standard errors; observed at most 1."""
    windows = gather(schwab2002.elastic(basis=basis), ("pin.normal", "slider.ax", "main.torque"), 60)
    far = distances(windows, REF[basis]["statistics"])
    assert max(far.values()) < 3.0, far
