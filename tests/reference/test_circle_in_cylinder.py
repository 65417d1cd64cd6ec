"""The contact search of a sleeve: 150 poses whose answer is known, and 10,000 against trial of every angle.

The poses (mm, rad) are given in the journal's frame: a circle of the bearing about o, tilted and turned.
"""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest
from reference_data import DATA

from gudgeon.space.mate import Sizes
from gudgeon.space.spatial import Ground, Place, RigidBody, Vector, rotation_matrix
from gudgeon.space.spatial.geometry.rotation import about, parameters_of
from gudgeon.space.spatial.search import CLOSE, MOST_STEPS, half_tangent, multiplier, newton_step, start
from gudgeon.space.spatial.sleeve import Sleeve

AXES = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)
ORIGIN = Vector(0.0, 0.0, 0.0)

with (DATA / "circle_in_cylinder_poses.csv").open() as file:
    POSES = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def contact_angle(*arguments):
    """The angle [rad] at which the circle is nearest to the cylinder."""
    return 2.0 * math.atan(half_tangent(*arguments))


def on_axis() -> Place:
    return Place(Ground().frame, ORIGIN, *AXES)


def tilted(o, tilt, spin: float) -> Place:
    angle = math.hypot(*tilt)
    axis = Vector(*(x / angle for x in tilt)) if angle else AXES[2]
    attitude = rotation_matrix(about(axis, angle)).after(rotation_matrix(about(AXES[2], spin)))
    body = RigidBody((*o, *parameters_of(attitude)), [0.0] * 6, 1.0, (1.0, 1.0, 1.0))
    return Place(body.frame, ORIGIN, *AXES)


def bearing(pose: dict[str, float]) -> Place:
    o, tilt = ([pose[name + x] for x in "xyz"] for name in ("o", "tilt_"))
    return tilted(o, tilt, pose["spin"])


def search_at(j: Place, radius: float) -> float:
    """The angle found for a circle about the place's point, around the z axis."""
    a, q = AXES[2], (-j.point).across(AXES[2])
    return contact_angle(j.h @ a, j.t @ a, j.h @ q, j.t @ q, radius)


def test_there_are_150_poses_and_some_have_two_minima():
    assert len(POSES) == 150
    assert sum(pose["n_local_minima"] > 1 for pose in POSES) > 20


@pytest.mark.parametrize("pose", POSES, ids=range(len(POSES)))
def test_depth_and_place_of_contact_are_the_known_ones(pose):
    j, radius, gap = bearing(pose), pose["Rj_mm"], pose["Rj_mm"] - pose["Ri_mm"]
    (touch,) = Sleeve.touches(on_axis(), j, Sizes(radius=radius, gap=gap))
    assert touch.opening - gap == pytest.approx(pose["delta"], abs=1e-10)
    phi = search_at(j, radius)
    c = j.point + (j.h * math.cos(phi) + j.t * math.sin(phi)) * radius
    # the angle is where a smooth function is flat: half of the digits
    assert (c.x, c.y, c.z) == pytest.approx((pose["Cx"], pose["Cy"], pose["Cz"]), abs=1e-5)
    assert math.remainder(phi - pose["phi_bearing"], 2 * math.pi) == pytest.approx(0.0, abs=1e-6)
    normal = math.atan2(touch.normal.y, touch.normal.x)
    assert math.remainder(normal - pose["phi_journal"], 2 * math.pi) == pytest.approx(0.0, abs=1e-6)


def random_poses(count: int) -> tuple[np.ndarray, ...]:
    """Tilt and perpendicular in the circle's plane, from a micrometre of play to loose, hardly to far tilted."""
    random = np.random.default_rng(7)
    radius = 10.0 ** random.uniform(-3, 1, count)
    tilt = 10.0 ** random.uniform(-5, math.log10(0.5), count)
    a = tilt * np.exp(1j * random.uniform(0, 2 * np.pi, count))
    w = radius * 10.0 ** random.uniform(-6, -0.5, count) * np.exp(1j * random.uniform(0, 2 * np.pi, count))
    # a third with the centre inside the evolute, where two minima compete
    inside = random.uniform(size=count) < 1 / 3
    w[inside] = (radius * tilt**2)[inside] * random.uniform(-1, 1, inside.sum()) * np.exp(1j * np.angle(a))[inside]
    w[inside] += (
        1j * (radius * tilt**2)[inside] * random.uniform(-1, 1, inside.sum()) * np.exp(1j * np.angle(a))[inside]
    )
    return a.real, a.imag, w.real, w.imag, radius


