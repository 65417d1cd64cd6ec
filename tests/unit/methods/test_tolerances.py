"""Tolerances of states: each relative to what matters of it."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.methods.explicit.dopri5 import Dopri5
from gudgeon.methods.march import driver as runner
from gudgeon.methods.march.scales import SHARE, measure
from gudgeon.papers import flores2007

LUGRE = gd.LuGre(0.1, static_coefficient=0.15, stiffness=2e4)


def sticking(law=LUGRE):
    return flores2007.slider_crank("0.1 mm", friction=law).vary("main.speed", -50.0)


def absolute_tolerances(system, rtol):
    tolerances = np.empty(system.states)
    measure(system, system.y0, SHARE * rtol, tolerances)
    return tolerances


def test_lengths_speeds_and_bristles_have_scales_of_their_own():
    system = assemble(sticking())
    found = absolute_tolerances(system, 1e-6)
    (contact,) = system.contacts
    assert found[contact.state] == pytest.approx(1e-7 * 0.15 / 2e4)
    by_unit = {unit: found[k] for k, unit in enumerate(system.units)}
    assert by_unit["m"] == pytest.approx(1e-7 * system.size)
    assert by_unit["rad"] == pytest.approx(1e-7)
    assert by_unit["m/s"] >= 1e-7 * 50.0 * system.size * (1.0 - 1e-12)


def test_in_space_every_component_of_the_bristles_has_its_scale():
    from gudgeon.papers import flores2006

    fit = gd.Clearance("0.5 mm", wall=gd.LankaraniNikravesh(restitution=0.9), friction=LUGRE)
    system = assemble(flores2006.four_bar(5e-4, socket=True).refit(ball=fit))
    (contact,) = system.contacts
    assert contact.states > 1
    found = absolute_tolerances(system, 1e-6)
    assert found[contact.state : contact.state + contact.states] == pytest.approx(1e-7 * 0.15 / 2e4)


def test_a_stick_is_resolved(monkeypatch):
    """A tolerance made for metres leaves the bristles to themselves."""
    span = 0.3 * 2.0 * np.pi / 50.0

    def bristle(rtol):
        system = assemble(sticking(), coordinates="auto")
        rows = []
        runner.run(system, Dopri5(rtol), 0.0, span, output=span / 400, on_rows=rows.append)
        return np.concatenate(rows)[:, 1 + system.contacts[0].state]

    exact = bristle(1e-12)
    error = np.abs(bristle(1e-8) - exact).mean()
    monkeypatch.setattr(gd.LuGre, "breakaway", 1.0)
    before = np.abs(bristle(1e-8) - exact).mean()
    assert error < 1e-4 * LUGRE.static_coefficient / LUGRE.stiffness
    assert before > 5.0 * error
