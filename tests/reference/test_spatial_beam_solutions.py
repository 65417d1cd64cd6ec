"""Beams of space against other solutions: large displacements by shooting along the beam, published positions, natural
frequencies of Timoshenko's theory, convergence."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import gudgeon as gd
from gudgeon.analysis import equilibrium, modes
from gudgeon.analysis.rest.flexible import FlexibleStandstill
from gudgeon.analysis.rest.newton import balanced_state
from gudgeon.model import Section, SpatialSection
from gudgeon.space.spatial import Vector, rotation_matrix
from gudgeon.space.spatial.geometry.rotation import about, after

SLENDER = SpatialSection((1e6, 1e6, 1e6, 0.8, 1.0, 1.5), (1.0, 1.0, 1.0, 2e-6, 1e-6, 1e-6))
STEEL = {"E": 190e9, "nu": 0.33, "rho": 7850.0}


def cantilever(section, length=1.0, along=(1.0, 0.0, 0.0), **options):
    m = gd.Mechanism("cantilever", planar=False)
    end = tuple(length * x for x in along)
    beam = m.beam("beam", a=(0.0, 0.0, 0.0), b=end, section=section, **options)
    m.rigid("root", journal=beam, bearing=m.ground, at=(0.0, 0.0, 0.0))
    return m, beam, end


def tip(found, name="beam"):
    return np.array([found[f"{name}.100.{axis}"] for axis in "xyz"])


def shot(section, length, force, first=(1.0, 0.0, 0.0, 0.0), bend=(0.0, 0.0, 0.0)):
    """Tip of a clamped beam under a force at its end: the equations of the rod, integrated along it with the moment at
    the root that leaves none at the tip. `first`: Euler parameters at the root; `bend`: curvature without load."""
    stiff, n = [section.stiffness[k][k] for k in range(6)], Vector(*force)

    def rates(_, y):
        rotation = rotation_matrix(y[3:7] / np.linalg.norm(y[3:7]))
        inner, turning = rotation.back(n), rotation.back(Vector(*y[7:]))
        along = rotation @ Vector(1.0 + inner.x / stiff[0], inner.y / stiff[1], inner.z / stiff[2])
        curve = [x / c + k for x, c, k in zip(turning, stiff[3:], bend, strict=True)]
        return [*along, *(0.5 * x for x in after(y[3:7], (0.0, *curve))), *(along.cross(n) * -1.0)]

    def end(moment):
        return solve_ivp(rates, (0.0, length), [0.0, 0.0, 0.0, *first, *moment], rtol=1e-10, atol=1e-12).y[:, -1]

    root = np.zeros(3)
    for share in (0.1, 0.25, 0.5, 0.75, 1.0):
        n = Vector(*(share * f for f in force))
        root = fsolve(lambda moment: end(moment)[7:], root, xtol=1e-12)
    assert np.abs(end(root)[7:]).max() < 1e-7 * np.abs(root).max()
    return end(root)[:3]


@pytest.mark.parametrize("order, elements, near", [(1, 24, 1e-2), (2, 8, 3e-4), (3, 6, 1e-5)])
def test_an_end_moment_rolls_a_cantilever_into_a_circle(order, elements, near):
    """In a tilted plane, about the section's stiffer axis: K = M / EI, and the tip comes back to the root."""
    along, normal = Vector(2 / 3, 1 / 3, 2 / 3), Vector(-2 / 3, 2 / 3, 1 / 3)
    up = normal.cross(along)
    m, beam, end = cantilever(SLENDER, 1.0, tuple(along), order=order, elements=elements, up=tuple(up))
    m.torque(beam, tuple(normal * (2.0 * math.pi * 1.5)), at=end)
    standstill = FlexibleStandstill(m)
    # a moment that keeps its direction in space does not hold the circle: the search for a rest would go on
    found = standstill.channels(standstill.at(balanced_state(standstill)))
    assert np.linalg.norm(tip(found)) < near
    assert found["beam.50.moment_z"] == pytest.approx(3.0 * math.pi, rel=max(3.0 * near, 5e-4))
    assert abs(found["beam.50.torsion"]) + abs(found["beam.50.moment_y"]) < 1e-9
    assert found["root.moment"] == pytest.approx(3.0 * math.pi, rel=1e-9)


