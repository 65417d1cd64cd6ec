"""Lubricated balls in motion: what is conserved, what is lost, and closed forms of squeeze and spin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

import gudgeon as gd
from gudgeon.laws import Sphere

GAP, RADIUS = 2e-4, 0.012
WALL = gd.LankaraniNikravesh(gd.STEEL, restitution=0.8)
TOUCHING = {"wall": WALL, "minimum_film": 0.6 * GAP, "friction": gd.ModifiedCoulomb(0.1)}


def free_pair(viscosity: str = "60 cP", cavitation: str = "guembel", **fit: object) -> gd.Mechanism:
    """Two bodies in the air, joined by nothing but a film."""
    m = gd.Mechanism("free pair", planar=False, start="given")
    m.body("arm", mass=0.4, inertia=(3e-4, 4e-4, 5e-4), at=(0.1, 0.02, 0.01), velocity=(0.6, -0.3, 0.2),
           spin=(20.0, -30.0, 60.0))  # fmt: skip
    m.body("seat", mass=0.7, inertia=(9e-4, 8e-4, 7e-4), at=(-0.1, 0.0, 0.0), velocity=(0.5, 0.2, -0.1),
           spin=(-10.0, 5.0, -20.0))  # fmt: skip
    film = Sphere(viscosity, cavitation=cavitation)
    m.spherical("j", journal="arm", bearing="seat", journal_point=(-0.1, -0.02, -0.01),
                bearing_point=(0.1 + 0.3 * GAP, 0.2 * GAP, 0.0), radius=RADIUS,
                fit=gd.Lubricated(GAP, film=film, **fit))  # fmt: skip
    return m


def momentum(run: gd.Run) -> np.ndarray:
    """Linear, and about the origin, in world components."""
    total = np.zeros((6, len(run.t)))
    for body in run.mechanism.bodies.values():
        names = ("", "v", "w")
        x, v, w = (np.array([run[f"{body.name}.{name}{axis}"] for axis in "xyz"]) for name in names)
        e0, e = run[f"{body.name}.e0"], np.array([run[f"{body.name}.e{k}"] for k in (1, 2, 3)])
        # along the body's axes, then the world's
        spin = np.array(body.principal.moments)[:, None] * w
        spin = spin + 2.0 * (np.cross(e, np.cross(e, spin, axis=0), axis=0) + e0 * np.cross(e, spin, axis=0))
        total += np.concatenate([body.mass * v, body.mass * np.cross(x, v, axis=0) + spin])
    return total


@pytest.mark.parametrize("fit", [{}, {"shear": False}, {"cavitation": "none"}, TOUCHING],
                         ids=["film", "without shear", "whole", "wall"])  # fmt: skip
def test_a_free_pair_keeps_its_momentum(fit):
    run = gd.simulate(free_pair(**fit), duration=0.02, rtol=1e-10)
    p = momentum(run)
    scale = np.array([0.6] * 3 + [0.05] * 3)
    assert (np.abs(p - p[:, :1]).max(axis=1) < 1e-12 * scale).all()
    assert np.abs(run["j.force"]).max() > 10.0
    assert run.evidence.energy["film"] > 0.01
    assert run.evidence.balance < 1e-8 * run["energy.kinetic"].max()
    assert bool(run.contacts) == ("wall" in fit)
    if fit.get("shear", True):
        assert run["j.power_loss"].min() >= 0.0


def sinking(cavitation: str, **fit: object) -> gd.Mechanism:
    """A ball that its weight presses straight into its socket."""
    m = gd.Mechanism("sinking", planar=False, start="given", gravity=(0.0, 0.0, -9.81))
    m.body("ball", mass=0.5, inertia=(1e-4,) * 3, at=(0.0, 0.0, 0.0))
    m.spherical("j", journal="ball", bearing=m.ground, at=(0.0, 0.0, 0.0), radius=RADIUS,
                fit=gd.Lubricated(GAP, film=Sphere("2 Pa s", cavitation=cavitation), **fit))  # fmt: skip
    return m


@pytest.mark.parametrize("cavitation", ["guembel", "none"])
def test_a_ball_sinks_in_the_time_that_the_oil_needs(cavitation):
    """Slow enough that weight and film are always in balance: dt = k I(e) de, k = 6 pi mu r^4 / (c^2 weight)."""
    run = gd.simulate(sinking(cavitation), duration=4.0, rtol=1e-9, method="radau")
    scale = 6.0 * math.pi * 2.0 * RADIUS**4 / (GAP**2 * 0.5 * 9.81)
    low = 0.0 if cavitation == "guembel" else -1.0

    def needed(ratio: float) -> float:
        inner = lambda e: quad(lambda x: x * (2.0 - e * x) * x / (1.0 - e * x) ** 2, low, 1.0)[0]  # noqa: E731
        return scale * quad(inner, 0.0, ratio)[0]

    for row in (len(run.t) // 2, -1):
        ratio = float(run["j.eccentricity"][row])
        assert 0.2 < ratio < 0.999
        assert needed(ratio) == pytest.approx(float(run.t[row]), rel=1e-4)
    assert run["j.film_force"][-1] == pytest.approx(0.5 * 9.81, rel=1e-4)


def test_a_wall_takes_over_from_the_film():
    run = gd.simulate(sinking("guembel", wall=WALL, minimum_film=0.5 * GAP), duration=6.0, rtol=1e-8, method="radau")
    (share,) = run.evidence.films
    assert (share.law, share.mixed > 0.1) == ("Sphere", True)
    assert run["j.film_thickness"][-1] == pytest.approx(0.5 * GAP, rel=1e-2)
    assert run["j.force"][-1] == pytest.approx(0.5 * 9.81, rel=1e-6)
    assert run["j.film_force"][-1] < 1e-3 * run["j.force"][-1]


def test_shear_stops_a_centred_ball_about_any_axis():
    """I w' = -8/3 pi mu r^4 / c w."""
    m = gd.Mechanism("spindown", planar=False, start="given")
    spin = np.array([60.0, -30.0, 50.0])
    m.body("ball", mass=0.4, inertia=(2e-5,) * 3, at=(0.0, 0.0, 0.0), spin=tuple(spin))
    m.spherical("j", journal="ball", bearing=m.ground, at=(0.0, 0.0, 0.0), radius=RADIUS,
                fit=gd.Lubricated(GAP, film=Sphere("60 cP")))  # fmt: skip
    run = gd.simulate(m, duration=0.05, rtol=1e-10)
    rate = 8.0 / 3.0 * math.pi * 0.06 * RADIUS**4 / GAP / 2e-5
    found = np.array([run[f"ball.{what}"][-1] for what in ("wx", "wy", "wz")])
    assert found == pytest.approx(spin * math.exp(-rate * 0.05), rel=1e-8)
    assert run["j.power_loss"][0] == pytest.approx(2e-5 * rate * float(spin @ spin), rel=1e-12)


