"""Mechanisms of space as files: they come back the same to the last digit, and what is wrong is told at its place."""

import math

import pytest
from test_files import MODELS, same
from test_files_schema import data

import gudgeon as gd
from gudgeon.laws import LankaraniNikravesh, LinearLiner, ModifiedCoulomb
from gudgeon.model import Bushing, Clearance, Elastic, Formula, Ideal, Mechanism, Stop, Touching
from gudgeon.model.files import ModelFileError, dump, load, loads, schema
from gudgeon.model.files.edit import put
from gudgeon.model.files.json_schema import file_model
from gudgeon.papers import ambrosio2018, flores2006
from gudgeon.quantity import GudgeonError

HARD = LankaraniNikravesh(restitution=0.5, stiffness=1e9)
PUBLISHED = {
    "slider-crank": lambda: ambrosio2018.slider_crank(),
    "slider-crank G": lambda: ambrosio2018.slider_crank("G"),
    "slider-crank M": lambda: ambrosio2018.slider_crank("M", ball="0.5 mm"),
    "bearing": lambda: ambrosio2018.slider_crank(bearing="0.5 mm"),
    "shared bearing": lambda: ambrosio2018.slider_crank(bearing="0.5 mm", shared=True, ratio_limit="both"),
    "pendulum": lambda: ambrosio2018.triple_pendulum(),
    "pendulum with dampers": lambda: ambrosio2018.triple_pendulum("kelvin-voigt"),
    "free pendulum": lambda: ambrosio2018.triple_pendulum(None),
    "four-bar": lambda: flores2006.four_bar(),
    "ideal four-bar": lambda: flores2006.four_bar(None),
    "four-bar with a socket": lambda: flores2006.four_bar("0.1 mm", socket=True),
}
TEXT = """name: arm in space
planar: false
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 1 kg, inertia: [0.1, 0.1, 0.02], at: [0, 0, 0.5 m], orientation: [0, 0, 45 deg], spin: [0, 0, 60 rpm]}
  ram: {mass: 2, inertia: [0.1, 0.12, 0.1, 0.01, 0, -0.02], at: [1, 0, 0], orientation: [0.8, 0.6, 0, 0]}
joints:
  hinge: {kind: revolute, journal: arm, bearing: ground, at: [0, 0, 0], axis: [0, 1, 0]}
  slide: {kind: cylindrical, journal: ram, bearing: arm, at: [1, 0, 0], axis: [0, 0, 2],
          stop: {translation: {upper: 1 m, wall: {law: Hertz, stiffness: 1e8}}}}
"""


