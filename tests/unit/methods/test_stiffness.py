"""Films that an explicit method would crawl through are marched by an implicit one, unless a method is named."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.methods.march.stiffness import CRAWL, REACH, crawls, fastest_rate

RADIUS, LENGTH, MASS = 0.01, 0.01, 2.0


def shaft(clearance, viscosity):
    m = gd.Mechanism("shaft", start="given")
    body = m.body("shaft", mass=MASS, inertia=1e-3, at=(0, 0), spin=10.0)
    film = gd.Lubricated(clearance, film=gd.Ocvirk(viscosity), shear=False)
    m.revolute("bore", journal=body, bearing=m.ground, at=(0, 0), radius=RADIUS, length=LENGTH, fit=film)
    m.force(body, (0.0, -1.0))
    return m


def rate_of(clearance, viscosity):
    """Of a centred short bearing, Ocvirk's positive half of the film: its damping is pi mu R L^3 / (2 c^3)."""
    return np.pi * viscosity * RADIUS * LENGTH**3 / (2.0 * clearance**3) / MASS


def test_the_rate_of_a_centred_film_is_its_damping_by_the_mass():
    system = assemble(shaft(1e-4, 0.1))
    found = fastest_rate(system, system.y0, np.zeros(system.memory))
    assert found == pytest.approx(rate_of(1e-4, 0.1), rel=1e-3)


def test_only_films_with_many_steps_crawl():
    system = assemble(shaft(1e-4, 0.1))
    empty = np.zeros(system.memory)
    limit = CRAWL * REACH / rate_of(1e-4, 0.1)
    assert crawls(system, system.y0, empty, 0.9 * limit) == ""
    assert '"bore"' in crawls(system, system.y0, empty, 1.1 * limit)
    dry = shaft(1e-4, 0.1).refit(bore=gd.Clearance(1e-4, wall=gd.Hertz()))
    assert crawls(assemble(dry), system.y0, empty, 1.1 * limit) == ""


def test_a_stiff_film_is_marched_by_radau_unless_a_method_is_named():
    stiff = shaft(2e-5, 0.4)
    span = 2.0 * CRAWL * REACH / rate_of(2e-5, 0.4)
    run = gd.simulate(stiff, duration=span, progress=False)
    assert run.evidence.steps < CRAWL / 100
    assert any("radau was chosen" in note for note in run.evidence.notes)
    named = gd.simulate(stiff, duration=span / 20, method="dopri5", progress=False)
    assert named.evidence.steps > CRAWL / 20
    assert not any("radau" in note for note in named.evidence.notes)
    by_itself = gd.simulate(stiff, duration=span / 20, method="radau", progress=False)
    assert named["shaft.y"][-1] == pytest.approx(by_itself["shaft.y"][-1], rel=1e-6)
