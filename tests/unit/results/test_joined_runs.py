"""Runs in pieces are one run."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import schwab2002
from gudgeon.results.joined import joined


def test_pieces_are_the_whole():
    mechanism = schwab2002.hertz()
    pieces = [gd.simulate(mechanism, revolutions=0.1, rtol=1e-11, progress=False)]
    for _ in range(3):
        pieces.append(gd.simulate(mechanism, revolutions=0.1, rtol=1e-11, resume=pieces[-1], progress=False))
    whole = gd.simulate(mechanism, revolutions=0.4, rtol=1e-11, progress=False)
    one = joined(pieces)
    assert (np.diff(one.t) >= 0.0).all() and one.t[-1] == pytest.approx(whole.t[-1])
    assert len(one.contacts) == len(whole.contacts)
    assert one.contacts.column("t_on") == pytest.approx(whole.contacts.column("t_on"), abs=1e-9)
    assert one.contacts.column("peak_force") == pytest.approx(whole.contacts.column("peak_force"), rel=1e-4)
    assert np.interp(whole.t, one.t, one["pin.ex"]) == pytest.approx(whole["pin.ex"], abs=2e-6)
    assert one["pin.mode"].any()


def test_what_does_not_go_on_is_refused():
    a = gd.simulate(schwab2002.hertz(), revolutions=0.05, progress=False)
    with pytest.raises(gd.GudgeonError, match="does not go on"):
        joined([a, a])
    with pytest.raises(gd.GudgeonError, match="at least one"):
        joined([])
