"""A march compiled for a browser is that of Python."""

from __future__ import annotations

import numpy as np
import pytest
from march_in_wasmtime import Machine

import gudgeon as gd
from gudgeon.export import code, webassembly
from gudgeon.papers import flores2007, schwab2002
from gudgeon.simulation.prepare import Numerics, prepare


def double_pendulum() -> gd.Mechanism:
    """In space, with a loose pin and bristle friction."""
    m = gd.Mechanism("double pendulum", planar=False)
    m.body("bob", mass=1.0, inertia=(1e-3, 2e-3, 3e-3), at=(0.2, 0, 0))
    m.spherical("ball", journal="bob", bearing=m.ground, at=(0, 0, 0))
    m.body("rod", mass=0.5, inertia=(1e-3, 1e-3, 1e-4), at=(0.2, 0, -0.1))
    rubber = gd.Clearance("0.2 mm", wall=gd.KelvinVoigt(1e6, 100.0), friction=gd.LuGre(0.1, static_coefficient=0.12))
    m.revolute("pin", journal="rod", bearing="bob", at=(0.2, 0, 0), axis=(0, 1, 0), radius="5 mm", length="20 mm",
               fit=rubber)  # fmt: skip
    return m


CASES = {
    "two rods": (schwab2002.hertz, "dopri5", 1e-9, 0.002),
    "two rods, dop853": (schwab2002.hertz, "dop853", 1e-9, 0.002),
    "two rods, radau": (schwab2002.hertz, "radau", 1e-8, 0.002),
    "four-bar with friction": (lambda: flores2007.four_bar("0.5 mm", branch=1), "dopri5", 1e-9, 0.02),
    "space": (double_pendulum, "dopri5", 1e-8, 0.05),
}


@pytest.mark.parametrize("case", CASES)
def test_a_browser_marches_as_python_does(case):
    """Rounding differs, so that steps may, and states by what the tolerance leaves open."""
    make, method, rtol, duration = CASES[case]
    prepared = prepare(make(), numerics=Numerics(loop="shared"), duration=duration, method=method, rtol=rtol)
    ours = prepared.run()
    t, y, steps = Machine(prepared).run()
    assert t == pytest.approx(duration, rel=1e-12)
    size = np.abs(ours.end.y[: prepared.system.controlled]).max()
    assert y[: prepared.system.controlled] == pytest.approx(ours.end.y[: prepared.system.controlled], abs=1e-6 * size)
    assert steps == pytest.approx(ours.evidence.steps, rel=0.02)


def test_a_march_can_begin_again():
    """The image is put into memory anew: the same to the last bit."""
    prepared = prepare(schwab2002.hertz(), duration=1e-3, method="dopri5", rtol=1e-8)
    machine = Machine(prepared)
    first, second = machine.run(), machine.run()
    assert first[2] == second[2] and np.array_equal(first[1], second[1])


def test_the_module_is_small():
    prepared = prepare(schwab2002.hertz(), duration=1e-3, method="dopri5", rtol=1e-8)
    names = [code.FIRST, code.LOOP, *code.names(prepared.system)]
    made = webassembly.module_of(code.march_code(prepared.system, prepared.method), names)
    assert len(made.code) < 60_000 and made.code[:4] == b"\0asm"


def test_what_cannot_leave_says_why():
    prepared = prepare(schwab2002.hertz(), duration=1e-3, method="alpha", rtol=1e-4)
    with pytest.raises(gd.GudgeonError, match="not one piece of code"):
        code.march_code(prepared.system, prepared.method)
