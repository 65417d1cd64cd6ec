"""Extremes are those of the motion, whatever rows were recorded."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import bauchau2002, flores2007, schwab2002
from gudgeon.results import extremes, recorder
from gudgeon.results.extremes import extremum
from gudgeon.results.joined import joined

CHANNELS = ["main.torque", "pin.force", "follower.spin"]


@pytest.fixture(scope="module")
def dense() -> gd.Run:
    """20,000 rows a revolution by the method's own interpolation; a parabola through three of them tells the rest."""
    m = flores2007.four_bar("0.5 mm", branch=1)
    return gd.simulate(m, duration=0.6, method="dop853", rtol=1e-12, channels=CHANNELS, output=2e-6, after=0.4)


def four_bar(**options) -> gd.Run:
    m = flores2007.four_bar("0.5 mm", branch=1)
    return gd.simulate(m, duration=0.6, method="dop853", rtol=1e-12, channels=CHANNELS, after=0.4, **options)


@pytest.mark.parametrize("output", [None, 1e-3])
@pytest.mark.parametrize("channel", CHANNELS)
def test_extremes_are_those_of_dense_rows(dense, output, channel):
    """Every step recorded, or a row now and then: the same extremes."""
    run = four_bar(output=output)
    for side, ours in ((-1.0, run.lowest(channel)), (1.0, run.highest(channel))):
        theirs = extremum(dense.t, dense[channel], side)
        assert ours.value == pytest.approx(theirs.value, rel=1e-6)


def test_a_window_has_its_own_extremes(dense):
    run = four_bar()
    late, part = run.after(0.5), dense.t >= 0.5
    exact = extremum(dense.t[part], dense["pin.force"][part], 1.0)
    assert late.peak("pin.force").value == pytest.approx(exact.value, rel=1e-6)
    assert late.peak("pin.force").time >= 0.5


@pytest.mark.parametrize("method, rtol", [("dopri5", 1e-9), ("radau", 1e-9), ("impact", 1e-9), ("alpha", 1e-7)])
def test_by_any_method(method, rtol):
    """Against rows of the same steps by the method's interpolation, which is less accurate than its steps. Dense rows
    miss corners: impacts, and accelerations of alpha, which are linear within a step."""
    m = schwab2002.impact() if method == "impact" else schwab2002.hertz()
    # at impacts as instants forces are estimates, which thinned output leaves out
    channels = ["pin.eccentricity", "rod.spin"] if method == "impact" else ["slider.ax", "main.torque"]
    # the same longest step, so that the steps are the same
    settings = {"duration": 2e-3, "method": method, "rtol": rtol, "channels": channels, "step": 2e-5}
    run, rows = gd.simulate(m, **settings), gd.simulate(m, **settings, output=2e-8)
    assert np.array_equal(run.end.y, rows.end.y)
    for channel in channels:
        size = np.abs(rows[channel]).max()
        within = {"alpha": 1e-4, "impact": 1e-5}.get(method, 2e-6)
        assert run.maximum(channel) == pytest.approx(rows[channel].max(), abs=within * size)
        assert run.minimum(channel) == pytest.approx(rows[channel].min(), abs=within * size)


def test_a_file_keeps_them(tmp_path):
    run = four_bar()
    read = gd.Run.from_netcdf(run.to_netcdf(tmp_path / "run.nc"))
    for channel in CHANNELS:
        assert read.highest(channel) == run.highest(channel)
        assert read.lowest(channel) == run.lowest(channel)


def test_with_too_many_states_to_keep_it_is_marched_again(monkeypatch):
    """As it comes, without keeping the rows: also the extremes of a window."""
    kept = four_bar()
    monkeypatch.setattr(recorder, "MOST_STATES", 1)
    monkeypatch.setattr(extremes, "MOST_STATES", 1)
    run = four_bar()
    assert run.extremes.steps.blocks is None
    for channel in CHANNELS:
        assert run.highest(channel) == kept.highest(channel)
        assert run.lowest(channel) == kept.lowest(channel)


def test_pieces_of_a_run_have_its_extremes():
    m = flores2007.four_bar("0.5 mm", branch=1)
    settings = {"method": "dop853", "rtol": 1e-12, "channels": CHANNELS}
    first = gd.simulate(m, duration=0.03, **settings)
    second = gd.simulate(m, duration=0.03, resume=first, **settings)
    whole = joined([first, second])
    for channel in CHANNELS:
        assert whole.maximum(channel) == max(first.maximum(channel), second.maximum(channel))
    assert pickle.loads(pickle.dumps(whole)).lowest("pin.force") == whole.lowest("pin.force")


