"""Which runs keep limits, and for which values: stretches, words, runs without a result."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.study import Table
from gudgeon.study.limits import read_limit


def table(force, regime=None, *, gaps=(1e-5, 2e-5, 3e-5, 4e-5), others=None, shape=None):
    """A table over a clearance, and over a friction where `others` are given."""
    many = len(force)
    columns = {"pin.radial_clearance": np.tile(gaps, many // len(gaps))}
    if others is not None:
        columns["pin.friction"] = np.repeat(others, len(gaps))
    paths = list(columns)[::-1]
    columns["peak pin.force"] = np.array(force, dtype=float)
    if regime is not None:
        columns["regime"] = np.array(regime)
    status = np.where(np.isfinite(columns["peak pin.force"]), "done", "failed")
    units = {"pin.radial_clearance": "m", "peak pin.force": "N"}
    measures = [name for name in columns if name not in paths]
    return Table("sweep", paths, measures, columns, units, np.arange(many), status, [""] * many, shape or (many,))


def test_one_path_gives_the_values_up_to_the_limit():
    found = table([100, 200, 400, 800]).judge({"peak pin.force": "0.4 kN"})
    assert found.limits == {"peak pin.force": 400.0} and found.within.tolist() == [True, True, True, False]
    assert "limits: peak pin.force up to 400 N" in str(found) and "3 of 4 runs keep it" in str(found)
    assert "pin.radial_clearance: kept from 10 µm to 30 µm" in str(found)
    assert "in 1, most 800 N at pin.radial_clearance 40 µm" in str(found)


def test_a_border_that_is_not_sharp_is_told():
    assert "from 10 µm and 30 µm; more than one interval" in str(table([1, 9, 1, 9]).judge({"peak pin.force": 5}))
    assert "kept at 20 µm" in str(table([9, 1, 9, 9]).judge({"peak pin.force": 5}))
    assert "kept at every value" in str(table([1, 1, 1, 1]).judge({"peak pin.force": 5}))
    assert "kept at no value" in str(table([9, 9, 9, 9]).judge({"peak pin.force": 5}))


def test_words_and_runs_without_a_result():
    found = table([1, 2, np.nan, 4], ["periodic", "chaotic", "", "periodic"]).judge({"regime": "periodic"})
    assert found.within.tolist() == [True, False, False, True]
    assert "2 of 4 runs keep it, 1 have no result" in str(found) and "is beyond its limit in 1, for instance" in str(
        found
    )


def test_each_combination_of_the_other_paths_has_a_line():
    found = table([1, 1, 9, 9, 1, 1, 1, 9], others=[0.0, 0.1], shape=(2, 4)).judge({"peak pin.force": 5})
    assert found.lines[-2] == "pin.friction 0, pin.radial_clearance: kept from 10 µm to 20 µm"
    assert found.lines[-1] == "pin.friction 0.1, pin.radial_clearance: kept from 10 µm to 30 µm"


def test_a_limit_is_read_as_it_is_written():
    assert read_limit("peak  pin.force <= 5 kN") == ("peak pin.force", "5 kN")
    assert read_limit("regime=periodic") == ("regime", "periodic")
    with pytest.raises(gd.GudgeonError, match="there are no limits"):
        table([1, 2, 3, 4]).judge({})


def test_a_table_becomes_a_frame_of_pandas():
    frame = table([1, 2, 3, 4]).to_pandas()
    assert frame.index.name == "run" and frame["peak pin.force"].tolist() == [1, 2, 3, 4] and len(frame) == 4


def test_a_study_without_results_has_no_verdict():
    """Not "kept at no value", which would be a statement about the machine."""
    with pytest.raises(gd.GudgeonError, match='no run of "sweep" has a result; `gudgeon study resume DIR` goes on'):
        table([np.nan, np.nan, np.nan, np.nan]).judge({"peak pin.force": 5})