# the bar of the Princeton beam experiment (Dowell, Traybar 1975): 20 in of aluminium, 12.77 by 3.2024 mm
PRINCETON = SpatialSection.rectangle(3.2024e-3, 12.77e-3, E=71.7e9, nu=0.31, rho=2700.0)


@pytest.mark.parametrize("degrees", [30.0, 60.0, 90.0])
def test_the_princeton_bar_bends_and_twists(degrees):
    angle, load = math.radians(degrees), 13.345
    force = (0.0, -load * math.cos(angle), load * math.sin(angle))
    m, beam, end = cantilever(PRINCETON, 0.508, elements=4, up=(0.0, 1.0, 0.0))
    m.force(beam, force, at=end)
    found, exact = equilibrium(m), shot(PRINCETON, 0.508, force)
    assert tip(found) == pytest.approx(exact, abs=2e-6)
    if degrees < 90.0:
        # bending about both axes twists it; about one alone it does not
        assert abs(found["beam.0.torsion"]) > 0.01
    else:
        assert abs(found["beam.0.torsion"]) < 1e-9
        assert exact[2] > 0.15


@pytest.mark.slow
def test_the_45_degree_bend():
    """Bathe and Bolourchi 1979: an arc of radius 100, section 1 by 1, E = 1e7, nu = 0, pushed out of its plane by 600.
    Published tips at 600: (15.9, 47.2, 53.4) Bathe and Bolourchi, (15.79, 47.23, 53.37) Simo and Vu-Quoc 1986,
    (15.55, 47.04, 53.50) Cardona and Geradin 1988; eight straight elements each."""
    section = SpatialSection((1e7, 5e6, 5e6, 5e6 * 0.1406, 1e7 / 12, 1e7 / 12), (1, 1, 1, 1 / 6, 1 / 12, 1 / 12))
    m, count, beams = gd.Mechanism("bend", planar=False), 8, []
    places = [(100 * math.sin(x), 100 * (1 - math.cos(x)), 0.0) for x in np.linspace(0.0, math.pi / 4, count + 1)]
    for k, (a, b) in enumerate(pairwise(places)):
        beams.append(m.beam(f"b{k}", a=a, b=b, section=section, elements=1, order=1, up=(0, 0, 1), stations=(1.0,)))
        m.rigid(f"j{k}", journal=beams[k], bearing=beams[k - 1] if k else m.ground, at=a)
    m.force(beams[-1], (0.0, 0.0, 600.0), at=places[-1])
    x, y, z = tip(equilibrium(m), f"b{count - 1}")
    for published in ((15.9, 47.2, 53.4), (15.79, 47.23, 53.37), (15.55, 47.04, 53.50)):
        assert (y, x, z) == pytest.approx(published, rel=0.015)
    # bending about z is the curve of the arc; y of the section points upwards
    lying = about(Vector(1.0, 0.0, 0.0), math.pi / 2)
    exact = shot(section, 25.0 * math.pi, (0.0, 0.0, 600.0), lying, (0.0, 0.01, 0.0))
    assert (x, y, z) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_displacements_converge_with_twice_the_order(order):
    section = SpatialSection((1e4, 5e3, 5e3, 0.8, 1.0, 1.5), (1.0, 1.0, 1.0, 2e-6, 1e-6, 1e-6))
    force = (1.0, 2.0, -1.5)

    def found(elements):
        m, beam, end = cantilever(section, elements=elements, order=order, up=(0.0, 1.0, 0.0))
        m.force(beam, force, at=end)
        return tip(equilibrium(m))

    exact = shot(section, 1.0, force)
    coarse, fine = {1: (8, 16), 2: (4, 8), 3: (2, 4)}[order]
    errors = [np.abs(found(n) - exact).max() for n in (coarse, fine)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2 * order, abs=0.6)


def test_a_rigid_rotation_of_everything_changes_nothing():
    """Objectivity of the whole: the same beam and loads in turned axes have the same strains and forces."""
    turned = rotation_matrix(about(Vector(2 / 3, -1 / 3, 2 / 3), 2.345))

    def found(rotation):
        place = lambda x: tuple(Vector(*x) if rotation is None else rotation @ Vector(*x))  # noqa: E731
        m, beam, end = cantilever(SLENDER, 1.0, place((1.0, 0.0, 0.0)), elements=3, up=place((0.0, 1.0, 0.0)))
        m.force(beam, place((1.0, 2.0, -1.5)), at=end)
        m.torque(beam, place((0.5, -0.3, 0.2)), at=end)
        rest = equilibrium(m)
        names = [f"beam.{s}.{k}" for s in (0, 50, 100) for k in ("torsion", "moment_y", "moment_z", "normal_force")]
        return np.array([rest[name] for name in names]), Vector(*tip(rest))

    forces, place = found(None)
    others, elsewhere = found(turned)
    assert others == pytest.approx(forces, abs=1e-8)
    assert tuple(elsewhere) == pytest.approx(tuple(turned @ place), abs=1e-10)


