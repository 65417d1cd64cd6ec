"""Trajectories in single precision: as near to double as the tolerance asks, and why the clock and places are not."""

import device_mechanisms
import numpy as np
import pytest

from gudgeon.assemble import assemble
from gudgeon.batch.batch import Batch, described
from gudgeon.batch.kinds import Trajectories, Twins
from gudgeon.batch.machine import Host
from gudgeon.batch.precision import BARE, DOUBLE_PRECISION, SINGLE, pruned, wide
from gudgeon.batch.program import Wanted
from gudgeon.compile.python import target

CASES = ("clearance", "friction", "spatial", "bushing", "film", "own law")


def ended(name, precision, rtol, turns=1, most=1 << 20):
    """The state at the end of the time for which it can be predicted, and the results."""
    make, span = device_mechanisms.MECHANISMS[name]
    system = assemble(make(), coordinates="auto")
    inputs, state = described(system, rtol=rtol, period=span / turns, longest=span / 50)
    batch = Batch(Host(), Trajectories, system, inputs, {0}, Wanted(), precision)
    out = batch.run({0: inputs[:1]}, {"state": state[:, None]}, turns, most)
    return out["state"][2 : 2 + system.controlled, 0], out.results


@pytest.mark.parametrize("name", CASES)
def test_single_precision_errs_as_double_does_at_its_tightest(name):
    exact, _ = ended(name, DOUBLE_PRECISION, 1e-12)
    double, told = ended(name, DOUBLE_PRECISION, SINGLE.tightest)
    single, results = ended(name, SINGLE, SINGLE.tightest)
    scale = np.abs(exact).max()
    assert results["status"][0] == 0
    assert np.abs(single - double).max() > 0.0  # it is another arithmetic
    # where double errs by less than the digits of accelerations, these are what is left
    assert np.abs(single - exact).max() < 5.0 * np.abs(double - exact).max() + 1e-6 * scale
    tries = [sum(x[k][0] for k in ("steps", "rejected", "locations")) for x in (told, results)]
    assert tries[1] < 1.3 * tries[0] + 5


def test_with_places_in_single_precision_marches_stall():
    _, results = ended("friction", BARE, 1e-6, most=20_000)
    _, told = ended("friction", SINGLE, 1e-6, most=20_000)
    tries = [sum(x[k][0] for k in ("steps", "rejected", "locations")) for x in (results, told)]
    assert told["status"][0] == 0
    assert results["status"][0] != 0 or tries[0] > 1.5 * tries[1]


def test_what_laws_are_asked_is_double_and_what_they_give_is_not():
    system = assemble(device_mechanisms.MECHANISMS["friction"][0](), coordinates="auto")
    rhs = pruned(system.module.functions["rhs"])
    exact = wide(rhs)
    laws = [i for i in rhs.code if i.op == "call"]
    assert len(laws) == 2
    for law in laws:
        assert law.result not in exact
    contact = next(i for i in laws if not {x.result for x in laws} & set(i.args))
    assert set(contact.args) <= exact
    assert all(i.result in exact for i in rhs.code if i.op in ("sin", "cos", "sqrt"))
    plain = [i for i in rhs.code if i.op in ("add", "subtract", "multiply", "divide")]
    assert 0.3 < sum(i.result in exact for i in plain) / len(plain) < 0.7


@pytest.mark.parametrize("kind", [Trajectories, Twins])
def test_its_ptx_needs_nothing_from_outside(kind):
    make, span = device_mechanisms.MECHANISMS["friction"]
    system = assemble(make(), coordinates="auto")
    inputs, _ = described(system, rtol=1e-8, period=span, longest=span / 50)
    text = target.ptx(kind(system, inputs, (0,), Wanted(), SINGLE).code(gpu=True), (7, 0))
    assert ".extern" not in text
    assert "fma.rn.f32" in text
