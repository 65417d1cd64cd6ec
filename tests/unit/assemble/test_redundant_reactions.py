"""Reactions that redundant constraints leave open: least-norm, said as such, and the motion does not depend on them."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from at_start import channels_of

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.assemble.report.redundancy import LEAST_NORM, ONE_SET
from gudgeon.assemble.solve.start import typical_size

GRAVITY = 9.81


def cardan(angle: float = 0.3, **kinds: str) -> gd.Mechanism:
    """Two shafts in bearings, joined by a cross: three constraints more than the motion needs."""
    m = gd.Mechanism("Cardan shaft", planar=False, gravity=(0.0, 0.0, -GRAVITY))
    c, s = math.cos(angle), math.sin(angle)
    m.body("inlet", mass=3.0, inertia=(0.001, 0.02, 0.02), at=(-0.3, 0.0, 0.0))
    m.body("outlet", mass=4.0, inertia=(0.002, 0.03, 0.03), at=(0.4 * c, 0.4 * s, 0.0), orientation=(0.0, 0.0, angle))
    m.joint(kinds.get("in_bearing", "revolute"), "in_bearing", journal="inlet", bearing=m.ground, at=(-0.5, 0, 0),
            axis=(1, 0, 0))  # fmt: skip
    m.universal("cross", journal="outlet", bearing="inlet", at=(0, 0, 0), journal_axis=(0, 0, 1),
                bearing_axis=(0, 1, 0))  # fmt: skip
    m.joint(kinds.get("out_bearing", "revolute"), "out_bearing", journal="outlet", bearing=m.ground,
            at=(0.7 * c, 0.7 * s, 0), axis=(c, s, 0))  # fmt: skip
    m.drive("in_bearing", speed=20.0, **({"direction": "rotation"} if kinds.get("in_bearing") == "cylindrical" else {}))
    return m


FREED = {"in_bearing": "cylindrical", "out_bearing": "spherical"}


def parallel() -> gd.Mechanism:
    """A four-bar with parallel axes in space."""
    m = gd.Mechanism("four-bar in space", planar=False, gravity=(0.3, -GRAVITY, 0.7))
    corners = [(0.0, 0.0, 0.0), (0.1, 0.2, 0.0), (0.5, 0.3, 0.0), (0.4, 0.0, 0.0)]
    for name, p, q in zip("abc", corners, corners[1:], strict=False):
        m.body(name, mass=0.3, inertia=(1e-4, 2e-4, 2.5e-4), at=tuple((x + y) / 2 for x, y in zip(p, q, strict=True)))
    for k, (i, j) in enumerate([("a", m.ground), ("b", "a"), ("c", "b"), ("c", m.ground)]):
        m.revolute(f"j{k}", journal=i, bearing=j, at=corners[k], axis=(0.0, 0.0, 1.0))
    return m


def three_cranks() -> gd.Mechanism:
    """A beam on three cranks of one length in the plane."""
    length, angle = 0.4, 0.6
    s, k = math.sin(angle), math.cos(angle)
    m = gd.Mechanism("parallelogram", gravity=(0.0, -GRAVITY))
    m.body("beam", mass=2.0, inertia=0.2, at=(0.5 + length * s, -length * k), velocity=(0.1 * k, 0.1 * s))
    for number, x in enumerate((0.0, 0.5, 1.0)):
        name = f"crank_{number}"
        m.body(name, mass=0.3, inertia=0.004, at=(x + length / 2 * s, -length / 2 * k), spin=0.25)
        m.revolute(f"top_{number}", journal=name, bearing=m.ground, at=(x, 0.0))
        m.revolute(f"foot_{number}", journal=name, bearing="beam", at=(x + length * s, -length * k))
    return m


def two_rails() -> gd.Mechanism:
    """A slider on two rails in the plane, pulled off the middle."""
    m = gd.Mechanism("two rails", gravity=(2.0, -GRAVITY))
    m.body("slider", mass=2.0, inertia=0.01, at=(0.05, 0.0))
    m.translational("rail", journal="slider", bearing=m.ground, at=(0.0, 0.1), axis=(1.0, 0.0))
    m.translational("second", journal="slider", bearing=m.ground, at=(0.4, -0.1), axis=(1.0, 0.0))
    return m


# What each joint can carry, in the order (force, moment): of each free direction there is none.
UNLOADED = {
    "j": [(0, 0, 0, 0, 0, 1)], "top": [(0, 0, 1)], "foot": [(0, 0, 1)], "rail": [(1, 0, 0)], "second": [(1, 0, 0)],
}  # fmt: skip


def least_norm_by_balance(m: gd.Mechanism, here: dict[str, float], size: float) -> dict[str, np.ndarray]:
    """Forces and moments of the joints with the least norm of all that balance the bodies, from Newton's and Euler's
    equations alone, with the accelerations of a run."""
    axes = "xy" if m.planar else "xyz"
    n, width = len(axes), 3 if m.planar else 6
    scale = np.array([1.0] * n + [size] * (width - n))
    bodies, joints = list(m.bodies), list(m.joints)
    balance, right = np.zeros((width * len(bodies), width * len(joints))), np.zeros(width * len(bodies))

    def cross(arm: np.ndarray) -> np.ndarray:
        """Moment of a force that acts at an arm."""
        if m.planar:
            return np.array([[-arm[1], arm[0]]])
        return np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])

    for b, name in enumerate(bodies):
        body, rows = m.bodies[name], slice(width * b, width * (b + 1))
        acceleration = np.array([here[f"{name}.a{a}"] for a in axes])
        gravity = np.array(m.gravity)
        turning = [here[f"{name}.alpha"]] if m.planar else [here[f"{name}.alpha{a}"] for a in axes]
        assert m.planar or all(here[f"{name}.w{a}"] == 0.0 for a in axes)  # no gyroscopic moments
        inertia = np.diag(np.atleast_1d(body.inertia)[:3]) if not m.planar else np.array([[body.inertia]])
        right[rows] = [*body.mass * (acceleration - gravity), *(inertia @ turning)]
        centre = np.array([here[f"{name}.{a}"] for a in axes])
        for k, joint in enumerate(m.joints.values()):
            columns = slice(width * k, width * (k + 1))
            sign = 1.0 if joint.journal == name else -1.0 if joint.bearing == name else 0.0
            # the joint's point is that of its journal
            point = np.array(m.world(joint.journal, joint.journal_point))
            block = np.eye(width)
            block[n:, :n] = cross(point - centre)
            balance[rows, columns] += sign * block
    free = []
    for k, name in enumerate(joints):
        word = next(word for word in UNLOADED if name.startswith(word))
        for direction in UNLOADED[word]:
            row = np.zeros(width * len(joints))
            row[width * k : width * (k + 1)] = direction
            free.append(row)
    matrix = np.vstack([balance, np.array(free)])
    full = np.tile(scale, len(joints))
    wrenches = np.linalg.lstsq(matrix * full, np.concatenate([right, np.zeros(len(free))]), rcond=1e-10)[0] * full
    return dict(zip(joints, wrenches.reshape(-1, width), strict=True))


@pytest.mark.parametrize("make", [parallel, three_cranks, two_rails])
def test_reactions_are_those_of_least_norm_that_balance_every_body(make):
    m = make()
    system = assemble(m)
    assert system.report.redundancy is not None
    here = channels_of(system)
    names = ("fx", "fy", "fz", "mx", "my", "mz") if not m.planar else ("fx", "fy", "moment")
    for joint, wrench in least_norm_by_balance(m, here, typical_size(m)).items():
        for name, x in zip(names, wrench, strict=True):
            # a pin of the plane has no channel of its moment
            assert here.get(f"{joint}.{name}", 0.0) == pytest.approx(x, abs=1e-9), f"{joint}.{name}"


def at_rest(m: gd.Mechanism, way: str) -> dict[str, float]:
    """Channels at the start, by a formulation or by a method."""
    if way in ("tree", "absolute"):
        return channels_of(assemble(m, coordinates=way))
    if way == "reduced":
        return channels_of(assemble(m, reduce=True))
    run = gd.simulate(m, duration=1e-4, method=way, output="steps")
    return {name: float(run[name][0]) for name in run.channels}


WAYS = [*product((cardan, parallel), ("tree", "reduced", "alpha", "energy")), (parallel, "radau"),
        *product((three_cranks, two_rails), ("alpha", "energy")), (three_cranks, "tree")]  # fmt: skip


@pytest.mark.parametrize(("make", "way"), WAYS)
def test_every_formulation_reports_the_same(make, way):
    """Which rows are left out differs from one to the other."""
    m = make()
    system = assemble(m)
    one, two = channels_of(system), at_rest(m, way)
    largest = max(abs(x) for name, x in one.items() if name.endswith((".force", ".moment")))
    marked = [c.name for c in system.channels if LEAST_NORM in c.label]
    assert len(marked) >= 4
    for name in marked:
        assert two[name] == pytest.approx(one[name], rel=1e-9, abs=1e-9 * largest), name


def rotated(run: gd.Run, name: str, vectors: np.ndarray) -> np.ndarray:
    """Vectors of a body's axes in world axes, at every row."""
    e0, *e = (run[f"{name}.e{k}"] for k in range(4))
    axis = np.array(e).T
    twice = 2.0 * np.cross(axis, vectors)
    return vectors + e0[:, None] * twice + np.cross(axis, twice)