def timoshenko(section, number, length, across):
    """Angular frequency of a simply supported beam that bends about its axis y (4) or z (5)."""
    k = number * math.pi / length
    ei, ga = section.stiffness[across][across], section.stiffness[6 - across][6 - across]
    mass, inertia = section.mass, section.inertia[across][across]
    b = ei * mass * k**2 + ga * (mass + inertia * k**2)
    return math.sqrt((b - math.sqrt(b * b - 4 * mass * inertia * ei * ga * k**4)) / (2 * mass * inertia))


def test_frequencies_are_those_of_timoshenko():
    """Simply supported in both planes by universal joints, one of which slides; torsion free at no end."""
    section, length = SpatialSection.rectangle(0.010, 0.030, **STEEL), 0.75
    m = gd.Mechanism("supported", planar=False)
    beam = m.beam("beam", a=(0.0, 0.0, 0.0), b=(length, 0.0, 0.0), section=section, elements=6, up=(0.0, 1.0, 0.0))
    shoe = m.body("shoe", mass=1e-6, inertia=(1.0, 1.0, 1.0), at=(length, 0.0, 0.0))
    axes = {"journal_axis": (0, 1, 0), "bearing_axis": (0, 0, 1)}
    m.universal("left", journal=beam, bearing=m.ground, at=(0.0, 0.0, 0.0), **axes)
    m.universal("right", journal=beam, bearing=shoe, at=(length, 0.0, 0.0), **axes)
    m.translational("guide", journal=shoe, bearing=m.ground, at=(length, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    found = 2.0 * math.pi * modes(m, at="start").frequencies
    expected = [timoshenko(section, n, length, across) for across in (4, 5) for n in (1, 2, 3)]
    # G It and rho Ip of the rectangle
    shear, polar = section.stiffness[3][3], section.inertia[3][3]
    expected += [math.sqrt(shear / polar) * n * math.pi / length for n in (1, 2)]
    for frequency in expected:
        assert np.abs(found / frequency - 1.0).min() < 5e-4


def test_torsion_of_rectangles():
    """Saint-Venant's torsion a b^3 beta (Timoshenko, Goodier): beta 0.1406, 0.229, 0.312 for a/b 1, 2, 10."""
    for ratio, beta in ((1.0, 0.1406), (2.0, 0.229), (10.0, 0.312)):
        section = SpatialSection.rectangle(0.01, 0.01 * ratio, E=2.0, G=1.0, rho=1.0)
        assert section.stiffness[3][3] == pytest.approx(beta * ratio * 1e-8, rel=2e-3)


def test_a_planar_load_gives_the_beam_of_the_plane():
    """Both interpolations differ, by turns against Euler parameters, and the difference falls with the mesh."""
    flat = gd.Mechanism("flat")
    beam = flat.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=Section(1e4, 5e3, 1.5, 1.0, 1e-6), elements=12)
    flat.rigid("root", journal=beam, bearing=flat.ground, at=(0.0, 0.0))
    flat.force(beam, (0.3, 1.0), at=(1.0, 0.0))
    section = SpatialSection((1e4, 5e3, 5e3, 0.8, 1.0, 1.5), (1.0, 1.0, 1.0, 2e-6, 1e-6, 1e-6))
    m, beam, end = cantilever(section, elements=12, up=(0.0, 1.0, 0.0))
    m.force(beam, (0.3, 1.0, 0.0), at=end)
    one, other = equilibrium(flat), equilibrium(m)
    assert tip(other)[2] == 0.0
    assert tip(other)[:2] == pytest.approx([one["beam.100.x"], one["beam.100.y"]], abs=1e-9)
    assert other["beam.0.moment_z"] == pytest.approx(one["beam.0.moment"], rel=1e-6)
