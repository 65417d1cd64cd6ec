"""Every registered mate of space keeps the promises of the contract; a new mate is found and tested here.

Only positions are written by hand in a mate, so everything here is compared with differences of those positions, taken
on plain floats along motions on the unit sphere of Euler parameters.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from spatial_pair import (
    GAP,
    RADIUS,
    SIZES,
    Pairing,
    bodies,
    derivative,
    described,
    formulas,
    moved,
    places,
    second_derivative,
    values,
)

from gudgeon.assemble import call_address
from gudgeon.compile.graph import Module, llvm
from gudgeon.laws import LinearLiner, Pair
from gudgeon.space.mate import Mate, Sizes, SpatialMate
from gudgeon.space.spatial import Ground, Place, Vector, rotation_matrix
from gudgeon.space.spatial.ball import Ball
from gudgeon.space.spatial.geometry.rotation import about
from gudgeon.space.spatial.geometry.triad import direction, triad
from gudgeon.space.spatial.sleeve import Sleeve, strip_positions

SHORT = dataclasses.replace(SIZES, short=True, length=0.02)
BARREL = dataclasses.replace(SIZES, profile=(2e-5, 0.0, 4e-5))
CASES = [(mate, SIZES) for mate in SpatialMate.registry.values()] + [(Sleeve, SHORT), (Sleeve, BARREL)]
NAMES = [*SpatialMate.registry, "sleeve short", "sleeve profile"]
KINDS = {  # mates of each joint, and the freedoms they leave
    "spherical": (("ball",), 3),
    "cylindrical": (("sleeve",), 2),
    "revolute": (("sleeve", "shoulder"), 1),
    "translational": (("sleeve", "key"), 1),
    "rigid": (("sleeve", "shoulder", "key"), 0),
    "universal": (("ball", "key"), 2),
    "planar": (("flat",), 3),
    "screw": (("sleeve", "thread"), 1),
    "mount": (("block",), 0),
}

every_case = pytest.mark.parametrize(("mate", "sizes"), CASES, ids=NAMES)
every_seed = pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in (2, 3))])


def pairing_of(mate: type[Mate], seed: int) -> Pairing:
    return Pairing([seed, *mate.name.encode()])


def numpy_vector(v: Vector) -> np.ndarray:
    return np.array([float(x) for x in v])


def contact_points(mate: type[Mate], i, j, sizes: Sizes) -> list[np.ndarray]:
    """Where the surfaces of each touch meet, written down a second time. A key has no such point."""
    pi, pj, bi, bj = (numpy_vector(x) for x in (i.point, j.point, i.b, j.b))
    if mate.name == "ball":
        e = pi - pj
        return [pi + e / np.linalg.norm(e) * (RADIUS - GAP)]
    if mate.name == "shoulder":
        return [pj, pj]
    if mate.name == "outside":
        e = pi - pj
        return [pj + e / np.linalg.norm(e) * RADIUS]
    if mate.name == "flat":
        angles = [2 * math.pi * k / sizes.strips for k in range(sizes.strips) for _ in "ul"]
        h, t = numpy_vector(i.h), numpy_vector(i.t)
        return [pi + RADIUS * (math.cos(x) * h + math.sin(x) * t) for x in angles]
    if mate.name == "sleeve":
        carrier, line, sign = (i, (pj, bj), -1.0) if sizes.short else (j, (pi, bi), 1.0)
        radii = [RADIUS - GAP] * 3 if sizes.short else [RADIUS + x for x in sizes.profile or (0.0,) * 3]
        found = []
        for s, radius in zip(strip_positions(3, sizes.length, short=sizes.short), radii, strict=True):
            middle = numpy_vector(carrier.point) + s * numpy_vector(carrier.b)
            h, t = numpy_vector(carrier.h), numpy_vector(carrier.t)
            point, foot = extreme(middle, h, t, radius, *line, sign)
            reach = np.linalg.norm(point - foot)
            found.append(point if sizes.short else foot + (point - foot) * ((RADIUS - GAP) / reach))
        return found
    # the flanks of a thread wind around its axis, and a block has no surfaces
    pointless = mate.angular or not mate.rubs
    assert pointless, f"tell here where the surfaces of the new mate {mate.name} meet"
    return []


def extreme(middle, h, t, radius, start, axis, sign) -> tuple[np.ndarray, np.ndarray]:
    """The circle's point nearest to a line (sign 1) or farthest from it, and its foot on the line, by trial."""
    low, high = 0.0, 2 * math.pi
    for _ in range(12):
        angles = np.linspace(low, high, 2001)
        points = middle + radius * (np.outer(np.cos(angles), h) + np.outer(np.sin(angles), t))
        feet = start + np.outer((points - start) @ axis, axis)
        best = int(np.argmin(sign * np.linalg.norm(points - feet, axis=1)))
        step = angles[1] - angles[0]
        low, high = angles[best] - 2 * step, angles[best] + 2 * step
        if step < 1e-9:
            break
    return points[best], feet[best]