def full():
    """A part of every sort, with axes and orientations that no decimal writes."""
    m = Mechanism("full", planar=False, gravity=(0, "9.81 m/s^2", 1 / 3), start="given")
    random = (0.3, -0.7, 1 / 7)
    m.body("a", mass=1, inertia=(0.1, 0.12, 0.13, 0.01, -0.02, 1 / 300), at=random, orientation=random, spin=random)
    m.body("b", mass=1, inertia=(0.1, 0.1, 0.1), at=(1, 2, 3), orientation=(0.1, 0.7, -0.7, 0.1), velocity=random)
    m.body("c", mass=1, inertia=(0.1, 0.1, 0.1), at=(3, 2, 3))
    m.body("d", mass=1, inertia=(0.1, 0.1, 0.1), at=(3, 2, 4))
    m.cylindrical("ab", journal="a", bearing="b", at=(0.5, 0.5, 0.5), axis=random, arm=(1, 1 / 3, 0), radius="10 mm",
                  length="30 mm", journal_length="40 mm", strips=3, profile=("1 um", 0, "-1 um"),
                  misalignment=("0.1 deg", 0, 0), fit=Clearance("0.1 mm", wall=HARD),
                  stop={"rotation": Stop("-1 deg", "3 deg", wall=HARD), "translation": Stop(-0.1, None, wall=HARD)},
                  )  # fmt: skip
    m.universal("bc", journal="b", bearing="c", at=(2, 2, 3), journal_axis=(1, 2, 3), bearing_axis=(3, 0, -1))
    m.translational("cd", journal="c", bearing="d", at=(3, 2, 3.5), axis=random,
                    fit={"sleeve": Bushing(LinearLiner(1e6, 10), conical=LinearLiner(50, 0.1)), "key": Ideal()},
                    )  # fmt: skip
    disc = [[0.0] * 6 for _ in range(6)]
    for k, x in enumerate((2e4, 3e4, 1e5 / 3, 40.0, 1 / 3, 60.0)):
        disc[k][k] = x
    disc[2][5] = disc[5][2] = -1 / 7
    m.mount("disc", journal="a", bearing="c", at=(1, 1, 1), axis=random, fit=Elastic(disc, (1, 1, 1, 0, 0, 0.1)))
    m.screw("screw", journal="a", bearing="d", at=(1, 1, 1), axis=random, pitch="-2 mm", radius="5 mm", length="1 cm",
            fit={"thread": Clearance("0.1 mm", wall=HARD)})  # fmt: skip
    m.contact("bump", journal="a", bearing="b", journal_point=(0, 0, 0), bearing_point=random, journal_radius="3 mm",
              radius="1 cm", fit=Touching(HARD, friction=ModifiedCoulomb(0.1)))  # fmt: skip
    m.revolute("foot", journal="d", bearing=m.ground, at=(3, 2, 4), axis=(1, 1, 1))
    m.joint("planar", "table", journal="a", bearing="d", at=(0, 0, 0), axis=(0, 0.6, 0.8))
    m.drive("foot", speed="60 rpm")
    m.drive("ab", motion=Formula("0.01*sin(t)"), direction="translation")
    m.spring("pull", "a", "d", at_i=(0, 0, 0), at_j=(1, 1, 1), stiffness="2 N/mm")
    m.torsion_spring("coil", "foot", stiffness=3.0)
    m.force("a", (1, "2 N", Formula("3*t")), at=(1, 2, 3), frame="body")
    m.torque("b", (0, "1 N m", Formula("t")), reaction="c", frame="body")
    return m


@pytest.mark.parametrize("make", [*PUBLISHED.values(), full], ids=[*PUBLISHED, "full"])
def test_a_mechanism_comes_back_the_same(make):
    made = make()
    text = dump(made)
    found = loads(text).mechanism
    same(made, found)
    assert not found.planar
    assert dump(found) == text
    file_model().model_validate(data(text))


def test_numbers_with_units_and_short_forms_are_read():
    m = loads(TEXT).mechanism
    arm, ram = m.bodies["arm"], m.bodies["ram"]
    assert arm.orientation == pytest.approx((math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8)))
    assert arm.spin == pytest.approx((0, 0, 2 * math.pi))
    assert ram.inertia == (0.1, 0.12, 0.1, 0.01, 0.0, -0.02)
    assert m.joints["slide"].axis == (0.0, 0.0, 1.0)
    assert m.joints["slide"].stops["translation"].upper == 1.0


def test_a_stop_and_a_drive_find_their_direction_by_the_unit():
    short = TEXT.replace("stop: {translation: {upper: 1 m,", "stop: {upper: 1 m,").replace("1e8}}}}", "1e8}}}")
    same(loads(short).mechanism, loads(TEXT).mechanism)
    driven = loads(TEXT + "drives: {slide: {speed: 1 m/s}}").mechanism
    assert driven.drives["slide"].direction == "translation"


