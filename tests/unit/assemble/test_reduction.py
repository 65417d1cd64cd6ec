"""Constant states: which are found, what the proof rests on, what it saves, and what happens where it does not hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import Needs, assemble
from gudgeon.assemble.solve.row_order import better, operations
from gudgeon.simulation import Numerics, prepare

STILL = {"mass": 2.0, "at": (0.1, 0.2, 0.3)}


def names(mechanism: gd.Mechanism, **more) -> list[str]:
    found = assemble(mechanism, reduce=True, **more).layout.reduction
    return [] if found is None else [c.name for c in found.constants]


def thrown(**more) -> gd.Mechanism:
    """A body in free fall."""
    m = gd.Mechanism("thrown", planar=False, gravity=(0.0, 0.0, -9.81))
    m.body("stone", inertia=(0.1, 0.2, 0.3), **{**STILL, **more})
    return m


def four_bar(inertia=(1.7743e-3, 3.51e-5, 1.7743e-3), spin=(0.0, 0.0, 0.0), fit=None) -> gd.Mechanism:
    """A crank about x, a rocker about y, and a coupler with a ball at either end, the second one loose."""
    m = gd.Mechanism("four-bar", planar=False, gravity=(0.0, 0.0, -9.81))
    tip, ball = np.array([0.0, 0.02, 0.0]), np.array([0.06859, 0.08859, 0.074])
    u = (ball - tip) / np.linalg.norm(ball - tip)
    half = np.sqrt((1.0 + u[1]) / 2.0)
    turn = (half, u[2] / (2.0 * half), 0.0, -u[0] / (2.0 * half))
    m.body("crank", mass=0.0196, inertia=(3.92e-5, 1.97e-5, 1.97e-5), at=tuple(tip / 2))
    m.body("coupler", mass=0.1416, inertia=inertia, at=tuple((tip + ball) / 2), orientation=turn, spin=tuple(spin))
    m.body("rocker", mass=0.0316, inertia=(1.456e-4, 1.456e-4, 2.9e-6), at=(0.06859, 0.08859, 0.037))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    m.spherical("big", journal="coupler", bearing="crank", at=tuple(tip))
    wall = gd.LankaraniNikravesh(stiffness=6.61e10, restitution=0.9, clip=True)
    fit = fit or gd.Clearance(0.5e-3, wall=wall)
    m.spherical("ball", journal="coupler", bearing="rocker", at=tuple(ball), radius="10 mm", fit=fit)
    m.revolute("pivot", journal="rocker", bearing=m.ground, at=(0.06859, 0.08859, 0.0), axis=(0.0, 1.0, 0.0))
    return m


def test_a_stone_that_is_dropped_moves_along_its_fall():
    kept = {"stone.z", "stone.vz"}
    every = {f"stone.{x}" for x in ("x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz")}
    assert set(names(thrown())) == every - kept
    # thrown along x it moves along x, too, at a speed that is constant
    assert set(names(thrown(velocity=(3.0, 0.0, 0.0)))) == every - kept - {"stone.x"}


def test_what_turns_about_a_principal_axis_goes_on_so():
    found = set(names(thrown(spin=(0.0, 0.0, 5.0))))
    assert {"stone.e1", "stone.e2", "stone.wx", "stone.wy", "stone.wz"} <= found
    assert not {"stone.e0", "stone.e3"} & found
    # about any other axis it tumbles
    assert not {x for x in names(thrown(spin=(0.0, 1.0, 5.0))) if ".w" in x or ".e" in x}


def test_euler_parameters_of_any_orientation_are_kept():
    turned = thrown(orientation=(0.8, 0.36, 0.48, 0.0))
    found = assemble(turned, reduce=True).layout.reduction
    assert {"stone.e0", "stone.e1", "stone.e2", "stone.e3"} <= {c.name for c in found.constants}
    (e0,) = (c for c in found.constants if c.name == "stone.e0")
    assert e0.value == pytest.approx(0.8) and e0.parameter is not None


def test_nothing_is_left_out_where_nothing_would_be_left():
    m = gd.Mechanism("at rest", planar=False)
    m.body("stone", inertia=(0.1, 0.2, 0.3), **STILL)
    assert assemble(m, reduce=True).layout.reduction is None
    assert gd.simulate(m, duration=0.1)["stone.x"][-1] == 0.1


def test_a_slim_coupler_keeps_its_spin_and_says_why():
    found = assemble(four_bar(), coordinates="auto", reduce=True).layout.reduction
    assert [(c.name, c.value, c.parameter) for c in found.constants] == [("big.wy", 0.0, None)]
    assert [[name for _, name in group] for group in found.equal] == [["coupler.inertia.x", "coupler.inertia.z"]]
    # any other spin is kept as well, with its value as a parameter
    (spinning,) = assemble(four_bar(spin=(0.0, 7.0, 0.0)), coordinates="auto", reduce=True).layout.reduction.constants
    assert spinning.name == "big.wy" and abs(spinning.value) > 1.0 and spinning.parameter is not None


def test_a_coupler_that_is_not_round_does_not():
    assert names(four_bar(inertia=(1.7743e-3, 3.51e-5, 1.7744e-3)), coordinates="auto") == []


PAGE = Path(__file__).resolve().parents[3] / "docs" / "theory" / "reduction.md"


def slider_crank() -> gd.Mechanism:
    """That of race P1."""
    m = gd.Mechanism("slider-crank")
    m.body("crank", mass=0.1, inertia=1e-4, at=(0.025, 0))
    m.body("rod", mass=0.21, inertia=2.52e-4, at=(0.11, 0))
    m.body("slider", mass=0.14, inertia=1e-4, at=(0.17, 0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0, 0))
    m.revolute("big", journal="crank", bearing="rod", at=(0.05, 0))
    wall = gd.LankaraniNikravesh(stiffness=65.8e9, restitution=0.95, clip=True)
    m.revolute("pin", journal="rod", bearing="slider", at=(0.17, 0), radius="10 mm", fit=gd.Clearance(5e-4, wall=wall))
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.17, 0))
    m.drive("main", speed=523.6)
    return m


ROWS = {
    "race P2 (RSSR four-bar, one loose ball), joints": (four_bar, "auto"),
    "the same, bodies": (four_bar, "absolute"),
    "the same with ideal joints, bodies": (lambda: four_bar(fit=gd.Ideal()), "absolute"),
    "race P1 (slider-crank, loose pin), joints": (slider_crank, "auto"),
    "race P1, bodies": (slider_crank, "absolute"),
}


@pytest.mark.parametrize("row", ROWS)
def test_what_is_saved_is_what_the_page_says(row):
    make, coordinates = ROWS[row]
    full, reduced = (assemble(make(), coordinates=coordinates, reduce=x) for x in (False, True))
    pairs = ((full.states, reduced.states), (full.code.operations["rhs"], reduced.code.operations["rhs"]))
    said = [f"{a} → {b}" if a != b else str(a) for a, b in pairs]
    assert f"| {row} | {said[0]} | {said[1]} |" in PAGE.read_text(encoding="utf-8")
    assert reduced.code.operations["gaps"] <= full.code.operations["gaps"]
    assert reduced.code.operations["channels"] <= full.code.operations["channels"]
    assert [c.name for c in reduced.channels] == [c.name for c in full.channels]


def test_states_go_out_and_come_back():
    system = assemble(four_bar(), coordinates="absolute", reduce=True)
    full = assemble(four_bar(), coordinates="absolute")
    r = system.layout.reduction
    assert np.array_equal(r.contract(full.y0), system.y0)
    np.testing.assert_allclose(r.expand(system.y0), full.y0, rtol=0.0, atol=1e-13)
    y = np.arange(float(full.states))
    assert np.array_equal(r.contract(r.expand(r.contract(y))), r.contract(y))
    assert [r.place(k) for k in r.kept] == list(range(system.states))
    assert [full.units[k] for k in r.kept[: len(system.units)]] == system.units


def test_conditions_are_asked_for():
    system = assemble(four_bar(), coordinates="auto", reduce=True)
    full = assemble(four_bar(), coordinates="auto")
    assert system.layout.reduction.unmet(full.y0, system.p) == []
    other = full.y0.copy()
    other[system.layout.reduction.constants[0].place] = 0.25
    assert system.layout.reduction.unmet(other, system.p) == ["big.wy starts at 0.25, not at 0"]
    p = system.p.copy()
    p[system.code.parameter_names.index("coupler.inertia.z")] *= 1.5
    assert system.layout.reduction.unmet(full.y0, p) == ["coupler.inertia.x and coupler.inertia.z differ"]


def test_a_run_says_what_it_left_out_and_falls_back_where_it_must():
    m = four_bar()
    run = gd.simulate(m, duration=0.004)
    said = "1 of 11 states is constant and not integrated: big.wy = 0, since coupler.inertia.x = coupler.inertia.z"
    assert run.evidence.notes == (said,)
    assert said in str(run.evidence)
    assert len(run.end.y) == 12
    on = gd.simulate(m, duration=0.002, resume=run)
    assert on.evidence.notes == (said,)
    turned = run.end.y.copy()
    turned[9] = 0.5
    run.end = replace(run.end, y=turned)
    on = gd.simulate(m, duration=0.002, resume=run)
    assert on.evidence.notes == ("no state is left out as constant: big.wy starts at 0.5, not at 0",)
    assert on["coupler.wy"][-1] == pytest.approx(0.5, rel=1e-9)
    assert prepare(m, duration=0.002, numerics=Numerics(reduce=False)).run().evidence.notes == ()


def test_methods_that_need_all_states_keep_them():
    assert assemble(four_bar(), Needs(jacobian=True), reduce=True).layout.reduction is None
    assert assemble(four_bar(), Needs(contact="event"), reduce=True).layout.reduction is None


def test_an_order_of_rows_is_bettered():
    # rows along a chain: eliminated from its ends inwards nothing is filled in, from the middle it is
    chain = [{k: True, k + 1: True} for k in range(6)]
    bad = [2, 3, 1, 4, 0, 5]
    products = [{j: True for j in (k - 1, k, k + 1) if 0 <= j < 6} for k in range(6)]
    found = better(chain, bad)
    assert sorted(found) == list(range(6))
    assert operations(products, found) == operations(products, list(range(6))) < operations(products, bad)