def test_space_has_its_mates_and_the_plane_keeps_its_own():
    assert {"ball", "sleeve", "shoulder", "key", "flat", "thread", "block", "outside"} <= set(SpatialMate.registry)
    assert not set(SpatialMate.registry.values()) & set(Mate.registry.values())
    for mate in SpatialMate.registry.values():
        assert mate.__doc__


@every_case
@every_seed
def test_formulas_give_the_same_number_on_floats_and_on_symbols(mate, sizes, seed):
    pairing = pairing_of(mate, seed)
    symbolic = pairing.numbers(list(formulas(mate, pairing.i, pairing.j, sizes).values()))
    assert symbolic == pytest.approx(values(mate, pairing.q, sizes), rel=1e-12, abs=1e-15)
    i, j = places([float(x) for x in pairing.q], [float(x) for x in pairing.v])
    for ours, theirs in zip(mate.touches(pairing.i, pairing.j, sizes), mate.touches(i, j, sizes), strict=True):
        if isinstance(theirs.slip, tuple):
            assert pairing.numbers(ours.slip) == pytest.approx(theirs.slip, rel=1e-11, abs=1e-13)
            assert pairing.numbers([*ours.normal]) == pytest.approx([*theirs.normal], rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("sizes", [SIZES, SHORT], ids=["sleeve", "sleeve short"])
def test_machine_code_gives_the_same_openings(sizes):
    """The search compiled by Numba and called from straight-line code, against the same search in Python."""
    pairing = pairing_of(Sleeve, 9)
    outputs = [pairing.graph.scalar(t.opening) for t in Sleeve.touches(pairing.i, pairing.j, sizes)]
    outputs += [pairing.equations.ddt(x) for x in outputs]
    module = Module(pairing.graph, {"values": outputs}, 0)
    addresses = llvm.compile_module(module)
    p, out, none = np.zeros(module.prepared + 1), np.zeros(len(outputs)), np.zeros(1)
    call_address(addresses["prepare"], 0.0, none, p, none, p)
    call_address(addresses["values"], 0.0, pairing.y, p, none, out)
    assert out == pytest.approx(pairing.numbers(outputs), rel=1e-11, abs=1e-16)


@every_case
@every_seed
def test_gradients_are_slopes_of_positions(mate, sizes, seed):
    pairing = pairing_of(mate, seed)
    rows = [pairing.row(pairing.equations.gradient(x)) for x in formulas(mate, pairing.i, pairing.j, sizes).values()]
    for k in range(12):
        unit = np.eye(12)[k]
        slope = derivative(lambda x, unit=unit: values(mate, moved(pairing.q, unit, x), sizes), 1e-5)
        assert np.array(rows)[:, k] == pytest.approx(slope, rel=1e-7, abs=2e-9)


@every_case
@every_seed
def test_rates_and_accelerations_follow_the_motion(mate, sizes, seed):
    """Along steady velocities ddt gives the first derivative and ddt(ddt) the second, once it follows the searches."""
    pairing = pairing_of(mate, seed)
    found = formulas(mate, pairing.i, pairing.j, sizes)
    ddt = pairing.equations.ddt

    def motion(t: float) -> np.ndarray:
        return values(mate, moved(pairing.q, pairing.v, t), sizes)

    rates = pairing.numbers([ddt(x) for x in found.values()])
    assert rates == pytest.approx(derivative(motion, 4e-6), rel=1e-7, abs=2e-8)
    touches = mate.touches(pairing.i, pairing.j, sizes)
    pairing.equations.follow([touch.held for touch in touches if touch.held is not None])
    curvature = pairing.numbers([ddt(ddt(x)) for x in found.values()])
    expected = second_derivative(motion, 2e-5)
    assert curvature == pytest.approx(expected, rel=1e-5, abs=1e-4)
    # the rate that a touch brings along too, which rigid contacts differentiate once more
    names = [name for name in found if name.startswith("opening")]
    for touch, name in zip(touches, names, strict=True):
        if touch.rate is not None:
            place = list(found).index(name)
            rate = touch.rate * touch.along
            assert pairing.numbers([ddt(rate)])[0] == pytest.approx(expected[place], rel=1e-5, abs=1e-4)


@every_seed
def test_what_a_search_finds_makes_its_formula_zero(seed):
    pairing = pairing_of(Sleeve, seed)
    for sizes in (SIZES, SHORT, BARREL):
        held = [touch.held for touch in Sleeve.touches(pairing.i, pairing.j, sizes)]
        assert pairing.numbers([g for _, g in held]) == pytest.approx([0.0] * 3, abs=1e-12)


@every_seed
def test_bristles_are_carried_with_the_ball(seed):
    """The angular velocity that a ball's touch gives turns its normal as the normal turns, and about the normal it is
    the mean of both bodies'."""
    pairing = pairing_of(Ball, seed)
    (touch,) = Ball.touches(pairing.i, pairing.j, SIZES)
    turned = pairing.numbers([pairing.equations.ddt(x) for x in touch.normal])
    turning, normal = pairing.numbers([*touch.turning]), pairing.numbers([*touch.normal])
    assert np.cross(turning, normal) == pytest.approx(turned, rel=1e-9, abs=1e-9 * np.linalg.norm(turned))
    mean = sum(numpy_vector(x.frame.angular_velocity) for x in bodies(list(pairing.q), list(pairing.v))) / 2
    assert turning @ normal == pytest.approx(mean @ normal, rel=1e-9)


@every_case
def test_rows_vanish_in_the_described_position_and_offsets_too(mate, sizes):
    i, j = places(list(described()), [0.0] * 12)
    nothing = [*mate.rows(i, j).values(), *(x for offset in mate.offsets(i, j, sizes).values() for x in offset)]
    assert nothing == pytest.approx([0.0] * len(nothing), abs=1e-15)


@every_case
def test_a_concentric_pair_has_finite_formulas(mate, sizes):
    """Mechanisms start there: no normal is defined, and none may become nan."""
    pairing = Pairing([2], reach=0.0, width=0.0)
    i, j = pairing.i, pairing.j
    touches = mate.touches(i, j, sizes)
    offsets = [x for offset in mate.offsets(i, j, sizes).values() for x in offset]
    wanted = [
        x
        for t in touches
        for x in (t.opening, *(t.slip if isinstance(t.slip, tuple) else ()), 0.0 if t.rate is None else t.rate)
    ]
    wanted += [x for t in touches for x in pairing.equations.gradient(t.opening).values()]
    wanted += [x for offset in offsets for x in (offset, *pairing.equations.gradient(offset).values())]
    assert np.isfinite(pairing.numbers(wanted)).all()
    # exactly concentric too, on floats: both places on one frame
    exact = Place(Ground().frame, Vector(0.1, 0.2, 0.3), *triad(direction((0, 0, 1))))
    for touch in mate.touches(exact, exact, sizes):
        assert math.isfinite(touch.opening)
        deep = RADIUS + sizes.journal_radius if mate.name == "outside" else 0.0
        assert abs(touch.opening - deep) <= max((abs(x) for x in sizes.profile), default=0.0) + 1e-15


@every_case
@every_seed
def test_the_rule_for_rotation_matrices_changes_no_rate(mate, sizes, seed):
    """A' = A w~ stated at the entries of A, against differentiation of the entries along the unit sphere."""
    pairing = pairing_of(mate, seed)
    found = list(formulas(mate, pairing.i, pairing.j, sizes).values())
    eq = pairing.equations
    plain = pairing.numbers([x for f in found for x in (eq.ddt(f), eq.ddt(eq.ddt(f)))])
    for body in pairing.bodies:
        for entry, rate in body.rotation_rates(body.v):
            eq.ddt.seed(entry, rate)
    stated = pairing.numbers([x for f in found for x in (eq.ddt(f), eq.ddt(eq.ddt(f)))])
    assert stated == pytest.approx(plain, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_a_joint_are_independent_and_leave_the_right_freedoms(kind):
    names, free = KINDS[kind]
    pairing = Pairing([1], reach=0.0, width=0.0)
    rows = [x for name in names for x in SpatialMate.registry[name].rows(pairing.i, pairing.j).values()]
    jacobian = np.array([pairing.row(pairing.equations.gradient(x)) for x in rows])
    assert len(rows) == 6 - free
    scaled = jacobian * np.tile([0.1] * 3 + [1.0] * 3, 2)
    assert np.linalg.svd(scaled)[1].min() > 1e-2


@every_case
@every_seed
def test_rows_touches_and_offsets_do_not_depend_on_the_observer(mate, sizes, seed):
    """Turned and moved together, the bodies are as open and as far off as before (rows: as satisfied as before)."""
    pairing = pairing_of(mate, seed)
    whole = about(direction((3, 1, -2)), 1.7)
    matrix = np.array([[*row] for row in (lambda a: (a.x, a.y, a.z))(rotation_matrix(whole))])
    q = pairing.q.copy()
    for k in (0, 7):
        q[k : k + 3] = matrix @ q[k : k + 3] + [0.4, -0.7, 0.3]
        e0, e = whole[0], np.array(whole[1:])
        f0, f = q[k + 3], q[k + 4 : k + 7].copy()
        q[k + 3 : k + 7] = [e0 * f0 - e @ f, *(e0 * f + f0 * e + np.cross(e, f))]
    names = list(formulas(mate, pairing.i, pairing.j, sizes))
    before, after = values(mate, pairing.q, sizes), values(mate, q, sizes)
    same = [k for k, name in enumerate(names) if not (name.startswith("row") and mate.name == "ball")]
    assert after[same] == pytest.approx(before[same], rel=1e-11, abs=1e-14)
    rows = [k for k, name in enumerate(names) if name.startswith("row")]
    assert np.linalg.norm(after[rows]) == pytest.approx(np.linalg.norm(before[rows]), rel=1e-11)


@every_case
@every_seed
def test_the_normal_is_a_unit_vector_along_which_the_opening_grows(mate, sizes, seed):
    pairing = pairing_of(mate, seed)
    i, j = places([float(x) for x in pairing.q], [float(x) for x in pairing.v])
    for symbol, touch in zip(mate.touches(pairing.i, pairing.j, sizes), mate.touches(i, j, sizes), strict=True):
        if not isinstance(touch.slip, tuple):
            continue  # turns, or winds
        n = numpy_vector(touch.normal)
        assert n @ n == pytest.approx(1.0, rel=1e-12)
        assert pairing.row(pairing.equations.gradient(symbol.opening))[:3] == pytest.approx(n, rel=1e-9, abs=1e-9)


@every_case
@every_seed
def test_slip_is_the_relative_velocity_of_the_surface_points_along_the_touch(mate, sizes, seed):
    pairing = pairing_of(mate, seed)
    q, v = [float(x) for x in pairing.q], [float(x) for x in pairing.v]
    i, j = places(q, v)
    touches = mate.touches(i, j, sizes)
    points = contact_points(mate, i, j, sizes)
    if not points:
        assert [touch.slip for touch in touches] == [0.0] * len(touches)
        return
    for point, touch in zip(points, touches, strict=True):
        here = Vector(*point)
        local_i, local_j = i.frame.local(here), j.frame.local(here)

        def apart(t: float, local_i=local_i, local_j=local_j) -> np.ndarray:
            two = bodies([float(x) for x in moved(pairing.q, pairing.v, t)], [0.0] * 12)
            return numpy_vector(two[0].frame.point(local_i) - two[1].frame.point(local_j))

        velocity, n = derivative(apart, 1e-4), numpy_vector(touch.normal)
        along = velocity - n * (n @ velocity)
        assert math.hypot(*touch.slip) == pytest.approx(np.linalg.norm(along), rel=1e-6)


@every_case
@every_seed
def test_the_rate_given_with_a_touch_is_the_rate_of_its_opening(mate, sizes, seed):
    """The speed at which the contact points part, and its velocity gradient, against differentiation of the opening."""
    pairing = pairing_of(mate, seed)
    eq = pairing.equations
    for touch in mate.touches(pairing.i, pairing.j, sizes):
        if touch.rate is None:
            assert not isinstance(touch.slip, tuple)
            continue
        rate = touch.rate * touch.along
        found = pairing.row(eq.velocity_gradient(rate))
        assert found == pytest.approx(pairing.row(eq.gradient(touch.opening)), rel=1e-9, abs=1e-12)
        assert pairing.numbers([rate])[0] == pytest.approx(found @ pairing.v, rel=1e-9, abs=1e-12)


@every_case
@every_seed
def test_forces_of_a_touch_conserve_momentum_and_give_the_power_of_rate_and_slip(mate, sizes, seed):
    """A normal force along the opening's gradient and friction along the slip's: equal and opposite about any point."""
    pairing = pairing_of(mate, seed)
    eq = pairing.equations
    for touch in mate.touches(pairing.i, pairing.j, sizes):
        slip = touch.slip if isinstance(touch.slip, tuple) else ()
        force = -40.0 * pairing.row(eq.gradient(touch.opening))
        speeds = pairing.numbers(slip)
        size = math.hypot(*speeds)
        for component, speed in zip(slip, speeds, strict=True):
            force = force - 9.0 * speed / size * pairing.row(eq.velocity_gradient(component))
        push, moment = pairing.resultant(force)
        scale = np.abs(force).max()
        assert push == pytest.approx(np.zeros(3), abs=1e-13 * scale)
        assert moment == pytest.approx(np.zeros(3), abs=1e-13 * scale)
        rate = pairing.numbers([eq.ddt(touch.opening)])[0]
        assert force @ pairing.v == pytest.approx(-40.0 * rate - 9.0 * size, rel=1e-10)


@every_case
@every_seed
def test_a_bushing_pulls_back_with_equal_and_opposite_forces(mate, sizes, seed):
    pairing = pairing_of(mate, seed)
    stiffness, damping = 3e4, 40.0
    liner = LinearLiner(stiffness, damping)
    block = pairing.parameters.block("j.liner", liner.pack(Pair()))
    for label, offset in mate.offsets(pairing.i, pairing.j, sizes).items():
        contact = pairing.contacts.bush("j", label, offset, liner, Pair(), block)
        force = sum(pairing.row(part) for part in contact.forces)
        push, moment = pairing.resultant(force)
        scale = np.abs(force).max()
        assert push == pytest.approx(np.zeros(3), abs=1e-12 * scale)
        assert moment == pytest.approx(np.zeros(3), abs=1e-12 * scale)
        parts, rates = pairing.numbers(offset), pairing.numbers([pairing.equations.ddt(x) for x in offset])
        power = -stiffness * (parts @ rates) - damping * (rates @ rates)
        assert force @ pairing.v == pytest.approx(power, rel=1e-9)


@every_case
@every_seed
def test_bodies_that_move_as_one_neither_rub_nor_open(mate, sizes, seed):
    pairing = pairing_of(mate, seed)
    spin, velocity = np.array([4.0, -1.0, 2.0]), np.array([0.7, -1.2, 0.4])
    for k, body in enumerate(bodies([float(x) for x in pairing.q], [0.0] * 12)):
        origin = numpy_vector(body.frame.origin)
        pairing.v[6 * k : 6 * k + 3] = velocity + np.cross(spin, origin)
        pairing.v[6 * k + 3 : 6 * k + 6] = [*body.frame.rotation.back(Vector(*spin))]
    ddt = pairing.equations.ddt
    touches = mate.touches(pairing.i, pairing.j, sizes)
    still = [ddt(x) for offset in mate.offsets(pairing.i, pairing.j, sizes).values() for x in offset]
    still += [ddt(touch.opening) for touch in touches]
    still += [x for touch in touches for x in (touch.slip if isinstance(touch.slip, tuple) else (touch.slip,))]
    assert pairing.numbers(still) == pytest.approx(np.zeros(len(still)), abs=1e-13)
