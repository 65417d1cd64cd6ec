"""Percentiles and influences of a study: its design, its table, runs without a result, what is printed and drawn."""

import math

import numpy as np
import pytest
from small_study import small
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli import app
from gudgeon.report.study_page import study_page
from gudgeon.study import Table, uniform
from gudgeon.study.chance import influence_lines, percentile_lines

GAP, REST = "pin.radial_clearance", "pin.restitution"
AXES = {GAP: uniform("0.1 mm", "0.2 mm"), REST: uniform(0.5, 1.0)}


def study(design="saltelli", samples=64, seed=2):
    return small(vary=AXES, design=design, samples=samples, seed=seed)


def table(design="saltelli", samples=64, seed=2):
    """The points of a study with a measure of known indices: 1/5 and 4/5, as both ranges are as wide."""
    points = study(design, samples, seed).points
    gap, rest = np.array(points).T
    columns = {GAP: gap, REST: rest, "peak pin.force": 1e3 * (1e4 * gap + 4.0 * rest)}
    many = len(points)
    units = {GAP: "m", "peak pin.force": "N"}
    return Table("fits", [GAP, REST], ["peak pin.force"], columns, units, np.arange(many), np.full(many, "done"),
                 [""] * many, about={"design": design})  # fmt: skip


def test_the_design_changes_one_number_at_a_time():
    points = np.array(study(samples=8).points).reshape(8, 5, 2)
    for a, b, gap, rest, twin in points:
        assert abs(twin - a) == pytest.approx([3e-7, 1.5e-3])
        assert (gap == [b[0], a[1]]).all() and (rest == [a[0], b[1]]).all() and (a != b).all()
    # each of both samples is as even as can be
    for sample in (points[:, 0], points[:, 1]):
        for column, low, high in zip(sample.T, (1e-4, 0.5), (2e-4, 1.0), strict=True):
            assert (np.histogram(column, 8, (low, high))[0] == 1).all()
    assert study(seed=1).points == study(seed=1).points != study(seed=2).points
    with pytest.raises(gd.GudgeonError, match="at most 2000000"):
        study(samples=2_000_001)


def test_influences_of_a_table_are_those_of_its_design():
    paired = table().influence("peak pin.force")
    assert paired.paired and paired.samples == 64
    for name, true in ((GAP, 0.2), (REST, 0.8)):
        part = paired[name]
        assert part.first.low <= true <= part.first.high and part.total.low <= true <= part.total.high
    estimated = table("random", 400).influence("peak pin.force")
    assert not estimated.paired and estimated.samples == 400
    assert estimated[REST].first.low <= 0.8 <= estimated[REST].first.high
    assert abs(estimated[GAP].first.value - 0.2) < 0.1


def test_runs_without_a_result_take_their_set_with_them():
    whole = table()
    gone = table()
    gone.status[5 * 7 + 2] = "failed"
    gone.columns["peak pin.force"][5 * 7 + 2] = math.nan
    pick = np.delete(np.arange(320), np.arange(35, 40))
    columns = {name: values[pick] for name, values in whole.columns.items()}
    part = Table("fits", whole.paths, whole.measures, columns, whole.units, pick, whole.status[pick], [""] * len(pick),
                 about=whole.about)  # fmt: skip
    assert gone.influence("peak pin.force") == part.influence("peak pin.force")
    assert part.influence("peak pin.force").samples == 63
    # what lies between the samples repeats parts of them: it is left out
    both = np.sort(whole["peak pin.force"].reshape(64, 5)[:, :2].ravel())
    (median,) = whole.percentiles("peak pin.force", [0.5])
    assert median.value == pytest.approx(np.median(both)) and median.low == both[52] and median.high == both[75]


