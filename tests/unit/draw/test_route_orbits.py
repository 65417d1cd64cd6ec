"""Orbits by several routes on one scale; time beyond the trust horizon is shaded."""

from __future__ import annotations

import matplotlib.colors
import pytest

import gudgeon as gd
from gudgeon.draw import routes as drawn
from gudgeon.draw.style import DOUBT
from gudgeon.papers import flores2010, schwab2002


@pytest.fixture(scope="module")
def found():
    return gd.routes(schwab2002.hertz(), revolutions=0.5, windows=0, film=gd.Moes("400 cP"),
                     only=("law", "impact", "film"))  # fmt: skip


def test_one_panel_for_each_route(found, tmp_path):
    figure = drawn(found)
    axes = figure.figure.axes
    assert [ax.get_title(loc="left").split()[0] for ax in axes] == ["law", "impact", "film"]
    assert len({(*ax.get_xlim(), *ax.get_ylim()) for ax in axes}) == 1
    for ax in axes:
        circle = next(patch for patch in ax.patches if hasattr(patch, "get_radius"))
        assert circle.get_radius() == pytest.approx(0.5)
        assert sum(len(line.get_xdata()) for line in ax.lines) > 100
        assert "evaluations per rev" in ax.texts[0].get_text()
    words = [text.get_text() for text in figure.figure.legends[0].get_texts()]
    assert words[:2] == ["free or film", "contact"]
    for name, start in (("r.svg", b"<?xml"), ("r.png", b"\x89PNG")):
        data = figure.save(tmp_path / name).read_bytes()
        assert data.startswith(start) and len(data) > 20_000


def test_a_slot_has_no_orbits():
    made = gd.routes(flores2010.slider_crank(), duration="1 ms", only=("law",))
    with pytest.raises(gd.GudgeonError, match="no journal that could orbit"):
        drawn(made)


def shades(ax):
    colour = matplotlib.colors.to_rgba(DOUBT)
    return [patch for patch in ax.patches if patch.get_facecolor() == colour]


def test_time_beyond_the_trust_horizon_is_shaded(found):
    run = gd.simulate(schwab2002.hertz(), revolutions=1.5, trust=True)
    page = gd.plot(run, "slider.ax", "pin.normal").figure
    axes = page.axes[:2]
    for ax in axes:
        (shade,) = shades(ax)
        left, right = shade.get_x(), shade.get_x() + shade.get_width()
        assert left == pytest.approx(run.evidence.horizon * 1e3) and right == pytest.approx(run.t[-1] * 1e3)
    # said beside the title, where no label of a panel is
    assert [text.get_text() for text in page.legends[0].get_texts()] == ["beyond trust horizon"] and not axes[0].texts
    early = gd.plot(run, "slider.ax", window=("0 rev", "0.5 rev")).figure.axes[0]
    assert not shades(early) and not early.figure.legends
    assert not shades(gd.plot(gd.simulate(schwab2002.hertz(), revolutions=0.1), "slider.ax").figure.axes[0])
