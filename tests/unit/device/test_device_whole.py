"""The time loop compiled for one mechanism gives what the shared loop gives, to the last bit."""

import device_mechanisms
import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.batch import tiers
from gudgeon.batch.whole import whole
from gudgeon.methods import methods
from gudgeon.methods.explicit.dop853 import Dop853
from gudgeon.methods.explicit.dopri5 import Dopri5
from gudgeon.methods.march import driver as runner
from gudgeon.papers import schwab2002
from gudgeon.simulation import Numerics, prepare

RTOL = 1e-12
DOPRI5, DOP853 = Dopri5(RTOL), Dop853(RTOL)
EXPLICIT = [method for kind in methods().values() if (method := kind(RTOL, None if kind.adaptive else 1e-5)).explicit]
CASES = [*((name, DOPRI5) for name in device_mechanisms.MECHANISMS),
         *(("clearance", method) for method in EXPLICIT if method != DOPRI5),
         pytest.param("spatial", DOP853, marks=pytest.mark.slow)]  # fmt: skip


def march(system, span, loop, output=0.0, method=DOPRI5):
    rows = []
    tape = runner.run(system, method, 0.0, span, output=output, longest=span / 50, on_rows=rows.append, loop=loop)
    return np.concatenate(rows), tape


@pytest.mark.parametrize(("name", "method"), CASES)
def test_its_march_is_that_of_the_shared_loop_to_the_last_bit(name, method):
    make, span = device_mechanisms.MECHANISMS[name]
    system = assemble(make(), coordinates="auto")
    ours, tape = march(system, span, whole(system, method), method=method)
    theirs, other = march(system, span, None, method=method)
    assert tape.complete
    assert tape.evaluations == other.evaluations > tape.steps
    assert np.array_equal(ours, theirs)
    assert np.array_equal(tape.events, other.events)
    assert (tape.drift, tape.touch_error) == (other.drift, other.touch_error)


def test_explicit_methods_are_known_by_what_they_need():
    assert {type(method).__name__ for method in EXPLICIT} >= {"Dopri5", "Dop853", "RK4"}
    assert all(type(method).__module__.startswith("gudgeon.methods.explicit.") for method in EXPLICIT)


def test_it_can_be_left_and_entered_again(monkeypatch):
    make, span = device_mechanisms.MECHANISMS["clearance"]
    system = assemble(make(), coordinates="auto")
    loop = whole(system, Dopri5(RTOL))
    ours, tape = march(system, span, loop)
    monkeypatch.setattr(runner, "BUDGET", 7)
    visits = []
    again = []
    other = runner.run(system, Dopri5(RTOL), 0.0, span, longest=span / 50, on_rows=again.append, loop=loop,
                       on_visit=lambda t, steps, events: visits.append(t))  # fmt: skip
    assert len(visits) > 5
    assert other.steps == tape.steps
    assert np.array_equal(np.concatenate(again), ours)


def test_rows_lie_where_they_are_asked_for():
    make, span = device_mechanisms.MECHANISMS["clearance"]
    system = assemble(make(), coordinates="auto")
    rows, _ = march(system, span, whole(system, Dopri5(RTOL)), output=span / 200)
    assert rows[:, 0] == pytest.approx(np.linspace(0.0, span, 201), abs=1e-9 * span)


def test_a_run_changes_its_loop_where_that_pays_and_nothing_else(monkeypatch):
    monkeypatch.setattr(runner, "BUDGET", 50)
    compiled = []
    monkeypatch.setattr(tiers, "whole", lambda *given: compiled.append(len(compiled)) or whole(*given))
    monkeypatch.setattr(tiers, "is_made", lambda key: False)
    runs = []
    for cost in (1e9, 1e-9):  # it never pays; it does after the first visit
        monkeypatch.setattr(tiers, "expected_cost", lambda system, method, cost=cost: cost)
        monkeypatch.setattr(tiers, "_marched", {})
        runs.append(gd.simulate(schwab2002.hertz(), revolutions=0.1, rtol=1e-10))
        assert len(compiled) == (cost < 1.0)
    theirs, ours = runs
    assert ours.evidence.steps == theirs.evidence.steps > 100
    assert ours.contacts == theirs.contacts
    assert all(np.array_equal(ours[name], theirs[name]) for name in theirs.channels)


def test_other_numbers_need_no_other_loop():
    systems = [assemble(schwab2002.hertz().vary("pin.radial_clearance", c), coordinates="auto") for c in (1e-4, 5e-4)]
    first, second = (whole(system, Dopri5()) for system in systems)
    assert first is second


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"loop": "mine"}, 'loop "mine" is not known'), ({"loop": "own", "method": "radau"}, "Radau is none")],
)
def test_what_it_cannot_do_is_refused(settings, words):
    numerics, method = Numerics(loop=settings["loop"]), settings.get("method")
    with pytest.raises(gd.GudgeonError, match=words):
        prepare(schwab2002.hertz(), numerics=numerics, revolutions=0.01, method=method)
