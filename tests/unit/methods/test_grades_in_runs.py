"""A run begins with the quick grade of machine code and goes on with the fast one, without a difference in any bit."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.compile.graph import grades
from gudgeon.methods.march import driver
from gudgeon.papers import schwab2002
from gudgeon.simulation.prepare import Numerics, prepare


def loose(stiffness: float) -> gd.Mechanism:
    """A slider-crank whose structure no other test has."""
    m = schwab2002.hertz()
    m.spring("first", "slider", m.ground, stiffness=stiffness, at_i=(0.0171, 0.0), at_j=(0.31, 0.013))
    m.spring("second", "rod", m.ground, stiffness=stiffness, at_i=(0.0171, 0.0), at_j=(0.31, 0.013))
    return m


@pytest.mark.parametrize("method", ["dopri5", "radau", "impact"])
def test_a_run_goes_on_in_better_code(method, monkeypatch):
    monkeypatch.setattr(grades, "COST", 1e9)  # seconds, so that it never comes
    ready = prepare(loose(10.0), numerics=Numerics(loop="shared"), duration=0.01, method=method)
    entries = list(ready.system.addresses.values())
    assert grades.waits(entries)
    quick = ready.run()
    assert grades.waits(entries)
    monkeypatch.setattr(grades, "COST", 0.0)
    monkeypatch.setattr(driver, "FIRST", 50)  # steps in the quick grade
    mixed = ready.run()
    assert not grades.waits(entries)
    fast = ready.run()
    for run in (mixed, fast):
        assert run.evidence.steps == quick.evidence.steps > 300
        assert all(np.array_equal(run[name], quick[name]) for name in quick.channels)
