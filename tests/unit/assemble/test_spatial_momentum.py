"""Free pairs of space: whatever acts between two bodies, nothing is left over. Every law of friction and film, on every
mate that can have it, by contact laws and by hard walls."""

from __future__ import annotations

import numpy as np
import pytest
from test_spatial_motion import momentum

import gudgeon as gd
from gudgeon.laws import FilmLaw, FrictionLaw

GAP = 2e-4
WALL = gd.LankaraniNikravesh(stiffness=1e7, restitution=0.8)
PAIR = {"a": (1.0, (1e-3, 2e-3, 2.5e-3)), "b": (2.0, (3e-3, 2e-3, 4e-3))}
JOINTS = {
    "ball": ("spherical", {"radius": 0.01}),
    "sleeve": ("cylindrical", {"axis": (1, 1, 0), "radius": 0.01, "length": 0.03, "strips": 4}),
    "short": ("cylindrical", {"axis": (1, 1, 0), "radius": 0.01, "length": 0.03, "journal_length": 0.02, "strips": 3,
                              "short": True}),
    "shoulder": ("revolute", {"axis": (1, 1, 0), "radius": 0.01, "length": 0.03, "strips": 2}),
    "flat": ("planar", {"axis": (0, 0, 1), "radius": 0.01, "strips": 3}),
}  # fmt: skip


def ours(family: type) -> list[type]:
    return [law for law in family.registry.values() if law.__module__.startswith("gudgeon.")]


def friction(law: type[FrictionLaw]) -> FrictionLaw:
    more = {"static_coefficient": 0.3} if "static_coefficient" in law.__dataclass_fields__ else {}
    return law(0.2, **more)


def pair(joint: str, fit: object) -> gd.Mechanism:
    m = gd.Mechanism("pair", planar=False, start="given")
    m.body("a", mass=1, inertia=PAIR["a"][1], at=(0.05, 0, 0), velocity=(0.2, 0.1, -0.1), spin=(1, 2, 3))
    m.body("b", mass=2, inertia=PAIR["b"][1], at=(-0.05, 0.01, 0), velocity=(-0.1, 0.3, 0.1), spin=(0, -2, 1))
    kind, sizes = JOINTS[joint]
    m.joint(kind, "j", journal="a", bearing="b", at=(0, 0, 0), fit=fit, **sizes)
    return m


def shared_out(joints: list[str], others: list) -> list:
    """Every pair of a joint and something else; the quick ones have each joint and each of the others at least once."""
    quick = {(joints[k % len(joints)], k % len(others)) for k in range(max(len(joints), len(others)))}
    pairs = [(joint, k) for joint in joints for k in range(len(others))]
    return [pytest.param(joint, others[k], marks=() if (joint, k) in quick else pytest.mark.slow) for joint, k in pairs]


def check(run: gd.Run, losses: tuple[str, ...]) -> None:
    linear, angular = momentum(run, PAIR)
    assert linear == pytest.approx(np.tile(linear[0], (len(run.t), 1)), abs=1e-12)
    assert angular == pytest.approx(np.tile(angular[0], (len(run.t), 1)), abs=1e-12)
    assert run.evidence.balance < 1e-9
    for name in losses:
        assert run[f"energy.{name}"][-1] > 1e-6
        assert run[f"energy.{name}"].min() > -1e-12


@pytest.mark.parametrize(("joint", "law"), shared_out(list(JOINTS), ours(FrictionLaw)))
def test_friction_leaves_nothing_over_and_only_takes(joint, law):
    fit = gd.Clearance(GAP, wall=WALL, friction=friction(law))
    run = gd.simulate(pair(joint, fit), duration=0.02, rtol=1e-10)
    assert len(run.contacts) > 1
    check(run, ("friction",))


CYLINDERS = [law for law in ours(FilmLaw) if law.shape == "cylinder"]


@pytest.mark.parametrize(("joint", "law"), shared_out(["short", "sleeve"], CYLINDERS))
def test_films_leave_nothing_over(joint, law):
    for more in ({}, {"shear": False, "wall": WALL, "minimum_film": 0.7 * GAP, "friction": friction(gd.LuGre)}):
        fit = gd.Lubricated(GAP, film=law("60 cP"), **more)
        # without a wall an end of the short journal touches at 8.7 ms: a film that knows the ends has no pressure there
        run = gd.simulate(pair(joint, fit), duration=0.008 if law.whole else 0.01, rtol=1e-10)
        assert bool(run.contacts) == bool(more)
        check(run, ("film",) if not more else ("friction",))


METHODS = {
    "impact": ("impact", False),
    "moreau": (gd.Moreau(step=2e-6), False),
    "moreau with friction": (gd.Moreau(step=2e-6), True),
}


@pytest.mark.parametrize(("joint", "name"), shared_out(list(JOINTS), list(METHODS)))
def test_hard_walls_leave_nothing_over(joint, name):
    method, rubs = METHODS[name]
    fit = gd.Clearance(GAP, wall=WALL, friction=gd.ModifiedCoulomb(0.2) if rubs else None)
    run = gd.simulate(pair(joint, fit), duration=0.02, method=method)
    assert len(run.contacts) > 2
    check(run, ())
    assert run["energy.contact"][-1] > 1e-4
    assert (run["energy.friction"][-1] > 1e-6) == rubs
