"""The plain-Python back end and the machine code are one mechanism."""

from __future__ import annotations

import numpy as np
import pytest
from rich_mechanism import rich

import gudgeon as gd
from gudgeon.assemble import Needs, assemble, call_address
from gudgeon.papers import schwab2002
from gudgeon.simulation import Numerics, prepare


@pytest.mark.parametrize("seed", range(3))
def test_every_function_of_a_rich_mechanism_agrees(seed):
    """At random states near the start and with every contact switched on. Fused multiply-adds make the difference."""
    compiled, plain = (assemble(rich(), Needs(jacobian=True), backend=name) for name in ("llvm", "python"))
    assert plain.code.parameter_names == compiled.code.parameter_names
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
    return tuple(
        prepare(m, duration=duration, **options, numerics=Numerics(backend=name)).run() for name in ("llvm", "python")
    )


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
