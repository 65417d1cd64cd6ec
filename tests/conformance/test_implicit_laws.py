"""Every registered law runs under an implicit method, with its events, and gives what an explicit method gives."""

from __future__ import annotations

import pytest
from test_laws import SAMPLES

import gudgeon as gd
from gudgeon.laws import ContactLaw, FilmLaw, LinerLaw
from gudgeon.papers import schwab2002


def fit(law) -> gd.Clearance | gd.Bushing | gd.Lubricated:
    if isinstance(law, FilmLaw):
        return gd.Lubricated("0.1 mm", film=law)
    if isinstance(law, LinerLaw):
        return gd.Bushing(law)
    if isinstance(law, ContactLaw):
        return gd.Clearance("0.1 mm", wall=law)
    return gd.Clearance("0.1 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.7), friction=law)


def marked(laws: list) -> list:
    """The derivatives of a film take seconds to compile, so that only the shortest of them runs in the quick tests."""
    slow = [isinstance(law, FilmLaw) and not isinstance(law, gd.Ocvirk) for law in laws]
    return [pytest.param(law, marks=pytest.mark.slow if long else (), id=type(law).__name__)
            for law, long in zip(laws, slow, strict=True)]  # fmt: skip


BALLS = [law for law in SAMPLES if isinstance(law, FilmLaw) and law.shape == "sphere"]
PINS = [law for law in SAMPLES if law not in BALLS]


@pytest.mark.parametrize("law", marked(PINS))
def test_implicit_equals_explicit(law):
    """Piecewise linear tables have kinks inside steps, where neither method has its order."""
    m = schwab2002.ideal().refit(pin=fit(law))
    ours = gd.simulate(m, method="radau", rtol=1e-9, revolutions=0.03)
    theirs = gd.simulate(m, method="dopri5", rtol=1e-11, revolutions=0.03)
    assert ours.complete
    for name in ("slider.x", "slider.vx", "rod.angle", "rod.vy"):
        assert abs(ours[name][-1] - theirs[name][-1]) < 1e-5 * abs(theirs[name]).max()
    assert len(ours.contacts) == len(theirs.contacts)
    for a, b in zip(ours.contacts, theirs.contacts, strict=True):
        assert abs(a.t_on - b.t_on) < 1e-9
        assert a.speed_on == pytest.approx(b.speed_on, rel=1e-4)
    assert ours.evidence.balance < 1e-6 * ours.evidence.energy_scale
    assert ours.evidence.evaluations < theirs.evidence.evaluations


@pytest.mark.parametrize("law", marked(BALLS))
def test_implicit_equals_explicit_on_a_ball(law):
    """A bar that swings and spins on an oiled ball."""
    m = gd.Mechanism("bar", planar=False, gravity=(0.0, 0.0, -9.81), start="given")
    m.body("bar", mass=0.4, inertia=(3e-3, 3e-3, 1e-4), at=(0.0, 0.0, -0.1), velocity=(0.02, 0.01, 0.0),
           spin=(1.0, -2.0, 20.0))  # fmt: skip
    m.spherical("j", journal="bar", bearing=m.ground, at=(0.0, 0.0, 0.0), radius="12 mm",
                fit=gd.Lubricated("0.2 mm", film=law))  # fmt: skip
    ours = gd.simulate(m, method="radau", rtol=1e-9, duration=0.02)
    theirs = gd.simulate(m, method="dopri5", rtol=1e-11, duration=0.02)
    assert ours.complete
    for name in ("j.ex", "j.ey", "j.ez", "bar.vx", "bar.wz", "j.film_force"):
        assert abs(ours[name][-1] - theirs[name][-1]) < 1e-5 * abs(theirs[name]).max(), name
    assert ours["j.eccentricity"].max() > 0.05
    assert ours.evidence.balance < 1e-6 * ours.evidence.energy_scale
    assert ours.evidence.evaluations < theirs.evidence.evaluations
