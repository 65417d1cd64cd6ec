"""A mount with a stiffness and a damping matrix of 6 x 6: the intervertebral disc of Ambrosio and Pombo 2018."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.space.spatial.geometry.rotation import about, rotation_matrix
from gudgeon.space.spatial.geometry.triad import direction
from gudgeon.space.spatial.geometry.vector import Vector

DISC = np.diag([2e4, 3e4, 5e4, 4.0, 5.0, 6.0])
for a, b, coupling in ((2, 5, -270.0), (0, 4, 150.0), (1, 3, -200.0)):
    DISC[a, b] = DISC[b, a] = coupling
DAMPED = DISC * 2e-3
MOTIONS = ("ex", "ey", "ez", "rx", "ry", "rz")


def pair_in_free_flight(damping, turn=(1.0, 0.0, 0.0, 0.0)):
    """Two bodies on a block, thrown with some spin each; all of it turned as a whole."""
    rotation = rotation_matrix(turn)
    world = lambda *v: tuple(float(x) for x in rotation @ Vector(*v))  # noqa: E731
    m = gd.Mechanism("pair", planar=False, start="given")
    m.body("upper", mass=1.2, inertia=(2e-3, 3e-3, 2.5e-3), at=world(0, 0, 0.06), orientation=turn,
           velocity=world(0.3, 0.1, -0.2), spin=world(6, -4, 9))  # fmt: skip
    m.body("lower", mass=0.8, inertia=(1e-3, 1.5e-3, 1.2e-3), at=world(0.01, 0, -0.05), orientation=turn,
           velocity=world(-0.2, 0, 0.1), spin=world(0, 3, -5))  # fmt: skip
    m.mount("disc", journal="upper", bearing="lower", at=(0, 0, 0), axis=world(0, 0, 1), arm=world(1, 0, 0),
            fit=gd.Elastic(DISC, damping))  # fmt: skip
    return m


def momenta(run):
    """Momentum and angular momentum about the origin, by rows."""
    linear, angular = [], []
    for k in range(len(run.t)):
        p, l = np.zeros(3), np.zeros(3)
        for name, mass, inertia in (("upper", 1.2, (2e-3, 3e-3, 2.5e-3)), ("lower", 0.8, (1e-3, 1.5e-3, 1.2e-3))):
            r, v = (np.array([run[f"{name}.{pre}{x}"][k] for x in "xyz"]) for pre in ("", "v"))
            w = np.array([run[f"{name}.w{x}"][k] for x in "xyz"]) * inertia
            spin = rotation_matrix([run[f"{name}.e{n}"][k] for n in range(4)]) @ Vector(*w)
            p, l = p + mass * v, l + mass * np.cross(r, v) + np.array([float(x) for x in spin])
        linear.append(p)
        angular.append(l)
    return np.array(linear), np.array(angular)


def test_large_motions_keep_momentum_and_energy():
    run = gd.simulate(pair_in_free_flight(np.zeros((6, 6))), duration=0.5, output=0.01, rtol=1e-10)
    assert max(np.abs(run[f"disc.{x}"]).max() for x in ("rx", "ry", "rz")) > 0.2
    linear, angular = momenta(run)
    assert np.ptp(linear, axis=0) == pytest.approx(np.zeros(3), abs=1e-11)
    assert np.ptp(angular, axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    total = run["energy.kinetic"] + run["energy.potential"]
    assert np.ptp(total) < 1e-8 * run["energy.kinetic"][0]
    assert run["energy.potential"].max() > 0.1 * run["energy.kinetic"][0]
    x = np.array([run[f"disc.{name}"] for name in MOTIONS])
    assert run["energy.potential"] == pytest.approx(0.5 * np.einsum("at,ab,bt->t", x, DISC, x), rel=1e-10)


def test_loads_are_matrix_times_motion_and_what_damping_takes_is_counted():
    run = gd.simulate(pair_in_free_flight(DAMPED), duration=0.05, output=1e-4, rtol=1e-10)
    x = np.array([run[f"disc.{name}"] for name in MOTIONS])
    rates = np.gradient(x, 1e-4, axis=1, edge_order=2)
    loads = np.array([run[f"disc.load_{name}"] for name in ("x", "y", "z", "rx", "ry", "rz")])
    expected = -(DISC @ x + DAMPED @ rates)
    assert np.abs(loads - expected)[:, 2:-2].max() < 2e-3 * np.abs(loads).max()
    # the force that the joint reports is the block's
    size = np.sqrt((loads[:3] ** 2).sum(axis=0))
    assert run["disc.force"] == pytest.approx(size, rel=1e-9)
    assert run.evidence.balance < 1e-9
    assert run["energy.damper"][-1] > 0.0


def test_the_block_does_not_see_where_the_whole_is_turned():
    runs = [gd.simulate(pair_in_free_flight(DAMPED, turn), duration=0.1, output=0.01, rtol=1e-10)
            for turn in ((1.0, 0.0, 0.0, 0.0), about(direction((1, -2, 3)), 2.3))]  # fmt: skip
    for name in (*(f"disc.{x}" for x in MOTIONS), "disc.load_rz", "energy.kinetic"):
        assert runs[0][name] == pytest.approx(runs[1][name], rel=1e-8, abs=1e-9)


def test_a_push_along_the_axis_turns_a_coupled_disc():
    """The coupling that the article names; along and about one axis the statics are exact at any size."""
    m = gd.Mechanism("disc", planar=False)
    m.body("top", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), at=(0, 0, 0))
    damping = (400.0, 400.0, 400.0, 0.4, 0.4, 0.4)
    m.mount("disc", journal="top", bearing=m.ground, at=(0, 0, 0), fit=gd.Elastic(DISC, damping))
    m.force("top", (0, 0, "-400 N"))
    run = gd.simulate(m, duration=1.5, output=0.01, method="radau")
    z, turn = np.linalg.solve(DISC[np.ix_((2, 5), (2, 5))], (-400.0, 0.0))
    assert (run["disc.ez"][-1], run["disc.rz"][-1]) == pytest.approx((z, turn), rel=1e-6)
    assert turn == pytest.approx(-0.4756, abs=1e-4)  # 27 degrees


def shaken(fit, size):
    m = gd.Mechanism("shaken", planar=False, start="given")
    m.body("top", mass=1.0, inertia=(2e-3, 3e-3, 2.5e-3), at=(0.01, -0.02, 0.05), velocity=(size, 2 * size, -size),
           spin=(30 * size, -20 * size, 40 * size))  # fmt: skip
    place = {"journal": "top", "bearing": m.ground, "at": (0, 0, 0), "axis": (0, 0, 1)}
    (m.mount if isinstance(fit, gd.Elastic) else m.rigid)("hold", **place, fit=fit)
    return gd.simulate(m, duration=0.05, output=1e-3, rtol=1e-10)


def test_a_diagonal_block_is_the_bushings_of_a_rigid_joint_for_small_motions():
    """Radial, axial, conical and torsional liners; they part with the square of the motion."""
    liner = gd.LinearLiner
    fits = {"sleeve": gd.Bushing(liner(2e4, 5.0), conical=liner(40.0, 0.02)), "shoulder": gd.Bushing(liner(5e4, 8.0)),
            "key": gd.Bushing(liner(60.0, 0.03))}  # fmt: skip
    block = gd.Elastic((2e4, 2e4, 5e4, 40, 40, 60), (5, 5, 8, 0.02, 0.02, 0.03))
    apart = []
    for size in (4e-3, 2e-3):
        one, other = shaken(fits, size), shaken(block, size)
        found = [np.abs(one[f"top.{x}"] - other[f"top.{x}"]).max() / np.ptp(one[f"top.{x}"]) for x in "xyz"]
        apart.append(max(found))
    assert apart[1] < 2e-3
    assert apart[0] / apart[1] == pytest.approx(2.0, rel=0.2)


def test_a_mount_without_a_fit_is_rigid():
    m = gd.Mechanism("held", planar=False, gravity=(0, 0, -9.81))
    m.body("arm", mass=2.0, inertia=(1e-3, 1e-3, 1e-3), at=(0.1, 0, 0))
    m.mount("hold", journal="arm", bearing=m.ground, at=(0, 0, 0))
    run = gd.simulate(m, duration=0.1)
    assert run.evidence.dof == 0
    assert run["hold.fz"][-1] == pytest.approx(2.0 * 9.81)
    assert run["hold.my"][-1] == pytest.approx(-0.1 * 2.0 * 9.81)


@pytest.mark.parametrize(
    ("stiffness", "words"),
    [
        (5.0, ["stiffness 5.0", "six rows of six"]),
        ("1 N/m", ["six rows of six"]),
        (((1.0,) * 5,) * 6, ["six rows of six"]),
        ((1, 1, 1, 1, 1, "1 N/m"), ["stiffness[5][5]", "wrong dimension", "Nm/rad"]),
        (np.diag([1.0, 1, 1, 1, 1, 1]) + np.eye(6, k=4), ["stiffness[4][0] 0", "stiffness[0][4] 1", "symmetric"]),
        ((1, -2, 1, 1, 1, 1), ["stiffness[1][1] -2", "negative", "sign"]),
        (np.diag([4.0, 1, 1, 1, 1, 9]) + 7 * (np.eye(6, k=5) + np.eye(6, k=-5)),
         ["stiffness[0][5] 7", "too large", "below 6"]),
        (np.diag([4.0, 1, 1, 1, 1, 0]) + 0.1 * (np.eye(6, k=5) + np.eye(6, k=-5)),
         ["stiffness[5][0] 0.1", "rz", "stiffness[5][5]", "above 0"]),
    ],
)  # fmt: skip
def test_a_matrix_that_is_none_or_makes_energy_is_refused(stiffness, words):
    with pytest.raises(gd.GudgeonError) as caught:
        gd.Elastic(stiffness)
    assert all(word in str(caught.value) for word in ["Elastic", *words]), caught.value


def test_units_and_what_takes_such_a_fit():
    fit = gd.Elastic(("20 N/mm", 1, 1, "40 N m/rad", 1, 1), damping=("5 N s/m", 0, 0, 0, 0, 0))
    assert fit.stiffness[0][0] == pytest.approx(2e4) and fit.stiffness[3][3] == 40.0 and fit.damping[0][0] == 5.0
    m = gd.Mechanism("m", planar=False)
    m.body("a", mass=1, inertia=(1, 1, 1), at=(0, 0, 0))
    with pytest.raises(gd.GudgeonError, match=r'fit Elastic on contact pair "ball": give a Clearance or a Bushing'):
        m.spherical("s", journal="a", bearing=m.ground, at=(0, 0, 0), fit=fit)
    with pytest.raises(gd.GudgeonError, match=r"fit Bushing: a mount resists all six motions; .*=Elastic"):
        m.mount("s", journal="a", bearing=m.ground, at=(0, 0, 0), fit=gd.Bushing(gd.LinearLiner(1.0)))
    assert m.mount("t", journal="a", bearing=m.ground, at=(0, 0, 0), fit=fit).fit["block"] == fit
