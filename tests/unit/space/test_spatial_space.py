"""Vectors, rotations, frames, bodies and inertia of space, with numbers that can be checked in the head."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gudgeon.compile.graph import Direction, Graph, Scalar
from gudgeon.quantity import GudgeonError
from gudgeon.space.mate import Mate, Sizes, SpatialMate
from gudgeon.space.spatial import Frame, Ground, Place, RigidBody, Rotation, Vector, rotation_matrix
from gudgeon.space.spatial.geometry.inertia import box, cylinder, link, principal_moments, sphere
from gudgeon.space.spatial.geometry.rotation import IDENTITY, about, parameter_rates, parameters_of, read_parameters
from gudgeon.space.spatial.geometry.triad import common_axis, direction, on_body, triad
from gudgeon.space.spatial.key import Key, turn
from gudgeon.space.spatial.shoulder import Shoulder
from gudgeon.space.spatial.sleeve import Sleeve, check_lengths, strip_positions

X, Y, Z = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)
ORIGIN = Vector(0.0, 0.0, 0.0)


def array(rotation: Rotation) -> np.ndarray:
    return np.array([[*rotation.x], [*rotation.y], [*rotation.z]], dtype=float)


def test_vectors_have_the_operators_of_space():
    a, b = Vector(1.0, 2.0, 3.0), Vector(-1.0, 0.0, 2.0)
    assert a + b == Vector(0.0, 2.0, 5.0)
    assert a - b == Vector(2.0, 2.0, 1.0)
    assert 2.0 * a == a * 2.0 == Vector(2.0, 4.0, 6.0)
    assert -a == Vector(-1.0, -2.0, -3.0)
    assert a @ b == 5.0
    assert a.cross(b) == Vector(4.0, -5.0, 2.0)
    assert X.cross(Y) == Z
    assert a.across(Z) == Vector(1.0, 2.0, 0.0)
    assert Vector(2.0, 3.0, 6.0).norm == 7.0
    assert ORIGIN.norm == pytest.approx(1e-150)


def test_a_quarter_turn_about_each_axis():
    assert [*(rotation_matrix(about(Z, math.pi / 2)) @ X)] == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)
    assert [*(rotation_matrix(about(X, math.pi / 2)) @ Y)] == pytest.approx([0.0, 0.0, 1.0], abs=1e-15)
    assert [*(rotation_matrix(about(Y, math.pi / 2)) @ Z)] == pytest.approx([1.0, 0.0, 0.0], abs=1e-15)


def test_matrices_are_orthogonal_and_give_their_parameters_back():
    random = np.random.default_rng(1)
    for _ in range(50):
        p = random.normal(size=4)
        p /= np.linalg.norm(p)
        a = rotation_matrix(p.tolist())
        assert array(a) @ array(a).T == pytest.approx(np.eye(3), abs=3e-15)
        assert np.linalg.det(array(a)) == pytest.approx(1.0)
        back = np.array(parameters_of(a))
        assert abs(back @ p) == pytest.approx(1.0, abs=3e-15)
        assert back[np.abs(back).argmax()] > 0.0
        q = random.normal(size=4)
        b = rotation_matrix((q / np.linalg.norm(q)).tolist())
        assert array(a.after(b)) == pytest.approx(array(a) @ array(b), abs=3e-15)
        assert [*a.back(a @ Vector(1.0, 2.0, 3.0))] == pytest.approx([1.0, 2.0, 3.0])


def test_parameters_move_along_the_sphere_and_turn_the_matrix():
    """p · p' = 0, and A' = A w~ by differentiating the entries along p', as by the body's own rule."""
    graph = Graph()
    q, v = graph.inputs("y", 7), graph.inputs("y", 6, 7)
    body = RigidBody(q, v, 1.0, (1.0, 2.0, 3.0))
    p, w = (0.5, -0.1, 0.7, math.sqrt(1 - 0.75)), (0.3, -2.0, 1.1)
    rates = parameter_rates(p, w)
    assert sum(a * b for a, b in zip(p, rates, strict=True)) == pytest.approx(0.0, abs=1e-16)
    h = 1e-5
    ends = [array(rotation_matrix([a + s * h * b for a, b in zip(p, rates, strict=True)])) for s in (1, -1)]
    tilde = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    expected = array(rotation_matrix(p)) @ tilde
    assert (ends[0] - ends[1]) / (2 * h) == pytest.approx(expected, abs=1e-9)
    ddt = Direction(graph, list(zip(q, body.rates(q, v), strict=True)))
    from_rule = RigidBody([0.0] * 3 + [*p], [0.0] * 3 + [*w], 1.0, (1.0, 2.0, 3.0)).rotation_rates([0.0] * 3 + [*w])
    assert [rate for _, rate in from_rule] == pytest.approx(expected.ravel(), abs=1e-15)
    assert len(body.rotation_rates(v)) == 9
    assert all(isinstance(ddt(entry), Scalar) for entry, _ in body.rotation_rates(v))


def test_parameters_the_user_wrote_are_scaled_or_refused():
    with pytest.warns(UserWarning, match=r"length 0\.99984\d* were scaled to 1"):
        scaled = read_parameters((0.707, 0.707, 0, 0))
    assert scaled == pytest.approx((math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0))
    with pytest.raises(GudgeonError, match=r"rod.orientation .* length 2 .* did you mean \(1, 0, 0, 0\)"):
        read_parameters((2, 0, 0, 0), "rod.orientation")
    with pytest.raises(GudgeonError, match="length 0 instead of 1; give all four"):
        read_parameters((0, 0, 0, 0))
    with pytest.raises(GudgeonError, match="needs 4 components"):
        read_parameters((1, 0, 0))


def test_a_frame_turned_by_a_quarter_about_z():
    frame = Frame(
        Vector(1.0, 2.0, 3.0), rotation_matrix(about(Z, math.pi / 2)), Vector(0.5, 0.0, 0.0), Vector(2.0, 0.0, 3.0)
    )
    point = frame.point(X)
    assert [*point] == pytest.approx([1.0, 3.0, 3.0])
    # body-fixed spin (2, 0, 3) is (0, 2, 3) in the world; x (0, 1, 0) gives (-3, 0, 0)
    assert [*frame.velocity_at(point)] == pytest.approx([-2.5, 0.0, 0.0])
    assert [*frame.local(point)] == pytest.approx([1.0, 0.0, 0.0], abs=1e-15)


def test_a_frame_on_principal_axes_takes_described_components():
    """Principal axes turned by a quarter about z from the described ones: described x is principal -y."""
    described = Rotation.of_columns(-Y, X, Z)
    frame = Frame(ORIGIN, rotation_matrix(about(Z, math.pi / 2)), ORIGIN, ORIGIN, described)
    assert [*frame.point(Vector(1.0, 2.0, 3.0))] == pytest.approx([1.0, 2.0, 3.0])
    assert [*frame.local(Vector(1.0, 2.0, 3.0))] == pytest.approx([1.0, 2.0, 3.0])


def test_energies_forces_and_names_of_a_body():
    body = RigidBody((1, 2, 3, 1, 0, 0, 0), (3.0, 4.0, 12.0, 1.0, 2.0, 3.0), 2.0, (0.1, 0.2, 0.4))
    assert body.kinetic_energy() == pytest.approx(169.0 + 0.5 * (0.1 + 0.8 + 3.6))
    gravity = Vector(0.0, 0.0, -10.0)
    assert body.potential_energy(gravity) == pytest.approx(60.0)
    assert body.weight(gravity) == (0.0, 0.0, -20.0, 0.0, 0.0, 0.0)
    assert body.inverse_mass == (0.5, 0.5, 0.5, 10.0, 5.0, 2.5)
    w, jw = np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.4, 1.2])
    assert body.gyroscopic() == pytest.approx((0, 0, 0, *(-np.cross(w, jw))))
    assert body.unit((1.0, 2.0, 3.0, 2.0, 0.0, 0.0, 0.0)) == (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0)
    assert len(body.coordinates) == len(body.units) == len(body.rates(body.q, body.v)) == 7
    assert len(body.velocities) == len(body.accelerations) == len(body.velocity_units) == 6
    assert Ground().frame.point(X) == X


def test_a_wrench_is_moved_to_a_point():
    """A force along y at the centre (1, 0, 0) has about the origin the moment +2 along z; a moment along the body's x,
    turned to y, joins it."""
    body = RigidBody((1.0, 0.0, 0.0, *about(Z, math.pi / 2)), (0.0,) * 6, 1.0, (1.0, 1.0, 1.0))
    wrench = body.wrench((0.0, 2.0, 0.0, 5.0, 0.0, 0.0), ORIGIN)
    assert wrench == pytest.approx((0.0, 2.0, 0.0, 0.0, 5.0, 2.0), abs=1e-14)


def test_triads_keep_zeros_and_ones_and_are_right_handed():
    assert triad(X) == (Y, Z, X)
    assert triad(Y) == (Z, X, Y)
    assert triad(Z) == (X, Y, Z)
    h, t, b = triad(direction((1, -2, 2)))
    assert [*h.cross(t)] == pytest.approx([*b])
    assert (h @ t, h @ b, t @ b) == pytest.approx((0.0, 0.0, 0.0), abs=1e-16)
    assert triad(Z, Vector(0.0, 3.0, 5.0))[0] == Y
    local = on_body(rotation_matrix(about(Z, math.pi / 2)), (X, Y, Z))
    assert [*local[0]] == pytest.approx([0.0, -1.0, 0.0], abs=1e-15)
    with pytest.raises(GudgeonError, match="lies along the axis"):
        triad(Z, Vector(0.0, 0.0, 2.0))
    with pytest.raises(GudgeonError, match="has no direction"):
        direction((0, 0, 0))


def test_axes_that_are_not_parallel_are_refused():
    tilted = direction((0.001, 0, 1))
    assert common_axis(Z, direction((1e-8, 0, 1))) == Z
    with pytest.raises(GudgeonError, match=r"main: .* differ by 0.0572958 deg .* misalignment"):
        common_axis(Z, tilted, "main")
    with pytest.raises(GudgeonError, match="turn one of them round"):
        common_axis(Z, -Z)


def side(body: RigidBody | Ground) -> Place:
    return Place(body.frame, ORIGIN, X, Y, Z)


@pytest.mark.parametrize("angle", [-3.0, -1.7, -0.2, 0.0, 1e-9, 0.9, 2.0, 3.1])
def test_the_turn_of_a_journal_is_known_up_to_half_a_turn_either_way(angle):
    journal = RigidBody((0.0, 0.0, 0.0, *about(Z, angle)), (0.0,) * 6, 1.0, (1.0, 1.0, 1.0))
    assert turn(side(journal), side(Ground())) == pytest.approx(angle, abs=1e-15)
    forward, backward = Key.touches(side(journal), side(Ground()), Sizes())
    assert forward.opening == -backward.opening == turn(side(journal), side(Ground()))


@pytest.mark.parametrize("total", [4.0, -9.5, 100.3])
def test_turns_are_counted_by_a_number_that_follows(total):
    """The number may be off by up to half a turn; the angle is exact."""
    journal = RigidBody((0.0, 0.0, 0.0, *about(Z, total)), (0.0,) * 6, 1.0, (1.0, 1.0, 1.0))
    for error in (0.0, 0.3, -2.5):
        assert turn(side(journal), side(Ground()), near=total + error) == pytest.approx(total, abs=1e-13)


def test_a_shoulder_has_a_touch_to_each_side_of_the_described_place():
    journal = RigidBody((0.0, 0.0, 0.5, 1, 0, 0, 0), (0.0,) * 6, 1.0, (1.0, 1.0, 1.0))
    i = Place(journal.frame, ORIGIN, X, Y, Z, reference=0.4)
    front, rear = Shoulder.touches(i, side(Ground()), Sizes())
    assert (front.opening, rear.opening) == pytest.approx((0.1, -0.1))
    assert Shoulder.rows(i, side(Ground()))["axial"] == pytest.approx(-0.1)


def test_a_leaning_journal_strains_a_bushing_by_its_angle():
    journal = RigidBody((1e-3, 2e-3, 0.5, *about(Y, 0.3)), (0.0,) * 6, 1.0, (1.0, 1.0, 1.0))
    offsets = Sleeve.offsets(side(journal), side(Ground()), Sizes())
    assert offsets["radial"] == pytest.approx((1e-3, 2e-3))
    assert offsets["conical"] == pytest.approx((0.3, 0.0), abs=1e-15)
    assert set(Sleeve.angular_offsets) <= set(offsets)


def test_strips_lie_in_the_middle_of_their_parts_and_edges_at_the_ends():
    assert strip_positions(4, 8.0) == [3.0, 1.0, -1.0, -3.0]
    assert strip_positions(1, 8.0) == [0.0]
    assert strip_positions(3, 8.0, short=True) == [4.0, 0.0, -4.0]
    assert strip_positions(1, 8.0, short=True) == [0.0]


def test_a_short_journal_must_be_asked_for():
    check_lengths(0.02, 0.02, False)
    check_lengths(0.02, 0.01, True)
    with pytest.raises(GudgeonError, match=r"main: journal length 0.01 m is less than bearing length 0.02 m.*edge"):
        check_lengths(0.02, 0.01, False, "main")
    with pytest.raises(GudgeonError, match="profile of 2 radii on a sleeve of 3 strips"):
        Sleeve.touches(side(Ground()), side(Ground()), Sizes(radius=1.0, strips=3, profile=(0.0, 0.0)))


# -- inertia ------------------------------------------------------------------------------------------------------


def test_principal_moments_of_three_are_themselves():
    assert principal_moments(("1e-4 kg m^2", 1e-4, 1e-5)).moments == (1e-4, 1e-4, 1e-5)
    found = principal_moments((2.0, 3.0, 4.0, 0.0, 0.0, 0.0))
    assert found.moments == (2.0, 3.0, 4.0)
    assert found.described is None


def test_principal_axes_of_a_tensor_give_the_tensor_back():
    random = np.random.default_rng(5)
    for _ in range(40):
        p = random.normal(size=4)
        turned = array(rotation_matrix((p / np.linalg.norm(p)).tolist()))
        tensor = turned @ np.diag([2.0, 3.0, 4.5]) @ turned.T
        six = [tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]]
        found = principal_moments(six)
        assert sorted(found.moments) == pytest.approx([2.0, 3.0, 4.5])
        to_principal = array(found.described)
        assert np.linalg.det(to_principal) == pytest.approx(1.0)
        assert to_principal.T @ np.diag(found.moments) @ to_principal == pytest.approx(tensor, abs=1e-14)


def test_nearly_principal_axes_are_numbered_as_described():
    found = principal_moments((4.0, 2.0, 3.0, 1e-6, 0.0, 0.0))
    assert found.moments == pytest.approx((4.0, 2.0, 3.0))
    assert array(found.described) == pytest.approx(np.eye(3), abs=1e-5)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ((1.0, 2.0, 3.5), "rod: inertia .* moment z 3.5 .* greater than the sum 3 .* check units and order"),
        ((1.0, -2.0, 2.0), "moment -2 kg m.2 is not positive"),
        ((1.0, 1.0, 1.0, 1.5, 0.0, 0.0), "is not positive; check signs and the mixed components"),
        ((1.0, 2.0), "give three principal moments, or the six components"),
        (3.0, "give three principal moments, or the six components"),
        (("1 kg", 1.0, 1.0), "wrong dimension"),
    ],
)
def test_inertia_that_no_body_has_is_refused(value, words):
    with pytest.raises(GudgeonError, match=words):
        principal_moments(value, "rod: inertia")


def test_a_flat_body_is_at_the_limit_and_accepted():
    assert principal_moments((1.0, 2.0, 3.0)).moments == (1.0, 2.0, 3.0)


def by_points(inside, reach, density: float, count: int = 120):
    """Mass and moments of a shape from a grid of points."""
    axes = [(np.arange(count) + 0.5) / count * 2 * r - r for r in reach]
    x, y, z = np.meshgrid(*axes, indexing="ij")
    cell = density * np.prod([2 * r / count for r in reach]) * inside(x, y, z)
    return cell.sum(), [(cell * (a * a + b * b)).sum() for a, b in ((y, z), (z, x), (x, y))]


@pytest.mark.parametrize(
    ("solid", "density", "inside", "reach"),
    [
        (box(0.1, 0.2, 0.3, 7800), 7800, lambda x, y, z: np.ones_like(x), (0.05, 0.1, 0.15)),
        (cylinder("20 mm", 0.1, 7800), 7800, lambda x, y, z: x**2 + y**2 < 0.02**2, (0.02, 0.02, 0.05)),
        (
            cylinder(0.02, 0.1, 7800, bore=0.01),
            7800,
            lambda x, y, z: (x**2 + y**2 < 0.02**2) & (x**2 + y**2 > 0.01**2),
            (0.02, 0.02, 0.05),
        ),
        (sphere(0.03, 1000), 1000, lambda x, y, z: x**2 + y**2 + z**2 < 0.03**2, (0.03, 0.03, 0.03)),
        (
            link(0.1, 0.04, 0.01, 2700),
            2700,
            lambda x, y, z: np.maximum(np.abs(x) - 0.05, 0.0) ** 2 + y**2 < 0.02**2,
            (0.07, 0.02, 0.005),
        ),
    ],
    ids=["box", "cylinder", "tube", "sphere", "link"],
)
def test_shapes_have_the_inertia_of_their_points(solid, density, inside, reach):
    mass, moments = by_points(inside, reach, density)
    assert solid.mass == pytest.approx(mass, rel=3e-3)
    assert solid.inertia == pytest.approx(moments, rel=4e-3)
    assert principal_moments(solid.inertia).moments == solid.inertia


def test_shapes_refuse_sizes_they_cannot_have():
    with pytest.raises(GudgeonError, match="box: y"):
        box(1.0, -1.0, 1.0, 1.0)
    with pytest.raises(GudgeonError, match=r"cylinder: bore 0\.3 must be at least 0 and less than the radius 0\.2"):
        cylinder(0.2, 1.0, 1.0, bore=0.3)
    with pytest.raises(GudgeonError, match="sphere: density"):
        sphere(1.0, "3 kg")


def test_spatial_mates_register_in_their_own_list():
    class Dummy(SpatialMate):
        name = "dummy of test_spatial_space"

    try:
        assert SpatialMate.registry[Dummy.name] is Dummy
        assert Dummy.name not in Mate.registry
    finally:
        del SpatialMate.registry[Dummy.name]


def test_identity_is_the_rotation_of_nothing():
    assert rotation_matrix((1.0, 0.0, 0.0, 0.0)) == IDENTITY
    assert parameters_of(IDENTITY) == (1.0, 0.0, 0.0, 0.0)
