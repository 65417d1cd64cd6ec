"""kill -9 at random instants. Twenty of each kind here, as many as one likes with tests/attacks/kills.py."""

import pytest
from kills import campaign


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["processes", "threads", "alone", "run", "compile"])
def test_nothing_finished_is_lost(kind):
    counts = campaign(kind, 20, seed=5)
    assert counts["killed"] >= 5
