"""Figures of studies: maps, lines, marginals; their cells and words are those of the table."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.draw.scale import Quantity
from gudgeon.draw.studies.map import draw_map, edges, ranked
from gudgeon.draw.studies.sweeps import marginals, medians, sweep
from gudgeon.draw.style import REGIMES

X, Y = np.meshgrid(np.geomspace(1e-5, 1e-3, 7), np.linspace(0.0, 0.1, 5))
GAP, RUB = Quantity("pin.radial_clearance", X.ravel(), "m"), Quantity("pin.friction", Y.ravel())
FORCE = Quantity("peak pin.force", 2e4 * (X * 1e3 + Y).ravel(), "N")


def mesh(figure):
    return figure.figure.axes[0].collections[0]


def test_a_map_has_a_cell_for_each_run():
    figure = draw_map(GAP, RUB, FORCE, "forces")
    cells = np.asarray(mesh(figure).get_array())
    assert cells.shape == (5, 7)
    # kN, as the largest is 22 kN
    assert cells == pytest.approx(FORCE.values.reshape(5, 7) / 1e3)
    axes = figure.figure.axes
    assert axes[0].get_xscale() == "log" and axes[0].get_yscale() == "linear"
    assert axes[0].get_xlabel() == "pin.radial_clearance [mm]" and axes[1].get_ylabel() == "peak pin.force [kN]"


def test_the_order_of_the_runs_does_not_matter():
    mixed = np.random.default_rng(0).permutation(FORCE.values.size)
    shuffled = [Quantity(q.name, q.values[mixed], q.unit) for q in (GAP, RUB, FORCE)]
    assert (mesh(draw_map(*shuffled, "")).get_array() == mesh(draw_map(GAP, RUB, FORCE, "")).get_array()).all()


def test_a_map_of_regimes_has_their_colours(tmp_path):
    words = np.where(RUB.values > 0.05, "period-1", "chaotic").astype("<U20")
    words[0], words[1] = "", "period-7"
    figure = draw_map(GAP, RUB, Quantity("regime", words), "regimes")
    legend = figure.figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["period-1  14", "period-7  1", "chaotic  19"]
    colours = mesh(figure).to_rgba(np.array([0.0, 1.0, 2.0]))
    from matplotlib.colors import to_rgba

    assert [tuple(c) for c in colours] == [to_rgba(REGIMES[w]) for w in ("period-1", "period-n", "chaotic")]
    assert figure.figure.axes[0].get_title(loc="left") == "1 of 35 runs without a result: left blank"
    assert figure.save(tmp_path / "map.svg").stat().st_size > 5000


def test_samples_are_points():
    some = [Quantity(q.name, q.values[:20] * (1 + 1e-3 * np.arange(20)), q.unit) for q in (GAP, RUB, FORCE)]
    assert len(mesh(draw_map(*some, "")).get_offsets()) == 20


def test_words_have_a_fixed_order():
    assert ranked({"chaotic", "period-12", "not settled", "period-2", "quasi-periodic", "odd"}) == [
        "period-2", "period-12", "quasi-periodic", "chaotic", "not settled", "odd",
    ]  # fmt: skip


def test_edges_lie_between_centres():
    assert edges(np.array([1.0, 2.0, 4.0]), False) == pytest.approx([0.5, 1.5, 3.0, 5.0])
    assert edges(np.array([1.0, 10.0, 100.0]), True) == pytest.approx([10**-0.5, 10**0.5, 10**1.5, 10**2.5])


def test_lines_for_each_value_of_the_other_path():
    figure = sweep([FORCE], GAP, [RUB], "title").figure
    lines = figure.axes[0].get_lines()
    assert len(lines) == 5 and lines[2].get_ydata() == pytest.approx(FORCE.values.reshape(5, 7)[2] / 1e3)
    assert figure.axes[0].get_legend().get_title().get_text() == "pin.friction"


def test_words_stand_on_lines_of_their_own():
    words = Quantity("regime", np.array(["chaotic", "period-1", "", "chaotic"]))
    figure = sweep([words], Quantity("x", np.arange(4.0)), [], "").figure
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["period-1", "chaotic"]
    heights = figure.axes[0].get_lines()[0].get_ydata()
    assert list(heights[[0, 1, 3]]) == [1.0, 0.0, 1.0] and np.isnan(heights[2])


def test_medians_are_those_of_their_parts():
    x = np.repeat([1.0, 2.0, 3.0], 100)
    z = x * 10 + np.tile(np.arange(100.0), 3)
    middle, low, half, high = medians(x, z, False)
    assert list(middle) == [1.0, 2.0, 3.0]
    assert half == pytest.approx(10 * middle + 49.5)
    assert (low, high) == (pytest.approx(10 * middle + 4.95), pytest.approx(10 * middle + 94.05))


def test_marginals_have_a_panel_for_each_path_and_the_distribution(tmp_path):
    figure = marginals(FORCE, [GAP, RUB], "spread")
    panels = [ax for ax in figure.figure.axes if ax.get_visible()]
    assert len(panels) == 3 and sum(bar.get_height() for bar in panels[2].patches) == 35
    with pytest.raises(gd.GudgeonError, match="has words"):
        marginals(Quantity("regime", np.array(["a", "b"])), [GAP], "")
    with pytest.raises(gd.GudgeonError, match="needs numbers on its axes"):
        draw_map(Quantity("law", np.array(["a", "b"])), RUB, FORCE, "")


def test_cells_around_two_values_stay_where_such_values_are():
    """Half a cell below 0.02 and 0.5 mm would be a negative clearance."""
    wide, close = (Quantity("pin.radial_clearance", np.array(x), "m") for x in ([2e-5, 5e-4], [2e-5, 5e-5]))
    assert wide.logarithmic and edges(wide.values, wide.logarithmic)[0] > 0.0
    assert not close.logarithmic and edges(close.values, close.logarithmic)[0] > 0.0
