"""The code for GPUs on the processor gives the trajectories of the march; as PTX it is whole and needs nothing else."""

import re

import device_mechanisms
import numpy as np
import pytest

from gudgeon.analysis.motions.flow import Flow, Ruler
from gudgeon.analysis.motions.lyapunov import MarchedTwins as Pair
from gudgeon.analysis.motions.lyapunov import growth
from gudgeon.assemble import assemble
from gudgeon.batch.batch import Batch
from gudgeon.batch.inputs import described, place_of
from gudgeon.batch.kinds import Trajectories, Twins
from gudgeon.batch.machine import Host
from gudgeon.batch.program import Wanted
from gudgeon.compile.python import target
from gudgeon.methods.explicit.dop853 import Dop853
from gudgeon.methods.explicit.dopri5 import Dopri5
from gudgeon.methods.explicit.rk4 import RK4
from gudgeon.methods.march import driver as runner
from gudgeon.papers import schwab2002

RTOL = 1e-8


def one(system, span, rtol=RTOL):
    """Inputs and state of one trajectory over a time."""
    return described(system, rtol=rtol, period=span, longest=span / 50)


@pytest.mark.parametrize("name", device_mechanisms.MECHANISMS)
def test_a_trajectory_is_that_of_the_march(name):
    make, span = device_mechanisms.MECHANISMS[name]
    system = assemble(make(), coordinates="auto")
    inputs, state = one(system, span)
    varying = {place_of(system, "rtol")}
    wanted = Wanted(states=tuple(range(system.controlled + system.memory)))
    batch = Batch(Host(), Trajectories, system, inputs, varying, wanted)
    two = np.repeat(state[:, None], 2, axis=1)
    out = batch.run({place_of(system, "rtol"): np.array([RTOL, 1e-3 * RTOL])}, {"state": two}, 1)
    tape = runner.run(system, Dopri5(RTOL), 0.0, span, output=2.0 * span, longest=span / 50, on_rows=lambda rows: None)
    assert (out.results["status"] == 0).all()
    scale = np.abs(tape.y[: system.controlled]).max()
    ours, theirs = out["state"][2 : 2 + system.controlled, 0], tape.y[: system.controlled]
    # another order of operations is another rounding: the same motion, if not to the last bit
    apart = np.abs(ours - theirs).max()
    assert apart < 1e-6 * scale
    assert apart < 100.0 * np.abs(out["section"][0, : system.controlled, 1] - theirs).max() + 1e-12 * scale
    begun = sum(event[2] > 0.0 and event[0] > 0.0 for event in tape.events)
    assert sum(out.results[f"onsets {c}"][0] for c in range(system.events)) == begun
    assert abs(out.results["steps"][0] - tape.steps) <= 2 + 0.02 * tape.steps
    assert out["state"][0, 0] == span


@pytest.mark.parametrize("name", device_mechanisms.MECHANISMS)
def test_ptx_needs_nothing_from_outside(name):
    make, span = device_mechanisms.MECHANISMS[name]
    system = assemble(make(), coordinates="auto")
    inputs, _ = one(system, span)
    kinds = [Trajectories, Twins] if name == "clearance" else [Trajectories]
    for kind in kinds:
        text = target.ptx(kind(system, inputs, (0,), Wanted(), Dopri5()).code(gpu=True), (7, 0))
        assert ".visible .entry trajectories(" in text
        assert ".extern" not in text
        assert not re.findall(r"\bcall\b", text)  # all is written in place
        assert "atom." not in text


@pytest.mark.parametrize("method", [Dop853(), RK4(step=1e-6)], ids=lambda method: method.title)
def test_ptx_of_other_methods(method):
    make, span = device_mechanisms.MECHANISMS["clearance"]
    system = assemble(make(), coordinates="auto")
    text = target.ptx(Trajectories(system, one(system, span)[0], (0,), Wanted(), method).code(gpu=True), (7, 0))
    assert ".visible .entry trajectories(" in text
    assert ".extern" not in text


def test_twins_part_as_those_of_one_motion_do():
    mechanism = schwab2002.hertz()
    flow = Flow.of(mechanism, rtol=1e-12)
    ruler = Ruler(flow, flow.start)
    pair = Pair(flow, ruler)
    _, state = flow.march(flow.start, 0.5)
    twin = pair.beside(state, 1e-3, seed=1)
    expected = growth(pair, state, twin, 2, 1e-3)

    system, n = flow.system, flow.system.controlled
    inputs, _ = described(system, rtol=1e-12, period=flow.period / 8, longest=flow.period / 20, length=ruler.length,
                          parts=2)  # fmt: skip
    inputs[place_of(system, "time")], inputs[place_of(system, "apart")] = flow.period / (2.0 * np.pi), 1e-3
    batch = Batch(Host(), Twins, system, inputs, ())
    columns = [np.concatenate([[x.t, 1e-9], x.y[:n], x.m])[:, None] for x in (state, twin)]
    out = batch.run({}, {"state": columns[0], "twin": columns[1]}, 1, 1 << 20, 0)
    assert out.results["status"][0] == 0
    assert out.results["began"][0] == pytest.approx(1e-3, rel=1e-6)
    assert out["logs"][0, 0] == pytest.approx(expected[0].sum(), rel=1e-3)
    assert out.results["widest"][0] == pytest.approx(expected[3], rel=1e-4)


def test_a_new_twin_is_put_at_its_distance():
    flow = Flow.of(schwab2002.hertz(), rtol=1e-8)
    system, ruler = flow.system, Ruler(flow, flow.start)
    inputs, state = described(system, rtol=1e-8, period=flow.period / 8, longest=flow.period / 20,
                              length=ruler.length, parts=8)  # fmt: skip
    inputs[place_of(system, "time")], inputs[place_of(system, "apart")] = flow.period / (2.0 * np.pi), 1e-4
    state[1] = 1e-9
    far = state.copy()
    far[2 : 2 + system.controlled] += 1e-5
    given = {"state": state[:, None], "twin": far[:, None]}
    out = Batch(Host(), Twins, system, inputs, ()).run({}, given, 1, 1 << 20, 1)
    assert out.results["began"][0] == pytest.approx(1e-4, rel=1e-6)


def test_what_was_given_up_is_not_marched_again():
    make, span = device_mechanisms.MECHANISMS["clearance"]
    system = assemble(make(), coordinates="auto")
    inputs, state = one(system, span)
    two = np.repeat(state[:, None], 2, axis=1)
    two[0, 1] = np.nan
    out = Batch(Host(), Trajectories, system, inputs, {place_of(system, "rtol")}).run(
        {place_of(system, "rtol"): np.full(2, RTOL)}, {"state": two}, 1
    )
    assert out.results["status"].tolist() == [0.0, 1.0]
    assert out.results["steps"][0] > 10
    assert out.results["steps"][1] == 0
