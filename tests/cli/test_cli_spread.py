"""Numbers out of chaos carry their spread: ranges over nearby runs, or the words that they are one sample."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.cli.commands.compare import chosen, table
from gudgeon.cli.saved import from_run, read
from gudgeon.cli.source import find
from gudgeon.cli.studies import summary as study_summary
from gudgeon.cli.summary import summary
from gudgeon.report import run_page
from gudgeon.report.content import contact_counts, peak_rows
from gudgeon.report.spread import TIGHTER, comes_again, is_one_sample, nearby_runs
from gudgeon.report.study_page import study_page
from gudgeon.report.text import grouped

SOURCE = find("schwab2002/hertz")
TURNS = 6  # the motion is chaotic: errors of 1e-9 are as large as the play after 2 to 3
SETTINGS = replace(SOURCE.settings, revolutions=TURNS)


@pytest.fixture(scope="module")
def run() -> gd.Run:
    run = gd.simulate(SOURCE.mechanism, SETTINGS, progress=False)
    run.evidence = replace(run.evidence, wall_time=0.01)  # whatever this machine takes
    return run


@pytest.fixture(scope="module")
def nearby(run: gd.Run) -> list[gd.Run]:
    return nearby_runs(SOURCE, SETTINGS, run)


def test_peaks_have_the_range_of_nearby_runs(run: gd.Run, nearby: list[gd.Run]) -> None:
    assert len(nearby) == len(TIGHTER)
    titles, *rows = peak_rows(run, None, nearby)
    assert titles[-1] == "when, or range"
    late = [each.after(run.period) for each in (run, *nearby)]
    for name, value, where in rows:
        peaks = sorted(abs(each.peak(name).value) for each in late)
        assert where == f"{grouped(peaks[0])} to {grouped(peaks[-1])}", name
        assert value.startswith(grouped(abs(late[0].peak(name).value)))
    ((_, text),) = contact_counts(run, nearby)
    shares = sorted(100 * each.touching("pin") for each in (run, *nearby))
    assert text.endswith(f" % of the time ({grouped(shares[0], 3)} to {grouped(shares[-1], 3)} in 5 runs)")


def test_what_nearby_runs_agree_in_has_its_time() -> None:
    settings = replace(SETTINGS, revolutions=0.5)
    run = gd.simulate(SOURCE.mechanism, settings, progress=False)
    run.evidence = replace(run.evidence, wall_time=0.01)
    nearby = nearby_runs(SOURCE, settings, run)
    assert len(nearby) == len(TIGHTER)
    assert peak_rows(run, None, nearby) == peak_rows(run, None)
    text = summary(SOURCE, run, None, [], nearby)
    assert "contact 1" in text and "range" not in text and "one sample" not in text


def test_slow_run_is_one_sample(run: gd.Run) -> None:
    slow = gd.simulate(SOURCE.mechanism, SETTINGS, progress=False)
    slow.evidence = replace(slow.evidence, wall_time=100.0)
    assert nearby_runs(SOURCE, SETTINGS, slow) == []
    titles, *rows = peak_rows(slow, None)
    assert titles[-1] == "when" and all(where.startswith("one sample, ") for *_, where in rows)
    ((_, text),) = contact_counts(slow)
    assert text.endswith("(one sample)")


def test_summary_and_report_say_what_the_range_is(run: gd.Run, nearby: list[gd.Run],
                                                  monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("COLUMNS", "80")
    lines = summary(SOURCE, run, run, [], nearby).splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("  range      over this run and 4 more at other tolerances") for line in lines)
    (alone,) = [line for line in summary(SOURCE, run, run, []).splitlines() if line.startswith("  one sample")]
    assert len(alone) <= 80
    context = run_page.ReportContext(SOURCE, SETTINGS, run, nearby=nearby)
    page = "\n".join(run_page.motion(context))
    assert "Range: over this run and 4 more" in page and "when, or range" in page


def test_ideal_joints_have_no_spread() -> None:
    source = find("schwab2002/ideal")
    run = gd.simulate(source.mechanism, source.settings, progress=False)
    assert nearby_runs(source, source.settings, run) == []
    assert "one sample" not in summary(source, run, None, [])


def test_horizon_decides_where_it_is_known() -> None:
    many = np.linspace(0.0, 1.0, 100)
    assert is_one_sample(0.5, None, many) and not is_one_sample(0.1, None, many)
    assert is_one_sample(0.5, 0.4, []) and not is_one_sample(0.5, 1.0, many)


def test_peak_that_comes_again_belongs_to_a_regular_motion() -> None:
    t = np.linspace(0.0, 10.0, 1001)
    assert comes_again(t, np.sin(2.0 * np.pi * t))
    assert not comes_again(t, np.exp(-t))
    assert not comes_again(t[:1], t[:1])


def test_comparison_says_which_peaks_are_one_sample(run: gd.Run, tmp_path: Path) -> None:
    run.to_netcdf(tmp_path / "run.nc")
    for saved in (from_run(run, "hertz"), read(str(tmp_path))):
        made = table([saved, saved], chosen([saved], []))
        units = dict(zip(made.columns[0]._cells, made.columns[-1]._cells, strict=True))
        sampled = {name for name, unit in units.items() if unit.endswith(", one sample")}
        assert sampled == {name for name in units if name in saved.peaks and saved.one_sample(name)}
        assert sampled
        # the largest force is that of the first contact, and the crank turns evenly
        assert units["pin.force"] == "N" and units["crank.ax"] == "m/s²"


def test_study_says_that_each_value_is_one_sample(tmp_path: Path) -> None:
    loose = gd.Study(SOURCE.mechanism, {"pin.restitution": [0.8, 0.9]},
                     ["peak pin.force", "mean peak pin.force", "contacts pin"], transient=0.1, turns=2)  # fmt: skip
    result = loose.run(tmp_path / "loose", processes=0, progress=False)
    assert result.one_sample() == {"peak pin.force", "contacts pin"}
    peak, mean = [line for line in study_summary(result) if "peak pin.force" in line][:2]
    assert "peak pin.force, each one sample" in study_page(tmp_path / "loose")
    assert peak.endswith("N; each one sample") and "one sample" not in mean
