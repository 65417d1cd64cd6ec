"""Above the panels: titles of any length and legends, which cover nothing and are not cut off."""

import itertools

import numpy as np
import pytest
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox

import gudgeon as gd
from gudgeon.draw.heading import broken_lines
from gudgeon.draw.scale import Quantity
from gudgeon.draw.studies.map import draw_map
from gudgeon.draw.style import IDEAL, REAL

LONG = " · ".join(["slider-crank", *(f"joint {k}: clearance 0.{k} mm, LankaraniNikravesh" for k in range(1, 7))])


def boxes(figure):
    """What stands on the page, in pixels: title, legend, panels with their labels."""
    page = figure.figure
    renderer = page.canvas.get_renderer()
    parts = [page._suptitle] if page.get_suptitle() else []
    parts += page.legends
    return page, [part.get_window_extent(renderer) for part in parts] + [ax.get_tightbbox(renderer) for ax in page.axes]


@pytest.mark.parametrize("title", ["", "short", LONG])
@pytest.mark.parametrize("names", [("slider.ax",), ("slider.phase",), ("slider.ax", "pin.force", "pin.orbit")])
def test_title_and_legend_have_room(runs, names, title):
    page, every = boxes(gd.compare(*runs, *names, title=title))
    heading = len(page.legends) + bool(title)
    for box in every[:heading]:
        assert min(box.x0, box.y0) >= 0.0 and box.x1 <= page.bbox.width and box.y1 <= page.bbox.height
    for a, b in itertools.combinations(range(len(every)), 2):
        if a < heading:
            common = Bbox.intersection(every[a], every[b])
            assert common is None or min(common.width, common.height) < 1.0
    # the panels keep their size
    plain, _ = boxes(gd.compare(*runs, *names, title=""))
    assert page.axes[0].get_window_extent().height == pytest.approx(plain.axes[0].get_window_extent().height, abs=6.0)


def test_a_title_breaks_between_its_parts():
    assert broken_lines("press · pin: clearance 0.5 mm, Hertz", lambda line: len(line) < 30) == [
        "press ·", "pin: clearance 0.5 mm, Hertz"
    ]  # fmt: skip
    assert broken_lines("press · pin: clearance 0.5 mm", lambda line: len(line) < 19) == [
        "press ·", "pin: clearance 0.5", "mm"
    ]  # fmt: skip
    assert broken_lines("press", lambda line: False) == ["press"]


def test_a_line_shows_where_it_coincides_with_the_ideal_one(runs):
    """The ideal line lies underneath and is wider than the one above it."""
    for name in ("slider.x", "slider.phase"):
        ax = gd.compare(*runs, name).figure.axes[0]
        (below,) = (x for x in ax.lines if x.get_color() == IDEAL)
        (above,) = (x for x in ax.lines if x.get_color() == REAL)
        assert below.get_linewidth() >= 2.0 * above.get_linewidth()


def test_no_mark_is_cut_at_the_frame(runs):
    """A mark at the first or last time is drawn whole; points of a map lie inside it."""
    first = runs[1].contacts[0]
    ax = gd.plot(runs[1], "pin.force", window=(first.t_on, first.peak_time)).figure.axes[0]
    (marks,) = (line for line in ax.lines if isinstance(line, Line2D) and line.get_marker() == "o")
    assert marks.get_xdata()[-1] == pytest.approx(ax.get_xlim()[1]) and not marks.get_clip_on()
    x, y = np.linspace(1e-4, 5e-4, 9), np.linspace(0.0, 1.0, 9)
    ax = draw_map(Quantity("gap", x, "m"), Quantity("rub", y), Quantity("force", 1.0 + y), "").figure.axes[0]
    for low, high, values in ((*ax.get_xlim(), 1e3 * x), (*ax.get_ylim(), y)):
        assert low < values[0] - 0.02 * np.ptp(values) and high > values[-1] + 0.02 * np.ptp(values)
