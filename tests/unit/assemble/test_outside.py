"""Round bodies that touch from outside: disks of the plane, spheres of space."""

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.laws import Pair
from gudgeon.model.files import dump, loads

SMALL, LARGE = 0.01, 0.02
MODULUS = 207e9 / (2 * (1 - 0.3**2))
HERTZ = 4 / 3 * MODULUS * math.sqrt(SMALL * LARGE / (SMALL + LARGE))


def disks(planar, fit, *, apart=0.05, aside=0.0, spin=0.0):
    """A small one thrown at a large one that is free, from `apart` [m] between centres, `aside` [m] off the line."""
    m = gd.Mechanism("two", planar=planar, start="given")
    zero = (0.0,) * (2 if planar else 3)
    inertia = (lambda x: x) if planar else (lambda x: (x, x, x))
    third = () if planar else (0.0,)
    m.body("small", mass=1.0, inertia=inertia(4e-5), at=zero, velocity=(1.0, 0.0, *third),
           spin=spin if planar else (0.0, 0.0, spin))  # fmt: skip
    m.body("large", mass=2.0, inertia=inertia(3e-4), at=(apart, aside, *third))
    m.contact("bump", journal="small", bearing="large", journal_point=zero, bearing_point=zero,
              journal_radius=SMALL, radius=LARGE, length=0.01 if planar else None, fit=fit)  # fmt: skip
    return m


@pytest.mark.parametrize("planar", [True, False])
def test_a_central_bounce_by_hand(planar):
    """Elastic: the depth takes up the energy of the relative motion; the stiffness is that of two convex bodies."""
    run = gd.simulate(disks(planar, gd.Touching(gd.Hertz())), duration=0.03, rtol=1e-10)
    (touch,) = run.contacts
    reduced = 1.0 * 2.0 / 3.0
    assert touch.t_on == pytest.approx(0.02, abs=1e-12)
    assert touch.max_depth == pytest.approx((1.25 * reduced / HERTZ) ** 0.4, rel=1e-6)
    assert touch.peak_force == pytest.approx(HERTZ * touch.max_depth**1.5, rel=1e-6)
    assert (run["small.vx"][-1], run["large.vx"][-1]) == pytest.approx((-1 / 3, 2 / 3), rel=1e-8)


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("method", ["dopri5", "impact"])
def test_an_oblique_bounce_keeps_momentum_and_has_the_restitution_asked_for(planar, method):
    aside = 0.5 * (SMALL + LARGE)
    fit = gd.Touching(gd.ExactRestitution(restitution=0.6))
    run = gd.simulate(disks(planar, fit, aside=aside), duration=0.04, method=method, rtol=1e-10)
    # without friction only the speed along the line of centres, at 30 degrees, changes
    normal = np.array([math.sqrt(0.75), 0.5])
    impulse = 1.6 * (2.0 / 3.0) * normal[0]
    small, large = np.array([1.0, 0.0]) - impulse * normal, 0.5 * impulse * normal
    slack = 1e-12 if method == "impact" else 3e-3  # the line of centres turns while a law acts
    assert (run["small.vx"][-1], run["small.vy"][-1]) == pytest.approx(tuple(small), abs=slack)
    assert (run["large.vx"][-1], run["large.vy"][-1]) == pytest.approx(tuple(large), abs=slack)
    for axis, total in (("x", 1.0), ("y", 0.0)):
        momentum = run[f"small.v{axis}"] + 2.0 * run[f"large.v{axis}"]
        assert momentum == pytest.approx(np.full(len(run.t), total), abs=1e-12)


@pytest.mark.parametrize("planar", [True, False])
def test_friction_outside_leaves_no_couple(planar):
    fit = gd.Touching(gd.ExactRestitution(restitution=0.6), friction=gd.SmoothCoulomb(0.2))
    m = disks(planar, fit, aside=0.4 * (SMALL + LARGE), spin=50.0)
    run = gd.simulate(m, duration=0.04, rtol=1e-10)
    spin = "spin" if planar else "wz"
    total = 4e-5 * run[f"small.{spin}"] + 3e-4 * run[f"large.{spin}"]
    for name, mass in (("small", 1.0), ("large", 2.0)):
        total = total + mass * (run[f"{name}.x"] * run[f"{name}.vy"] - run[f"{name}.y"] * run[f"{name}.vx"])
    assert np.ptp(total) < 1e-12
    assert abs(run[f"large.{spin}"][-1]) > 1.0  # it was set turning
    assert run.evidence.balance < 1e-9 and run["energy.friction"][-1] > 0.0


