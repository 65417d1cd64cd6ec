"""A changed number compiles nothing: clearances, masses, lengths, speeds and law parameters are read at run time."""

from __future__ import annotations

import pytest
from at_start import at_start

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.compile.graph import llvm
from gudgeon.papers import schwab2002

LN = gd.LankaraniNikravesh


def test_other_numbers_use_the_same_machine_code():
    first = assemble(schwab2002.hertz("0.5 mm", 0.95))
    count = llvm.compilations
    second = assemble(schwab2002.hertz("0.1 mm", 0.8))
    assert llvm.compilations == count
    assert second.addresses == first.addresses
    assert second.code.parameter_names == first.code.parameter_names
    at = first.code.parameter_names.index("pin.radial_clearance")
    assert (first.p[at], second.p[at]) == (5e-4, 1e-4)


@pytest.mark.parametrize(
    "path, value",
    [("pin.radial_clearance", 2e-4), ("rod.mass", 0.3), ("slider.inertia", 2e-4), ("main.speed", 100.0),
     ("pin.restitution", 0.7), ("pin.radius", 0.02)],
)  # fmt: skip
def test_varying_compiles_nothing(path, value):
    loose = schwab2002.hertz()
    assemble(loose)
    count = llvm.compilations
    varied = loose.vary(path, value)
    system = assemble(varied)
    assert llvm.compilations == count
    assert varied.parameters[path] == value
    assert (system.p != assemble(loose).p).any()


def test_the_shared_code_reads_the_new_numbers():
    """The ideal slider-crank at half the speed: a quarter of the acceleration, by the same code."""
    fast = schwab2002.ideal()
    one = at_start(fast)
    count = llvm.compilations
    other = at_start(fast.vary("main.speed", schwab2002.SPEED / 2))
    assert llvm.compilations == count
    assert other["slider.ax"] == pytest.approx(one["slider.ax"] / 4, rel=1e-13)


def test_derived_parameters_are_not_shared_between_systems():
    """Two systems of one code keep their own blocks: what one prepared is not overwritten by the other."""
    a, b = assemble(schwab2002.hertz("0.5 mm")), assemble(schwab2002.hertz("0.1 mm"))
    before = a.p.copy()
    gd.simulate(schwab2002.hertz("0.2 mm"), duration=1e-5)
    assert (a.p == before).all()
    assert a.p is not b.p


def test_another_structure_is_compiled_anew():
    assemble(schwab2002.hertz())
    count = llvm.compilations
    rubbing = schwab2002.ideal().refit(
        pin=gd.Clearance("0.5 mm", wall=LN(gd.STEEL, restitution=0.9), friction=gd.SmoothCoulomb(0.123, v0=2e-3))
    )
    # no other test has this
    rubbing.torque("crank", 1.25, reaction="slider")
    assemble(rubbing)
    assert llvm.compilations == count + 1
