"""Bodies of space whose axes are not principal are drawn by their own axes, and so are beams that are built bent."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.draw.mechanism.frames import Frames, turned
from gudgeon.model import SpatialSection
from gudgeon.view import sketch

WALL = gd.LankaraniNikravesh(stiffness=1e9, restitution=0.8)


def seat(frames, poses, body, point):
    """Where a body-fixed point is drawn, in every row."""
    frame, inside = frames.seat(body, point)
    return poses[:, frame, :3] + turned(poses[:, frame, 3:], np.array(inside))


def test_a_body_with_products_of_inertia_stays_in_its_joint():
    m = gd.Mechanism("crooked", planar=False, gravity=(0, 0, -9.81))
    body = m.body("body", mass=1.0, inertia=(0.02, 0.03, 0.04, 0.005, 0.002, -0.003), at=(0.1, 0.02, 0.0))
    assert body.principal.described is not None
    m.spherical("ball", journal=body, bearing=m.ground, at=(0, 0, 0), radius="10 mm",
                fit=gd.Clearance("0.1 mm", wall=WALL))  # fmt: skip
    run = gd.simulate(m, duration="20 ms", output="1 ms")
    frames, rows = Frames(run), np.arange(len(run.t))
    poses = frames.poses(rows)
    offset = np.column_stack([run[f"ball.e{axis}"] for axis in "xyz"])
    assert np.abs(offset).max() > 5e-5
    assert seat(frames, poses, "body", m.joints["ball"].journal_point) == pytest.approx(offset, abs=1e-12)
    # without its play it is in the middle
    tight = poses - frames.plays(run.t, poses)
    assert np.abs(seat(frames, tight, "body", m.joints["ball"].journal_point)).max() < 1e-6 * np.abs(offset).max()


def test_a_bent_beam_of_space_keeps_its_joints_however_it_is_magnified():
    m = gd.Mechanism("bow", planar=False, gravity=(0, 0, -9.81))
    section = SpatialSection.circle("8 mm", material=gd.STEEL)
    beam = m.beam("bow", a=(0, 0, 0), b=(0.6, 0.2, 0.1), through=[(0.2, 0.15, 0.0), (0.4, 0.2, 0.05)], section=section,
                  elements=3, damping=1e-3)  # fmt: skip
    assert beam.stiff.principal.described is not None
    tip = m.body("tip", mass=0.3, inertia=(1e-4, 1e-4, 1e-4), at=(0.6, 0.2, 0.1))
    m.rigid("root", journal=beam, bearing=m.ground, at=(0, 0, 0))
    m.rigid("end", journal=tip, bearing=beam, at=(0.6, 0.2, 0.1))
    run = gd.simulate(m, duration="30 ms", output="3 ms", rtol=1e-5)
    frames, rows = Frames(run), np.arange(len(run.t))
    poses = frames.poses(rows)
    plays = frames.plays(run.t, poses)
    # as built nothing is bent; then the tip sinks, and the root stays
    assert np.abs(plays[0, frames.bodies.index("tip")]).max() < 1e-12
    assert np.abs(plays[0]).max() < 2e-4 * beam.length  # of three elements, between nodes
    sinking = -run["tip.z"][-1] + 0.1
    assert sinking > 1e-3
    larger = poses + 4.0 * plays
    assert np.abs(seat(frames, larger, "bow", m.joints["root"].journal_point)).max() < 1e-2 * sinking
    ends = [seat(frames, larger, *end) for end in (("tip", (0, 0, 0)), ("bow", m.joints["end"].bearing_point))]
    assert np.abs(ends[0] - ends[1]).max() < 0.05 * sinking
    assert 0.1 - ends[0][-1, 2] == pytest.approx(5.0 * sinking, rel=0.05)


def test_a_sketch_is_of_a_run():
    with pytest.raises(gd.GudgeonError, match="sketch draws a run"):
        sketch(gd.Mechanism("nothing"))
