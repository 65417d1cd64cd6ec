"""Rows of hard walls in the equations left unsolved, against differences of what they are the second rates of."""

from __future__ import annotations

import numpy as np
import pytest
from moved_bodies import moved as after_step

import gudgeon as gd
from gudgeon.assemble import Needs, assemble, call_address

WALL = gd.ExactRestitution(stiffness=1e9, restitution=0.5)


def loose(kind: str) -> gd.Mechanism:
    """A body in a loose ball or a loose sleeve, whose place of contact a search finds."""
    m = gd.Mechanism(kind, planar=False, gravity=(0.0, 0.0, -9.81), start="given")
    body = m.body("body", mass=1.2, inertia=(0.02, 0.03, 0.015), at=(0.3, 0.0, 0.0))
    size = {} if kind == "spherical" else {"axis": (0.0, 1.0, 0.0), "length": 0.1}
    m.joint(kind, "pivot", journal=body, bearing=m.ground, at=(0.0, 0.0, 0.0), radius=0.02, **size)
    fit = gd.Clearance(1e-3, wall=WALL)
    return m.refit(pivot=fit if kind == "spherical" else {"sleeve": fit})


@pytest.mark.parametrize("kind", ["spherical", "cylindrical"])
def test_a_wall_that_is_held_has_no_second_rate(kind):
    system = assemble(loose(kind), Needs(form="residual", contact="multiplier"))
    layout, rng = system.residual.layout, np.random.default_rng(4)
    nq, nv, rows, walls, h = layout.positions, layout.velocities, layout.rows, layout.walls, 1e-6
    memory = np.tile([1.0, -1.0], system.events)

    def call(name: str, y: np.ndarray, size: int) -> np.ndarray:
        out = np.zeros(size + 1)
        call_address(system.addresses[name], 0.0, y, system.p, memory, out)
        return out[:size]

    y = system.y0.copy()
    y[:nq] = after_step(y[:nq], np.array([4e-4, 2e-4, -6e-4, 1e-2, 2e-2, -5e-3]))
    v, a = 0.5 * rng.normal(size=nv), rng.normal(size=nv)
    y[nq : nq + nv], y[layout.accelerations : layout.accelerations + nv] = v, a
    rates = []
    for t in (h, -h):
        moved = y.copy()
        moved[:nq], moved[nq : nq + nv] = after_step(y[:nq], t * v + 0.5 * t * t * a), v + t * a
        rates.append(call("project", moved, nq + nv + 2 * rows)[-walls:])
    found = call("residual", y, layout.size)[nv + rows - walls : nv + rows]
    expected = (rates[0] - rates[1]) / (2.0 * h)
    assert np.abs(expected).max() > 1.0
    assert found == pytest.approx(expected, rel=1e-6)