def test_a_cardan_shaft_rests_on_both_bearings_and_every_body_is_in_balance():
    m = cardan()
    run = gd.simulate(m, duration=0.4, output="steps")
    weight = 7.0 * GRAVITY
    assert run["in_bearing.fz"] + run["out_bearing.fz"] == pytest.approx(np.full(len(run.t), weight), rel=1e-11)
    assert run["in_bearing.fz"].min() > 0.3 * weight and run["out_bearing.fz"].min() > 0.3 * weight

    def at(name: str, *words: str) -> np.ndarray:
        return np.array([run[f"{name}.{word}"] for word in words]).T

    points = {"in_bearing": (-0.5, 0.0, 0.0), "cross": (0.0, 0.0, 0.0),
              "out_bearing": (0.7 * math.cos(0.3), 0.7 * math.sin(0.3), 0.0)}  # fmt: skip
    for name, signs in (("inlet", {"in_bearing": 1, "cross": -1}), ("outlet", {"out_bearing": 1, "cross": 1})):
        body = m.bodies[name]
        inertia = np.array(body.inertia)
        centre, spin = at(name, "x", "y", "z"), at(name, "wx", "wy", "wz")
        turning = at(name, "alphax", "alphay", "alphaz")
        force = body.mass * (at(name, "ax", "ay", "az") - np.array(m.gravity))
        moment = rotated(run, name, inertia * turning + np.cross(spin, inertia * spin))
        for joint, sign in signs.items():
            push, couple = at(joint, "fx", "fy", "fz"), at(joint, "mx", "my", "mz")
            force = force - sign * push
            moment = moment - sign * (couple + np.cross(np.array(points[joint]) - centre, push))
        assert np.abs(force).max() < 1e-9
        # the drive is the only moment that is no reaction
        driven = np.zeros((len(run.t), 3))
        if name == "inlet":
            driven[:, 0] = run["in_bearing.torque"]
        assert np.abs(moment - driven).max() < 1e-9
    assert np.ptp(run["energy.balance"]) < 1e-9