def level(phi, ax, ay, wx, wy, radius):
    c, s = np.cos(phi), np.sin(phi)
    return radius * (c * ax + s * ay) ** 2 + 2 * (c * wx + s * wy)


def best_by_trial(arguments) -> np.ndarray:
    """The largest level over all angles: 1441 of them, then 60 about the best, and so on."""
    columns = [x[:, None] for x in arguments]
    low, width = np.zeros(len(columns[0])), 2 * np.pi
    angles = np.linspace(0.0, 1.0, 1441)
    for _ in range(7):
        phi = low[:, None] + width * angles
        values = level(phi, *columns)
        best = values.argmax(axis=1)
        middle = phi[np.arange(len(best)), best]
        step = width / (len(angles) - 1)
        low, width = middle - 2 * step, 4 * step
        angles = np.linspace(0.0, 1.0, 61)
    return values.max(axis=1)


def test_ten_thousand_poses_have_the_global_extremum():
    arguments = random_poses(10_000)
    found = np.array([contact_angle(*row) for row in np.transpose(arguments).tolist()])
    ours, trial = level(found, *arguments), best_by_trial(arguments)
    scale = arguments[4] * (arguments[0] ** 2 + arguments[1] ** 2) + 2 * np.hypot(arguments[2], arguments[3])
    assert np.abs(ours - trial).max() / scale.max() < 1e-14
    assert (np.abs(ours - trial) / scale).max() < 2e-14
    # the same as distances: rho² = R² + q² - R f, in a bearing of 10 mm to 1e-12 mm
    rho = np.sqrt(np.maximum(0.0, 1.0 - ours / arguments[4]))
    other = np.sqrt(np.maximum(0.0, 1.0 - trial / arguments[4]))
    assert np.abs(rho - other).max() < 1e-13


def test_the_search_takes_few_steps_from_below():
    """Over 20 decades of play and tilt, with u near the spread in two thirds of them: at most 8 steps of 12."""
    random = np.random.default_rng(3)
    most = 0
    for k in range(20_000):
        spread = 10 ** random.uniform(-12, 2)
        near = spread * (1 + random.choice([-1, 1]) * 10 ** random.uniform(-17, -0.01))
        u = near if k % 3 else 10 ** random.uniform(-14, 2)
        v = 10 ** random.uniform(-20, 2)
        s, steps = start(u, v, spread), 0
        goal = multiplier(u, v, spread)
        assert (v / goal) ** 2 + (u / (goal + spread)) ** 2 == pytest.approx(1.0, abs=1e-12)
        assert s <= goal * (1 + 1e-12) + 1e-15 * spread
        while True:
            step = newton_step(u, v, spread, s)
            s, steps = s + step, steps + 1
            if step <= CLOSE * s:
                break
        most = max(most, steps)
    assert most <= 8 < MOST_STEPS


@pytest.mark.parametrize(
    ("arguments", "angles"),
    [
        ((0.0, 0.0, 0.0, 0.0, 1.0), None),  # centred and straight: any angle will do
        ((0.0, 0.0, 1e-3, 1e-3, 1.0), (math.pi / 4,)),  # straight: along the offset
        ((0.1, 0.0, 0.0, 0.0, 1.0), (0.0, math.pi)),  # centred and tilted: either end
        ((0.1, 0.0, 0.0, 5e-3, 1.0), (math.pi / 6, 5 * math.pi / 6)),  # half of the spread across: both ends move in
        ((0.1, 0.0, 0.0, 1e-2, 1.0), (math.pi / 2,)),  # all of it: they meet
        ((0.1, 0.0, 0.0, 2e-2, 1.0), (math.pi / 2,)),
        ((0.1, 0.0, -1e-9, 0.0, 1.0), (math.pi,)),  # the slightest offset decides between the ends
        ((1e-200, 0.0, 0.0, 1e-5, 1.0), (math.pi / 2,)),  # a tilt whose square is nothing
    ],
)
def test_poses_of_symmetry(arguments, angles):
    phi = contact_angle(*arguments)
    assert math.isfinite(phi)
    if angles is not None:
        assert min(abs(math.remainder(phi - x, 2 * math.pi)) for x in angles) < 1e-6


