"""Rows of long runs are thinned; what matters is kept, and extremes are those of the motion."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.model.run_settings import RunSettings
from gudgeon.papers import schwab2002
from gudgeon.results import recorder, thinning
from gudgeon.results.thinning import ThinnedRows

CHANNELS = ["slider.ax", "main.torque", "pin.force", "pin.ex", "crank.angle"]


@pytest.fixture(scope="module")
def whole() -> gd.Run:
    return gd.simulate(schwab2002.hertz(), revolutions=2, output="steps", channels=CHANNELS)


@pytest.fixture(scope="module")
def thin() -> gd.Run:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recorder, "WHOLE", 20_000)
        patch.setattr(thinning, "THINNED", 20_000)
        return gd.simulate(schwab2002.hertz(), revolutions=2, channels=CHANNELS)


def test_fewer_rows_of_the_same_motion(whole, thin):
    assert np.array_equal(whole.end.y, thin.end.y)
    assert len(thin.t) < 0.5 * len(whole.t)
    assert thin.t[0] == whole.t[0]
    assert thin.t[-1] == whole.t[-1]
    assert any("steps are recorded" in note for note in thin.evidence.notes)
    assert thin.evidence.balance == pytest.approx(whole.evidence.balance, rel=1e-9)


def test_lines_between_rows_keep_every_channel(whole, thin):
    """Within what the evidence says, and not all of them better than a twentieth of it."""
    said = float(next(n for n in thin.evidence.notes if "steps are" in n).split("channel to ")[1].split(" %")[0]) / 100
    errors = [np.abs(np.interp(whole.t, thin.t, thin[name]) - whole[name]).max() / np.ptp(whole[name])
              for name in CHANNELS]  # fmt: skip
    assert 0.05 * said < max(errors) < 1.1 * said


def test_events_and_peaks_keep_their_rows(whole, thin):
    assert thin.contacts == whole.contacts or [r.t_on for r in thin.contacts] == [r.t_on for r in whole.contacts]
    assert len(thin.contacts) > 10
    for record in thin.contacts:
        assert record.t_on in thin.t
        if record.ended:
            assert record.t_off in thin.t
            inside = (whole.t > record.t_on) & (whole.t < record.t_off)
            highest = whole.t[inside][np.argmax(whole["pin.force"][inside])]
            assert highest in thin.t


@pytest.mark.parametrize("window", [None, 1.0, 1.37])
def test_extremes_are_those_of_all_steps(whole, thin, window):
    """Of the run, of a window that begins with a segment, and of one that begins within one."""
    a, b = (run if window is None else run.after(window * run.period) for run in (whole, thin))
    for name in CHANNELS:
        size = np.abs(whole[name]).max()
        assert b.maximum(name) == pytest.approx(a.maximum(name), rel=1e-6, abs=1e-6 * size)
        assert b.minimum(name) == pytest.approx(a.minimum(name), rel=1e-6, abs=1e-6 * size)
    assert b.peak("pin.force").value > 1.000001 * np.interp(b.peak("pin.force").time + 1e-7, b.t, b["pin.force"])


def test_a_window_from_the_first_revolution_on_integrates_its_beginning_only(thin):
    """The segment that ends with the first revolution, not the whole one that begins there."""
    assert [part.end > thin.period for part in thin.after(thin.period).extremes._parts()] == [True]
    assert len(thin.after(1.37 * thin.period).extremes._parts()) == 1


def test_files_and_pickles_have_the_extremes(thin, tmp_path):
    for copy in (gd.Run.from_netcdf(thin.to_netcdf(tmp_path / "run.nc")), pickle.loads(pickle.dumps(thin))):
        assert copy.highest("pin.force") == thin.highest("pin.force")
        assert np.array_equal(copy["pin.force"], thin["pin.force"])


def test_rows_do_not_grow_with_the_run(monkeypatch):
    """Two channels that never repeat themselves, a hundred thousand rows in blocks of any size."""
    monkeypatch.setattr(thinning, "THINNED", 30_000)
    kept = ThinnedRows(["m", "N"], [1])
    t = np.linspace(0.0, 100.0, 100_001)
    x = np.column_stack([np.sin(t) + 0.3 * np.sin(2.71 * t), np.maximum(0.0, np.sin(31.0 * t + t**2))])
    for part in np.array_split(np.arange(len(t)), 97):
        kept.add(t[part], np.ascontiguousarray(x[part]))
    rows, values = kept.rows()
    assert 2 * len(rows) < 1.3 * 30_000
    assert np.all(np.diff(rows) > 0.0)
    for k in (0, 1):
        assert np.abs(np.interp(t, rows, values[:, k]) - x[:, k]).max() < 1.001 * kept.error * np.ptp(x[:, k])


def test_output_takes_the_word_steps_and_no_other():
    assert RunSettings(output="steps").spacing == 0.0
    with pytest.raises(gd.GudgeonError, match="output"):
        RunSettings(output="stepz")
