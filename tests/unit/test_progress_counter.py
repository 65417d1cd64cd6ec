"""The bar that counts points."""

import time

from gudgeon.progress import counter


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
