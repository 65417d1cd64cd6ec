"""Random mechanisms end with evidence or a named cause, and move the same however they are described or computed.

What the campaign (`make fuzz`) found is kept below, as small as it could be made.
"""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign import EACH, tried
from random_checks import CHECKS, apart, at_times, kind_of, positions, run
from random_mechanism import build, describe

import gudgeon as gd
from gudgeon.simulation import prepare

DATA = Path(__file__).parents[1] / "reference" / "data"
KEPT = json.loads((Path(__file__).parent / "kept.json").read_text())
REFUSED = (  # what a random mechanism may be refused for, or stop at, without being wrong
    "contradict each other",
    "have come to a position they cannot pass",
    "different units",
    "another against tilt",
    "dead centre",
    "change point",
    "do not determine",
)


@pytest.mark.parametrize("seed", range(60))
def test_a_random_mechanism(seed: int) -> None:
    """The quick ones of all; the others take seconds to compile (`make test-all`)."""
    while not is_quick(describe(seed, 2)):
        seed += 1000
    check_seed(seed, most=2, checks=1, share=0.3)


def is_quick(whole: dict[str, Any]) -> bool:
    """Whether the equations are compiled within a second: no beams, and in space no Jacobian, which methods for stiff
    equations need and so do films."""
    fits = [fit[0] for joint in whole["joints"].values() for fit in joint["fits"].values()]
    if any(body["type"] == "beam" for body in whole["bodies"].values()):
        return False
    needs = kind_of(whole).needs()
    return whole["planar"] or (needs.form == "acceleration" and not needs.jacobian and "Lubricated" not in fits)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_many_random_mechanisms(first: int) -> None:
    for seed in range(first, first + 50):
        check_seed(seed, most=8, checks=EACH)


def check_seed(seed: int, most: int, checks: int, share: float = 1.0) -> None:
    whole = describe(seed, most)
    whole["duration"] *= share
    outcome = tried(whole, random.Random(seed).sample(list(CHECKS), checks))
    assert not outcome.failures, f"seed {seed}: {outcome.failures}"
    if outcome.kind != "ok":
        assert any(words in outcome.sentence for words in REFUSED), f"seed {seed}: {outcome.sentence}"


def test_a_description_can_fail() -> None:
    """The checks see a wrong motion: gravity is a ten-thousandth off."""
    each = (describe(seed, 2) for seed in range(100))
    chosen = [d for d in each if any(d["gravity"]) and d["planar"] and not d["drives"] and d["method"] is None][:3]
    seen = []
    for whole in chosen:
        other = whole | {"gravity": [1.0001 * g for g in whole["gravity"]]}
        names, grid = list(whole["bodies"]), np.linspace(0.0, whole["duration"], 101)
        motions = [at_times(*positions(run(build(d), d), names, True), grid) for d in (whole, other)]
        seen.append(apart(*motions)[-1] > 1e-6 * whole["length"])
    assert any(seen)


def test_no_touch_is_missed_inside_a_long_step() -> None:
    """A sleeve touched at 54 ms for 1.3 ms; a step of flight went over it at one tolerance and not at another."""
    whole: dict[str, Any] = KEPT["touch inside a long step"]
    contacts = [[c.contact for c in run(build(whole), whole, rtol=rtol).contacts] for rtol in (1e-8, 1e-9, 1e-10)]
    assert contacts[0] == contacts[1] == contacts[2]
    assert contacts[0][-1] == "j0.strip_10"


def test_the_angle_of_a_loose_pin_in_space_does_not_depend_on_the_frame() -> None:
    """The torque of a torsion spring did, by how the arms of the joint lay about a tilted axis."""
    assert not tried(KEPT["torsion spring on a tilted pin"], ["another frame"]).failures


KEPT_CHECKS = [  # what was found: a check that was wrong of the first and the third, and a default of the second
    ("friction by a reaction that vibrates", "stiff bushing"),
    ("key of a shaft in rubber", "another frame"),
    pytest.param("closer than its tolerance by chance", "other units", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "check"), KEPT_CHECKS)
def test_what_was_kept_passes(name: str, check: str) -> None:
    outcome = tried(KEPT[name], [check])
    assert outcome.kind == "ok" and outcome.checks == [check], outcome.failures


def test_the_place_of_a_key_is_part_of_the_mechanism() -> None:
    """In another frame an arm that nobody gave lies elsewhere; the shaft tilts in its rubber."""
    whole: dict[str, Any] = copy.deepcopy(KEPT["key of a shaft in rubber"])
    assert whole["joints"]["j2"].pop("arm")
    assert tried(whole, ["another frame"]).kind == "failed"


@pytest.mark.slow
def test_a_long_jacobian_is_not_compiled() -> None:
    """Of this film between two bodies in space the formula took 36 s; differences are as good."""
    whole: dict[str, Any] = KEPT["long formula of a Jacobian"]
    prepared = prepare(build(whole), method="radau", duration=whole["duration"], rtol=1e-8)
    assert "jacobian" not in prepared.system.addresses
    assert prepared.run(False).evidence.jacobians > 0


@pytest.mark.slow
def test_a_film_that_is_passed_has_no_negative_thickness() -> None:
    with pytest.raises(gd.RunStopped, match=r"eccentricity 1; .*\n.*the film is 0 nm thick here"):
        run(build(KEPT["film that is passed"]), KEPT["film that is passed"])


@pytest.mark.parametrize(("name", "duration"), [("four-bar", 0.0706), ("six-bar", 0.0788)])
def test_the_trust_horizon_of_many_impacts_ends(name: str, duration: float) -> None:
    """Play in three and four pins, thousands of impacts: the twin took minutes where the run took seconds."""
    path = DATA / f"slow-impact-{name}.yaml"
    result = gd.simulate(gd.Mechanism.from_file(path), duration=duration, method="impact", trust=True)
    assert result.complete and 0.0 < result.evidence.horizon < duration
    assert result.evidence.evaluations < 2_000_000