def test_a_thin_disk_in_a_bore_has_the_gap_of_bauchau_and_rodriguez():
    """Their Eq 15: gap = rho_k - d1 · D - rho_l sqrt(1 - (e3 · d1)²), least over the direction d1 across the bore."""
    random = np.random.default_rng(11)
    bore, gap = 0.02, 4e-4
    angles = np.linspace(0.0, 2 * np.pi, 200_001)
    d1 = np.array([np.cos(angles), np.sin(angles)])
    for _ in range(60):
        o, tilt = random.uniform(-1, 1, 3) * [6e-4, 6e-4, 5e-3], random.uniform(-0.2, 0.2, 3)
        disk = tilted(o.tolist(), tilt.tolist(), 1.0)
        (touch,) = Sleeve.touches(disk, on_axis(), Sizes(radius=bore, gap=gap, short=True))
        e3 = np.array([*disk.b])
        published = bore - o[:2] @ d1 - (bore - gap) * np.sqrt(1 - (e3[:2] @ d1) ** 2)
        assert touch.opening - gap == pytest.approx(-published.min(), abs=2e-13)


def test_strips_of_a_straight_journal_are_as_deep_as_the_offset():
    sizes = Sizes(radius=0.01, length=0.05, gap=2e-4, strips=10)
    i = Place(Ground().frame, Vector(3e-4, -4e-4, 7.0), *AXES)
    touches = Sleeve.touches(i, on_axis(), sizes)
    assert [touch.opening for touch in touches] == pytest.approx([5e-4] * 10, rel=1e-14)
    assert [touch.label for touch in touches] == [f"strip_{k}" for k in range(1, 11)]


def test_a_tilted_journal_touches_at_both_ends_of_the_bearing():
    """By 10 mrad about y in 40 mm: 0.2 mm at the outer edges, less half a strip each, to first order."""
    sizes = Sizes(radius=0.01, length=0.04, gap=1e-4, strips=4)
    i = tilted((0.0, 0.0, 0.0), (0.0, 0.01, 0.0), 0.0)
    first, second, third, last = (touch.opening for touch in Sleeve.touches(i, on_axis(), sizes))
    assert first == pytest.approx(last, rel=1e-12)
    assert second == pytest.approx(third, rel=1e-12)
    assert first == pytest.approx(0.015 * 0.01, rel=1e-2)
    assert second == pytest.approx(0.005 * 0.01, rel=2e-2)


def test_a_barrel_is_closer_by_its_profile():
    sizes = Sizes(radius=0.01, length=0.04, gap=1e-4, strips=3, profile=(1e-5, 0.0, 1e-5))
    i = Place(Ground().frame, Vector(5e-5, 0.0, 0.0), *AXES)
    openings = [touch.opening for touch in Sleeve.touches(i, on_axis(), sizes)]
    assert openings == pytest.approx([4e-5, 5e-5, 4e-5], rel=1e-12)


def test_edges_of_a_short_journal_touch_where_they_are():
    """Tilted by 20 mrad about its middle, 30 mm long: its edges are 0.3 mm off the axis, to first order."""
    sizes = Sizes(radius=0.01, length=0.03, gap=1e-4, strips=2, short=True)
    i = tilted((0.0, 0.0, 0.1), (0.0, 0.02, 0.0), 0.0)
    openings = [touch.opening for touch in Sleeve.touches(i, on_axis(), sizes)]
    # exactly: 15 mm sin(tilt) + r (cos(tilt) - 1)
    exact = 0.015 * math.sin(0.02) - 0.0099 * (1 - math.cos(0.02))
    assert openings == pytest.approx([exact, exact], rel=1e-12)
