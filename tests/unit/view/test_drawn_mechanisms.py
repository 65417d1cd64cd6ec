"""What a drawing says of a mechanism: names, which joints are ideal, the cross of a universal joint; and its moment."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.transforms import Bbox

import gudgeon as gd
from gudgeon.draw.mechanism.drawing import Drawing, all_ideal
from gudgeon.draw.mechanism.frames import Frames
from gudgeon.draw.mechanism.moment import telling_moment
from gudgeon.draw.mechanism.sketches import SketchDrawing, open_moment, poses_at
from gudgeon.model.files import load
from gudgeon.papers import flores2006, flores2007
from gudgeon.view import page, sketch

MODELS = Path(__file__).parents[3] / "examples" / "models"


def model(name: str) -> gd.Mechanism:
    return load(MODELS / f"{name}.yaml").mechanism


@pytest.fixture(scope="module")
def strut():
    return gd.simulate(model("macpherson-strut"), duration=0.15, progress=False)


def scene(run, ideal=None) -> dict:
    text = page(run, ideal).text
    start = text.index('id="gudgeon-scene">') + len('id="gudgeon-scene">')
    return json.loads(text[start : text.index("</script>", start)])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("robot-joint", "play in gear 0.5°"),
        ("double-wishbone", "elastic lower_front, lower_rear, upper_front, upper_rear"),
        ("cam-follower", "contact in cam"),
        ("journal-bearing", "film in bore"),
    ],
)
def test_ideal_is_said_only_of_ideal_joints(name, words):
    text = scene(gd.simulate(model(name), duration=0.02, progress=False))["subtitle"]
    assert text.startswith(words) and "ideal" not in text


def test_a_twin_with_rubber_is_not_called_ideal():
    assert not all_ideal(model("macpherson-strut").refit(ball=gd.Ideal()))
    plain = flores2007.slider_crank(None)
    assert all_ideal(plain) and not all_ideal(plain.refit(pin=gd.Ideal(friction=gd.SmoothCoulomb(0.1))))
    fits = (gd.Clearance("0.5 mm", wall=gd.Hertz(gd.STEEL)), gd.Bushing(gd.LinearLiner(2e7, 500.0)))
    loose, rubber = (gd.simulate(flores2007.slider_crank().refit(pin=fit), revolutions=0.1, progress=False)
                     for fit in fits)  # fmt: skip
    assert scene(loose, rubber)["ghost"]["title"] == "without play"
    real, ideal = (gd.simulate(m, revolutions=0.1, progress=False)
                   for m in (flores2007.slider_crank(), flores2007.slider_crank(None)))  # fmt: skip
    assert scene(real, ideal)["ghost"]["title"] == "ideal"


def labels(figure):
    """Names in a drawing, by their text."""
    axes = figure.figure.axes[0]
    return {text.get_text(): text for text in axes.texts if text.get_text()}


@pytest.mark.parametrize("make", [flores2007.slider_crank, flores2006.four_bar, None])
def test_bodies_and_joints_are_named(make, strut):
    """Each name once, on the page, and no name over another."""
    run = strut if make is None else gd.simulate(make(), duration=0.004, progress=False)
    figure = sketch(run, magnify=None)
    named = labels(figure)
    assert set(named) == {*run.mechanism.bodies, *run.mechanism.joints}
    page, renderer = figure.figure.bbox, figure.figure.canvas.get_renderer()
    boxes = [text.get_window_extent(renderer) for text in named.values()]
    for box in boxes:
        assert box.x0 >= -1.0 and box.x1 <= page.width + 1.0 and box.y0 >= -1.0 and box.y1 <= page.height + 1.0
    for a, b in itertools.combinations(boxes, 2):
        assert Bbox.intersection(a, b) is None
    assert not labels(sketch(run, names=False))


def test_the_cross_of_a_universal_joint_stays_square(strut):
    frames = Frames(strut)
    drawing = Drawing(frames, frames.poses(np.arange(len(strut.t))))
    joint = next(j for j in drawing.joints() if j["kind"] == "universal")
    pins = [drawing._turned(joint[f"frame_{s}"], np.array(joint["cross"][f"pin_{s}"])) for s in "ij"]
    assert np.abs((pins[0] * pins[1]).sum(axis=1)).max() < 1e-6
    # forks lead to the sides of their bodies, across their pins
    ways = [np.array(joint["cross"][f"way_{s}"]) for s in "ij"]
    for side, way in zip("ij", ways, strict=True):
        assert way @ np.array(joint["cross"][f"pin_{side}"]) == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(way) == pytest.approx(1.0)
    assert ways[0] @ -np.array(joint["point_i"]) > 0.0
    described = strut.mechanism.bodies[joint["journal"]]
    assert (np.array(described.at) - np.array(joint["point_j"])) @ ways[1] < 0.0


def test_magnified_play_leaves_rubber_soft(strut):
    """The ball's offset grows by the factor; ideal joints stay together, and no bushing gives way by more than that."""
    times = np.linspace(0.05, 0.15, 4)
    one, many = (SketchDrawing(strut, times, k).drawing for k in (1.0, 40.0))

    def offset(drawing, name):
        joint = strut.mechanism.joints[name]
        ends = (drawing.track(joint.journal, joint.journal_point), drawing.track(joint.bearing, joint.bearing_point))
        return float(np.linalg.norm(ends[0] - ends[1], axis=1).max())

    play = offset(one, "ball")
    assert offset(many, "ball") == pytest.approx(40.0 * play, rel=0.02)
    assert max(offset(many, name) for name in ("top", "steer", "rack")) < play
    assert max(offset(many, name) for name in ("front", "rear")) < 40.0 * play


