"""Every film law of a ball: two bodies of space in random motion."""

from __future__ import annotations

import numpy as np
import pytest
from film_pair import GAP, balanced, fill, move_as_one, still_where_nothing_moves, total
from spatial_pair import SIZES, Pairing

from gudgeon.assemble.contact.films import Film
from gudgeon.laws import FilmLaw, Hertz, Pair
from gudgeon.space.mate import FilmGap
from gudgeon.space.spatial.ball import Ball

WALL = {"wall": Hertz(stiffness=1e9), "minimum_film": 5e-4}
PAIR = Pair(0.012, 0.012 - GAP, None, "j")

LAWS = [law for law in FilmLaw.registry.values() if "gudgeon" in law.__module__ and law.shape == "sphere"]
FILMS = [law(0.05, **said) for law in LAWS for said in ({}, {"cavitation": "none"})]
every_film = pytest.mark.parametrize("law", FILMS, ids=lambda law: f"{type(law).__name__}-{law.cavitation}")
every_seed = pytest.mark.parametrize("seed", range(3))


def filled(law: FilmLaw, seed: int, width: float = 1e-4, **fit: object) -> tuple[Pairing, Film, FilmGap]:
    """A ball a little off the middle of its socket."""
    pairing = Pairing([seed, 78], reach=0.4, width=width)
    if width > 0.0:
        # turned about the centres of mass, which leaves the points apart: bring them together again
        i, j = (pairing.numbers([*place.point]) for place in (pairing.i, pairing.j))
        pairing.q[:3] += j - i + np.random.default_rng([seed, 79]).uniform(-3e-4, 3e-4, 3)
    (gap,) = Ball.film(pairing.i, pairing.j, SIZES)
    return pairing, fill(pairing, [gap], law, PAIR, **fit), gap


def test_there_is_a_law_for_balls():
    assert LAWS


@every_film
@every_seed
@pytest.mark.parametrize("shear", [True, False])
def test_forces_and_moments_cancel_and_their_power_is_the_recorded_loss(law, seed, shear):
    pairing, film, gap = filled(law, seed, shear=shear)
    ratio = pairing.numbers([gap.offset])[0] / GAP
    assert 0.05 < ratio < 0.95
    balanced(pairing, film)


@every_film
@pytest.mark.parametrize("fit", [{}, WALL], ids=["film", "wall"])
def test_with_shear_a_film_never_adds_energy(law, fit):
    for seed in range(12):
        pairing, film, gap = filled(law, 50 + seed, **fit)
        ((radial, tangential),) = film.strips
        loss, pressed = pairing.numbers([film.loss, -(radial * gap.squeeze + tangential * gap.sweep)])
        assert 0.0 < pressed < loss


@every_film
def test_bodies_that_move_as_one_feel_nothing(law):
    pairing, film, _ = filled(law, 4)
    still_where_nothing_moves(pairing, film)


@every_film
def test_an_observer_who_turns_sees_the_same_force(law):
    pairing, film, _ = filled(law, 5)
    still = pairing.numbers([*film.push])
    pairing.v = pairing.v + move_as_one(pairing, np.zeros(3), np.array([30.0, -11.0, 7.0]))
    assert pairing.numbers([*film.push]) == pytest.approx(still, rel=1e-9, abs=1e-9 * np.linalg.norm(still))


@every_film
def test_the_force_lies_in_the_plane_of_offset_and_velocity(law):
    pairing, film, gap = filled(law, 6)
    e, v, push = (pairing.numbers([*x]) for x in (gap.normal, gap.midway, film.push))
    assert abs(push @ np.cross(e, v)) < 1e-12 * np.linalg.norm(push) * np.linalg.norm(v)
    assert push @ v < 0.0


@every_film
def test_a_centred_ball_has_no_direction(law):
    pairing, film, _ = filled(law, 2, width=0.0)
    pairing.q = Pairing([2], reach=0.0, width=0.0).q
    push, midway = pairing.numbers([*film.push]), pairing.numbers([*Ball.film(pairing.i, pairing.j, SIZES)[0].midway])
    half = 0.5 if law.cavitation == "guembel" else 1.0
    size = half * 3.0 * 0.05 * PAIR.bearing_radius**4 / GAP**3 * 8.0 * np.pi / 3.0
    assert push == pytest.approx(-size * midway, rel=1e-9)
    pairing.v = np.zeros(12)
    assert total(pairing, film) == pytest.approx(np.zeros(12), abs=1e-140)
