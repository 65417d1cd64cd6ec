"""The bar that counts points."""

import time

import pytest

from gudgeon.progress import Pace, counter


def test_counter_says_how_many_how_fast_and_how_long(capsys):
    with counter(True, "points") as tell:
        time.sleep(0.2)
        tell(1, 4)
        tell(4, 4)
    said = capsys.readouterr().err
    assert "4 of 4 points" in said and "/s" in said and "0:00 left" in said


def test_counter_is_silent_where_nobody_looks(capsys):
    with counter(None, "points") as tell:
        assert tell is None
    assert capsys.readouterr().err == ""


def test_the_time_left_is_that_of_finished_work():
    """A probe after a second of preparation, then a thousand at once every four seconds: what comes first in a burst
    says nothing about the pace, and what is prepared once does not come again."""
    pace = Pace(0)
    assert pace.count(1.35, 1) is None
    assert pace.count(5.0, 2) is None
    for k in range(3, 1001):
        pace.count(5.0 + 1e-5 * k, k)
    assert pace.count(9.0, 1002) == pytest.approx(999 / 3.66, rel=1e-3)
    for k in range(1003, 2001):
        pace.count(9.0 + 1e-5 * (k - 1000), k)
    assert pace.count(9.1, 2000) == pytest.approx(1999 / 7.66, rel=1e-3)


def test_the_pace_of_things_that_come_one_by_one():
    pace = Pace(10)
    for k in range(1, 41):
        last = pace.count(0.1 * k, 10 + k)
    assert last == pytest.approx(10.0, rel=0.01)
    slow = Pace(0)
    assert [slow.count(2.0 * k, k) for k in range(1, 5)] == [None, None, 0.5, 0.5]


def test_a_long_burst_is_no_pace():
    """A quarter of a study arrives after twenty seconds of computing and takes a second to be stored."""
    pace = Pace(0)
    for k in range(1, 10_001):
        assert pace.count(20.0 + 1e-4 * k, k) is None
    assert pace.count(41.0, 10_001) is None
    assert pace.count(41.5, 20_000) == pytest.approx(10_000 / 20.5, rel=0.01)


def test_a_pause_after_the_first_burst_does_not_make_it_a_pace():
    """By threads, a hundred of four hundred runs arrive at once after 30 s, and nothing for the next 30 s."""
    pace = Pace(0)
    for k in range(1, 101):
        assert pace.count(30.0 + 1e-5 * k, k) is None
    for spent in (31.0, 46.0, 59.0):
        assert pace.count(spent, 100) is None
    assert pace.count(60.0, 101) is None
    assert pace.count(90.0, 201) == pytest.approx(1 / 30.0, rel=0.01)
