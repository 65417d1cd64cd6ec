"""What time stepping keeps of the momenta of a body that tumbles freely."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.methods.stepping.moreau import Moreau

INERTIA, SPAN = np.array([2e-3, 3e-3, 4.5e-3]), 0.2


def axes(e0, e1, e2, e3):
    """Axes of a body, as columns, from its Euler parameters."""
    e, cross = np.array([e1, e2, e3]), np.array([[0.0, -e3, e2], [e3, 0.0, -e1], [-e2, e1, 0.0]])
    return (e0 * e0 - e @ e) * np.eye(3) + 2.0 * (np.outer(e, e) + e0 * cross)


def tumbling(steps):
    """Linear and angular momentum in world axes at the output times; inertia is that about the body's own axes."""
    m = gd.Mechanism("tumbling", planar=False, start="given", gravity=(0.0, 0.0, 0.0))
    m.body("a", mass=1.0, inertia=tuple(INERTIA), at=(0, 0, 0), velocity=(0.1, 0.0, 0.0), spin=(3.0, 5.0, -2.0))
    run = gd.simulate(m, duration=SPAN, method=Moreau(step=SPAN / steps), output=SPAN / 10)
    turned = [axes(*(run[f"a.e{k}"][i] for k in range(4))) for i in range(len(run.t))]
    spins = np.array([run[f"a.w{x}"] for x in "xyz"]).T
    return np.array([run[f"a.v{x}"] for x in "xyz"]).T, np.array(
        [r @ (INERTIA * w) for r, w in zip(turned, spins, strict=True)]
    )


def test_angular_momentum_is_kept_to_fourth_order_and_linear_momentum_exactly():
    """A step of flight is the classical Runge-Kutta method for Euler's equations: with half of the step a sixteenth of
    the error, until rounding is all that is left."""
    errors = []
    for steps in (20, 40, 80, 2000):
        linear, angular = tumbling(steps)
        assert np.abs(linear - linear[0]).max() < 1e-14
        errors.append(np.abs(angular - angular[0]).max() / np.linalg.norm(angular[0]))
    assert errors[0] < 1e-7
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.03)
    assert errors[1] / errors[2] == pytest.approx(16.0, rel=0.03)
    assert errors[3] < 1e-13