def oscillator() -> gd.Mechanism:
    """A mass of 2 kg on a spring of 800 N/m, displaced by 0.1 m: it moves as cos(20 t)."""
    m = gd.Mechanism("oscillator", gravity=(0.0, 0.0))
    mass = m.body("mass", mass=2.0, inertia=0.01, at=(0.6, 0.0))
    m.translational("guide", journal=mass, bearing=m.ground, at=(0.0, 0.0))
    m.spring("spring", m.ground, mass, stiffness=800.0, at_i=(0.0, 0.0), at_j=(0.6, 0.0), free_length=0.5)
    return m


@pytest.mark.parametrize("method, output", [("dopri5", None), ("dopri5", 1e-2), ("alpha", None)])
def test_the_begin_of_a_window_lies_inside_a_step(method, output):
    """The speed rises from the start of the window on, where there is no row: the smallest value is the one there."""
    begin, end = 0.1612, 0.23  # the speed -2 sin(20 t) is least at 0.0785 s, largest at 0.2356 s
    settings = {"duration": end, "method": method, "rtol": 1e-9, "step": 0.01}
    run = gd.simulate(oscillator(), **settings, output=output, after=begin)
    assert begin not in run.t
    within = 2e-4 if method == "alpha" else 1e-7  # the step is as long for both
    assert run.minimum("mass.vx") == pytest.approx(-2.0 * np.sin(20.0 * begin), abs=within)
    assert run.lowest("mass.vx").time == begin
    assert run.maximum("mass.vx") == pytest.approx(-2.0 * np.sin(20.0 * end), abs=within)


def test_what_is_integrated_again_ends_at_its_first_event(monkeypatch):
    """A step of a run may have events when it is integrated anew from rest on a surface: then very many."""
    m = gd.Mechanism("ball", gravity=(0.0, -9.81))
    m.body("ball", mass=0.2, inertia=1e-5, at=(0.0, 0.0), velocity=(0.0, -0.01))
    m.translational("path", journal="ball", bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0))
    m.stop("path", lower="-0.1 mm", wall=gd.ExactRestitution(stiffness=1e10, restitution=0.9999))
    run = gd.simulate(m, duration=60.0, method="impact")  # thousands of bounces
    steps, tapes = run.extremes.steps, []
    blocks = np.concatenate(steps.blocks)
    march = extremes.driver.run
    monkeypatch.setattr(extremes.driver, "run", lambda *a, **k: tapes.append(march(*a, **k)))
    rows, _ = steps.between(blocks[0], blocks[-1])
    assert run.impacts[0].t == pytest.approx(rows[-1, 0], rel=1e-9)
    assert tapes[0].stopped and tapes[0].impacts < len(run.impacts)


def test_rounding_is_not_searched(monkeypatch):
    """The offset of an ideal joint is rounding beside the places of the bodies: it has very many small peaks."""
    run = gd.simulate(schwab2002.hertz(), revolutions=0.2)
    searched = []
    look = extremes._Search.step
    monkeypatch.setattr(extremes._Search, "step", lambda self, *rows: (searched.append(self.column), look(self, *rows)))
    run.extremes.every()
    names = [channel.name for channel in run.extremes.steps.system.channels]
    inside = {names[column] for column in searched}
    assert "pin.offset" in inside and not inside & {"main.offset", "big.offset", "main.ex", "big.ex"}
    assert len(searched) < 10 * len(names)


@pytest.mark.parametrize("method", ["energy", "decay"])
def test_energy_methods_have_no_motion_between_rows(method):
    """A cubic through states whose velocities alternate squeezes the oil film: forces a hundredfold too large. The
    parabola through three rows exceeds them by a quarter of what the middle one exceeds its neighbours by, at most."""
    channels = ["main.torque", "pin.force"]
    run = gd.simulate(bauchau2002.A3(), revolutions=0.5, method=method, rtol=1e-5, channels=channels)
    for begin in np.linspace(0.1, 0.19, 10):
        part = run.extremes.within(begin, 0.2)
        for name in channels:
            rows = np.abs(run[name][(run.t > begin - 1e-3) & (run.t <= 0.2)]).max()
            assert np.abs(part.data[name]).max() <= abs(part.largest(name).value) <= 1.25 * rows
