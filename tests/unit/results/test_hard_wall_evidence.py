"""The evidence of a run whose walls are hard speaks of Newton's restitution, not of the force law."""

import pytest

import gudgeon as gd


def pendulum() -> gd.Mechanism:
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    m.body("bob", mass=1.0, inertia=0.01, at=(0.5, 0.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0))
    m.stop("pivot", lower=-0.5, wall=gd.LankaraniNikravesh(stiffness=1e6, restitution=0.5))
    return m


@pytest.mark.parametrize("method", [gd.Alpha(hard=True, rtol=1e-6), gd.Decay(hard=True), gd.Impact()],
                         ids=["alpha", "decay", "impact"])  # fmt: skip
def test_the_force_law_is_not_named_where_walls_are_hard(method):
    run = gd.simulate(pendulum(), duration=0.6, method=method)
    (found,) = run.evidence.restitution
    assert found.got == pytest.approx(0.5, rel=1e-3)
    assert found.law is None
    assert "by the law" not in str(run.evidence)


def test_the_force_law_is_named_where_it_acts():
    (found,) = gd.simulate(pendulum(), duration=0.6).evidence.restitution
    assert found.law == pytest.approx(0.7252, rel=1e-3)
