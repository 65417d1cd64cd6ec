"""Beams in pages and pictures: bent as computed, magnified from the rigid mechanism, held together at their joints."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.draw.mechanism.drawing import Drawing
from gudgeon.draw.mechanism.frames import Frames
from gudgeon.draw.mechanism.sketches import SketchDrawing
from gudgeon.papers import bauchau2002
from gudgeon.view import page, sketch

STATIONS = (0.0, 0.25, 0.5, 0.75, 1.0)


def whip(stations: tuple[float, ...] = STATIONS) -> gd.Mechanism:
    """A thin strip that falls, with a bob at 0.7 of its length: it bends by millimetres."""
    m = gd.Mechanism("whip", gravity=(0.0, -9.81))
    strip = gd.Section.rectangle("20 mm", "4 mm", gd.STEEL)
    beam = m.beam("strip", a=(0, 0), b=(1, 0), section=strip, damping="100 us", stations=stations)
    bob = m.body("bob", mass=1.0, inertia=1e-4, at=(0.7, -0.1))
    m.revolute("hinge", journal=beam, bearing=m.ground, at=(0, 0))
    m.revolute("held", journal=bob, bearing=beam, at=(0.7, 0))
    return m


@pytest.fixture(scope="module")
def crank_slider():
    return gd.simulate(bauchau2002.A2(), duration=0.05, progress=False)


@pytest.fixture(scope="module")
def fallen():
    return gd.simulate(whip((*STATIONS, 0.125, 0.7)), duration=0.3, progress=False)


def test_sections_are_stations_and_seats(fallen):
    frames = Frames(fallen)
    assert frames.places["strip"] == [0.0, 0.125, 0.25, 0.5, 0.7, 0.75, 1.0]
    assert frames.seat("strip", (0.2, 0.01)) == (frames.sections("strip")[4], (0.0, 0.01))
    # beyond its end a beam goes on straight
    assert frames.seat("strip", (0.6, 0.0)) == (frames.sections("strip")[-1], (pytest.approx(0.1), 0.0))
    assert frames.seat("ground", (3.0, 4.0)) == (-1, (3.0, 4.0))


def test_the_line_between_stations_is_where_the_beam_is(fallen):
    """Sections at 0.125 and 0.7 from the usual five stations, against what was computed there."""
    few = Frames(fallen)
    few.stations["strip"] = {s: name for s, name in few.stations["strip"].items() if s in STATIONS}
    rows = np.arange(len(fallen.t))
    poses = few.poses(rows)
    bent = np.abs(few.plays(fallen.t, poses)[:, len(few.bodies) :, :2]).max()
    assert bent > 0.003
    for place, name in ((0.125, "12_5"), (0.7, "70")):
        at = poses[:, few.sections("strip")[few.places["strip"].index(place)]]
        there = np.column_stack([fallen[f"strip.{name}.{k}"] for k in ("x", "y")])
        assert np.abs(at[:, :2] - there).max() < 0.01 * bent


def test_joints_of_bent_links_stay_together_when_magnified(crank_slider):
    """The offset of the loose pin is k times itself; joints without play stay where their bodies meet."""
    run, k = crank_slider, 10.0
    frames = Frames(run)
    rows = np.arange(0, len(run.t), 5)
    poses = frames.poses(rows)
    moved = Drawing(frames, poses + (k - 1.0) * frames.plays(run.t[rows], poses))
    for joint in run.mechanism.joints.values():
        ends = [moved.track(joint.journal, joint.journal_point), moved.track(joint.bearing, joint.bearing_point)]
        apart = np.linalg.norm(ends[0] - ends[1], axis=1)
        if joint.name == "pin":
            assert apart == pytest.approx(k * run["pin.offset"][rows], abs=1e-9)
        elif joint.kind.name == "revolute":
            assert apart.max() < 1e-8
    # a slider stays in its guide
    assert np.abs(moved.poses[:, 0, 1]).max() < 1e-9


def test_a_rigid_link_has_no_deflection():
    """A million times as stiff: what is left is play alone."""
    run = gd.simulate(bauchau2002.crank_slider(stiffer=1e6), duration=0.02, progress=False)
    frames = Frames(run)
    rows = np.arange(len(run.t))
    assert np.abs(frames.plays(run.t, frames.poses(rows))).max() < 1e-7
    assert page(run).text.count('"magnified": ""') == 1


def test_a_drive_by_a_function_is_no_offset():
    """The angle of such a drive is a state, not a formula in time; it used to be taken as zero."""
    m = gd.Mechanism("slider-crank")
    m.body("crank", mass=0.3, inertia=1e-4, at=(0.025, 0.0))
    m.body("rod", mass=0.2, inertia=1e-3, at=(0.1, 0.0))
    m.body("slider", mass=0.5, inertia=1e-3, at=(0.15, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(0.05, 0.0))
    play = gd.Clearance("0.2 mm", wall=gd.LankaraniNikravesh(stiffness=1e9, restitution=0.5))
    m.revolute("pin", journal="rod", bearing="slider", at=(0.15, 0.0), radius="10 mm", fit=play)
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.15, 0.0), axis=(1, 0))
    m.drive("main", speed=lambda t: 100.0 + 0.0 * t)
    run = gd.simulate(m, duration=0.03, rtol=1e-8, progress=False)
    frames = Frames(run)
    fields = frames.plays(run.t, frames.poses(np.arange(len(run.t))))
    # it moved by more than a tenth of a metre, its play by tenths of a millimetre
    assert 1e-4 < np.abs(fields[:, :, :2]).max() < 5e-4


def test_without_stations_a_beam_is_drawn_straight(tmp_path):
    names = [f"{b}.{k}" for b in ("bob", "strip") for k in ("x", "y", "angle")]
    run = gd.simulate(whip(), duration=0.02, channels=names, progress=False)
    assert Frames(run).places == {}
    assert '"beams": []' in page(run).text
    assert sketch(run).save(tmp_path / "straight.png").stat().st_size > 3000


def test_a_picture_shows_the_bent_line(fallen):
    straight, bent = (SketchDrawing(fallen, fallen.t[-1:], k) for k in (1.0, 5.0))
    lines = [made.drawing.frames.line("strip", made.drawing.poses)[0] for made in (straight, bent)]

    def bow(line: np.ndarray) -> float:
        """Largest distance from the chord."""
        way = (line[-1] - line[0]) / np.linalg.norm(line[-1] - line[0])
        return float(np.abs((line - line[0]) @ np.array([-way[1], way[0]])).max())

    assert bow(lines[0]) > 1e-3
    assert bow(lines[1]) == pytest.approx(5 * bow(lines[0]), rel=0.1)
    figure = sketch(fallen, float(fallen.t[-1]), magnify=5.0).figure
    assert "bending 5 times as large" in figure.get_suptitle()
    assert max(len(line.get_xdata()) for line in figure.axes[0].lines) == 49


def cart() -> gd.Mechanism:
    m = gd.Mechanism("cart", gravity=(0.0, -9.81))
    m.body("cart", mass=1.0, inertia=0.01, at=(0.2, 0.0))
    m.body("bob", mass=0.5, inertia=0.01, at=(0.5, -0.3), angle=-math.pi / 4)
    m.translational("rail", journal="cart", bearing=m.ground, at=(0.2, 0.0), axis=(1, 0), length=0.12, width=0.06)
    m.revolute("pin", journal="bob", bearing="cart", at=(0.2, 0.0))
    hard = gd.LankaraniNikravesh(stiffness=1e6, restitution=0.6)
    m.stop("rail", lower="-10 cm", upper="15 cm", wall=hard)
    m.stop("pin", lower="-60 deg", upper="20 deg", wall=gd.LankaraniNikravesh(stiffness=1e3, restitution=0.6))
    return m


def test_stops_are_drawn_where_they_are_met():
    run = gd.simulate(cart(), duration=0.8, rtol=1e-7, progress=False)
    made = SketchDrawing(run, run.t, 1.0)
    rail, pin = made.joints
    walls = sorted(line[0][0] for line in made._stops(rail))
    assert walls == pytest.approx([0.2 - 0.1 - 0.06, 0.2 + 0.15 + 0.06])
    # the mark of the turn's zero points at the bob, on either side
    assert pin["stops"]["rotation"]["mark_j"] == pytest.approx([0.3, -0.3, 0.0])
    assert pin["stops"]["rotation"]["mark_i"] == pytest.approx([math.hypot(0.3, 0.3), 0.0, 0.0])
    (arc,) = made._stops(pin)
    assert len(arc) == 35
    assert '"subtitle": "ideal joints \\u00b7 stops in rail, pin"' in page(run).text


def test_a_slide_on_a_turning_body_goes_along_the_body():
    """A block on a rocker: its travel is measured along the rocker, wherever that points."""
    m, a = gd.Mechanism("quick return"), math.atan2(0.5, 0.1)
    m.body("crank", mass=0.3, inertia=1e-4, at=(0.0, 0.2))
    m.body("block", mass=0.1, inertia=1e-4, at=(0.1, 0.3))
    m.body("rocker", mass=1.0, inertia=0.05, at=(0.35 * math.cos(a), -0.2 + 0.35 * math.sin(a)), angle=a)
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.2))
    m.revolute("eye", journal="block", bearing="crank", at=(0.1, 0.3))
    m.translational("slot", journal="block", bearing="rocker", at=(0.1, 0.3), axis=(math.cos(a), math.sin(a)))
    m.revolute("foot", journal="rocker", bearing=m.ground, at=(0.0, -0.2))
    m.drive("main", speed=10.0)
    run = gd.simulate(m, revolutions=1, rtol=1e-8, progress=False)
    frames = Frames(run)
    slot = next(j for j in Drawing(frames, frames.poses(np.arange(len(run.t)))).joints() if j["slides"])
    # the eye is 0.4 + and - 0.1 sqrt(2) from the foot
    assert slot["travel"] == pytest.approx(0.2 * math.sqrt(2.0), rel=1e-3)
