"""Every film law in a sleeve of space: two bodies in random motion, strip by strip."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from film_pair import GAP, balanced, fill, still_where_nothing_moves, total
from spatial_pair import SIZES, Pairing, bodies

from gudgeon.assemble.contact.films import Film, fill_film
from gudgeon.laws import FilmLaw, Hertz, Moes, Pair
from gudgeon.laws.film.base import tilt_reach
from gudgeon.model import Lubricated
from gudgeon.space.mate import FilmGap, Sizes
from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.sleeve import Sleeve

WALL = Hertz(stiffness=1e9)
SHORT = dataclasses.replace(SIZES, short=True, length=0.02)
PAIR = Pair(0.012, 0.012 - GAP, 0.04, "j")

SLEEVED = [law for law in FilmLaw.registry.values() if "gudgeon" in law.__module__ and law.shape == "cylinder"]
every_law = pytest.mark.parametrize("law", SLEEVED)
every_seed = pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 2))])
every_size = pytest.mark.parametrize("sizes", [SIZES, SHORT], ids=["sleeve", "short"])


def filled(law: type[FilmLaw], seed: int, sizes: Sizes = SIZES, reach: float = 0.7, lean: float = 0.004,
           **fit: object) -> tuple[Pairing, Film, list[FilmGap]]:  # fmt: skip
    """A sleeve whose journal is a little off and tilted, but nowhere at the wall."""
    pairing = Pairing([seed, 77], reach=lean, width=1e-4)
    gaps = Sleeve.film(pairing.i, pairing.j, dataclasses.replace(sizes, reach=reach))
    return pairing, fill(pairing, gaps, law(0.05), PAIR, **fit), gaps


@every_law
@every_seed
@every_size
@pytest.mark.parametrize("shear", [True, False])
def test_forces_and_moments_cancel_and_their_power_is_the_recorded_loss(law, seed, sizes, shear):
    pairing, film, _ = filled(law, seed, sizes, shear=shear)
    balanced(pairing, film)


@every_law
@every_size
@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 10), marks=pytest.mark.slow)], ids=["few", "more"])
def test_with_shear_a_film_never_adds_energy(law, sizes, seeds):
    for seed in seeds:
        for fit in ({}, {"wall": WALL, "minimum_film": 5e-4}):
            pairing, film, gaps = filled(law, 50 + seed, sizes, **fit)
            pressed = [
                -(radial * gap.squeeze + tangential * gap.sweep)
                for (radial, tangential), gap in zip(film.strips, gaps, strict=True)
            ]
            loss, *parts = pairing.numbers([film.loss, *pressed])
            assert min(parts) > 0.0
            assert loss > sum(parts)


@every_law
@every_size
def test_bodies_that_move_as_one_feel_nothing(law, sizes):
    pairing, film, _ = filled(law, 4, sizes)
    still_where_nothing_moves(pairing, film)


def test_a_centred_film_has_finite_forces():
    pairing = Pairing([2], reach=0.0, width=0.0)
    gaps = Sleeve.film(pairing.i, pairing.j, SIZES)
    part = Lubricated(GAP, film=Moes(0.05))
    film = fill_film(pairing.equations, pairing.parameters, "j", gaps, part, PAIR,
                     pairing.parameters.number("j.radial_clearance", GAP), None)  # fmt: skip
    assert np.isfinite(total(pairing, film)).all()
    assert pairing.numbers([film.thickness])[0] == pytest.approx(GAP, abs=1e-15)


def test_the_thinnest_strip_is_reported():
    pairing, film, gaps = filled(Moes, 1)
    thickness, *offsets = pairing.numbers([film.thickness, *(gap.offset for gap in gaps)])
    assert thickness == pytest.approx(GAP - max(offsets), rel=1e-12)
    assert max(offsets) > 1.05 * min(offsets)


# Reynolds' equation in a centred gap, P'' - P/r^2 = -12 mu v(z)/c^3, on a fine grid: nothing in common with the formula
@pytest.mark.parametrize("slenderness", [0.01, 0.1, 0.5, 1.0, 3.0])
def test_how_far_a_film_reaches_against_tilt(slenderness):
    n, length = 4000, 2.0 * slenderness
    z = np.linspace(-length / 2, length / 2, n + 1)
    inner, step = z[1:-1], length / n
    main, side = np.full(n - 1, 2.0 / step**2 + 1.0), np.full(n - 2, -1.0 / step**2)
    found = []
    for v in (np.ones(n - 1), inner):
        p = solve_tridiagonal(main, side, v)
        found.append(float(p @ (np.ones(n - 1) if v is not inner else inner)) * step)
    expected = found[1] / found[0]
    assert (tilt_reach(slenderness) * length) ** 2 / 12.0 == pytest.approx(expected, rel=1e-5)


def solve_tridiagonal(main: np.ndarray, side: np.ndarray, right: np.ndarray) -> np.ndarray:
    from scipy.linalg import solve_banded

    band = np.zeros((3, len(main)))
    band[0, 1:], band[1], band[2, :-1] = side, main, side
    return solve_banded((1, 1), band, right)


def test_the_reach_goes_from_short_to_long():
    assert tilt_reach(1e-6) ** 2 == pytest.approx(0.2, rel=1e-9)
    assert tilt_reach(0.0299999) == pytest.approx(tilt_reach(0.0300001), rel=1e-6)
    assert (np.diff([tilt_reach(x) for x in np.geomspace(1e-3, 1e3, 50)]) > 0.0).all()
    assert tilt_reach(1e6) == pytest.approx(1.0, rel=1e-5)


@every_law
def test_a_tilt_rate_meets_the_couple_of_the_reach(law):
    """A centred journal that starts to tilt: couple against force of a shift, as (reach l)^2 (1 - 1/n^2) / 12."""
    strips, reach = 16, 0.6
    sizes = dataclasses.replace(SIZES, strips=strips)
    pairing, film, _ = filled(law, 0, sizes, reach, shear=False)
    pairing.q = Pairing([2], reach=0.0, width=0.0).q
    # about the journal's own middle, whose velocity is nothing
    i, _ = [float(x) for x in pairing.q[:3]], None
    shift, tilt = np.zeros(12), np.zeros(12)
    h = pairing.numbers([*pairing.i.h])
    shift[:3] = 1e-3 * h
    arm = pairing.numbers([*pairing.i.point]) - np.array(i)
    about = pairing.numbers([*pairing.i.t])
    tilt[:3] = -np.cross(about, arm)
    tilt[3:6] = [*bodies(list(pairing.q), [0.0] * 12)[0].frame.rotation.back(Vector(*about))]
    pairing.v = shift
    force = np.linalg.norm(total(pairing, film)[:3])
    pairing.v = tilt
    generalised = total(pairing, film)
    couple = -generalised @ tilt
    expected = force / 1e-3 * (reach * SIZES.length) ** 2 / 12.0 * (1.0 - 1.0 / strips**2)
    assert couple == pytest.approx(expected, rel=1e-6)
    assert math.isfinite(couple)
