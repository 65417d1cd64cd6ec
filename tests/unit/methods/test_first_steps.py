"""The first step in a contact, whose law begins like depth^1.5, is as accurate as its tolerance, however long it is."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.methods import methods
from gudgeon.methods.march import driver

END = 0.0453  # [s] in the contact, 0.15 ms behind its onset


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
@pytest.mark.parametrize("rtol", [1e-7, 1e-8])
def test_no_length_of_the_first_step_is_an_outlier(method, rtol):
    """The longest step in the flight before gives the first one in the contact: from 1/40 to one contact. By the usual
    estimate of DOP853 the speed was wrong by 46 tolerances for some of them, by 0.07 for most."""
    m = gd.Mechanism("ball on a wall", gravity=(0.0, -9.81))
    m.body("ball", mass=1.0, inertia=1e-3, at=(0.0, 0.0))
    m.translational("guide", journal="ball", bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0))
    m.stop("guide", lower=-0.01, wall=gd.LankaraniNikravesh(stiffness=1e10, restitution=0.9))
    system = assemble(m, coordinates="auto", reduce=True)

    def state(name, tolerance, longest=None):
        tape = driver.run(system, methods()[name](tolerance), 0.0, END, output=END, longest=longest,
                          on_rows=lambda _: None)  # fmt: skip
        assert len(tape.events) == 1
        return tape.y[: system.layout.positions + system.layout.velocities]

    exact = state("dop853", 1e-13)
    errors = [np.abs(state(method, rtol, float(x)) - exact).max() for x in np.geomspace(1e-3, 4e-2, 150)]
    assert max(errors) < 0.5 * rtol
