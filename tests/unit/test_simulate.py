"""`simulate`, the one door: what it refuses, how it stops, what it hands out."""

from __future__ import annotations

import contextlib
import json
import math
import re
import subprocess
import sys

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import progress, simulation
from gudgeon.methods.march import columns
from gudgeon.methods.march.driver import StopMarch
from gudgeon.papers import schwab2002


def ball() -> gd.Mechanism:
    m = gd.Mechanism("ball", gravity=(0.0, -9.81))
    m.body("ball", mass=1.0, inertia=1e-3, at=(0.0, 0.0))
    return m


@pytest.mark.parametrize(
    "options, message",
    [
        ({}, "exactly one of duration"),
        ({"duration": 1.0, "revolutions": 1}, "exactly one of duration"),
        ({"duration": 0.0}, "duration 0 s must be positive"),
        ({"duration": "-2 ms"}, "must be positive"),
        ({"duration": "2 mm"}, "wrong dimension"),
        ({"duration": "soon"}, "not a number"),
        ({"revolutions": 1}, "no rotation of \"ball\" is driven at a constant speed; give duration="),
        ({"duration": 1.0, "method": "dopri"}, 'method "dopri" is not known; did you mean "dopri5"'),
        ({"duration": 1.0, "method": "euler-cromer"}, "choose from dopri5, alpha, decay"),
        ({"duration": 1.0, "method": 5}, "method 5 is no method"),
        ({"duration": 1.0, "method": "rk4"}, "RK4 has no error control: give its step"),
        ({"duration": 1.0, "method": "moreau"}, "Moreau has no error control: give its step"),
        ({"duration": 1.0, "rtol": 1.0}, "rtol 1.0 must lie between"),
        ({"duration": 1.0, "rtol": 0.0}, "rtol 0.0 must lie between"),
        ({"duration": 1.0, "output": -0.1}, "output -0.1 s must lie between 0 and the duration 1 s"),
        ({"duration": 1.0, "output": "2 s"}, "output 2 s must lie between"),
        ({"duration": 1.0, "channels": ["ball.vz"]}, 'channel "ball.vz" is not known; did you mean "ball.v'),
        ({"duration": 1.0, "tol": 1e-6}, 'setting "tol=" is not known; did you mean "rtol="'),
    ],
)  # fmt: skip
def test_bad_calls_are_refused(options, message):
    with pytest.raises(gd.GudgeonError, match=message):
        gd.simulate(ball(), **options)


def test_resuming_another_mechanism_is_refused():
    run = gd.simulate(ball(), duration=0.1)
    with pytest.raises(gd.GudgeonError, match='resume: the run of "ball" has other states'):
        gd.simulate(schwab2002.ideal(), duration=0.1, resume=run)


@pytest.mark.parametrize("step", [0.1, 0.03, 1e-3])
def test_output_is_a_grid_with_both_ends(step):
    """Rows at 0, step, 2 step, ... up to the duration, and the duration itself where it is a multiple."""
    run = gd.simulate(ball(), duration=0.9, output=step)
    expected = step * np.arange(round(0.9 / step) + 1)
    assert len(run.t) == len(expected)
    assert run.t == pytest.approx(expected, rel=1e-12)
    assert run["ball.y"] == pytest.approx(-9.81 / 2 * expected**2, rel=1e-11)


def test_every_step_is_recorded_without_output_and_both_sides_of_events():
    run = gd.simulate(schwab2002.hertz(), duration=3e-4)
    (contact,) = run.contacts
    assert (run.t == contact.t_on).sum() == 2
    assert (run.t == contact.t_off).sum() == 2
    assert run.evidence.steps <= len(run.t) <= run.evidence.steps + 3
    assert run.t[0] == 0.0
    assert run.t[-1] == 3e-4


def test_only_the_channels_asked_for_are_kept():
    run = gd.simulate(schwab2002.hertz(), duration=3e-4, channels=["slider.ax", "pin.force"])
    assert run.channels == ["slider.ax", "pin.force", "pin.mode"]
    # the evidence does not suffer
    assert run.evidence.balance < 1e-6
    assert len(run.contacts) == 1


def test_strings_carry_units():
    a, b = gd.simulate(ball(), duration="200 ms", output="10 ms"), gd.simulate(ball(), duration=0.2, output=0.01)
    assert (a.t == b.t).all()


def test_a_revolution_is_one_of_the_driven_joint():
    run = gd.simulate(schwab2002.ideal(), revolutions=0.25)
    assert run.end.t == pytest.approx(0.25 * 2 * math.pi / schwab2002.SPEED, rel=1e-14)
    assert run["crank.angle"][-1] == pytest.approx(math.pi / 2, rel=1e-12)
    assert len(run.t) >= 720 / 4  # smooth enough to draw


