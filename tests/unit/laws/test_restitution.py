"""Asked and effective restitution of the hysteresis family."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gudgeon.laws import ExactRestitution, LankaraniNikravesh, effective_restitution, exact_hysteresis


@pytest.mark.parametrize(
    ("asked", "got"),
    [(0.0, 0.6629622), (0.5, 0.7252411140), (0.75, 0.8199338015), (0.9, 0.913176678), (0.95, 0.953506045142)],
)
def test_lankarani_nikravesh_gives_more_than_asked(asked, got):
    law = LankaraniNikravesh(restitution=asked)
    assert law.requested_restitution == asked
    assert law.effective_restitution == pytest.approx(got, abs=1e-9)


def test_no_hysteresis_returns_all():
    assert effective_restitution(0.0) == 1.0
    assert exact_hysteresis(1.0) == 0.0


@given(st.floats(1e-6, 1e4))
def test_effective_restitution_solves_the_relation(chi):
    e = effective_restitution(chi)
    assert 0.0 < e <= 1.0
    if 1e-3 < chi < 20.0:
        assert (1.0 + e) * chi == pytest.approx(math.log((1.0 + chi) / (1.0 - chi * e)), rel=1e-9)


@given(st.floats(1e-3, 1.0 - 1e-9))
def test_exact_law_returns_what_was_asked(asked):
    law = ExactRestitution(restitution=asked)
    assert law.effective_restitution == pytest.approx(asked, rel=1e-13)
    assert 1.0 - law.effective_restitution == pytest.approx(1.0 - asked, rel=1e-6)
