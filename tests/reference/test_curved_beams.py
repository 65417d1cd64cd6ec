"""Beams that are built bent, against closed forms: arcs under load, a ring that vibrates, the 45 degree bend."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis import equilibrium, modes
from gudgeon.model import Section, SpatialSection
from gudgeon.quantity import GudgeonError

SLENDER = Section(EA=1e6, GA=1e6, EI=1.0, mass=1.0, inertia=1e-6)
QUARTER = 0.5 * math.pi


def quarter(**options) -> gd.Mechanism:
    """A quarter of the unit circle, held where it runs along x; it ends at (1, 1), upward."""
    m = gd.Mechanism("quarter circle")
    given = {"sweep": QUARTER, "elements": 4, **options}
    beam = m.beam("arc", a=(0.0, 0.0), b=(1.0, 1.0), section=SLENDER, **given)
    m.rigid("root", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    return m


def on_circle(*angles) -> tuple[tuple[float, float], ...]:
    return tuple((math.sin(x), 1.0 - math.cos(x)) for x in angles)


@pytest.mark.parametrize("options", [{}, {"sweep": 0.0, "through": on_circle(*np.linspace(0.0, QUARTER, 40)[1:-1])}],
                         ids=["sweep", "through"])  # fmt: skip
def test_a_bent_beam_is_built_without_forces(options):
    found = equilibrium(quarter(**options))
    for station in (0, 25, 50, 75, 100):
        assert abs(found[f"arc.{station}.moment"]) < 1e-12
        assert abs(found[f"arc.{station}.normal_force"]) < 1e-7
    assert (found["arc.100.x"], found["arc.100.y"]) == pytest.approx((1.0, 1.0), abs=1e-12)
    assert found["arc.100.angle"] == pytest.approx(QUARTER, abs=3e-5)
    assert (found["arc.x"], found["arc.y"]) == pytest.approx((2.0 / math.pi, 1.0 - 2.0 / math.pi), abs=1e-7)


def test_a_small_load_bends_the_arc_as_castigliano_says():
    m, load = quarter(), 1e-5
    m.force("arc", (0.0, -load), at=(1.0, 1.0))
    found = equilibrium(m)
    # M = F R (1 - sin): its work over the arc, without what stretch and shear add (1e-6)
    assert 1.0 - found["arc.100.y"] == pytest.approx(load * (0.75 * math.pi - 2.0), rel=1e-4)
    assert found["arc.100.x"] - 1.0 == pytest.approx(load * 0.5, rel=1e-4)
    assert found["arc.0.moment"] == pytest.approx(-load, rel=1e-3)
    assert found["root.moment"] == pytest.approx(load, rel=1e-3)


def test_a_moment_straightens_the_arc():
    """EI / R takes the whole curvature away; the error is that of the mesh as built."""
    errors = []
    for elements in (2, 4, 8):
        m = quarter(elements=elements)
        m.torque("arc", -1.0, at=(1.0, 1.0))
        found = equilibrium(m)
        assert found["arc.100.angle"] == pytest.approx(0.0, abs=1e-9)
        assert found["arc.50.moment"] == pytest.approx(-1.0, abs=1e-9)
        errors.append(math.hypot(found["arc.100.x"] - QUARTER, found["arc.100.y"]))
    assert errors[2] < 5e-7
    assert math.log2(errors[0] / errors[1]) > 3.5 and math.log2(errors[1] / errors[2]) > 3.5


def test_a_ring_vibrates_in_its_plane_at_known_frequencies():
    """Without stretch: w^2 = n^2 (n^2 - 1)^2 / (n^2 + 1) EI / (m R^4), n = 2, 3, 4 waves, twice each (Hoppe 1871)."""
    m = gd.Mechanism("ring")
    upper = m.beam("upper", a=(1.0, 0.0), b=(-1.0, 0.0), section=SLENDER, sweep=math.pi, elements=8)
    lower = m.beam("lower", a=(-1.0, 0.0), b=(1.0, 0.0), section=SLENDER, sweep=math.pi, elements=8)
    for name, x in (("left", -1.0), ("right", 1.0)):
        m.rigid(name, journal=upper, bearing=lower, at=(x, 0.0))
    found = modes(m, at="start")
    slow = [mode for mode in found.modes if 2.0 * math.pi * mode.frequency < 1e-3]
    assert len(slow) == 3
    exact = [math.sqrt(n * n * (n * n - 1) ** 2 / (n * n + 1)) for n in (2, 2, 3, 3, 4, 4)]
    assert [2.0 * math.pi * mode.frequency for mode in found.modes[3:9]] == pytest.approx(exact, rel=5e-4)


def test_a_bent_beam_falls_as_the_rigid_body_of_its_shape():
    runs = []
    for flexible in (True, False):
        m = gd.Mechanism("swing", gravity=(0.0, -9.81))
        stiff = Section(EA=1e9, GA=1e9, EI=1e7, mass=2.0, inertia=1e-3)
        hook = m.beam("hook", a=(0.0, 0.0), b=(0.6, 0.2), section=stiff, sweep="-120 deg", elements=2, spin=1.0)
        m.revolute("pin", journal=hook, bearing=m.ground, at=(0.0, 0.0))
        m.spring("spring", hook, m.ground, at_i=(0.6, 0.2), at_j=(1.0, 0.5), stiffness=50.0, damping=0.5)
        runs.append(gd.simulate(m if flexible else m.stiffened(), duration=0.5, rtol=1e-8, output=5e-3))
    bent, rigid = runs
    for channel in ("hook.x", "hook.y", "hook.angle", "pin.travel"):
        assert bent[channel] == pytest.approx(rigid[channel], abs=2e-4 * np.ptp(rigid[channel])), channel
    # it starts without strains, which the forces must bring about first
    assert bent["pin.force"][2:] == pytest.approx(rigid["pin.force"][2:], abs=0.02 * rigid["pin.force"].max())
    assert np.ptp(bent["energy.balance"]) < 2e-5 * rigid["energy.kinetic"].max()


# -- space --------------------------------------------------------------------------------------------------------

BEND = SpatialSection((1e7, 5e6, 5e6, 5e6 * 0.1406, 1e7 / 12, 1e7 / 12), (1, 1, 1, 1 / 6, 1 / 12, 1 / 12))
# the tip of the same rod by shooting, in test_spatial_beam_solutions
EXACT = (46.89218885, 15.5579244, 53.60723239)


def bend(elements: int, order: int, **options) -> gd.Mechanism:
    m, end = gd.Mechanism("bend", planar=False), (100 * math.sin(math.pi / 4), 100 * (1 - math.cos(math.pi / 4)), 0.0)
    given = {"sweep": math.pi / 4, "up": (0, 1, 0), **options}
    beam = m.beam("bend", a=(0, 0, 0), b=end, section=BEND, elements=elements, order=order, **given)
    m.rigid("root", journal=beam, bearing=m.ground, at=(0, 0, 0))
    m.force(beam, (0.0, 0.0, 600.0), at=end)
    return m


def tip(found) -> np.ndarray:
    return np.array([found[f"bend.100.{axis}"] for axis in "xyz"])


@pytest.mark.parametrize("order", [*(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2)), 3])
def test_the_45_degree_bend_of_curved_elements(order):
    """Bathe and Bolourchi 1979 published (47.2, 15.9, 53.4), Simo and Vu-Quoc 1986 (47.23, 15.79, 53.37) for eight
    straight elements; curved ones converge to the rod with twice their order."""
    errors = [np.abs(tip(equilibrium(bend(n, order))) - EXACT).max() for n in (2, 4)]
    assert math.log2(errors[0] / errors[1]) > 2 * order - 0.7
    if order == 3:
        assert errors[1] < 5e-4
        assert tip(equilibrium(bend(2, 3))) == pytest.approx((47.2, 15.9, 53.4), rel=0.025)


def test_the_45_degree_bend_through_points():
    places = [(100 * math.sin(x), 100 * (1 - math.cos(x)), 0.0) for x in np.linspace(0.0, math.pi / 4, 21)[1:-1]]
    through, swept = equilibrium(bend(4, 3, sweep=0.0, through=places)), equilibrium(bend(4, 3))
    assert tip(through) == pytest.approx(tip(swept), abs=2e-4)


PITCH, TURNS = 0.2, 1.5  # [m/rad], of a helix of radius 1


def helix(x: float) -> np.ndarray:
    return np.array([math.cos(x), math.sin(x), PITCH * x])


def compliance(torsion: float, bending: float) -> np.ndarray:
    """Displacement and turn of a helix's end by force and moment there, by Castigliano's theorem on the exact line."""
    found, (x, w) = np.zeros((6, 6)), np.polynomial.legendre.leggauss(200)
    end, total = helix(2.0 * math.pi * TURNS), 2.0 * math.pi * TURNS
    for angle, weight in zip(0.5 * total * (x + 1.0), 0.5 * total * w, strict=True):
        tangent = np.array([-math.sin(angle), math.cos(angle), PITCH]) / math.hypot(1.0, PITCH)
        dx, dy, dz = end - helix(angle)
        moment = np.hstack([np.array([[0.0, -dz, dy], [dz, 0.0, -dx], [-dy, dx, 0.0]]), np.eye(3)])
        soft = np.eye(3) / bending + np.outer(tangent, tangent) * (1.0 / torsion - 1.0 / bending)
        found += weight * math.hypot(1.0, PITCH) * moment.T @ soft @ moment
    return found


def test_a_helix_is_built_without_forces_and_gives_way_as_castigliano_says():
    bending, torsion, load = 1.0, 0.77, np.array([1e-5, 2e-5, 3e-5])
    section = SpatialSection((1e7, 1e7, 1e7, torsion, bending, bending), (1.0, 1.0, 1.0, 2e-6, 1e-6, 1e-6))
    points = [tuple(helix(x)) for x in np.linspace(0.0, 2.0 * math.pi * TURNS, 61)]
    m = gd.Mechanism("helix", planar=False)
    wire = m.beam("bend", a=points[0], b=points[-1], through=points[1:-1], section=section, elements=10, up=(1, 0, 0))
    m.rigid("root", journal=wire, bearing=m.ground, at=points[0])
    rest = equilibrium(m)
    assert max(abs(rest[f"bend.{s}.{name}"]) for s in (0, 50, 100) for name in ("moment_y", "torsion")) < 1e-9
    m.force(wire, tuple(load), at=points[-1])
    expected = compliance(torsion, bending)[:3, :3] @ load
    assert tip(equilibrium(m)) - tip(rest) == pytest.approx(expected, abs=2e-3 * np.abs(expected).max())


# -- descriptions -------------------------------------------------------------------------------------------------


def test_bent_beams_go_through_files(tmp_path):
    for m in (quarter(), quarter(sweep=0.0, through=((0.4, 0.2), (0.8, 0.5))), bend(2, 3),
              bend(2, 3, sweep=0.0, through=((30.0, 10.0, 1.0),))):  # fmt: skip
        path = tmp_path / "bent.yaml"
        m.to_file(path)
        assert gd.Mechanism.from_file(path).beams == m.beams


@pytest.mark.parametrize("options, told", [
    ({"sweep": "360 deg"}, "closes the circle"),
    ({"sweep": 1.0, "through": ((0.5, 0.1),)}, "leave one of them out"),
    ({"sweep": 0.0, "through": ((0.5, 0.1), (0.5, 0.1))}, "coincide"),
])  # fmt: skip
def test_what_cannot_be_built_is_refused(options, told):
    with pytest.raises(GudgeonError, match=told):
        quarter(**options)


def test_what_bent_beams_do_not_do_is_refused():
    m = quarter()
    bead = m.body("bead", mass=1.0, inertia=1.0, at=(0.0, 0.0))
    with pytest.raises(GudgeonError, match="is curved"):
        m.sliding("eye", journal=bead, bearing="arc", at=(0.0, 0.0))