def test_a_turning_ball_carries_a_load_to_the_side():
    """A ball turned about z under a load along -y settles where the film of its own turning carries the load."""
    m = gd.Mechanism("carried", planar=False, start="given", gravity=(0.0, -50.0, 0.0))
    m.body("ball", mass=0.4, inertia=(2e-5,) * 3, at=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 400.0))
    m.spherical("j", journal="ball", bearing=m.ground, at=(0.0, 0.0, 0.0), radius=RADIUS,
                fit=gd.Lubricated("0.1 mm", film=Sphere("60 cP"), shear=False))  # fmt: skip
    run = gd.simulate(m, duration=1.4, rtol=1e-8, output=0.1)
    law = Sphere("60 cP")
    p = list(law.pack(m.joints["j"].pair("ball")).values())
    ratio = float(run["j.eccentricity"][-1])
    spin = float(run["ball.wz"][-1])
    radial, across = (f(ratio, 0.0, 0.5 * spin * ratio * 1e-4, p) for f in (law.radial, law.tangential))
    assert 0.05 < ratio < 0.9
    assert math.hypot(radial, across) == pytest.approx(20.0, rel=1e-3)
    assert run["j.ex"][-1] > 0.1 * ratio * 1e-4 and run["j.ey"][-1] < 0.0
    assert abs(run["j.ez"][-1]) < 1e-12


def test_the_model_file_knows_it():
    from gudgeon.model.files import dump, loads

    m = free_pair(cavitation="none")
    text = dump(m)
    assert "law: Sphere" in text
    assert loads(text).mechanism.joints["j"].fit["ball"] == m.joints["j"].fit["ball"]
