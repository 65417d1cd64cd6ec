"""Euler's equation of a body from what a run reports: joints whose surfaces turn the journal report the moment."""

import numpy as np
import pytest

import gudgeon as gd

WALL = gd.KelvinVoigt(stiffness=1e6, damping=50.0)
RUBBING = gd.SmoothCoulomb(0.2, v0=1e-2)
MASS, INERTIA, ARM = 1.0, 0.01, 0.3
FITS = {
    "friction": gd.Ideal(friction=RUBBING),
    "play": gd.Clearance(1e-4, wall=WALL, friction=RUBBING),
    "film": gd.Lubricated(1e-3, film=gd.Moes(viscosity=1.0)),
    "stop": gd.Ideal(),
}


@pytest.mark.parametrize("fit", FITS)
def test_a_pin_of_the_plane(fit):
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    m.body("bob", mass=MASS, inertia=INERTIA, at=(ARM, 0.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0), radius=0.02, length=0.02, fit=FITS[fit])
    if fit == "stop":
        m.stop("pivot", lower=-0.05, wall=gd.KelvinVoigt(stiffness="1e3 Nm/rad", damping="1 Nm s/rad"))
    run = gd.simulate(m, duration=0.15, output=0.001, progress=False)
    angle = run["bob.angle"]
    across = -ARM * np.cos(angle) * run["pivot.fy"] + ARM * np.sin(angle) * run["pivot.fx"]
    turned = INERTIA * run["bob.alpha"]
    assert np.abs(run["pivot.moment"]).max() > 1e-3 * np.abs(turned).max()
    assert np.abs(turned - across - run["pivot.moment"]).max() < 1e-9 * np.abs(across).max()


def test_a_ball_with_friction():
    """A sphere about its own middle: nothing turns it but the moment of its joint."""
    m = gd.Mechanism("ball", gravity=(0.0, -9.81, 0.0), planar=False)
    m.body("bob", mass=MASS, inertia=(INERTIA,) * 3, at=(0.0, 0.0, 0.0), spin=(1.0, 2.0, 3.0))
    m.spherical("socket", journal="bob", bearing=m.ground, at=(0.0, 0.0, 0.0), radius=0.02,
                fit=gd.Clearance(1e-4, wall=WALL, friction=RUBBING))  # fmt: skip
    run = gd.simulate(m, duration=0.05, output=0.001, progress=False)
    e0, *e = (run[f"bob.e{k}"] for k in range(4))
    axis, spin = np.array(e).T, np.array([run[f"bob.alpha{a}"] for a in "xyz"]).T
    turned = INERTIA * (spin + 2.0 * np.cross(axis, np.cross(axis, spin) + e0[:, None] * spin))
    moment = np.array([run[f"socket.m{a}"] for a in "xyz"]).T
    assert np.abs(moment).max() > 1e-3
    assert np.abs(turned - moment).max() < 1e-9 * np.abs(moment).max()
    assert run["socket.moment"] == pytest.approx(np.linalg.norm(moment, axis=1))


def test_an_ideal_pin_reports_none():
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    m.body("bob", mass=MASS, inertia=INERTIA, at=(ARM, 0.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0))
    assert "pivot.moment" not in gd.simulate(m, duration=0.01, progress=False).channels
