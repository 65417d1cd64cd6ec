"""Pictures and films of a mechanism without a browser."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.draw.mechanism.sketches import SketchDrawing
from gudgeon.papers import flores2006, flores2007
from gudgeon.view import animate, sketch

image = pytest.importorskip("PIL.Image")


@pytest.fixture(scope="module", params=["plane", "space"])
def run(request):
    if request.param == "plane":
        return gd.simulate(flores2007.slider_crank(), revolutions=0.3, rtol=1e-8, progress=False)
    return gd.simulate(flores2006.four_bar(), duration=0.05, rtol=1e-7, progress=False)


def test_a_picture_has_every_body_and_joint(run, tmp_path):
    figure = sketch(run, magnify=5.0)
    axes = figure.figure.axes[0]
    links = [line for line in axes.lines if line.get_linewidth() == 4]
    assert len(links) == len(run.mechanism.bodies)
    # pin and bore, or the box of a slider
    shapes = [1 if j.kind.name == "translational" else 2 for j in run.mechanism.joints.values()]
    assert len(axes.patches) == sum(shapes)
    assert figure.save(tmp_path / "a.png").stat().st_size > 5000


def test_magnified_offsets_are_drawn(run):
    t = float(run.t[-1])
    one, ten = (SketchDrawing(run, np.array([t]), k) for k in (1.0, 10.0))
    joint = next(j for j in one.joints if j["loose"])

    def offset(made: SketchDrawing) -> float:
        ends = [made.drawing.track(joint[s], joint[p])[-1] for s, p in (("journal", "point_i"), ("bearing", "point_j"))]
        return float(np.linalg.norm(ends[0] - ends[1]))

    assert offset(one) == pytest.approx(run[f"{joint['name']}.offset"][-1], rel=1e-6)
    assert offset(ten) == pytest.approx(10 * offset(one), rel=0.05)


def test_a_film_and_its_pictures(run, tmp_path):
    path = animate(run, tmp_path / "film.gif", seconds=0.2, magnify=3.0)
    with image.open(path) as film:
        assert film.n_frames == 5
    folder = animate(run, tmp_path / "pictures", seconds=0.12)
    assert len(list(folder.glob("*.png"))) == 3


def test_wrong_films_are_refused(run, tmp_path):
    with pytest.raises(gd.GudgeonError, match=r"must end in \.gif or \.mp4"):
        animate(run, tmp_path / "film.avi")
    with pytest.raises(gd.GudgeonError, match="no span of time"):
        animate(run, tmp_path / "film.gif", start="1 ms", stop="0.5 ms")
