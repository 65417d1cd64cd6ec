"""Conservative runs keep their energy: the balance error stays below 1e-9 of it at rtol 1e-10."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import schwab2002

G = 9.81


def pendulum() -> gd.Mechanism:
    m = gd.Mechanism("pendulum", gravity=(0.0, -G))
    m.body("bob", mass=1.2, inertia=0.02, at=(0.3, 0.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0))
    return m


def double_pendulum() -> gd.Mechanism:
    m = pendulum()
    m.body("second", mass=0.7, inertia=0.01, at=(0.8, 0.0))
    m.revolute("elbow", journal="second", bearing="bob", at=(0.6, 0.0))
    return m


def bouncing_ball() -> gd.Mechanism:
    """Falls on an elastic floor, by Hertz: a mass on a vertical guide with a stop 20 mm below."""
    m = gd.Mechanism("ball", gravity=(0.0, -G))
    m.body("ball", mass=0.145, inertia=1e-5, at=(0.0, 0.0))
    m.translational("path", journal="ball", bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0))
    m.stop("path", lower="-20 mm", wall=gd.Hertz(stiffness=1e9))
    return m


def elastic_socket() -> gd.Mechanism:
    m = schwab2002.sphere()
    return m.refit(pin=gd.Clearance("0.5 mm", wall=gd.Hertz(schwab2002.STEEL)))


@pytest.mark.parametrize(
    "mechanism, duration, bounces",
    [(pendulum(), 3.0, 0), (double_pendulum(), 2.0, 0), (bouncing_ball(), 0.35, 3), (elastic_socket(), 2e-3, 6)],
    ids=["pendulum", "double pendulum", "ball", "socket"],
)  # fmt: skip
def test_a_conservative_run_keeps_its_energy(mechanism, duration, bounces):
    run = gd.simulate(mechanism, duration=duration, rtol=1e-10)
    assert len(run.contacts) >= bounces
    scale = max(np.abs(run["energy.kinetic"]).max(), np.abs(run["energy.potential"]).max())
    assert scale > 1e-3
    assert run.evidence.balance < 1e-9 * scale
    # what a Hertz contact took it has given back, to the accuracy of the method
    for record in run.contacts:
        if record.ended:
            assert record.speed_off == pytest.approx(-record.speed_on, rel=1e-8)
            assert abs(record.energy_lost) < 2e-8 * scale


def test_a_driven_loose_mechanism_accounts_for_everything():
    """Kinetic energy and losses are the work of the drive, through impacts and friction."""
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)
    m = schwab2002.ideal().refit(pin=gd.Clearance("0.5 mm", wall=wall, friction=gd.ModifiedCoulomb(0.05)))
    run = gd.simulate(m, revolutions=0.5, rtol=1e-10)
    assert len(run.contacts) > 3
    for name in ("contact", "friction", "kinetic", "drive"):
        assert abs(run.evidence.energy[name]) > 1e-3, name
    assert run.evidence.balance < 1e-9 * run["energy.kinetic"].max()
