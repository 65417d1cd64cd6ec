"""What every film of two bodies in space must keep to, whatever gap it fills."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from spatial_pair import Pairing, bodies

from gudgeon.assemble.contact.films import Film, fill_film
from gudgeon.laws import FilmLaw, Pair
from gudgeon.model import Lubricated
from gudgeon.space.mate import FilmGap
from gudgeon.space.spatial import Vector

GAP = 7e-4
VELOCITY, SPIN = np.array([0.7, -1.2, 0.4]), np.array([4.0, -1.0, 2.0])


def fill(pairing: Pairing, gaps: Sequence[FilmGap], law: FilmLaw, pair: Pair, **fit: object) -> Film:
    """The film of a law in these gaps of a pair."""
    number, part = pairing.parameters.number, Lubricated(GAP, film=law, **fit)
    minimum = None if part.least_film is None else number("j.minimum_film", part.least_film)
    clearance = number("j.radial_clearance", GAP)
    return fill_film(pairing.equations, pairing.parameters, "j", list(gaps), part, pair, clearance, minimum)


def total(pairing: Pairing, film: Film) -> np.ndarray:
    return sum((pairing.row(force) for force in film.forces), np.zeros(12))


def move_as_one(pairing: Pairing, velocity: np.ndarray = VELOCITY, spin: np.ndarray = SPIN) -> np.ndarray:
    """Velocities of both bodies that turn about the world's origin as one."""
    v = np.zeros(12)
    for k, body in enumerate(bodies([float(x) for x in pairing.q], [0.0] * 12)):
        origin = np.array([float(x) for x in body.frame.origin])
        v[6 * k : 6 * k + 3] = velocity + np.cross(spin, origin)
        v[6 * k + 3 : 6 * k + 6] = [*body.frame.rotation.back(Vector(*spin))]
    return v


def balanced(pairing: Pairing, film: Film) -> None:
    """Forces and moments cancel, and their power is the recorded loss."""
    force, (loss,) = total(pairing, film), pairing.numbers([film.loss])
    scale = np.abs(force).max()
    assert scale > 1e-2
    push, moment = pairing.resultant(force)
    assert push == pytest.approx(np.zeros(3), abs=1e-12 * scale)
    assert moment == pytest.approx(np.zeros(3), abs=1e-12 * scale)
    assert force @ pairing.v == pytest.approx(-loss, rel=1e-9, abs=1e-12 * scale)


def still_where_nothing_moves(pairing: Pairing, film: Film) -> None:
    """Bodies that move as one feel nothing."""
    before = np.abs(total(pairing, film)).max()
    pairing.v = move_as_one(pairing)
    assert np.abs(total(pairing, film)).max() < 1e-10 * before