def test_what_is_not_unique_is_said_on_the_channels_and_in_the_evidence():
    m = parallel()
    run = gd.simulate(m, duration=0.01)
    for name, unique in (("fx", True), ("fy", True), ("fz", False), ("mx", False), ("force", False)):
        assert (LEAST_NORM in run.channel(f"j2.{name}").label) is not unique, name
    text = str(run.evidence)
    assert '3 redundant constraints: reactions of "j0", "j1", "j2" and "j3" are not unique: least-norm' in text
    assert "redundant" not in str(gd.simulate(cardan(**FREED), duration=0.01).evidence)


def test_the_motion_does_not_depend_on_redundant_constraints_and_the_remedy_is_right():
    """The joints that the remedy frees leave none redundant, the same motion, and reactions of a larger norm."""
    loose, size = cardan(**FREED), typical_size(cardan())
    system, free = assemble(cardan()), assemble(loose)
    assert system.report.redundancy.remedy == (
        'statically determinate with "in_bearing" cylindrical and "out_bearing" spherical'
    )
    assert free.report.redundancy is None and free.start.dof == 0
    two, one = (gd.simulate(m, duration=0.1, output=1e-2, rtol=1e-12) for m in (cardan(), loose))
    for name in ("outlet.wx", "outlet.alphax", "outlet.e1"):
        assert np.abs(two[name] - one[name]).max() < 1e-8 * np.abs(one[name]).max(), name
    joints = ("in_bearing", "cross", "out_bearing")
    norms = [sum(run[f"{j}.force"] ** 2 for j in joints)
             + sum((run[f"{j}.moment"] / size) ** 2 for j in joints if f"{j}.moment" in run)
             for run in (two, one)]  # fmt: skip
    assert (norms[0] < 0.9 * norms[1]).all()


