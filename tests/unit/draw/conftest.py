"""Runs to draw, made once."""

import pytest

import gudgeon as gd
from gudgeon.demo import mechanisms


@pytest.fixture(scope="session")
def runs():
    ideal, loose = mechanisms()
    return gd.simulate(ideal, revolutions=1), gd.simulate(loose, revolutions=1)


@pytest.fixture(scope="session")
def pendulum():
    """Nothing turns evenly, and the contact is a stop."""
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    arm = m.body("arm", mass=2.0, inertia=0.01, at=(0.2, 0))
    m.revolute("pivot", journal=arm, bearing=m.ground, at=(0, 0))
    m.stop("pivot", lower="-90 deg", wall=gd.KelvinVoigt(stiffness=5e4, damping=20.0))
    return gd.simulate(m, duration="1 s")
