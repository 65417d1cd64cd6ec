"""The plain-Python back end and the machine code are one mechanism."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble, call_address
from gudgeon.papers import schwab2002

LN = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)


def rich() -> gd.Mechanism:
    """Something of everything: friction with a state, a stop, a bushing with a wall, springs, loads, a driven crank."""
    m = gd.Mechanism("everything", gravity=(0.0, -9.81))
    m.body("crank", mass=0.3, inertia=1e-4, at=(0.025, 0.0))
    m.body("rod", mass=0.2, inertia=2.5e-4, at=(0.11, 0.0))
    m.body("slider", mass=0.14, inertia=1e-4, at=(0.17, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(0.05, 0.0), radius="10 mm",
               fit=gd.Bushing(gd.LinearLiner(1e7, 1e3), wall=gd.Hertz(stiffness=1e10), thickness="0.05 mm",
                              layers="published", blend="0.001 mm"))  # fmt: skip
    rub = gd.LuGre(0.05, static_coefficient=0.08)
    m.revolute("pin", journal="rod", bearing="slider", at=(0.17, 0.0), radius="10 mm",
               fit=gd.Clearance("0.1 mm", wall=LN, friction=rub, liner=gd.LinearLiner(1e7, 10.0),
                                liner_thickness="0.02 mm"))  # fmt: skip
    play = gd.Clearance("0.05 mm", wall=gd.Hertz(stiffness=1e9), friction=gd.SmoothCoulomb(0.1))
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.17, 0.0), length="40 mm", width="20 mm",
                    fit=play)  # fmt: skip
    m.stop("guide", lower="-60 mm", wall=gd.Hertz(stiffness=1e9))
    m.spring("spring", "slider", m.ground, stiffness=1e3, damping=5.0, at_i=(0.17, 0.0), at_j=(0.3, 0.02))
    m.force("slider", (lambda t: 3.0 * gd.sin(100.0 * t), lambda t: 1.0 if t < 1e-3 else 2.0))
    m.drive("main", speed=lambda t: 300.0 * gd.tanh(500.0 * t))
    return m


@pytest.mark.parametrize("seed", range(3))
def test_every_function_of_a_rich_mechanism_agrees(seed):
    """At random states near the start and with every contact switched on. Fused multiply-adds make the difference."""
    compiled, plain = (assemble(rich(), backend=name, jacobian=True) for name in ("llvm", "python"))
    assert plain.parameter_names == compiled.parameter_names
    assert plain.p == pytest.approx(compiled.p, rel=1e-14)
    random = np.random.default_rng(seed)
    y = compiled.y0 + random.normal(size=compiled.states) * 1e-4
    m = np.tile([1.0, 0.3], compiled.events)
    sizes = {"rhs": compiled.states, "channels": len(compiled.channels),
             "project": 2 * compiled.positions + 2 * compiled.rows,
             "jacobian": compiled.controlled * compiled.states}  # fmt: skip
    for name, size in sizes.items():
        a, b = np.zeros(size), np.zeros(size)
        call_address(compiled.addresses[name], 2e-3, y, compiled.p, m, a)
        call_address(plain.addresses[name], 2e-3, y, plain.p, m, b)
        assert np.isfinite(a).all()
        assert np.abs(a).max() > 0.0
        # a depth is a difference of coordinates: 1e-16 m of 1e-4 m, times the exponent
        assert b == pytest.approx(a, rel=1e-9, abs=1e-12 * np.abs(a).max()), name


def pair_of_runs(duration: float, **options) -> tuple[gd.Run, gd.Run]:
    m = schwab2002.hertz()
    return tuple(gd.simulate(m, duration=duration, backend=name, **options) for name in ("llvm", "python"))


def test_free_flight_agrees_to_rounding():
    """Up to 0.2 ms nothing touches."""
    compiled, plain = pair_of_runs(2e-4, rtol=1e-9)
    assert not compiled.contacts
    assert plain.evidence.steps == compiled.evidence.steps
    scale = np.maximum(np.abs(compiled.end.y), 1e-3)
    assert np.abs((plain.end.y - compiled.end.y) / scale).max() < 1e-12


def test_first_contact_agrees_event_by_event():
    """A fortieth of a revolution: onset at 0.2273 ms, release at 0.2813 ms."""
    compiled, plain = pair_of_runs(3e-4, rtol=1e-9)
    assert len(compiled.contacts) == len(plain.contacts) == 1
    a, b = compiled.contacts[0], plain.contacts[0]
    for field in ("t_on", "speed_on", "angle", "t_off", "speed_off", "peak_force", "max_depth", "energy_lost"):
        assert getattr(b, field) == pytest.approx(getattr(a, field), rel=1e-9), field
    scale = np.maximum(np.abs(compiled.end.y), 1e-3)
    assert np.abs((plain.end.y - compiled.end.y) / scale).max() < 1e-9
