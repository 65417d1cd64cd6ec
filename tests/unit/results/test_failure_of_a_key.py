"""What stopped a run is found also where the surfaces that touch turn a body of space."""

import pytest

import gudgeon as gd
from gudgeon.results.failure import CONTACT_STEP


def test_a_key_that_is_far_too_stiff():
    m = gd.Mechanism("shaft", gravity=(0.0, -9.81, 0.0), planar=False)
    m.body("shaft", mass=1.0, inertia=(0.01, 0.02, 0.02), at=(0.1, 0.0, 0.0))
    key = gd.Clearance(angular_clearance=1e-3, wall=gd.KelvinVoigt(stiffness="1e28 Nm/rad", damping="1e12 Nm s/rad"))
    m.rigid("fixed", journal="shaft", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(1, 0, 0), fit={"key": key})
    m.torque("shaft", (50.0, 0.0, 0.0))
    with pytest.raises(gd.RunStopped) as stop:
        gd.simulate(m, duration=0.1, progress=False)
    assert stop.value.failure.kind == CONTACT_STEP and stop.value.failure.joint == "fixed"