def test_a_disk_rolls_over_a_pin():
    """A full disk on a fixed round pin, without slip: angle'' = 2/3 g sin(angle) / (R + r)."""
    start, radius = 0.2, 0.03
    m = gd.Mechanism("over", gravity=(0, -9.81), start="given")
    reach = radius + LARGE
    wall, rub = gd.KelvinVoigt(stiffness=1e6, damping=300.0), gd.SmoothCoulomb(0.8, v0=1e-4)
    # pressed in by its own weight, so that it does not bounce
    sunk = 0.5 * 9.81 * math.cos(start) / 1e6
    where = (reach - sunk) * math.sin(start), (reach - sunk) * math.cos(start)
    m.body("disk", mass=0.5, inertia=0.5 * 0.5 * radius**2, at=where)
    m.contact("over", journal="disk", bearing=m.ground, journal_point=(0, 0), bearing_point=(0, 0),
              journal_radius=radius, radius=LARGE, fit=gd.Touching(wall, friction=rub))  # fmt: skip
    run = gd.simulate(m, duration=0.12, output=1e-3, rtol=1e-8)
    angle, speed, step = start, 0.0, 1e-5
    for _ in range(12_000):  # the pendulum by small steps, in the middle of each
        half = speed + 0.5 * step * 2 / 3 * 9.81 * math.sin(angle) / reach
        angle += step * half
        speed = half + 0.5 * step * 2 / 3 * 9.81 * math.sin(angle) / reach
    assert angle > 0.35
    found = math.atan2(run["disk.x"][-1], run["disk.y"][-1])
    assert found == pytest.approx(angle, rel=5e-3)
    # rolling: the disk has turned by the arcs of both
    assert -run["disk.angle"][-1] == pytest.approx((found - start) * reach / radius, rel=5e-3)


def test_the_external_branch_of_the_cylinder_law():
    """Eq 44 with a = 0.39, b = 0.85, n = 1.094, lengths in mm."""
    law = gd.PereiraCylinder(restitution=0.9, contact="external")
    m = disks(True, gd.Touching(law))
    packed = law.pack(m.joints["bump"].pair("outside"))
    stiffness = (0.39 * 30 + 0.85) * 10 * MODULUS * 1e-6 / 30
    assert (packed["stiffness"], packed["exponent"]) == pytest.approx((stiffness * 1e3**1.094, 1.094), rel=1e-12)
    run = gd.simulate(m, duration=0.03)
    assert run.contacts[0].peak_force > 1e3
    with pytest.raises(gd.GudgeonError, match=r'joint "bump": JohnsonCylinder is for a pin in a bore.*external'):
        disks(True, gd.Touching(gd.JohnsonCylinder()))


def test_hertz_between_convex_spheres_is_the_sum_of_radii():
    pair = Pair(LARGE, SMALL, None, "j", external=True)
    assert gd.Hertz().pack(pair)["stiffness"] == pytest.approx(HERTZ, rel=1e-12)
    equal = Pair(SMALL, SMALL, None, "j", external=True)
    assert gd.Hertz().pack(equal)["stiffness"] == pytest.approx(4 / 3 * MODULUS * math.sqrt(SMALL / 2), rel=1e-12)


@pytest.mark.parametrize("planar", [True, False])
def test_what_a_contact_from_outside_needs(planar):
    with pytest.raises(gd.GudgeonError, match=r"fit Ideal: .* no constraint, only a wall; .*=Touching\(wall=\.\.\.\)"):
        disks(planar, None)
    with pytest.raises(gd.GudgeonError, match=r"fit Clearance: .*=Touching"):
        disks(planar, gd.Clearance("1 mm", wall=gd.Hertz(stiffness=1e8)))
    with pytest.raises(gd.GudgeonError, match=r"Touching: wall is missing"):
        gd.Touching()
    m = disks(planar, gd.Touching(gd.Hertz()))
    place = {"journal": "small", "bearing": "large", "at": (0,) * (2 if planar else 3)}
    with pytest.raises(gd.GudgeonError, match=r'fit Touching on contact pair "(pin|sleeve)": give a Clearance'):
        m.revolute("r", **place, **({} if planar else {"axis": (0, 0, 1)}), fit=gd.Touching(gd.Hertz(stiffness=1.0)))
    with pytest.raises(gd.GudgeonError, match=r"two places, the middles of both bodies"):
        m.joint("contact", "c", **place, radius=0.1, fit=gd.Touching(gd.Hertz(stiffness=1.0)))
    middle = place.pop("at")
    with pytest.raises(gd.GudgeonError, match=r"needs .journal_radius."):
        m.joint("contact", "c", **place, journal_point=middle, bearing_point=middle, radius=0.1,
                fit=gd.Touching(gd.Hertz(stiffness=1.0)))  # fmt: skip


@pytest.mark.parametrize("planar", [True, False])
def test_it_comes_back_from_a_file(planar):
    made = disks(planar, gd.Touching(gd.ExactRestitution(restitution=0.6), friction=gd.SmoothCoulomb(0.2)))
    text = dump(made)
    assert "touching:" in text
    found = loads(text).mechanism
    assert found.joints["bump"] == made.joints["bump"] and dump(found) == text