def test_methods_by_name_and_by_object_are_the_same():
    by_name = gd.simulate(ball(), duration=0.1, method="Dopri5", rtol=1e-6)
    for method in (gd.Dopri5(rtol=1e-6), gd.Dopri5()):
        by_object = gd.simulate(ball(), duration=0.1, method=method, rtol=1e-6)
        assert (by_object["ball.y"] == by_name["ball.y"]).all()
        assert by_object.evidence.rtol == 1e-6


def test_a_method_of_the_users_own_is_welcome():
    """Defined in a script, it has no module in gudgeon.methods."""
    from dataclasses import dataclass

    from gudgeon.methods.contract import Method

    @dataclass(frozen=True)
    class Cautious(gd.Dopri5):
        title = "cautious DOPRI5"

    try:
        run = gd.simulate(ball(), duration=0.1, method=Cautious())
        assert run.evidence.method == "cautious DOPRI5"
        assert run["ball.y"][-1] == pytest.approx(-9.81 * 0.005)
    finally:
        del Method.registry["cautious"]


def test_trust_says_how_far_two_tolerances_agree():
    short = gd.simulate(schwab2002.hertz(), duration=3e-4, trust=True)
    assert "agree to 1 % of the clearance to the end" in short.evidence.trust
    assert short.evidence.trust in str(short.evidence)
    # chaos: Lyapunov exponent of about 11 per revolution, so 1e-6 is lost within two
    long = gd.simulate(schwab2002.hertz(), revolutions=2.5, rtol=1e-7, trust=True, channels=["slider.ax"])
    assert "later values are statistics" in long.evidence.trust


def jammed() -> gd.Mechanism:
    """A crank of 0.12 m cannot take a rod of 0.10 m round: it jams where sin(angle) = 10/12."""
    m = gd.Mechanism("jam")
    m.body("crank", mass=0.3, inertia=1e-3, at=(0.06, 0.0))
    m.body("rod", mass=0.2, inertia=1e-4, at=(0.17, 0.0))
    m.body("slider", mass=0.2, inertia=1e-4, at=(0.22, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(0.12, 0.0))
    m.revolute("pin", journal="rod", bearing="slider", at=(0.22, 0.0))
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.22, 0.0))
    m.drive("main", speed=10.0)
    return m


def test_a_run_that_cannot_go_on_keeps_what_it_has():
    with pytest.raises(gd.RunStopped, match=r"stopped at 98\.511.* ms.*a position they cannot pass") as caught:
        gd.simulate(jammed(), duration=0.5)
    run = caught.value.run
    assert not run.complete
    assert "incomplete" in repr(run)
    assert run.end.t == pytest.approx(math.asin(10 / 12) / 10.0, rel=1e-6)
    early = run.t < 0.09
    assert early.any()
    root = np.sqrt(0.1**2 - (0.12 * np.sin(10 * run.t[early])) ** 2)
    assert run["slider.x"][early] == pytest.approx(0.12 * np.cos(10 * run.t[early]) + root, rel=1e-8)


def test_ctrl_c_between_two_blocks_returns_what_was_computed(monkeypatch):
    visits = []

    @contextlib.contextmanager
    def impatient(*_):
        def visit(t: float) -> None:
            visits.append(t)
            if len(visits) == 2:
                raise KeyboardInterrupt

        yield visit

    monkeypatch.setattr(simulation.marching, "bar", impatient)
    run = gd.simulate(schwab2002.hertz(), revolutions=50, channels=["slider.ax"])
    assert len(visits) == 2
    assert not run.complete
    assert run.end.t == visits[-1] < 50 * run.period
    assert run.t[-1] == run.end.t
    assert (np.diff(run.t) >= 0.0).all()
    # and it can be taken up again
    more = gd.simulate(schwab2002.hertz(), duration=1e-3, resume=run)
    assert more.complete
    assert more.t[0] == run.end.t


INTERRUPT = """
import json, os, signal, threading
import numpy as np
import gudgeon as gd
from gudgeon import simulation
from gudgeon.methods.march import columns
from gudgeon.methods.march.driver import StopMarch
from gudgeon.papers import schwab2002
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background inherits that it is ignored
gd.simulate(schwab2002.hertz(), revolutions=1)
Recorder, delays = simulation.marching.Recorder, []
add = Recorder.add

def first_rows_start_the_clock(self, rows):
    if not len(self.last):
        threading.Timer(delays.pop(), os.kill, (os.getpid(), signal.SIGINT)).start()
    add(self, rows)

Recorder.add = first_rows_start_the_clock
answers = []
for k in range(12):
    delays.append(0.05 + 0.0037 * k)
    run = gd.simulate(schwab2002.hertz(), revolutions=20000, channels=["slider.ax"], progress=False)
    answers.append({
        "complete": run.complete, "rows": len(run.t), "values": len(run["slider.ax"]),
        "ordered": bool((np.diff(run.t) >= 0.0).all()), "left out": float(run.end.t - run.t[-1]),
    })
print(json.dumps(answers))
"""


