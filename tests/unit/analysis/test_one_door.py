"""Equilibrium and modes by one door, whatever the links are made of."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis import equilibrium, modes
from gudgeon.model import Section

SECTION = Section(EA=1e6, GA=1e6, EI=10.0, mass=1.0, inertia=1e-4)
SPAN = {"a": (0.0, 0.0), "b": (1.0, 0.0)}
LINKS = {
    "rigid": lambda m: m.body("link", mass=1.0, inertia=1 / 12 + 1e-4, at=(0.5, 0.0)),
    "modes": lambda m: m.modal_link("link", section=SECTION, elements=4, modes=8, **SPAN),
    "beam": lambda m: m.beam("link", section=SECTION, elements=4, **SPAN),
}


def pendulum(sort: str, gravity=(1.0, 0.0)) -> gd.Mechanism:
    """It hangs along x, with a spring at its tip."""
    m = gd.Mechanism("pendulum", gravity=gravity)
    link = LINKS[sort](m)
    m.revolute("hinge", journal=link, bearing=m.ground, at=(0.0, 0.0))
    m.spring("spring", link, m.ground, at_i=(1.0, 0.0), at_j=(1.0, -1.0), stiffness=0.5)
    return m


@pytest.mark.parametrize("sort", LINKS)
def test_a_pendulum_swings_alike(sort):
    """(m g L/2 + k L^2) / I; bending takes off 1e-2 of that, the same for modes and beam."""
    found = modes(pendulum(sort))
    swing = math.sqrt((0.5 + 0.5) / (1 / 3 + 1e-4)) / (2 * math.pi)
    assert found.frequencies[0] == pytest.approx(swing, rel=1e-9 if sort == "rigid" else 1e-2)
    assert found[0].shares == {"link": pytest.approx(1.0, rel=1e-6)}
    assert found.stable


def test_links_that_bend_agree():
    """The third bends by 1e-3 more slowly for the shear of the beam; the axial force is 1e-2 of what buckles it."""
    soft, beam = (modes(pendulum(sort)).frequencies[:3] for sort in ("modes", "beam"))
    assert soft[0] == pytest.approx(beam[0], rel=2e-3)
    assert soft == pytest.approx(beam, rel=1e-2)


@pytest.mark.parametrize("sort", LINKS)
def test_a_pendulum_falls_to_where_it_rests(sort):
    """Gravity across: it comes to hang against the spring; where, is a matter of moments about the hinge."""
    m = pendulum(sort, gravity=(0.0, -0.02))
    found = equilibrium(m)
    assert found.stable
    assert found.moved["link"] > 1e-3
    tip = ("link.x", "link.y", "link.angle")
    x, y, angle = (found[name] for name in tip)
    if sort != "rigid":
        x, y = found["link.100.x"], found["link.100.y"]
    else:
        x, y = x + 0.5 * math.cos(angle), y + 0.5 * math.sin(angle)
    length = math.hypot(x - 1.0, y + 1.0)
    pull = 0.5 * (length - 1.0) / length  # along (1 - x, -1 - y)
    moment = pull * (x * (-1.0 - y) - y * (1.0 - x)) - 0.02 * found["link.x"]
    assert moment == pytest.approx(0.0, abs=2e-5 if sort != "rigid" else 1e-10)


def test_a_beam_rolls_into_a_circle():
    m = gd.Mechanism("cantilever")
    beam = m.beam("beam", section=SECTION, **SPAN)
    m.rigid("root", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    m.torque(beam, 20.0 * math.pi, at=(1.0, 0.0))
    found = equilibrium(m)
    assert math.hypot(found["beam.100.x"], found["beam.100.y"]) < 1e-9
    assert found["root.moment"] == pytest.approx(-20.0 * math.pi, rel=1e-8)
    assert str(found).startswith("cantilever · at rest, stable")


def chain() -> gd.Mechanism:
    """A beam, a link with modes and a body, one hung on the other, with a damper at the end."""
    m = gd.Mechanism("chain", gravity=(1.0, 0.0))
    beam = m.beam("beam", section=SECTION, damping=1e-3, **SPAN)
    link = m.modal_link("link", a=(1.0, 0.0), b=(2.0, 0.0), section=SECTION, damping=0.01)
    bob = m.body("bob", mass=0.5, inertia=1e-2, at=(2.0, 0.0))
    m.revolute("top", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("middle", journal=link, bearing=beam, at=(1.0, 0.0))
    m.rigid("low", journal=bob, bearing=link, at=(2.0, 0.0))
    m.damper("damper", bob, m.ground, at_i=(2.0, 0.0), at_j=(2.0, -1.0), damping=0.05)
    return m


def test_all_sorts_stand_in_one_mechanism():
    """Swings near those of rigid links; who moves adds up; a run by the same equations ends where modes can begin."""
    m = chain()
    found, stiff = modes(m), modes(m.stiffened())
    assert found.frequencies[:2] == pytest.approx(stiff.frequencies[:2], rel=3e-2)
    assert [mode.kind for mode in found.modes[:2]] == ["oscillates"] * 2
    assert 0.0 < found[0].damping == pytest.approx(stiff[0].damping, rel=5e-2)
    for mode in found.modes[:4]:
        assert sum(mode.shares.values()) == pytest.approx(1.0, rel=1e-9)
        assert set(mode.shares) == {"bob", "link", "beam"}
    # the beam is stretched by its load at once, and has settled then
    again = modes(m, at=gd.simulate(m, duration="60 ms"))
    assert again.frequencies[:2] == pytest.approx(found.frequencies[:2], rel=1e-3)
    other = gd.simulate(pendulum("beam"), duration="1 ms")
    with pytest.raises(gd.GudgeonError, match="another mechanism"):
        modes(m, at=other)


def test_energy_of_a_mixed_chain_is_kept():
    m = chain()
    m.force("bob", (0.0, 2.0))
    run = gd.simulate(m, duration=0.2, rtol=1e-7)
    assert np.abs(run["energy.balance"] - run["energy.balance"][0]).max() < 2e-4 * run.maximum("energy.kinetic")
    assert run["energy.damper"][-1] > 0.0
