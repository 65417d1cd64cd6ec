"""Every cell of the support table run: what it calls possible ends with a closed ledger, what it refuses is refused
before anything runs, with a remedy that is right."""

from __future__ import annotations

import math
import re

import pytest

import gudgeon as gd
from gudgeon.assemble.features import FEATURES
from gudgeon.assemble.support import CASES, FORMULATIONS, table
from gudgeon.methods import methods
from gudgeon.quantity import GudgeonError

BY_NAME = methods()
METHODS = {name: BY_NAME[name](rtol=1e-4 if name in ("alpha", "energy", "decay") else 1e-6)
           for name in ("dopri5", "dop853", "radau", "impact", "alpha", "energy", "decay")}  # fmt: skip
METHODS |= {"rk4": BY_NAME["rk4"](step=1e-6), "moreau": BY_NAME["moreau"](step=1e-5)}
METHODS |= {f"{name}, rigid walls": BY_NAME[name](rtol=1e-4, hard=True) for name in ("alpha", "energy", "decay")}
CELLS = {(cell.feature, cell.method): cell for cell in table({name: m.needs() for name, m in METHODS.items()})}
# the others by `make test-all`
QUICK = ("ideal joints, closed loop", "friction in space", "link with modes: clearance")
DURATION = 2e-3  # [s]


def test_every_kind_of_method_is_tried():
    assert {name.partition(",")[0] for name in METHODS} == set(BY_NAME)
    assert {method.needs() for method in METHODS.values()} == set(CASES.values())


@pytest.mark.parametrize("feature", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow)
                                     for name in FEATURES])  # fmt: skip
def test_what_is_possible_runs_and_what_is_not_is_refused(feature):
    for name, method in METHODS.items():
        cell, mechanism = CELLS[feature, name], FEATURES[feature]()
        if not cell.supported:
            with pytest.raises(GudgeonError, match=re.escape(cell.reason)):
                gd.simulate(mechanism, duration=DURATION, method=method, progress=False)
            assert CELLS[feature, cell.instead].supported, (feature, name)
            continue
        run = gd.simulate(mechanism, duration=DURATION, method=method, progress=False)
        proof = run.evidence
        assert run.complete and math.isfinite(proof.balance), (feature, name)
        assert proof.balance <= 1e-3 * max(proof.energy_scale, 1e-6), (feature, name)


def test_a_method_that_a_refusal_advises_can_do_it():
    """By its default settings, for that mechanism."""
    advised = 0
    for feature, make in FEATURES.items():
        for needs in CASES.values():
            refusals = FORMULATIONS["absolute" if needs.form == "acceleration" else "residual"](make(), needs)
            for name in re.findall(r'method="(\w+)"', refusals[0].remedy if refusals else ""):
                assert CELLS[feature, name].supported, (feature, refusals[0].remedy)
                advised += 1
    assert advised > 30


@pytest.mark.slow
@pytest.mark.parametrize("feature", [name for name in FEATURES if CELLS[name, "dopri5"].supported and ": " not in name])
def test_many_at_once_what_one_run_can(feature, tmp_path):
    """The engine "threads", whose loop is the one of a card too, gives what runs give; or says that the mechanism is
    too large for it. Links by fits are of the same parts, and their loops take half an hour to compile."""
    mechanism = FEATURES[feature]()
    path = next(path for path in mechanism.parameters if path.endswith((".mass", ".EI", ".stiffness", ".pitch")))
    value = mechanism.parameters[path]
    study = gd.Study(mechanism, {path: [value, 1.1 * value]}, ["final energy.kinetic"], duration=DURATION, rtol=1e-8)
    one = study.run(tmp_path / "one", processes=0, progress=False)
    try:
        many = study.run(tmp_path / "many", engine="threads", progress=False)
    except GudgeonError as error:
        assert "operations, which would be compiled for long" in str(error)
        return
    assert many["final energy.kinetic"] == pytest.approx(one["final energy.kinetic"], rel=1e-5, abs=1e-12)
