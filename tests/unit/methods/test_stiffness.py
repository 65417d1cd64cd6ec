"""Films that an explicit method would crawl through are marched by an implicit one, unless a method is named."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.methods.march.stiffness import CRAWL, REACH, fastest_rate

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


def test_a_stiff_film_is_marched_by_radau_unless_a_method_is_named():
    stiff = shaft(2e-5, 0.4)
    span = 2.0 * CRAWL * REACH / rate_of(2e-5, 0.4)
    run = gd.simulate(stiff, duration=span, progress=False)
    assert run.evidence.steps < CRAWL / 100
    assert any("radau took over" in note for note in run.evidence.notes)
    named = gd.simulate(stiff, duration=span / 20, method="dopri5", progress=False)
    assert named.evidence.steps > CRAWL / 20
    assert not any("radau" in note for note in named.evidence.notes)
    by_itself = gd.simulate(stiff, duration=span / 20, method="radau", progress=False)
    assert named["shaft.y"][-1] == pytest.approx(by_itself["shaft.y"][-1], rel=1e-6)


def shaper() -> gd.Mechanism:
    """A crank moves a block in the slot of a rocker, as in a shaper; the pin of the block turns in thick oil."""
    m = gd.Mechanism("shaper", gravity=(0.0, -9.81))
    crank = m.body("crank", mass=2.0, inertia=5e-3, at=(0.05, 0.3))
    rocker = m.body("rocker", mass=4.0, inertia=0.2, at=(0.05, 0.15), angle=1.2490457723982544)
    block = m.body("block", mass=0.5, inertia=2e-4, at=(0.1, 0.3), angle=1.2490457723982544)
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.3))
    m.revolute("foot", journal=rocker, bearing=m.ground, at=(0.0, 0.0))
    film = gd.Lubricated("0.1 mm", film=gd.Moes("100 cP"))
    m.revolute("pin", journal=crank, bearing=block, at=(0.1, 0.3), radius="12 mm", length="20 mm", fit=film)
    m.translational("slot", journal=block, bearing=rocker, at=(0.1, 0.3), axis=(0.1, 0.3))
    m.drive("main", speed=6.0)
    return m


def test_a_film_whose_journal_nears_the_wall_hands_over_to_radau_while_it_runs():
    """At the start the step is limited by accuracy: only the run itself shows that it crawls later."""
    run = gd.simulate(shaper(), revolutions=8, progress=False)
    (note,) = [note for note in run.evidence.notes if "radau took over" in note]
    assert '"pin"' in note
    assert run.complete
    assert run.t[0] == 0.0
    assert run.evidence.steps < 20_000
    named = gd.simulate(shaper(), revolutions=1, method="dopri5", channels=["pin.force"])
    assert named.evidence.method == "DOPRI5"
    assert named.evidence.steps > 20_000
    assert run.peak("pin.force").value == pytest.approx(named.peak("pin.force").value, rel=1e-5)
