"""Long after the start the resolution of time is coarser than that of a contact; the march must still get on."""

from __future__ import annotations

import math

import pytest

from gudgeon.papers import schwab2002
from gudgeon.results.run import State
from gudgeon.simulation import Numerics, prepare


@pytest.mark.parametrize("coordinates", ["absolute", "tree"])
@pytest.mark.parametrize("turns", [0, 20_000, 2_000_000])
def test_a_contact_at_late_times_is_left_again(turns, coordinates):
    """The same state `turns` revolutions later: at 24 000 s one bit of t moves the crank pin by 1e-10 m."""
    m = schwab2002.hertz()
    run = prepare(m, revolutions=1, channels=[], numerics=Numerics(coordinates=coordinates)).run()
    assert run.period is not None
    y = run.end.y.copy()
    if coordinates == "absolute":  # else the crank is no state
        y[3 * list(m.bodies).index("crank") + 2] += 2 * math.pi * turns
    run.end = State(run.end.t + turns * run.period, y, run.end.m)
    late = prepare(m, revolutions=3, channels=[], resume=run, numerics=Numerics(coordinates=coordinates)).run()
    assert late.complete
    assert 30 < len(late.contacts) < 200
    # a livelock takes millions of steps of no length
    assert late.evidence.steps < 20_000
