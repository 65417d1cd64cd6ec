"""Damaged model and study files: each is refused at its place with a remedy that helps, or read with every key heeded,
assembled and run for a moment. Some hundred here, ten thousand in the slow set; see damage_campaign.py."""

import re

import pytest
from damage import EXAMPLES, KINDS, sources
from damage_campaign import tried

from gudgeon.assemble import Needs, assemble
from gudgeon.model.files import ModelFileError, load, loads
from gudgeon.quantity import GudgeonError, parse_unit
from gudgeon.study.files import loads as loads_study

FEW = 10 * len(KINDS)
MANY, PIECE = 10_000, 500


def faults(first, count, *, run):
    found = {seed: tried(seed, run) for seed in range(first, first + count)}
    return [f"seed {seed} ({name}, {end.kind}): {fault}" for seed, (name, end) in found.items() for fault in end.faults]


def test_every_shipped_file_is_damaged():
    names = [source.name for source in sources()]
    assert len(names) == len(set(names)) > 50 and sum(source.study for source in sources()) >= 4


def test_some_damaged_files():
    assert faults(20_000, FEW, run=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, MANY, PIECE))
def test_ten_thousand_damaged_files(first):
    assert faults(first, PIECE, run=True) == []


# -- what the campaigns found ---------------------------------------------------------------------------------------


def refused(text):
    with pytest.raises(ModelFileError) as caught:
        loads(text)
    return caught.value


ARM = "{mass: 1 kg, inertia: 1e-3, at: [0, 0]}"


@pytest.mark.parametrize("count", [3, 200])
def test_aliases_are_no_bomb(count):
    """Four kilobytes may stand for more values than a computer can hold."""
    rows = [f"a{k + 1}: &a{k + 1} [{', '.join([f'*a{k}'] * 9)}]" for k in range(count)]
    error = refused("\n".join(["a0: &a0 [1]", *rows, "name: m", f"bodies: {{arm: {ARM}}}"]))
    assert len(error.problems) < 10
    assert count < 10 or "aliases up to here stand for more than" in error.problems[0].message


def test_many_aliases_of_one_wrong_part_are_no_bomb():
    """The mistakes of a part, once for each of its names."""
    wrong = ", ".join(f"q{k}: 1" for k in range(300))
    error = refused(f"name: m\nbodies:\n  arm: &arm {{{wrong}}}\n" + "".join(f"  b{k}: *arm\n" for k in range(300)))
    assert len(error.problems) < 30_000 and len(str(error)) < 100_000


def test_a_few_aliases_serve():
    found = loads(f"name: m\nbodies:\n  arm: &arm {ARM}\n  other: *arm\n").mechanism
    assert found.bodies["other"].mass == found.bodies["arm"].mass == 1.0


def test_only_the_first_of_many_problems_are_shown():
    error = refused("name: m\n" + "".join(f"k{k}: 1\n" for k in range(3000)) + f"bodies: {{arm: {ARM}}}\n")
    assert len(error.problems) == 3000 and len(str(error)) < 30_000
    assert "and 2950 more behind these" in str(error) and str(error).endswith("3000 problems, nothing was run")


@pytest.mark.parametrize("wrong", ["bodiees", "Bodies", "body_s"])
def test_a_section_spelt_wrong_is_one_problem(wrong):
    text = next(source.text for source in sources() if source.name == "governed-engine.yaml")
    assert "\nbodies:" in text
    error = refused(text.replace("\nbodies:", f"\n{wrong}:"))
    assert [p.message for p in error.problems] == [f'unknown key "{wrong}" in a model file']
    assert error.problems[0].hint == 'did you mean "bodies"?'


def test_a_missing_space_behind_a_colon_is_named():
    error = refused(f"name: m\nbodies: {{arm: {ARM.replace('mass: ', 'mass:')}}}")
    assert [p.hint for p in error.problems] == ["put a space behind the colon: mass: 1 kg"]


def test_the_place_of_what_is_not_utf8_is_in_the_file(tmp_path):
    """Lines may end with U+2028 or a carriage return alone."""
    place = tmp_path / "m.yaml"
    for end in ("\n", "\r", "\r\n", "\x85", "\u2028"):
        place.write_bytes(f"name: m{end}# one{end}# Stö".encode() + b"\xdfel")
        with pytest.raises(ModelFileError, match="not UTF-8") as caught:
            load(place)
        assert (caught.value.problems[0].line, caught.value.problems[0].column) == (3, 6)


@pytest.mark.parametrize("size", ["1e308", "-1e200", "1e-310", "1e308 km"])
def test_sizes_that_cannot_be_calculated_with_are_refused(size):
    """Their squares overflow, and a mechanism with them ended in a matrix that cannot be solved."""
    text = next(source.text for source in sources() if source.name == "template suspension")
    error = refused(text.replace("at: [10 mm, 350 mm, 200 mm]", f"at: [10 mm, 350 mm, {size}]", 1))
    assert any(words in str(error) for words in ("to calculate with", "not finite"))


def test_a_fit_whose_first_key_is_spelt_wrong():
    text = next(source.text for source in sources() if "iso: " in source.text and "\n      iso: " in source.text)
    error = refused(text.replace("      iso: ", "      isoo: ", 1))
    assert [p.hint for p in error.problems] == ['did you mean "iso"?']


@pytest.mark.parametrize("samples", ["100000000000", "99999999"])
def test_more_runs_than_memory_can_hold_are_refused(samples):
    text = next(source.text for source in sources() if source.name == "fit-tolerance.yaml")
    changed = text.replace("samples: 64", f"samples: {samples}")
    with pytest.raises(ModelFileError, match="too many runs for one study"):
        loads_study(changed, "m.yaml", EXAMPLES / "studies")


@pytest.mark.parametrize("unit", ["(mm", "mm)", ")(mm", "((mm", "mm*", "*mm", "mm()", "m*/s", "m/(s", "m/"])
def test_a_sign_without_its_partner_is_not_passed_over(unit):
    with pytest.raises(GudgeonError, match="without its partner"):
        parse_unit(unit)


@pytest.mark.parametrize(("unit", "factor"),
                         [("N/(m s)", 1.0), ("1/s", 1.0), ("/s", 1.0), ("mm**2", 1e-6), ("N*mm", 1e-3)])  # fmt: skip
def test_units_with_signs(unit, factor):
    assert parse_unit(unit)[0] == pytest.approx(factor, rel=1e-15)


def test_a_position_that_is_singular_is_a_sentence():
    """A joint of a closed chain was given to another body: one more row depended on the others, no factors exist."""
    text = next(source.text for source in sources() if source.name == "gonzalez2006-bricard.yaml")
    wrong = re.sub(r"(?s)(hinge_0:.*?bearing: )\w+", r"\1rod_4", text, count=1)
    assert wrong != text
    with pytest.raises(GudgeonError):
        assemble(loads(wrong).mechanism, Needs())


def test_planar_spelt_wrong_is_one_problem():
    text = next(source.text for source in sources() if "\nplanar: false" in source.text)
    error = refused(text.replace("\nplanar:", "\nplanaar:"))
    assert [p.hint for p in error.problems] == ['did you mean "planar"?']
