"""Films, bristles and hard walls on ball and sleeve: what moves in a plane moves as the pin of the plane does."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.laws import Misaligned

GAP = 2e-4
WALL = gd.LankaraniNikravesh(gd.STEEL, restitution=0.8)
RUBBING = gd.ModifiedCoulomb(0.1)
BODIES = {  # mass, inertia, place, velocity, spin
    "shaft": (0.4, 3e-4, (0.1, 0.02), (0.6, -0.3), 90.0),
    "ring": (0.7, 9e-4, (-0.1, 0.0), (0.5, 0.2), -20.0),
}
POINTS = {"journal_point": (-0.1, -0.02), "bearing_point": (0.1 + 0.3 * GAP, 0.0)}
SIDES = {"journal": "shaft", "bearing": "ring"}
WAYS = [("cylindrical", 1), ("cylindrical", 3), ("spherical", 1)]

films = pytest.mark.parametrize(
    "fit",
    [
        gd.Lubricated(GAP, film=gd.Moes("60 cP")),
        gd.Lubricated(GAP, film=gd.Ocvirk("60 cP"), shear=False),
        gd.Lubricated(GAP, film=gd.Moes("60 cP"), wall=WALL, minimum_film=0.6 * GAP, friction=gd.ModifiedCoulomb(0.1)),
        gd.Lubricated(GAP, film=Misaligned("60 cP")),
        gd.Lubricated(
            GAP, film=Misaligned("60 cP"), wall=WALL, minimum_film=0.6 * GAP, friction=gd.ModifiedCoulomb(0.1)
        ),
    ],
    ids=["Moes", "Ocvirk without shear", "with wall", "Misaligned", "Misaligned with wall"],
)


def flat(fit: gd.Lubricated | gd.Clearance) -> gd.Mechanism:
    """Two bodies in the air, joined by nothing but the fit."""
    m = gd.Mechanism("pair", start="given")
    for name, (mass, inertia, at, velocity, spin) in BODIES.items():
        m.body(name, mass=mass, inertia=inertia, at=at, velocity=velocity, spin=spin)
    m.revolute("j", **SIDES, **POINTS, radius="8 mm", length="12 mm", fit=fit)
    return m


def space(kind: str, fit: gd.Lubricated | gd.Clearance, strips: int = 1, tilt: float = 0.0) -> gd.Mechanism:
    """The same in space, where `tilt` [rad/s] leaves the plane."""
    m = gd.Mechanism("pair", planar=False, start="given")
    for name, (mass, inertia, at, velocity, spin) in BODIES.items():
        m.body(name, mass=mass, inertia=(inertia,) * 3, at=(*at, 0.0), velocity=(*velocity, 0.0),
               spin=(tilt if name == "shaft" else 0.0, 0.0, spin))  # fmt: skip
    points = {name: (*point, 0.0) for name, point in POINTS.items()}
    own = {} if kind == "spherical" else {"axis": (0, 0, 1), "strips": strips, "length": "12 mm"}
    m.joint(kind, "j", **SIDES, **points, radius="8 mm", fit=fit, **own)
    return m


def compare(plane: gd.Run, other: gd.Run, tolerance: float = 1e-9) -> None:
    assert len(plane.t) == len(other.t)
    for name in ("shaft.x", "shaft.y", "ring.x", "ring.y", "j.offset"):
        assert other[name] == pytest.approx(plane[name], abs=tolerance), name
    turn = np.unwrap(2.0 * np.arctan2(other["ring.e3"], other["ring.e0"]))
    assert turn == pytest.approx(plane["ring.angle"], abs=100 * tolerance)
    for name in ("energy.kinetic", "energy.film", "energy.friction", "energy.contact"):
        assert other[name] == pytest.approx(plane[name], abs=100 * tolerance), name
    assert max(np.abs(other[f"{body}.{x}"]).max() for body in BODIES for x in ("z", "e1", "e2")) < 1e-12


@films
def test_a_film_in_a_sleeve_without_tilt_is_the_film_of_the_plane(fit):
    options = {"duration": 0.02, "rtol": 1e-11, "output": 1e-4}
    plane = gd.simulate(flat(fit), **options)
    for strips in (1, 4):
        run = gd.simulate(space("cylindrical", fit, strips), **options)
        compare(plane, run)
        # the stiffness of the film is some 1e8 N/m: 1e-9 m between two motions are 0.1 N between their forces, and that
        # much is left open where impacts on a wall have made rounding grow
        loads = 1.0 if fit.wall is None else 1e3
        assert run["j.film_thickness"] == pytest.approx(plane["j.film_thickness"], abs=1e-9)
        for name, scale in (("film_force", 1e5), ("power_loss", 1e5), ("peak_pressure", 1e9)):
            assert run[f"j.{name}"] == pytest.approx(plane[f"j.{name}"], abs=1e-9 * scale * loads), name
        assert len(run.contacts) == strips * len(plane.contacts)
        (ours,), (theirs,) = run.evidence.films, plane.evidence.films
        assert ours.thinnest == pytest.approx(theirs.thinnest, abs=1e-9)
        assert ours.mixed == pytest.approx(theirs.mixed, abs=1e-6)


def test_with_tilt_the_strips_of_a_film_converge():
    """The error of even strips falls with the square of their number."""
    fit = gd.Lubricated(GAP, film=gd.Moes("60 cP"))
    options = {"duration": 0.01, "rtol": 1e-11, "output": 1e-4}
    runs = [gd.simulate(space("cylindrical", fit, n, tilt=0.6), **options) for n in (2, 4, 8, 16)]
    for name in ("j.tilt", "shaft.x"):
        steps = [float(np.abs(b[name] - a[name]).max()) for a, b in itertools.pairwise(runs)]
        assert 3.0 < steps[1] / steps[2] < 5.0 and steps[2] < steps[1] < steps[0], (name, steps)
    assert runs[-1]["j.tilt"].max() > 4e-3
    assert runs[-1]["j.moment"].max() > 0.01
    assert runs[-1]["energy.film"][-1] > 0.1 and runs[-1].evidence.balance < 1e-9
    # one strip in the middle knows nothing of a tilt
    single = gd.simulate(space("cylindrical", fit, 1, tilt=0.6), **options)
    assert single["j.tilt"][-1] > 1.1 * runs[-1]["j.tilt"][-1]


@functools.cache
def rubbed() -> gd.Clearance:
    bristles = gd.LuGre(0.1, static_coefficient=0.15, damping=0.1, viscous=1e-3)
    return gd.Clearance(GAP, wall=WALL, friction=bristles)


@pytest.mark.parametrize(("kind", "strips"), WAYS)
def test_bristles_of_space_bend_as_those_of_the_plane(kind, strips):
    """Through several contacts; later ones are chaotic."""
    options = {"duration": 0.005, "rtol": 1e-12, "output": 1e-5, "method": "dop853"}
    plane = gd.simulate(flat(rubbed()), **options)
    run = gd.simulate(space(kind, rubbed(), strips), **options)
    assert len(run.contacts) == strips * len(plane.contacts) >= 5 * strips
    compare(plane, run)
    assert plane["energy.friction"][-1] > 0.05


@pytest.mark.parametrize(("kind", "strips"), WAYS)
@pytest.mark.parametrize(
    ("method", "friction"),
    [("impact", None), ("impact", RUBBING), (gd.Moreau(step=1e-6), None), (gd.Moreau(step=1e-6), RUBBING)],
    ids=["impact", "impact with friction", "moreau", "moreau with friction"],
)
def test_hard_walls_of_space_strike_as_those_of_the_plane(kind, strips, method, friction):
    fit = gd.Clearance(GAP, wall=WALL, friction=friction)
    options = {"duration": 0.005, "output": 1e-4, "method": method}
    plane = gd.simulate(flat(fit), **options)
    run = gd.simulate(space(kind, fit, strips), **options)
    struck = len({round(r.t_on, 6) for r in plane.contacts})
    assert struck >= 5 and len({round(r.t_on, 6) for r in run.contacts}) >= struck
    # steps know the time of an impact to their own length only
    compare(plane, run, 1e-9 if method == "impact" else 1e-6)
    assert run.evidence.balance < 1e-9
    assert (run["energy.friction"][-1] > 1e-3) == (friction is not None)


def test_a_puck_slides_straight_and_stops():
    """Oblique to all axes, on hard walls with Coulomb's friction: v = v0 - mu g t along one line, then rest."""
    mu, g, speed, way = 0.2, 9.81, 0.3, np.array([0.8, -0.6])
    m = gd.Mechanism("table", planar=False, gravity=(0, 0, -g), start="given")
    m.body("puck", mass=0.5, inertia=(1e-4, 1e-4, 2e-4), at=(0, 0, 0), velocity=(*(speed * way), 0))
    fit = gd.Clearance("1 um", wall=gd.LankaraniNikravesh(stiffness=1e8, restitution=0.1),
                       friction=gd.ModifiedCoulomb(mu))  # fmt: skip
    m.joint("planar", "j", journal="puck", bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1), radius=0.02, strips=3,
            fit=fit)  # fmt: skip
    run = gd.simulate(m, duration=0.25, method="moreau", step=2e-5, output=1e-3)
    # the fall through the gap comes first, without friction: its loss of time is made up for by the blow that ends it
    stop = speed / (mu * g)
    velocity = np.clip(speed - mu * g * run.t, 0.0, None)
    assert run["puck.vx"] == pytest.approx(way[0] * velocity, abs=5e-4)
    assert run["puck.vy"] == pytest.approx(way[1] * velocity, abs=5e-4)
    rest = run.t > stop + 2e-3
    assert rest.any()
    for name in ("vx", "vy", "wx", "wy", "wz"):
        assert np.abs(run[f"puck.{name}"][rest]).max() < 1e-9
    assert run["energy.friction"][-1] == pytest.approx(0.25 * speed**2, rel=1e-3)
    assert run["j.lower_1.friction"][5] == pytest.approx(-mu * 0.5 * g / 3, rel=1e-6)


