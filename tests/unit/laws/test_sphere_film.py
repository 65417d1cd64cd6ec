"""The film of a ball against Reynolds' equation on the sphere, by differences: nothing in common with the law."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.linalg import solve_banded

import gudgeon as gd
from gudgeon.laws import Moes, Pair, Sphere

RADIUS, GAP, VISCOSITY = 0.02, 5e-5, 0.1
PAIR = Pair(RADIUS, RADIUS - GAP, None, "socket")
RATIOS = [0.0, 0.29, 0.31, 0.9, *(pytest.param(ratio, marks=pytest.mark.slow) for ratio in (1e-6, 0.1, 0.6))]
DIRECTIONS = [0.0, 0.4, 1.2, 0.5 * math.pi, 2.0, 2.8, math.pi]


def law_of(cavitation: str) -> tuple[Sphere, list[float]]:
    law = Sphere(VISCOSITY, cavitation=cavitation)
    return law, list(law.pack(PAIR).values())


@cache
def profile(ratio: float, harmonic: int, cells: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """p(phi) of div(h^3 grad p) = -12 v . n for a unit velocity along e (harmonic 0) or across it (1), in the middles
    of equal cells, by the balance of their flows. The first has a level of its own: that of the equator is 0."""
    step = math.pi / cells
    phi, edge = (np.arange(cells) + 0.5) * step, np.arange(cells + 1) * step
    flow = np.sin(edge) * (1.0 - ratio * np.cos(edge)) ** 3 / step**2
    flow[0] = flow[-1] = 0.0
    loss = harmonic * (1.0 - ratio * np.cos(phi)) ** 3 / np.sin(phi)
    band = np.zeros((3, cells))
    band[0, 1:], band[1], band[2, :-1] = -flow[1:-1], flow[:-1] + flow[1:] + loss, -flow[1:-1]
    right = 12.0 * np.sin(phi) * (np.sin(phi) if harmonic else np.cos(phi))
    if harmonic == 0:
        # one equation follows from the others
        band[1, 0], band[0, 1], right[0] = 1.0, 0.0, 0.0
    p = solve_banded((1, 1), band, right)
    return phi, p if harmonic else p - np.interp(0.5 * math.pi, phi, p)


def numerical(ratio: float, direction: float, half: bool) -> tuple[float, float, float]:
    """Radial and tangential force and peak pressure of a velocity of 1 m/s at an angle from e, in units of the law."""
    phi, along = profile(ratio, 0)
    _, across = profile(ratio, 1)
    turns = 1441 if half else 9  # a whole film goes with cos(psi), of which few points have the integral
    psi = np.linspace(0.0, math.pi, turns)
    p = math.cos(direction) * along[:, None] + math.sin(direction) * across[:, None] * np.cos(psi)
    pushing = np.maximum(p, 0.0) if half else p
    weight = np.full(turns, math.pi / (turns - 1))
    weight[[0, -1]] *= 0.5
    area = 2.0 * np.sin(phi)[:, None] * (phi[1] - phi[0]) * weight
    radial = -float((pushing * area * np.cos(phi)[:, None]).sum())
    tangential = -float((pushing * area * np.sin(phi)[:, None] * np.cos(psi)).sum())
    scale = VISCOSITY * RADIUS**2 / GAP**3
    return scale * RADIUS**2 * radial, scale * RADIUS**2 * tangential, scale * float(p.max())


@pytest.mark.parametrize("cavitation", ["guembel", "none"])
@pytest.mark.parametrize("ratio", RATIOS)
def test_reynolds_equation_on_the_sphere(ratio, cavitation):
    law, p = law_of(cavitation)
    for direction in DIRECTIONS:
        squeeze, sweep = math.cos(direction), math.sin(direction)
        radial, tangential, peak = numerical(ratio, direction, cavitation == "guembel")
        size = math.hypot(radial, tangential)
        assert law.radial(ratio, squeeze, sweep, p) == pytest.approx(radial, abs=2e-5 * size)
        assert law.tangential(ratio, squeeze, sweep, p) == pytest.approx(tangential, abs=2e-5 * size)
        assert law.pressure(ratio, squeeze, sweep, p) == pytest.approx(peak, rel=2e-5)


def test_straight_to_the_wall_is_the_known_force():
    law, p = law_of("guembel")
    scale = 6.0 * math.pi * VISCOSITY * RADIUS**4 / GAP**3
    for e in (0.35, 0.7, 0.99, 0.9999):
        known = math.log1p(-e) / e**3 + 1.0 / (e**2 * (1.0 - e)) - 0.5 / e
        assert law.radial(e, 0.3, 0.0, p) == pytest.approx(-0.3 * scale * known, rel=1e-12)
        # and back: the other half of the same film
        whole, q = law_of("none")
        halves = law.radial(e, 0.3, 0.0, p) - law.radial(e, -0.3, 0.0, p)
        assert whole.radial(e, 0.3, 0.0, q) == pytest.approx(halves, rel=1e-12)


def test_two_halves_are_the_whole():
    """The film of the opposite velocity fills the other hemisphere."""
    (half, p), (whole, q) = law_of("guembel"), law_of("none")
    for ratio in (0.0, 0.05, 0.3, 0.5, 0.999):
        for direction in np.linspace(0.0, math.pi, 9):
            v = math.cos(direction), math.sin(direction)
            for part in ("radial", "tangential"):
                here, there = (getattr(half, part)(ratio, sign * v[0], sign * v[1], p) for sign in (1.0, -1.0))
                full = getattr(whole, part)(ratio, *v, q)
                assert here - there == pytest.approx(full, rel=1e-10, abs=1e-10 * max(abs(here), abs(there)))


def test_no_seam_where_the_formulas_change():
    law, p = law_of("guembel")
    below = np.nextafter(0.3, 0.0)
    for direction in np.linspace(-3.1, 3.1, 13):
        v = math.cos(direction), math.sin(direction)
        for part in (law.radial, law.tangential, law.couple, law.swivel):
            assert part(below, *v, p) == pytest.approx(part(0.3, *v, p), rel=2e-13)


@pytest.mark.parametrize("ratio", [0.0, 0.2, 0.3, 0.7, 0.999])
def test_the_shear_is_the_integral_over_the_sphere(ratio):
    law, p = law_of("guembel")
    z, w = np.polynomial.legendre.leggauss(400)
    film = 2.0 * math.pi * VISCOSITY * RADIUS**4 / GAP * w / (1.0 - ratio * z)
    assert law.couple(ratio, 0.0, 0.0, p) == pytest.approx(float(film @ (1.0 - z * z)), rel=1e-11)
    assert law.swivel(ratio, 0.0, 0.0, p) == pytest.approx(float(film @ (0.5 * (1.0 + z * z))), rel=1e-9)


def test_what_does_not_belong_together_is_refused():
    with pytest.raises(gd.GudgeonError, match="cavitation 'reynolds' is unknown"):
        Sphere(0.1, cavitation="reynolds")
    m = gd.Mechanism("m", planar=False)
    m.body("ball", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), at=(0, 0, 0))
    sides = {"journal": "ball", "bearing": m.ground, "at": (0, 0, 0)}
    with pytest.raises(gd.GudgeonError, match=r'film Moes on contact pair "ball": .* for "sleeve"; .*from "Sphere"'):
        m.spherical("j", **sides, radius="1 cm", fit=gd.Lubricated("50 um", film=Moes(0.1)))
    with pytest.raises(gd.GudgeonError, match=r'film Sphere on contact pair "sleeve": it is made for "ball"; .*"Moes"'):
        m.revolute("j", **sides, axis=(0, 0, 1), radius="1 cm", length="1 cm",
                   fit={"sleeve": gd.Lubricated("50 um", film=Sphere(0.1)), "shoulder": gd.Ideal()})  # fmt: skip
    with pytest.raises(gd.GudgeonError, match="Sphere needs the radii"):
        m.spherical("j", **sides, fit=gd.Lubricated("50 um", film=Sphere(0.1)))
