"""A mechanism of a known structure has the same numbers, code and report as one that is assembled from its description.

Asked of numbers of every mechanism that is shipped, and of one for each feature: other values, 0 and +-1, which fold,
and values equal to another. What a structure does not serve it must refuse (`OtherStructure`); what it serves must
equal what is assembled anew, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble, build
from gudgeon.assemble.build import Purpose
from gudgeon.assemble.features import FEATURES
from gudgeon.assemble.needs import Needs
from gudgeon.cli.templates import descriptions
from gudgeon.cli.templates import text as template
from gudgeon.compile.graph import llvm
from gudgeon.compile.graph.tape import OtherStructure
from gudgeon.model.files import load, loads
from gudgeon.papers.case import all_cases
from gudgeon.quantity import GudgeonError

MODELS = Path(__file__).resolve().parents[3] / "examples" / "models"
EXPLICIT = Purpose(Needs(), None, "llvm", "auto", None, True)
PURPOSES = {
    "explicit": EXPLICIT,
    "absolute": Purpose(Needs(), None, "llvm", "absolute", True, False),
    "implicit": Purpose(Needs(jacobian=True), None, "llvm", "auto", True, True),
    "event": Purpose(Needs(contact="event", sticking=True), None, "llvm", "auto", None, False),
}


def assert_same(quick, fresh):
    """Whether two systems are the same to the last bit."""
    for one, other in ((quick.p, fresh.p), (quick.y0, fresh.y0), (quick.start.q, fresh.start.q),
                       (quick.start.v, fresh.start.v)):  # fmt: skip
        assert np.array_equal(one, other, equal_nan=True)
    assert quick.code.parameter_names == fresh.code.parameter_names
    assert quick.module.digest == fresh.module.digest and quick.addresses == fresh.addresses
    assert quick.channels == fresh.channels and quick.typical_speeds == fresh.typical_speeds
    for name in ("positions", "velocities", "controlled", "rows", "events", "units", "internal", "integrals"):
        assert getattr(quick.layout, name) == getattr(fresh.layout, name), name
    assert str(quick.layout.reduction) == str(fresh.layout.reduction)
    assert (quick.report.redundant, quick.report.constraint_names) == (fresh.report.redundant,
                                                                       fresh.report.constraint_names)  # fmt: skip
    assert str(quick.report.redundancy) == str(fresh.report.redundancy)
    assert (quick.start.moved, quick.start.dof, quick.size) == (fresh.start.moved, fresh.start.dof, fresh.size)
    for one, other in zip(quick.contacts, fresh.contacts, strict=True):
        for name in ("name", "law", "pair", "gap", "friction_law", "index", "state", "states", "angular"):
            assert getattr(one, name) == getattr(other, name), (one.name, name)
    for one, other in zip(quick.films, fresh.films, strict=True):
        for name in ("joint", "law", "pair", "clearance", "minimum"):
            assert getattr(one, name) == getattr(other, name), (one.joint, name)


def by_structure(structure, purpose, mechanism):
    """The system, None where the structure is another one, or the words of a refusal."""
    try:
        chosen, options = purpose.formulation(mechanism), purpose.options(mechanism)
        return purpose.system(mechanism, structure.of(mechanism, options), chosen, options.size)
    except OtherStructure:
        return None
    except GudgeonError as error:
        return str(error)


def compare(mechanism, purpose, changed) -> int:
    """How many of the changed mechanisms the structure of the first serves; each is compared."""
    try:
        system = build._built(mechanism, purpose)
    except GudgeonError:
        return 0
    if system.structure is None:
        return 0
    served = 0
    for other in changed:
        quick = by_structure(system.structure, purpose, other)
        if quick is None:
            continue
        try:
            fresh = build._built(other, purpose)
        except GudgeonError as error:
            assert quick == str(error)
            continue
        assert not isinstance(quick, str), quick
        assert_same(quick, fresh)
        served += 1
    return served


def all_at_once(mechanism, rng) -> Iterator[gd.Mechanism]:
    """Every number that can be changed is changed by up to a tenth, as far as the mechanism takes it."""
    for path, value in mechanism.parameters.items():
        try:
            mechanism = mechanism.vary(path, value * rng.uniform(0.95, 1.05))
        except GudgeonError:
            continue
    yield mechanism


def one_by_one(mechanism, rng, most=None) -> Iterator[gd.Mechanism]:
    """One number each: another value, 0, 1, -1 and that of another number."""
    every = list(mechanism.parameters.items())
    chosen = every if most is None else [every[int(k)] for k in rng.permutation(len(every))[:most]]
    for path, value in chosen:
        others = [value * rng.uniform(0.95, 1.05), 0.0, 1.0, -1.0, every[int(rng.integers(len(every)))][1]]
        for other in others:
            try:
                yield mechanism.vary(path, other)
            except GudgeonError:
                continue


@pytest.mark.parametrize("name", FEATURES)
def test_of_every_feature(name):
    mechanism, rng = FEATURES[name](), np.random.default_rng(1)
    compare(mechanism, EXPLICIT, [*all_at_once(mechanism, rng), *one_by_one(mechanism, rng, 2)])


def shipped() -> dict[str, gd.Mechanism]:
    """Models, templates and published cases."""
    made = {path.stem: load(path).mechanism for path in sorted(MODELS.glob("*.yaml"))}
    made |= {f"template {name}": loads(template(name)).mechanism for name in descriptions()}
    return made | {name: case.mechanism() for name, case in all_cases().items()}


def test_of_some_shipped_models():
    """The whole of it takes minutes; see below."""
    rng, served, every = np.random.default_rng(2), 0, shipped()
    for name in ("slider-crank-clearance", "four-bar", "template slider-crank"):
        mechanism = next((m for key, m in every.items() if name in key), None)
        if mechanism is not None:
            served += compare(mechanism, EXPLICIT, [*all_at_once(mechanism, rng), *one_by_one(mechanism, rng, 4)])
    assert served > 5


@pytest.mark.slow
@pytest.mark.parametrize("purpose", PURPOSES)
def test_of_everything(purpose):
    rng, served, of = np.random.default_rng(3), 0, PURPOSES[purpose]
    for mechanism in [*shipped().values(), *(make() for make in FEATURES.values())]:
        served += compare(mechanism, of, [*all_at_once(mechanism, rng), *one_by_one(mechanism, rng, 3)])
    assert served > 300


def slider_crank(clearance):
    m = gd.Mechanism("known", gravity=(0.0, -9.81))
    m.body("crank", mass=0.1, inertia=1e-4, at=(0.025, 0.0))
    m.body("rod", mass=0.2, inertia=3e-4, at=(0.11, 0.0))
    m.body("slider", mass=0.3, inertia=2e-4, at=(0.17, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(0.05, 0.0))
    wall = gd.LankaraniNikravesh(stiffness=1e9, restitution=0.9, clip=True)
    m.revolute("pin", journal="rod", bearing="slider", at=(0.17, 0.0), radius="10 mm",
               fit=gd.Clearance(clearance, wall=wall))  # fmt: skip
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.17, 0.0))
    m.drive("main", speed=50.0)
    return m


def test_runs_with_other_numbers_trace_nothing_anew(monkeypatch):
    """Numbers of the description: a clearance, a mass, a place. None of them is assembled from the description."""
    gd.simulate(slider_crank(1.1e-4).vary("rod.mass", 0.2), duration=1e-5, progress=False)
    built = []
    monkeypatch.setattr(build, "_built", lambda *args: built.append(args))
    count = llvm.compilations
    for k in range(1, 4):
        other = slider_crank(1e-4 + 1e-6 * k).vary("rod.mass", 0.2 + 0.01 * k)
        system = assemble(other, coordinates="auto", reduce=True)
        assert system.p[system.code.parameter_names.index("pin.radial_clearance")] == 1e-4 + 1e-6 * k
        assert system.p[system.code.parameter_names.index("rod.mass")] == 0.2 + 0.01 * k
        gd.simulate(other, duration=1e-5, progress=False)
    assert not built and llvm.compilations == count


@pytest.mark.parametrize("clearance", [0.0, 2.3e-4])
def test_a_number_that_folds_is_another_structure(clearance):
    """Without a gap surfaces never part: there is no contact with onset."""
    purpose = EXPLICIT
    structure = build._built(slider_crank(1e-4), purpose).structure
    quick = by_structure(structure, purpose, slider_crank(clearance))
    fresh = build._built(slider_crank(clearance), purpose)
    if clearance == 0.0:
        assert quick is None and fresh.events == 0
    else:
        assert_same(quick, fresh)
