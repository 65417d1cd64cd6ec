"""The table of what goes with what, cell by cell: what it says is what assembling does."""

import pytest

from gudgeon.assemble import Needs, assemble
from gudgeon.assemble.features import FEATURES
from gudgeon.assemble.support import CASES, FORMULATIONS, choose, table
from gudgeon.methods import methods
from gudgeon.model.run_settings import default_method
from gudgeon.quantity import GudgeonError

REQUESTS = {"absolute": {"unrolled": True}, "tree": {"coordinates": "tree"}, "looped": {"unrolled": False}}
# those whose code takes longest to compile are assembled by `make test-all`
LONG = ("film", "bristle friction", "bristle friction in space", "screw", "motor", "mount", "friction in space")
LINKS_BY_FITS = [name for name in FEATURES if ": " in name]
ASSEMBLED = [pytest.param(name, marks=pytest.mark.slow if name in (*LONG, *LINKS_BY_FITS) else ())
             for name in FEATURES]  # fmt: skip
CELLS = {(cell.feature, cell.method): cell for cell in table()}


def test_every_feature_has_a_cell_for_every_case():
    assert set(CELLS) == {(feature, case) for feature in FEATURES for case in CASES}
    assert all(bool(cell.formulations) != bool(cell.reason) for cell in CELLS.values())


def test_every_feature_has_some_method():
    for feature in FEATURES:
        assert any(CELLS[feature, case].supported for case in CASES), feature


def test_every_feature_is_integrated_where_no_method_is_named():
    """As `gudgeon list support` says: refused are methods that a user names."""
    for name, make in FEATURES.items():
        mechanism = make()
        needs = methods()[default_method(mechanism)]().needs()
        assert any(not refuses(mechanism, needs) for refuses in FORMULATIONS.values()), name


@pytest.mark.parametrize("feature", FEATURES)
def test_what_is_chosen_agrees_with_the_table(feature):
    for case, needs in CASES.items():
        cell, mechanism = CELLS[feature, case], FEATURES[feature]()
        if cell.supported:
            assert choose(mechanism, needs) in cell.formulations
        else:
            with pytest.raises(GudgeonError):
                choose(mechanism, needs)


@pytest.mark.parametrize("feature", ASSEMBLED)
def test_assembling_agrees_with_the_table(feature):
    """With force laws every formulation; beyond that one that serves, and none where the table has a reason."""
    for case, needs in CASES.items():
        cell, mechanism = CELLS[feature, case], FEATURES[feature]()
        if not cell.supported:
            with pytest.raises(GudgeonError):
                assemble(mechanism, needs)
            continue
        system = assemble(mechanism, needs)
        assert system.formulation in cell.formulations
        assert system.needs is needs


@pytest.mark.parametrize("feature", ASSEMBLED)
@pytest.mark.parametrize("formulation", REQUESTS)
def test_a_formulation_that_is_requested_is_taken_or_refused(feature, formulation):
    mechanism, options = FEATURES[feature](), REQUESTS[formulation]
    refusals = FORMULATIONS[formulation](mechanism, Needs())
    if refusals:
        with pytest.raises(GudgeonError):
            choose(mechanism, **options)
    else:
        assert choose(mechanism, **options) == formulation
        assert assemble(mechanism, **options).formulation == formulation


def test_refusals_name_what_and_a_remedy():
    for make in FEATURES.values():
        for needs in CASES.values():
            for refuses in FORMULATIONS.values():
                for refusal in refuses(make(), needs):
                    assert refusal.what and refusal.reason and refusal.remedy