@pytest.mark.parametrize(("old", "new", "line", "marked", "said", "remedy"), [
    ("at: [1, 0, 0], orientation", "at: [1, 0], orientation", 6, "[1, 0]", "at has 2 values instead of 3",
     "10 mm, 0, 0"),
    ("gravity: [0, 0, -9.81]", "gravity: [0, -9.81]", 3, "[0, -9.81]", "gravity has 2 values", "planar: false"),
    ("[0.1, 0.1, 0.02]", "[0.1, 0.1, 0.5]", 5, "[0.1, 0.1, 0.5]", "greater than the sum", "check units and order"),
    ("[0.1, 0.1, 0.02]", "[0.1, 0.1, -0.02]", 5, "[0.1, 0.1, -0.02]", "is not positive", "check signs"),
    ("[0.1, 0.1, 0.02]", "0.1", 5, "0.1", "inertia must be a list of 3 or 6", "inertia: [0.1, 0.1, 0.1]"),
    ("[0.1, 0.1, 0.02]", "[0.1, 0.1]", 5, "[0.1, 0.1]", "has 2 values instead of 3 or 6", "principal moments"),
    ("0.12, 0.1, 0.01, 0, -0.02]", "0.12, 0.1, 0.2, 0, -0.02]", 6, "[0.1, 0.12, 0.1, 0.2, 0, -0.02]", "not positive",
     "mixed components"),
    ("[0.8, 0.6, 0, 0]", "[0.8, 0.8, 0, 0]", 6, "[0.8, 0.8, 0, 0]", "length 1.13137 instead of 1", "did you mean"),
    ("[0, 0, 45 deg]", "[0, 45 deg]", 5, "[0, 45 deg]", "orientation has 2 values instead of 4 or 3", "Euler"),
    ("[0, 0, 60 rpm]", "60 rpm", 5, "60 rpm", "spin must be a list of 3", "spin: [0, 0, 0]"),
    ("orientation: [0, 0, 45 deg]", "angle: 45 deg", 5, "angle", "angle is a key of the plane", "orientation"),
    ("axis: [0, 1, 0]", "arm: [0, 1, 0]", 8, "hinge", "axis is missing", "axis: [0, 0, 1]"),
    ("axis: [0, 1, 0]", "axis: [0, 0, 0]", 8, "[0, 0, 0]", "has no direction", "axis: [0, 0, 1]"),
    ("axis: [0, 1, 0]", "journal_axis: [0, 1, 0], bearing_axis: [0, 1, 0.1]", 8, "[0, 1, 0]", "differ by 5.71059 deg",
     "misalignment"),
    ("axis: [0, 1, 0]", "axis: [0, 1, 0], length: 20 mm, journal_length: 10 mm", 8, "20 mm",
     "journal length 0.01 m is less than bearing length 0.02 m", "contact at its edges"),
    ("kind: revolute", "kind: screw", 8, "hinge", "pitch is missing", "2 mm"),
    ("axis: [0, 1, 0]", "axis: [0, 1, 0], pitch: 2 mm", 8, "2 mm", "a revolute joint has none", ""),
    ("kind: revolute", "fit: {elastic: {stiffness: [1, 1, 1]}}, kind: mount", 8, "[1, 1, 1]",
     "stiffness has 3 values instead of 6", "[0, 0, 0, 0, 0, 0]"),
    ("kind: revolute", "fit: {elastic: {stiffness: [1, 1, 1, 1, -1, 1]}}, kind: mount", 8, "-1",
     "stiffness[4][4] -1 must not be negative", "sign"),
    ("kind: revolute", "fit: {elastic: {stiffness: [1, 1, 1, 1, 1, 1 N/m]}}, kind: mount", 8, "1 N/m",
     "wrong dimension", ""),
    ("kind: revolute", "fit: {touching: {friction: {law: SmoothCoulomb, coefficient: 0.1}}}, kind: revolute", 8,
     "touching", 'needs "wall"', "law"),
    ("axis: [0, 1, 0]", "axis: [0, 1, 0], strips: 2.5", 8, "2.5", "whole number", ""),
    ("axis: [0, 1, 0]", "axis: [0, 1, 0], fit: {pin: ideal}", 8, "pin", "pin", ""),
    ("kind: revolute", "kind: universal", 8, "hinge", "two cross axes", "journal_axis"),
    ("translation: {upper", "turning: {upper", 10, "turning", "turning", ""),
    ("translation: {upper: 1 m", "rotation: {upper: 1 m", 10, "", "stop limits are in [m]", ""),
])  # fmt: skip
def test_mistakes_are_told_at_their_place(old, new, line, marked, said, remedy):
    assert TEXT.count(old) == 1
    with pytest.raises(ModelFileError) as caught:
        loads(TEXT.replace(old, new), "arm.yaml")
    problem = caught.value.problems[0]
    shown = TEXT.replace(old, new).split("\n")[problem.line - 1]
    assert problem.line == line
    assert said in problem.message
    assert remedy in problem.hint
    assert shown[problem.column - 1 : problem.column - 1 + problem.width] == marked or not marked