def swing(m: gd.Mechanism, three: bool, fit: gd.Clearance, strips: int = 1, tilt: float = 0.0) -> gd.Mechanism:
    """A shaft that falls in its bearing, bounces, and then slides to and fro at the bottom of the bore."""
    z = (0.0,) if three else ()
    at = (8e-4, 0.0, *z)
    if three:
        m.body("shaft", mass=0.4, inertia=(3e-4, 3e-4, 3e-4), at=at, spin=(tilt, 0.0, 5.0))
        m.cylindrical("j", journal="shaft", bearing=m.ground, journal_point=(0, 0, 0), bearing_point=(0, 0, 0),
                      axis=(0, 0, 1), radius="8 mm", length="12 mm", strips=strips, fit=fit)  # fmt: skip
    else:
        m.body("shaft", mass=0.4, inertia=3e-4, at=at, spin=5.0)
        m.revolute("j", journal="shaft", bearing=m.ground, journal_point=(0, 0), bearing_point=(0, 0), radius="8 mm",
                   length="12 mm", fit=fit)  # fmt: skip
    return m


def test_a_lasting_contact_goes_round_the_bore_with_the_touch():
    """The force of a contact that lasts needs the rate of the angle where the search finds the touch."""
    fit = gd.Clearance("1 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.2))
    options = {"duration": 0.1, "output": 5e-4, "method": "impact"}
    plane = gd.simulate(swing(gd.Mechanism("s", gravity=(0, -9.81), start="given"), False, fit), **options)
    run = gd.simulate(
        swing(gd.Mechanism("s", planar=False, gravity=(0, -9.81, 0), start="given"), True, fit), **options
    )
    assert plane["j.mode"][-1] == run["j.mode"][-1] == 2
    for name in ("shaft.x", "shaft.y"):
        assert run[name] == pytest.approx(plane[name], abs=1e-9)
    assert run["j.force"][-50:] == pytest.approx(plane["j.force"][-50:], rel=1e-5)
    # tilted, on three strips
    m = swing(gd.Mechanism("s", planar=False, gravity=(0, -9.81, 0), start="given"), True, fit, 3, tilt=0.4)
    tilted = gd.simulate(m, **options)
    assert tilted["j.tilt"].max() > 1e-2
    assert tilted.evidence.balance < 1e-8
    assert max(tilted[f"j.strip_{k}.depth"].max() for k in (1, 2, 3)) < 1e-10
