"""S1: sphere on a concave barrier. Schwab, Meijaard, Meijers 2002, section 3.1, Fig 2.

The exact solution of the law is known in closed form, so the tolerance is that of the integration: 1e-6 with
ordinary settings, 1e-9 with tight ones.
"""

from __future__ import annotations

import numpy as np
import pytest
from reference_data import PLANAR, close, vertex

import gudgeon as gd
from gudgeon.papers import schwab2002

REF = PLANAR["S1"]


def numbers(rtol: float) -> dict[str, float]:
    run = gd.simulate(schwab2002.sphere(), duration="200 us", rtol=rtol, channels=["pin.depth", "pin.normal"])
    contact = run.contacts[0]
    # the table's own peaks: the force to 1e-9, its time only to the square root of rounding, the depth to a step
    force_time, force = vertex(run.t, run["pin.normal"])
    depth_time, depth = vertex(run.t, run["pin.depth"])
    assert close(force, contact.peak_force, 1e-9)
    pin = run.mechanism.joints["pin"]
    return {
        "stiffness": pin.fit["pin"].wall.stiffness_for(pin.pair("pin")),
        "max_depth": depth, "max_depth_time": depth_time - contact.t_on,
        "peak_force": contact.peak_force, "peak_force_time": force_time - contact.t_on,
        "force_at_max_depth": pin.fit["pin"].wall.stiffness_for(pin.pair("pin")) * depth**1.5,
        "duration": contact.duration, "rebound": -contact.speed_off, "restitution": contact.restitution,
        "energy_lost": contact.energy_lost,
    }  # fmt: skip


@pytest.mark.parametrize(("rtol", "tolerance"), [(1e-8, 1e-6), (1e-12, 1e-9)])
def test_every_number_of_the_impact(rtol: float, tolerance: float) -> None:
    found = numbers(rtol)
    wrong = {name: (x, REF[name]) for name, x in found.items() if not close(x, REF[name], tolerance)}
    assert not wrong


def test_without_damping_the_force_is_that_of_eq_28() -> None:
    run = gd.simulate(schwab2002.sphere(1.0), duration="200 us", rtol=1e-12, channels=["pin.depth"])
    assert close(run.contacts[0].peak_force, REF["undamped_force"], 1e-9)
    assert close(vertex(run.t, run["pin.depth"])[1], REF["undamped_depth"], 1e-8)
    assert abs(run.contacts[0].energy_lost) < 1e-9


@pytest.mark.parametrize("asked", REF["errors"])
def test_error_of_the_restitution(asked: str) -> None:
    """Velocity and dissipation error [%], to the digits printed."""
    e = float(asked)
    contact = gd.simulate(schwab2002.sphere(e), duration="300 us", rtol=1e-11).contacts[0]
    lost = contact.energy_lost / (0.5 * schwab2002.MASS * contact.speed_on**2)
    velocity, dissipation = 100 * (contact.restitution / e - 1), 100 * (1 - lost / (1 - e * e))
    expected = REF["errors"][asked]
    assert abs(velocity - expected[0]) <= (0.05 if asked == "0.5" else 0.006)
    assert abs(dissipation - expected[1]) <= (0.05 if asked == "0.5" else 0.006)


def test_restitution_zero_is_far_from_plastic() -> None:
    contact = gd.simulate(schwab2002.sphere(0.0), duration="300 us", rtol=1e-11).contacts[0]
    assert abs(contact.restitution - REF["plastic_restitution"]) < 5e-6


def test_law_loses_less_than_newton() -> None:
    newton = 0.5 * schwab2002.MASS * 25.0 * (1 - 0.95**2)
    assert np.isclose(newton, REF["newton_loss"], rtol=1e-12)
    assert close(1 - REF["energy_lost"] / newton, 0.06845, 1e-3)