def test_parts_of_space_in_a_planar_file_say_what_to_write():
    plane = "name: a\nbodies: {arm: {mass: 1, inertia: 1, at: [0, 0]}}\n"
    joint = "joints: {p: {kind: spherical, journal: arm, bearing: ground, at: [0, 0]}}"
    with pytest.raises(ModelFileError, match=r"a spherical joint is one of space(.|\n)*write planar: false"):
        loads(plane + joint)
    with pytest.raises(ModelFileError, match=r"at has 3 values instead of 2(.|\n)*planar: false"):
        loads(plane.replace("[0, 0]", "[0, 0, 0]"))
    with pytest.raises(ModelFileError, match=r"orientation is a key of space(.|\n)*planar: false"):
        loads(plane.replace("at:", "orientation: [1, 0, 0, 0], at:"))
    with pytest.raises(ModelFileError, match="planar must be true or false"):
        loads(plane + "planar: no")


def test_a_field_is_changed_by_its_path():
    m = loads(TEXT).mechanism
    assert put(m, "arm.spin", "[0, 0, 1]").bodies["arm"].spin == (0.0, 0.0, 1.0)
    assert put(m, "hinge.kind", "cylindrical").joints["hinge"].kind.mates == ("sleeve",)
    with pytest.raises(GudgeonError, match="greater than the sum"):
        put(m, "arm.inertia", "[1, 1, 3]")
    assert put(m, "arm.spin.z", "30 rpm").bodies["arm"].spin == pytest.approx((0.0, 0.0, math.pi))
    with pytest.raises(GudgeonError, match=r'"arm.spin.x", "arm.spin.y" and "arm.spin.z"'):
        put(m, "arm.spin.w", 1)


def test_a_matrix_is_written_row_by_row():
    text = dump(full())
    assert "- [0, 0, 33333.333333333336, 0, 0, -0.14285714285714285]\n" in text
    assert text.count("- [") == 12


def test_the_schema_has_both_sorts_of_files():
    made = schema()
    names = {option["$ref"].rsplit("/", 1)[1] for option in made["anyOf"]}
    assert names == {"ModelFile", "SpatialModelFile"}
    parts = made["$defs"]
    assert parts["SpatialModelFile"]["properties"]["planar"]["const"] is False
    assert "planar" in parts["SpatialModelFile"]["required"]
    at = parts["SpatialBody"]["properties"]["at"]
    assert (at["minItems"], at["maxItems"]) == (3, 3)
    assert "spherical" in parts["SpatialJoint"]["properties"]["kind"]["enum"]
    assert "spherical" not in parts["Joint"]["properties"]["kind"]["enum"]
    assert parts["SpatialBody"]["properties"]["inertia"]["description"].endswith("[kg m^2]")


@pytest.mark.parametrize(("name", "make"), [
    ("ambrosio2018-slider_crank", ambrosio2018.slider_crank), ("ambrosio2018-ball", ambrosio2018.ball),
    ("ambrosio2018-triple_pendulum", ambrosio2018.triple_pendulum), ("flores2006-four_bar", flores2006.four_bar),
])  # fmt: skip
def test_cases_of_space_are_shipped_as_they_are_and_run_the_same(name, make):
    shipped = load(MODELS / f"{name}.yaml").mechanism
    same(shipped, make())
    ends = [gd.simulate(m, duration=0.02, output=0.01).end.y for m in (shipped, make())]
    assert (ends[0] == ends[1]).all()


@pytest.mark.parametrize(("fit", "law"), [
    ("{sleeve: {lubricated: {film: {law: Moes, viscosity: 60 cP}, radial_clearance: 0.1 mm, shear: false}}}", "Moes"),
    ("{sleeve: {clearance: {radial_clearance: 0.1 mm, wall: {law: Hertz, stiffness: 1e8}, friction: "
     "{law: LuGre, coefficient: 0.1, static_coefficient: 0.2}}}}", "LuGre"),
])  # fmt: skip
def test_films_and_bristles_of_a_sleeve_are_read_and_come_back(fit, law):
    text = TEXT.replace("axis: [0, 1, 0]}", f"axis: [0, 1, 0], radius: 10 mm, length: 20 mm,\n    fit: {fit}}}")
    m = loads(text).mechanism
    assert law in m.joints["hinge"].fit["sleeve"].describe()
    same(m, loads(dump(m)).mechanism)
    file_model().model_validate(data(text))
    run = gd.simulate(m, duration=1e-3)
    assert run.evidence.balance < 1e-6