def six_bar(loops: int) -> gd.Mechanism:
    """Loops of parallel cranks in space, one behind the other."""
    m = gd.Mechanism("row of cranks", planar=False, gravity=(0.0, -GRAVITY, 0.0))
    for k in range(loops + 1):
        x = 0.3 * k
        m.body(f"crank_{k}", mass=0.2, inertia=(1e-4, 1e-4, 1e-4), at=(x + 0.03, 0.05, 0.0))
        m.revolute(f"foot_{k}", journal=f"crank_{k}", bearing=m.ground, at=(x, 0.0, 0.0), axis=(0, 0, 1))
    for k in range(loops):
        x = 0.3 * k
        m.body(f"bar_{k}", mass=0.2, inertia=(1e-4, 1e-4, 1e-4), at=(x + 0.21, 0.1, 0.0))
        m.revolute(f"left_{k}", journal=f"bar_{k}", bearing=f"crank_{k}", at=(x + 0.06, 0.1, 0.0), axis=(0, 0, 1))
        m.revolute(f"right_{k}", journal=f"bar_{k}", bearing=f"crank_{k + 1}", at=(x + 0.36, 0.1, 0.0), axis=(0, 0, 1))
    return m


def test_a_six_bar_in_space_is_written_out_and_a_long_row_says_that_it_has_no_least_norm():
    few, many = assemble(six_bar(2)), assemble(six_bar(5))
    assert (few.formulation, many.formulation) == ("absolute", "looped")
    assert few.report.redundancy.count == 6 and many.report.redundancy.count == 15
    assert ONE_SET in str(many.report.redundancy)
    assert all(ONE_SET in c.label for c in many.channels if c.name.endswith((".force", ".moment")))


# -- which row follows from the others changes on the way ------------------------------------------------------------


def coupling_rods() -> gd.Mechanism:
    """Two wheels of a locomotive with a coupling rod on either side, a quarter turn apart, and a torque on one of them.

    Each rod loses its hold twice a turn, where the other one has all of it: no row can be left out for good."""
    radius, base, angle = 0.05, 0.3, 0.4
    m = gd.Mechanism("coupling rods")
    for name, x in (("front", 0.0), ("rear", base)):
        m.body(name, mass=1.0, inertia=2e-3, at=(x, 0.0))
        m.revolute(f"{name}_axle", journal=name, bearing=m.ground, at=(x, 0.0))
    for side, phase in (("left", angle), ("right", angle + math.pi / 2)):
        x, y = radius * math.cos(phase), radius * math.sin(phase)
        m.body(f"{side}_rod", mass=0.5, inertia=4e-3, at=(base / 2 + x, y))
        m.revolute(f"{side}_front", journal=f"{side}_rod", bearing="front", at=(x, y))
        m.revolute(f"{side}_rear", journal=f"{side}_rod", bearing="rear", at=(base + x, y))
    m.drive("front_axle", speed="60 rpm")
    m.torque("rear", -1.0)
    return m