def test_ctrl_c_at_any_moment_returns_what_was_computed():
    """A real SIGINT into a run that would take minutes, twelve times: in the loop or while channels are evaluated."""
    command = [sys.executable, "-c", INTERRUPT]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    for answer in json.loads(done.stdout):
        assert answer["complete"] is False
        assert answer["rows"] == answer["values"] > 1000
        assert answer["ordered"]
        assert answer["left out"] == 0.0


def test_progress_is_shown_on_request_and_not_otherwise(capsys):
    gd.simulate(ball(), duration=0.1, progress=False)
    assert capsys.readouterr().err == ""
    gd.simulate(ball(), duration=0.1, progress=True)
    assert "100 ms" in capsys.readouterr().err


def test_progress_says_time_share_contacts_pace_and_time_left(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    run = gd.simulate(schwab2002.hertz(), revolutions=2, progress=True)
    shown = capsys.readouterr().err
    assert re.search(r"t = 24 ms .* 100 % ", shown)
    assert f" {len(run.contacts)} contacts · " in shown
    assert re.search(r" · [\d.]+ (s|ms|µs)/s · 0:00 left", shown)
    # contacts that were open before count as in the table
    first = gd.simulate(schwab2002.hertz(), duration=2.5e-4)
    rest = gd.simulate(schwab2002.hertz(), duration=1e-4, resume=first, progress=True)
    assert len(rest.contacts) == 1
    assert " 1 contact · " in capsys.readouterr().err


def test_progress_in_words():
    tally = simulation.Watch(0.0, 1.0, 1e9)
    tally.steps, tally.onsets = 500, 7
    assert progress.words(0.25, 0.75, 2.0, tally) == "7 contacts · 125 ms/s · 0:06 left"
    assert progress.words(0.0, 1.0, 2.0, tally) == "7 contacts · 250 steps/s"
    assert [progress.clock(s) for s in (59.6, 3725, 4e6)] == ["1:00", "1:02:05", "46.3 days"]
    assert [progress.span_text(t) for t in (0.0, 2e-10, 3e-5, 12.5)] == ["0 s", "0.2 ns", "30 µs", "12.5 s"]


def events(times, width=46):
    block = np.zeros((len(times), width))
    block[:, columns.TIME], block[:, columns.CONTACT] = times, np.arange(len(times)) % 50
    return block


def test_events_that_would_fill_the_memory_end_a_march():
    """Farther apart than an accumulation at one contact, and yet more of them than anything could keep."""
    watch, blocks = simulation.Watch(0.0, 1.0, 1e9), []
    with pytest.raises(StopMarch, match="impacts moved the time by 2e-05 s only, and 1 s are left"):
        for n in range(1, 400):
            blocks.append(events(1e-10 * np.arange(n * 1000, (n + 1) * 1000)))
            watch(n * 1e-7, 0, blocks)
    assert len(blocks) == 200
    watch, blocks = simulation.Watch(0.0, 1.0, 1e9), []
    for n in range(1, 400):  # as many, of which the memory can keep what there will be
        blocks.append(events(1e-6 * np.arange(n * 1000, (n + 1) * 1000)))
        watch(n * 1e-3, 0, blocks)
    with pytest.raises(StopMarch, match=r"500 onsets, releases and impacts fill 4.0 GB"):
        simulation.Watch(0.0, 1.0, 1e9)(0.5, 0, [np.broadcast_to(0.0, (500, 1_000_000))])


def test_an_incomplete_run_is_not_run_again_for_trust(monkeypatch):
    from gudgeon.methods.march import driver as runner

    marches = []

    def interrupted(*arguments, on_rows, **options):
        marches.append(options)

        def rows(block):
            on_rows(block)
            raise KeyboardInterrupt

        return march(*arguments, on_rows=rows, **options)

    march = runner.run
    monkeypatch.setattr(runner, "run", interrupted)
    run = gd.simulate(schwab2002.hertz(), revolutions=50, trust=True, channels=["slider.ax"])
    assert not run.complete
    assert len(marches) == 1
    assert run.evidence.trust == "not known: the run did not reach its end"


def imported_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(out.split())


def test_import_is_light():
    heavy = {"llvmlite", "xarray", "matplotlib", "netCDF4", "scipy", "pandas"}
    assert not imported_by("import gudgeon") & heavy
    # describing and checking a mechanism is light, too
    describe = "from gudgeon.papers import schwab2002; schwab2002.hertz().summary()"
    assert not imported_by(describe) & {"llvmlite", "xarray", "matplotlib"}