def test_lines_say_what_there_is_and_what_there_is_not():
    lines = list(percentile_lines(table("random", 100), "peak pin.force"))
    assert len(lines) == 4 and lines[1].startswith("50 % of all are below 4") and " N to " in lines[1]
    assert lines[3].endswith("there is no upper end below 368 samples)") and "at least" in lines[3]
    said = list(influence_lines(table(), "peak pin.force"))
    assert [line.partition(":")[0] for line in said[:2]] == [GAP, REST] and "with all interactions" in said[0]
    assert said[2] == "chaos: 0 % (0 to 0) of the variance, between runs that nothing tells apart"
    assert said[3].endswith("is explained by no varied number (64 pairs of samples)")
    known = table()
    known.measures = ["settled"]  # a function of the user
    known.columns["settled"] = known.columns.pop("peak pin.force")
    assert list(influence_lines(known, "settled"))[3].endswith("no varied number (64 pairs of samples)")
    estimated = list(influence_lines(table("latin", 100), "peak pin.force"))[2]
    assert "estimated from 100 runs" in estimated and "each value is one sample of a motion" in estimated


def test_what_is_not_drawn_by_chance_or_no_number_is_refused():
    grid = table()
    grid.about = {"design": "grid"}
    worded = table()
    worded.columns["regime"] = np.full(320, "chaotic")
    worded.measures.append("regime")
    for asked, measure, words in (
        (grid, "peak pin.force", "are a grid"),
        (worded, "regime", "has words"),
        (table(), GAP, "is what was varied"),
        (table(), "peak pin.forc", "did you mean"),
        (table("random", 20), "peak pin.force", "too few"),
    ):
        with pytest.raises(gd.GudgeonError, match=words):
            asked.influence(measure)


def test_a_tornado_has_the_largest_on_top(tmp_path):
    figure = table().tornado("peak pin.force")
    (axes,) = figure.figure.axes
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert names == [GAP, REST]  # from below
    named = {each.get_label(): each for each in axes.containers if not each.get_label().startswith("_")}
    bars = {label: [bar.get_width() for bar in each] for label, each in named.items()}
    found = table().influence("peak pin.force")
    assert bars["by itself"] == pytest.approx([100.0 * found[path].first.value for path in names])
    assert bars["with all interactions"] == pytest.approx([100.0 * found[path].total.value for path in names])
    (alone,) = table("random", 64).tornado("peak pin.force").figure.axes
    assert sum(each.get_label() == "by itself, estimated" for each in alone.containers) == 1
    assert figure.save(tmp_path / "t.svg").stat().st_size > 5000


def test_a_study_from_its_file_to_percentiles(tmp_path):
    """The one here that computes: 32 pairs of samples by two paths."""
    measures = ["peak pin.force", "final slider.vx"]
    made = small(measures, AXES, design="saltelli", samples=32, revolutions=0.02)
    found = made.run(tmp_path / "out", engine="threads", processes=1)
    assert len(found) == 160 and (found.status == "done").all()
    asked = CliRunner().invoke(app, ["study", "judge", str(tmp_path / "out"), "peak pin.force=1 MN"])
    text = " ".join(asked.stdout.split())
    assert asked.exit_code == 0 and "160 of 160 runs keep it" in text and "95 % of all are below" in text
    assert "32 pairs of samples" in text and "between runs that nothing tells apart" in text
    assert "slider.vx" not in text  # it has no limit
    alone = CliRunner().invoke(app, ["study", "judge", str(tmp_path / "out")])
    assert alone.exit_code == 0 and "final slider.vx" in alone.stdout
    picture = ["study", "plot", str(tmp_path / "out"), "peak pin.force", "--influence", "-o", str(tmp_path / "t.svg")]
    assert CliRunner().invoke(app, picture).exit_code == 0 and (tmp_path / "t.svg").stat().st_size > 5000
    page = study_page(tmp_path / "out")
    both = study_page(tmp_path / "out", ["peak pin.force=1 MN"], tmp_path / "out")
    assert "<h2>first and second</h2>" in both and "neither has larger values" in both
    asked = CliRunner().invoke(app, ["study", "judge", str(tmp_path / "out"), "--against", str(tmp_path / "out")])
    assert asked.exit_code == 0 and "neither has larger values" in " ".join(asked.stdout.split())
    assert "<h2>Percentiles, with 95 % confidence intervals</h2>" in page and "with all interactions" in page