def test_poses_between_rows_are_interpolated(strut):
    frames = Frames(strut)
    middle = 0.5 * (strut.t[10] + strut.t[11])
    rows = frames.poses(np.array([10, 11]))
    assert poses_at(frames, np.array([middle]))[0] == pytest.approx(rows.mean(axis=0), rel=1e-12)
    ends = poses_at(frames, np.array([strut.t[0], strut.t[-1]]))
    assert (ends == frames.poses(np.array([0, len(strut.t) - 1]))).all()


def test_the_moment_that_is_shown():
    """The page opens at the largest contact force after the first turn; a drawing at the widest position."""
    run = gd.simulate(flores2007.slider_crank(), revolutions=2, progress=False)
    late = [r for r in run.contacts if r.peak_time >= run.period]
    assert telling_moment(run) == max(late, key=lambda r: r.peak_force).peak_time
    first = run.contacts[0]
    assert telling_moment(run, 0.0, 1.01 * first.peak_time) == first.peak_time
    ideal = gd.simulate(flores2007.slider_crank(None), revolutions=2, progress=False)
    assert telling_moment(ideal) == pytest.approx(0.5 * ideal.t[-1])
    # the crank stands across the line of the slider
    at = open_moment(ideal)
    assert at >= 0.5 * ideal.t[-1] and abs(np.sin(np.interp(at, ideal.t, ideal["crank.angle"]))) > 0.9


def test_the_mechanism_is_a_panel():
    """Wide mechanisms stand above the histories, high ones beside them; both with names, all on one scale."""
    run = gd.simulate(flores2007.slider_crank(), revolutions=0.3, progress=False)
    above, below = gd.plot(run, "mechanism", "slider.ax").figure.axes[:2]
    assert above.get_position().y0 > below.get_position().y1
    assert {text.get_text() for text in above.texts} >= {"crank", "rod", "slider", "pin", "guide"}
    assert "play" in above.get_title(loc="left")
    box = above.get_window_extent()
    wide, high = np.ptp(above.get_xlim()) / box.width, np.ptp(above.get_ylim()) / box.height
    assert wide == pytest.approx(high, rel=1e-6)
    upright = gd.simulate(model("macpherson-strut"), duration=0.02, progress=False)
    beside, history = gd.plot(upright, "mechanism", "knuckle.ay").figure.axes[:2]
    assert beside.get_position().x0 > history.get_position().x1


def test_two_runs_are_called_what_they_are():
    ideal, loose = flores2007.slider_crank(None), flores2007.slider_crank()
    runs = [gd.simulate(m, revolutions=0.1, progress=False) for m in (ideal, loose, loose)]

    def words(first, second):
        return [text.get_text() for text in gd.compare(first, second, "slider.x").figure.legends[0].get_texts()]

    assert words(*runs[:2]) == ["ideal", "real"]
    assert words(*runs[1:]) == ["first run", "second run"]
