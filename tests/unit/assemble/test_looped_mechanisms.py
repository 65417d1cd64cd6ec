"""Large mechanisms: what they cost in counts, how they start, what is refused, and a run of one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from at_start import at_start

import gudgeon as gd
from gudgeon.assemble import Needs, System, assemble
from gudgeon.assemble.looped import build, factor, kinematics
from gudgeon.assemble.looped import refusals as looped_refusals
from gudgeon.assemble.support import choose
from gudgeon.compile.graph import llvm
from gudgeon.papers import flores2007

LENGTH = 0.1


def chain(n: int, planar: bool = True, springs: bool = False) -> gd.Mechanism:
    """A pendulum of n links, laid out straight."""
    place = (lambda x: (x, 0.0)) if planar else (lambda x: (x, 0.0, 0.0))
    m = gd.Mechanism("chain", planar=planar, gravity=(0.0, -9.81) if planar else (0.0, -9.81, 0.0))
    before = m.ground
    for k in range(n):
        inertia = 2e-4 if planar else (1e-5, 2e-4, 2e-4)
        link = m.body(f"b{k}", mass=0.2 + 1e-4 * k, inertia=inertia, at=place((k + 0.5) * LENGTH))
        more = {} if planar else {"axis": (0.0, 0.0, 1.0)}
        m.revolute(f"j{k}", journal=link, bearing=before, at=place(k * LENGTH), **more)
        if springs:
            m.torsion_spring(f"s{k}", f"j{k}", stiffness=2.0, damping=0.01)
        before = link
    return m


def loops(n: int, planar: bool = True) -> gd.Mechanism:
    """A row of n parallelograms: cranks on the ground and couplers between them. In space three rows of every loop are
    redundant."""
    more = {} if planar else {"axis": (0.0, 0.0, 1.0)}
    place = (lambda x, y: (x, y)) if planar else (lambda x, y: (x, y, 0.0))
    inertia = 2e-4 if planar else (2e-4, 2e-4, 2e-4)
    m = gd.Mechanism("loops", planar=planar, gravity=place(0.0, -9.81))
    dx, dy = LENGTH * math.cos(1.1), LENGTH * math.sin(1.1)
    for k in range(n + 1):
        m.body(f"crank{k}", mass=0.2, inertia=inertia, at=place(k * LENGTH + dx / 2, dy / 2))
        m.revolute(f"pivot{k}", journal=f"crank{k}", bearing=m.ground, at=place(k * LENGTH, 0.0), **more)
    for k in range(n):
        m.body(f"coupler{k}", mass=0.2, inertia=inertia, at=place((k + 0.5) * LENGTH + dx, dy))
        for end, crank in (("left", k), ("right", k + 1)):
            m.revolute(f"{end}{k}", journal=f"coupler{k}", bearing=f"crank{crank}",
                       at=place(crank * LENGTH + dx, dy), **more)  # fmt: skip
    return m


def kernels(system: System) -> int:
    """Loops over parts, pairs of parts and fronts."""
    code = system.code.references
    return len(code.bodies) + len(code.groups) + len(code.pairs) + len(code.factor.written)


@pytest.mark.parametrize(("planar", "operations", "entries"), [(True, 135, 8), (False, 1160, 42)])
def test_a_longer_chain_costs_the_same_per_body_and_compiles_nothing(planar, operations, entries):
    systems = {n: assemble(chain(n, planar), unrolled=False) for n in (10, 20)}
    before = llvm.compilations
    systems[200] = assemble(chain(200, planar), unrolled=False)
    assert llvm.compilations == before
    assert kernels(systems[10]) == kernels(systems[200])
    for n, system in systems.items():
        assert system.code.operations["rhs"] / n < operations
        assert system.code.references.factor.entries / n < entries  # no fill
    steps = [(s.code.operations["rhs"], n) for n, s in systems.items()]
    (a, p), (b, q), (c, r) = steps
    assert (b - a) * (r - q) == (c - b) * (q - p)  # exactly linear
    assert systems[200].start.dof == 200


def test_loops_cost_the_same_per_loop():
    systems = {n: assemble(loops(n), unrolled=False) for n in (20, 40, 160)}
    assert kernels(systems[40]) == kernels(systems[160])
    (a, b, c) = (systems[n].code.operations["rhs"] for n in (20, 40, 160))
    assert (c - b) == pytest.approx(6 * (b - a), rel=0.02)
    assert [s.start.dof for s in systems.values()] == [1, 1, 1]


def swing(n: int) -> float:
    """Angular acceleration of the cranks of n loops at rest: one freedom, couplers do not turn."""
    mass, inertia = 0.2, 2e-4
    resists = (n + 1) * (inertia + mass * LENGTH**2 / 4) + n * mass * LENGTH**2
    return -9.81 * math.cos(1.1) * mass * LENGTH * ((n + 1) / 2 + n) / resists


@pytest.mark.parametrize(("n", "planar", "dense"), [(50, True, 400), (4, False, 400), (4, False, 0),
                                                    pytest.param(40, False, 400, marks=pytest.mark.slow)])  # fmt: skip
def test_rows_of_loops_swing_as_one_pendulum(n, planar, dense, monkeypatch):
    """In space with redundant rows, compared one by one or, in a long row, found by pivots."""
    monkeypatch.setattr(kinematics, "DENSE", dense)
    system = assemble(loops(n, planar), unrolled=False)
    assert system.start.dof == 1
    assert len(system.report.redundant) == (0 if planar else 3 * n)
    out = np.zeros(system.states)
    llvm.call_address(system.addresses["rhs"], 0.0, system.y0, system.p, np.zeros(1), out)
    width = 3 if planar else 6
    turning = out[system.positions :][width - 1 : width * (n + 1) : width]
    assert turning == pytest.approx(np.full(n + 1, swing(n)), rel=1e-9)


def test_the_same_rows_are_redundant_in_both_forms():
    one, two = (assemble(loops(1, planar=False), unrolled=unrolled) for unrolled in (True, False))
    assert one.report.redundant == two.report.redundant
    assert len(one.report.redundant) == 3


def test_a_chain_that_is_described_open_is_closed():
    """Every link described a little out of place, as files of other programs have it."""
    n, random = 60, np.random.default_rng(2)
    m = gd.Mechanism("open", gravity=(0.0, -9.81))
    before, half = m.ground, LENGTH / 2
    for k in range(n):
        x, y = (k + 0.5) * LENGTH + 1e-3 * random.normal(), 1e-3 * random.normal()
        link = m.body(f"b{k}", mass=0.2, inertia=2e-4, at=(x, y), spin=float(random.normal()))
        end = (0.0, 0.0) if k == 0 else (half, 0.0)
        m.revolute(f"j{k}", journal=link, bearing=before, journal_point=(-half, 0.0), bearing_point=end)
        before = link
    system = assemble(m)
    assert system.formulation == "looped"
    assert system.start.dof == n
    assert 1e-4 < max(system.start.moved.values()) < 0.1
    out = np.zeros(system.positions + system.velocities + 2 * system.rows)
    llvm.call_address(system.addresses["project"], 0.0, system.y0, system.p, np.zeros(1), out)
    assert np.abs(out[system.positions + system.velocities :]).max() < 1e-10


def test_drives_that_contradict_are_refused():
    m = loops(30)
    m.drive("pivot0", speed=1.0)
    assert assemble(m).start.dof == 0
    m.drive("pivot7", speed=2.0)
    with pytest.raises(gd.GudgeonError, match="contradict"):
        assemble(m)


def test_the_form_is_chosen_by_size():
    assert choose(chain(10)) == "absolute"
    assert choose(chain(30)) == "looped"
    assert choose(chain(3, planar=False)) == "absolute"
    assert choose(chain(10, planar=False)) == "looped"
    assert choose(chain(30), Needs(jacobian=True)) == "looped"
    assert choose(chain(30), unrolled=True) == "absolute"
    assert choose(chain(2), unrolled=False) == "looped"
    assert assemble(chain(2)).formulation != "looped"


def test_what_loops_cannot_do_is_refused_by_name():
    motor = chain(3)
    motor.motor("j0", voltage=1.0, resistance=1.0, back_emf=0.1, rotor_inertia=1e-4)
    with pytest.raises(gd.GudgeonError, match="inertia of a rotor"):
        assemble(motor, unrolled=False)
    with pytest.raises(gd.GudgeonError, match="impacts as events"):
        assemble(chain(3), Needs(contact="event"), unrolled=False)
    with pytest.raises(gd.GudgeonError, match="python"):
        assemble(chain(3), unrolled=False, backend="python")


def test_a_body_with_many_joints_is_solved_or_refused_by_name(monkeypatch):
    """A plate with pendulums: its rows are a dense matrix, most of it in fronts that are not written out."""
    monkeypatch.setattr(factor, "WIDE", 40)
    m = gd.Mechanism("plate", gravity=(0.0, -9.81))
    m.body("plate", mass=5.0, inertia=1.0, at=(0.0, 0.0))
    m.revolute("hinge", journal="plate", bearing=m.ground, at=(0.0, 0.0))
    for k in range(13):
        x, y = math.cos(0.2 * k), math.sin(0.2 * k)
        m.body(f"b{k}", mass=0.2, inertia=0.001, at=(x, y - 0.1))
        m.revolute(f"j{k}", journal=f"b{k}", bearing="plate", at=(x, y))
    system = assemble(m)
    assert system.formulation == "looped"
    rate = np.zeros(system.states)
    llvm.call_address(system.addresses["rhs"], 0.0, system.y0, system.p, np.zeros(1), rate)
    moved = system.y0.copy()
    moved[system.positions : system.positions + system.velocities] = 1e-3 * rate[system.positions :]
    out = np.zeros(system.positions + system.velocities + 2 * system.rows)
    llvm.call_address(system.addresses["project"], 0.0, moved, system.p, np.zeros(1), out)
    assert np.abs(rate[system.positions :]).max() > 0.1
    assert np.abs(out[-system.rows :]).max() < 1e-14  # accelerations satisfy the rows
    monkeypatch.setattr(build, "MOST_ROWS", 25)
    with pytest.raises(gd.GudgeonError, match='body "plate" has 14'):
        assemble(m)


def test_patterns_of_zeros_do_not_multiply_the_code():
    """Links of every mixture of zeros and ones in their points."""
    from gudgeon.assemble.looped.assemble import MANY_KINDS

    values = (0.0, 1.0, -1.0, 0.3)
    points = [((a, b), (c, d)) for a in values for b in values for c in values for d in values if (a, b) != (c, d)]
    m = gd.Mechanism("patterns", gravity=(0.0, -9.81))
    before, at = m.ground, (0.0, 0.0)
    for k, (near, far) in enumerate(points[::16]):
        centre = (at[0] - near[0], at[1] - near[1])
        m.body(f"b{k}", mass=0.2, inertia=0.1, at=centre)
        m.revolute(f"j{k}", journal=f"b{k}", bearing=before, at=at)
        before, at = f"b{k}", (centre[0] + far[0], centre[1] + far[1])
    looped, written = assemble(m, unrolled=False), assemble(m, unrolled=True)
    assert len(looped.code.references.groups) <= 3 < MANY_KINDS
    y = looped.y0 + 1e-3 * np.random.default_rng(0).normal(size=looped.states)
    out = [np.zeros(looped.states) for _ in range(2)]
    for system, x in zip((looped, written), out, strict=True):
        llvm.call_address(system.addresses["rhs"], 0.0, y, system.p, np.zeros(1), x)
    assert out[0] == pytest.approx(out[1], rel=1e-9, abs=1e-9)


def test_another_number_compiles_nothing():
    m = chain(30, springs=True)
    assemble(m)
    before = llvm.compilations
    assemble(m.vary("b7.mass", 0.5).vary("s3.stiffness", 7.0))
    assert llvm.compilations == before


def test_a_run_of_a_large_chain_keeps_its_energy():
    run = gd.simulate(chain(100, springs=True), duration=0.05, rtol=1e-9, output=0.01)
    energy = run["energy.kinetic"]
    assert float(energy[-1]) > 1.0
    assert np.abs(run["energy.balance"] - run["energy.balance"][0]).max() < 1e-7 * float(energy[-1])
    assert float(np.abs(run["b99.y"]).max()) > 0.01


def test_contacts_in_loops_fall_at_the_same_times(monkeypatch):
    m = flores2007.slider_crank(friction=gd.ModifiedCoulomb(0.03))
    written = gd.simulate(m, revolutions=0.2, rtol=1e-12)
    monkeypatch.setattr(looped_refusals, "LARGE", {True: 0, False: 0})
    looped = gd.simulate(m, revolutions=0.2, rtol=1e-12)
    assert len(written.contacts) == len(looped.contacts) > 2
    for a, b in zip(list(written.contacts)[:3], list(looped.contacts)[:3], strict=True):
        assert b.t_on == pytest.approx(a.t_on, abs=1e-10)


def test_sliders_that_start_at_and_away_from_zero_differ_in_their_channels_alone():
    """The place where a slider starts is a number only where it is not 0, and only its travel reads it."""
    m = gd.Mechanism("sliders", gravity=(0.0, -9.81))
    for name, y, ahead in (("low", 0.3, 0.0), ("high", 0.5, 0.3)):
        m.body(name, mass=1.0, inertia=0.01, at=(0.2, y))
        m.joint("translational", f"{name}_guide", journal=name, bearing=m.ground, journal_point=(-0.1 - ahead, 0.0),
                bearing_point=(0.1, y), axis=(1.0, 0.0), length=0.1, width=0.02)  # fmt: skip
    written, looped = (at_start(m, unrolled=unrolled, coordinates="absolute") for unrolled in (True, False))
    assert written["low_guide.travel"] == written["high_guide.travel"] == 0.0
    assert looped == pytest.approx(written, abs=1e-12)
