"""Film laws that fill a sleeve as a whole: two bodies in random motion, pushed at both ends of the sleeve."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from film_pair import GAP, balanced, fill, still_where_nothing_moves, total
from spatial_pair import SIZES, Pairing
from test_spatial_films import PAIR, SHORT, WALL

from gudgeon.assemble.contact.films import Film, fill_film, held_in
from gudgeon.compile.native.scalar import opaque
from gudgeon.laws import FilmLaw
from gudgeon.model import Lubricated
from gudgeon.space.mate import FilmGap, Sizes
from gudgeon.space.spatial.sleeve import Sleeve

WHOLE = [law for law in FilmLaw.registry.values() if "gudgeon" in law.__module__ and law.whole]
every_law = pytest.mark.parametrize("law", WHOLE)
every_size = pytest.mark.parametrize("sizes", [SIZES, SHORT], ids=["sleeve", "short"])
PARTS = (0.0, 1.0, 2.0, 3.0)  # front along x and y, rear along x and y
BLOCKS = {law: list(law(0.05).pack(PAIR).values()) for law in WHOLE}


def filled(law: type[FilmLaw], seed: int, sizes: Sizes = SIZES, lean: float = 0.0025,
           **fit: object) -> tuple[Pairing, Film, list[FilmGap]]:  # fmt: skip
    """A sleeve whose journal is a little off and tilted, but nowhere at the wall."""
    pairing = Pairing([seed, 77], reach=lean, width=1e-4)
    gaps = Sleeve.ends(pairing.i, pairing.j, sizes)
    return pairing, fill(pairing, gaps, law(0.05), PAIR, **fit), gaps


def test_there_is_one():
    assert WHOLE


@every_law
@every_size
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shear", [True, False])
def test_forces_and_moments_cancel_and_their_power_is_the_recorded_loss(law, seed, sizes, shear):
    pairing, film, _ = filled(law, seed, sizes, shear=shear)
    balanced(pairing, film)


@every_law
@every_size
def test_with_shear_it_never_adds_energy(law, sizes):
    for seed in range(10):
        for fit in ({}, {"wall": WALL, "minimum_film": 5e-4}):
            pairing, film, gaps = filled(law, 50 + seed, sizes, **fit)
            pressed = [-(x * gap.squeeze + y * gap.sweep) for (x, y), gap in zip(film.strips, gaps, strict=True)]
            loss, *parts = pairing.numbers([film.loss, *pressed])
            assert loss > sum(parts) > 0.0


@every_law
def test_at_any_place_and_velocity_it_never_adds_energy(law):
    """Also where one end comes and the other leaves, and at eccentricities up to 0.999."""
    random, p = np.random.default_rng(5), BLOCKS[law]
    for _ in range(400):
        ratios, angles = 1.0 - 10.0 ** random.uniform(-3.0, 0.0, 2), random.uniform(0.0, 2.0 * math.pi, 2)
        places = [f(x) * r for r, x in zip(ratios, angles, strict=True) for f in (math.cos, math.sin)]
        velocities = random.normal(size=4) * np.repeat([1.0, 10.0 ** random.uniform(-2.0, 2.0)], 2)
        pushes = [law.at_end(part, *places, *velocities, p) for part in PARTS]
        assert np.isfinite(pushes).all()
        size = np.abs(np.multiply(pushes, velocities)).sum()
        assert np.dot(pushes, velocities) <= 1e-15 * size
        assert law.crest(*places, *velocities, p) >= 0.0


@every_law
@every_size
def test_bodies_that_move_as_one_feel_nothing(law, sizes):
    pairing, film, _ = filled(law, 4, sizes)
    still_where_nothing_moves(pairing, film)


@every_law
def test_without_tilt_it_is_the_law_of_the_plane(law):
    p = BLOCKS[law]
    for ratio, turned, squeeze, sweep in ((0.3, 0.4, 1.0, -0.2), (0.9, -2.0, -0.3, 0.7), (0.0, 0.0, 0.5, 0.1)):
        c, s = math.cos(turned), math.sin(turned)
        place, velocity = (ratio * c, ratio * s), (squeeze * c - sweep * s, squeeze * s + sweep * c)
        radial, tangential = law.radial(ratio, squeeze, sweep, p), law.tangential(ratio, squeeze, sweep, p)
        expected = radial * c - tangential * s, radial * s + tangential * c
        both = (*place, *place, *velocity, *velocity, p)
        size = 1e-12 * math.hypot(radial, tangential)
        front_x, front_y, rear_x, rear_y = (law.at_end(part, *both) for part in PARTS)
        assert (2.0 * front_x, 2.0 * front_y) == pytest.approx(expected, abs=size)
        assert (rear_x, rear_y) == pytest.approx((front_x, front_y), abs=size)
        assert law.crest(*both) == pytest.approx(law.pressure(ratio, squeeze, sweep, p), rel=1e-10)
        assert law.drag(*place, *place, p) == pytest.approx(law.couple(ratio, squeeze, sweep, p), rel=1e-12)


@every_law
def test_front_and_rear_can_be_exchanged(law):
    p = BLOCKS[law]
    front, rear, ahead, behind = (0.5, 0.2), (-0.1, 0.6), (0.3, -0.8), (0.1, 0.4)
    here, there = (*front, *rear, *ahead, *behind, p), (*rear, *front, *behind, *ahead, p)
    for part, other in ((0.0, 2.0), (1.0, 3.0)):
        assert law.at_end(part, *here) == pytest.approx(law.at_end(other, *there), rel=1e-3)  # points lie otherwise
    assert law.crest(*here) == pytest.approx(law.crest(*there), rel=1e-10)


@every_law
def test_outside_the_bearing_there_is_no_film(law):
    p = BLOCKS[law]
    outside = (1.0, 0.1, 0.2, 0.0, 1.0, 0.0, 1.0, 0.0, p)
    assert all(math.isnan(law.at_end(part, *outside)) for part in PARTS) and math.isnan(law.crest(*outside))
    assert math.isnan(law.drag(1.2, 0.1, 1.2, 0.0, p))
    assert law.at_end(0.0, 0.5, 0.1, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, p) == 0.0


@every_law
@pytest.mark.parametrize("part", PARTS)
def test_partials_equal_differences(law, part):
    p, partials = BLOCKS[law], opaque(law.at_end, 9).partials
    arguments = (part, 0.45, 0.2, -0.1, 0.5, 0.3, -0.8, 0.1, 0.4)
    for k in (1, 4, 5, 8):

        def along(h, k=k):
            return law.at_end(*(x + h * (i == k) for i, x in enumerate(arguments)), p)

        h = 1e-3
        wide = sum(w * (along(n * h) - along(-n * h)) for n, w in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))) / h
        assert partials[k].function(*arguments, p) == pytest.approx(wide, rel=1e-6)


def test_a_centred_film_has_finite_forces():
    pairing = Pairing([2], reach=0.0, width=0.0)
    gaps = Sleeve.ends(pairing.i, pairing.j, SIZES)
    part = Lubricated(GAP, film=WHOLE[0](0.05))
    film = fill_film(pairing.equations, pairing.parameters, "j", gaps, part, PAIR,
                     pairing.parameters.number("j.radial_clearance", GAP), None)  # fmt: skip
    assert np.isfinite(total(pairing, film)).all()
    assert pairing.numbers([film.thickness])[0] == pytest.approx(GAP, abs=1e-15)


def test_the_thinner_end_is_reported():
    pairing, film, gaps = filled(WHOLE[0], 1)
    thickness, *offsets = pairing.numbers([film.thickness, *(gap.offset for gap in gaps)])
    assert thickness == pytest.approx(GAP - max(offsets), rel=1e-12)
    # the strips of the same sleeve lie between its ends
    inner = pairing.numbers([gap.offset for gap in Sleeve.film(pairing.i, pairing.j, dataclasses.replace(SIZES))])
    assert max(inner) < max(offsets)


def test_behind_a_minimum_film_the_offset_is_held_in():
    assert held_in(0.5, 1.0, 0.2) == 1.0
    assert held_in(0.0, 1.0, 0.2) == 1.0
    for offset in (0.8, 0.9, 1.0, 1.5):
        assert 0.8 <= offset * held_in(offset, 1.0, 0.2) <= 0.9