def test_coupling_rods_carry_a_torque_through_the_dead_centres_of_each():
    run = gd.simulate(coupling_rods(), revolutions=2)
    assert run["rear.angle"] == pytest.approx(run["front.angle"], abs=1e-12)
    # wheels and rods are in balance and turn evenly: what comes in goes out
    assert run["front_axle.torque"] == pytest.approx(np.ones(len(run.t)), abs=1e-9)
    assert not any("change point" in warning for warning in run.evidence.warnings)
    # a torque of 1 Nm on a radius of 0.05 m needs 20 N where one rod has it alone; a rod and its weight of 0.5 kg go
    # round with another 1 N, half of it at each end
    largest = max(run.maximum(f"{side}_{end}.force") for side in ("left", "right") for end in ("front", "rear"))
    assert 20.0 < largest < 30.0


def bennett(turn: float) -> tuple[gd.Mechanism, float]:
    """Bennett's linkage, four hinges in space that move although counting says that they do not: links a, b, a, b with
    twists α, β and a / sin α = b / sin β; and tan(θ/2) tan(φ/2) of its angles θ and φ, which is constant."""
    twists = [math.radians(40.0), math.radians(75.0)]
    lengths = [0.1, 0.1 * math.sin(twists[1]) / math.sin(twists[0])]
    constant = math.sin((twists[1] + twists[0]) / 2) / math.sin((twists[1] - twists[0]) / 2)
    other = 2.0 * math.atan(constant / math.tan(turn / 2))
    frame, points, axes = np.eye(4), [], []
    for k, angle in enumerate((turn, other, -turn, -other)):
        points.append(frame[:3, 3].copy())
        axes.append(frame[:3, 2].copy())
        (c, s), (cos, sin) = (math.cos(angle), math.sin(angle)), (math.cos(twists[k % 2]), math.sin(twists[k % 2]))
        length = lengths[k % 2]
        frame = frame @ [[c, -s * cos, s * sin, length * c], [s, c * cos, -c * sin, length * s], [0, sin, cos, 0],
                         [0, 0, 0, 1]]  # fmt: skip
    assert frame == pytest.approx(np.eye(4), abs=1e-12)
    m = gd.Mechanism("Bennett", planar=False)
    names = ["crank", "coupler", "follower"]
    for k, name in enumerate(names):
        m.body(name, mass=0.3, inertia=(2e-4, 3e-4, 3e-4), at=tuple((points[k] + points[k + 1]) / 2))
    for k, (journal, bearing) in enumerate([("crank", "ground"), ("coupler", "crank"), ("follower", "coupler"),
                                            ("follower", "ground")]):  # fmt: skip
        m.revolute(f"j{k}", journal=journal, bearing=bearing, at=tuple(points[k]), axis=tuple(axes[k]))
    m.drive("j0", speed="60 rpm")
    return m, constant


def test_bennetts_linkage_passes_the_position_with_all_links_in_one_line():
    start = math.radians(100.0)
    m, constant = bennett(start)
    run = gd.simulate(m, revolutions=1)
    angle = start + run["j0.travel"]
    wanted = np.unwrap(2 * np.arctan(constant / np.tan(angle / 2)), period=2 * math.pi)
    assert run["j3.travel"] == pytest.approx(wanted - wanted[0], abs=1e-9)
    assert run.evidence.drift < 1e-9 and np.abs(run["j0.torque"]).max() < 1.0
