"""A wrong file is shown as a good compiler shows it: every mistake, its place, its line, its remedy."""

import pickle

import pytest

from gudgeon.model.files import ModelFileError, load, loads
from gudgeon.quantity import GudgeonError

BODY = "arm: {mass: 1, inertia: 1, at: [0, 0]}"
ARM = f"name: a\nbodies: {{{BODY}}}\n"
PLACE = "kind: revolute, journal: arm, bearing: ground, at: [0, 0]"


def problems(text):
    with pytest.raises(ModelFileError) as caught:
        loads(text, "m.yaml")
    return caught.value.problems


def joint(extra):
    return f"{ARM}joints:\n  j: {{{PLACE}, {extra}}}\n"


def fit(text):
    return joint(f"fit: {{clearance: {{radial_clearance: 1 mm, {text}}}}}")


def film(text):
    return joint(f"radius: 10 mm, length: 20 mm, fit: {{lubricated: {{radial_clearance: 1 mm, {text}}}}}")


def test_a_wrong_file_as_the_design_page_shows_it():
    text = f"""name: crank
bodies:
  {BODY}
joints:
  pin:
    kind: revolute
    journal: arm
    bearing: ground
    at: [0, 0]
    radius: 10 mm
    fit:
      clearance:
        radial_clearance: 0.5 m
        wall: {{law: Hertz}}
  pin2:
    kind: revolute
    journal: arm
    bearing: ground
    at: [0, 0]
    fit: {{clearance: {{radial_clearance: 1 mm, wall: {{law: Hertz, stiffness: 1e9}}, frictoin: LuGre}}}}
"""
    with pytest.raises(ModelFileError) as caught:
        loads(text, "crank.yaml")
    assert (
        str(caught.value)
        == """\
crank.yaml:13:27: radial_clearance 0.5 m is not smaller than bearing radius 10 mm
   13 |         radial_clearance: 0.5 m
      |                           ^^^^^
      did you mean "0.5 mm"?
crank.yaml:20:83: unknown key "frictoin" in Clearance
   20 |     fit: {clearance: {radial_clearance: 1 mm, wall: {law: Hertz, stiffness: 1e9}, frictoin: LuGre}}
      |                                                                                   ^^^^^^^^
      did you mean "friction"?
2 problems, nothing was run"""
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.problems == caught.value.problems and str(again) == str(caught.value)


CASES = [
    # text, marked text, words of the message, words of the hint
    (ARM.replace("mass: 1", "mass: 1 mm"), "1 mm", 'mass "1 mm" has the wrong dimension: expected [kg]', "0.3 kg"),
    (ARM.replace("mass: 1", "mass: 1 kgs"), "1 kgs", 'unknown unit "kgs"', 'did you mean "kg"'),
    (ARM.replace("mass: 1", "mass: -1"), "-1", "must be greater than 0", ""),
    (ARM.replace("mass: 1", "mass: true"), "true", "mass must be a number", "0.3 kg"),
    (ARM.replace("mass: 1", "mass: "), "mass", "not nothing", "0.3 kg"),
    (ARM.replace("mass: 1", "mass: .inf"), ".inf", "not finite", ""),
    (ARM.replace("mass: 1, ", ""), "arm", 'body "arm" needs "mass"', "mass: 0.3 kg"),
    (ARM.replace("[0, 0]", "[0]"), "[0]", "1 value instead of 2", "at: [10 mm, 0]"),
    (ARM.replace("[0, 0]", "[0, 1 kg]"), "1 kg", "at[1]", "10 mm"),
    (ARM.replace("mass: 1", "mass: 1, mass: 2"), "mass", '"mass" is given twice', "line 2"),
    (ARM.replace("mass: 1", "masss: 1, mass: 2"), "masss", 'unknown key "masss" in body "arm"', 'did you mean "mass"'),
    (ARM.replace("arm", "my arm"), "my arm", "must not have spaces", "my_arm"),
    (ARM.replace("arm", "ground"), "ground", "reserved", ""),
    (ARM.replace("name: a\n", ""), "bodies", 'needs "name"', ""),
    (ARM.replace("name: a", "name: 5"), "5", "name must be a text", '"5"'),
    (ARM.replace("name: a", "name: !!str a"), "!", "the tag !!str is not allowed", ""),
    (ARM + "gravity: [0, 9.81 m/s]\n", "9.81 m/s", "wrong dimension", "9.81 m/s^2"),
    (ARM + "start: idael\n", "idael", 'unknown start "idael"', 'did you mean "ideal"'),
    (ARM + "joint: {}\n", "joint", 'unknown key "joint"', 'did you mean "joints"'),
    (joint("").replace("journal: arm", "journal: amr"), "amr", 'unknown body "amr"', 'did you mean "arm"'),
    (joint("").replace("revolute", "revolut"), "revolut", 'unknown kind "revolut"', 'did you mean "revolute"'),
    (joint("").replace("ground", "arm"), "arm", "both body", "two different"),
    (joint("").replace(", at: [0, 0], }", "}"), "j", 'joint "j" has no place', "at: [0, 0]"),
    (joint("journal_point: [1, 2]"), "[1, 2]", "both at and journal_point", "one of them"),
    (joint("").replace("revolute", "translational"), "j", "needs axis", "axis: [1, 0]"),
    (joint("width: 1"), "1", "a revolute joint has none", "radius"),
    (joint("radius: 10 kg"), "10 kg", "wrong dimension", "10 mm"),
    (joint("stop: {lower: -1 mm, wall: {law: Hertz, stiffness: 1}}"), "-1 mm", "in [m]", ""),
    (joint("stop: {lower: 1 deg, wall: {law: Hertz, stiffness: 1}}"), "1 deg", "excludes", ""),
    (joint("stop: {lower: -1 kg, wall: {law: Hertz, stiffness: 1}}"), "-1 kg", "expected [rad] or [m]", "45 deg"),
    (joint("stop: {lower: -1 deg}"), "{lower: -1 deg}", 'stop needs "wall"', "wall: {law:"),
    (joint("fit: tight"), "tight", 'unknown fit "tight"', "ideal"),
    (joint("fit: clearance"), "clearance", "needs its numbers", "fit: {clearance: {...}}"),
    (joint("fit: {radial_clearance: 1 mm}"), "radial_clearance", "directly under fit", "fit: {clearance:"),
    (joint("fit: {clearance: {}, bushing: {}}"), "bushing", "one fit", ""),
    (joint("fit: {pin: ideal, slot: ideal}"), "slot", 'unknown contact pair in fit of a revolute joint: "slot"', "pin"),
    (joint("fit: {clearance: {wall: {law: Hertz, stiffness: 1}}}"), "clearance", "needs radial_clearance", ""),
    (joint("fit: {clearance: {radial_clearance: 1 mm}}"), "clearance", 'Clearance needs "wall"', "law:"),
    (fit("wall: {law: Herz}"), "Herz", 'unknown contact law "Herz"', 'did you mean "Hertz"'),
    (fit("wall: {material: steel}"), "{material: steel}", 'wall needs "law"', "LankaraniNikravesh"),
    (fit("wall: LuGre"), "LuGre", "is a friction law", "LankaraniNikravesh"),
    (fit("wall: {law: Hertz}"), "Hertz", "needs the radii", "radius"),
    (fit("wall: {law: Hertz, stiffness: 1 N/m}"), "1 N/m", "expected [N/m^1.5]", ""),
    (fit("wall: {law: Hertz, material: stele, stiffness: 1}"), "stele", 'unknown material "stele"', '"steel"'),
    (fit("wall: {law: Gonthier, stiffness: 1}"), "Gonthier", 'needs "restitution"', "0.5"),
    (fit("wall: {law: Gonthier, restitution: 2, stiffness: 1}"), "2", "at most 1", ""),
    (fit("wall: {law: ContactTable, depths: [0, 2, 1], forces: [0, 1, 2]}"), "1", "does not increase", "sort"),
    (fit("wall: {law: ContactTable, depths: [0, 1 s], forces: [0, 1]}"), "1 s", "wrong dimension", ""),
    (
        fit("wall: {law: Hertz, stiffness: 1, material: {name: x, density: 1}}"),
        "{name: x, density: 1}",
        'needs "youngs_modulus" and "poisson_ratio"',
        "207 GPa",
    ),
    (film("film: {law: Mose, viscosity: 1 cP}"), "Mose", 'unknown film law "Mose"', 'did you mean "Moes"'),
    (film("film: {law: Moes, viscosty: 1 cP}"), "viscosty", 'unknown key "viscosty" in Moes', '"viscosity"'),
    (film("film: {law: Moes, viscosity: 1 Pa}"), "1 Pa", "expected [Pa s]", ""),
    (film("film: Hertz"), "Hertz", "is a contact law", "{law: Moes, viscosity: 400 cP}"),
    (film("film: {law: Moes}"), "Moes", 'Moes needs "viscosity"', "viscosity: 40 mPa s"),
    (film("wall: {law: Hertz}"), "lubricated", 'Lubricated needs "film"', "film: {law: Moes"),
    (film("film: {law: Moes, viscosity: 1}, minimum_film: 1 um"), "1 um", "no wall to act at", "wall"),
    (film("film: {law: Moes, viscosity: 1}, minimum_fillm: 1 um"), "minimum_fillm", "unknown key", '"minimum_film"'),
    (film("film: {law: Moes, viscosity: 1}, shear: 1"), "1", "shear must be true or false", ""),
    (
        joint("fit: {lubricated: {radial_clearance: 1 mm, film: {law: Moes, viscosity: 1}}}"),
        "Moes",
        "needs the radii",
        "",
    ),
    (joint("") + "drives: {jj: {speed: 1}}", "jj", 'unknown joint "jj"', '"j"'),
    (joint("") + "drives: {j: {speed: 1 m/s}}", "1 m/s", "speed is in [m/s]", ""),
    (joint("") + "drives: {j: {speed: 1 mm}}", "1 mm", "expected [rad/s] or [m/s]", "5000 rpm"),
    (joint("") + "drives: {j: {motion: cos(t)}}", "cos(t)", "motion is 1 at t = 0", ""),
    (joint("") + "drives: {j: {motion: 2*sim(t)}}", "sim(t)", 'unknown name "sim"', '"sin"'),
    (joint("") + "drives: {j: {}}", "j", "neither of speed and motion", ""),
    (joint("") + "motors: {j: {voltage: 5 A, resistance: 1, back_emf: 1}}", "5 A", "expected [V]", "24 V"),
    (joint("") + "motors: {j: {voltage: sim(t), resistance: 1, back_emf: 1}}", "sim(t)", 'unknown name "sim"', '"sin"'),
    (joint("") + "motors: {j: {voltage: 1, resistance: -1, back_emf: 1}}", "-1", "at least 0 [ohm]", ""),
    (joint("") + "motors: {j: {voltage: 1, resistance: 1, back_emf: 1 Nm}}", "1 Nm", "expected [V s/rad]", ""),
    (joint("") + "motors: {j: {voltage: 1, resistance: 1, back_emf: 1, gear: 0}}", "0", "gear 0 connects nothing", ""),
    (joint("") + "motors: {j: {voltage: 1, resistance: 1}}", "j", 'needs "back_emf"', "5 V s/rad"),
    (joint("") + "motors: {jj: {voltage: 1, resistance: 1, back_emf: 1}}", "jj", 'unknown joint "jj"', '"j"'),
    (joint("") + "motors: {j: {voltage: 1, resistence: 1, back_emf: 1}}", "resistence", "unknown key", '"resistance"'),
    (joint("") + "controllers: {j: {speed: 1 m/s, gain: 1}}", "1 m/s", "expected [rad/s]", "5000 rpm"),
    (joint("") + "controllers: {j: {speed: 1, gain: 0}}", "0", "greater than 0 [Nm s/rad]", ""),
    (joint("") + "controllers: {j: {speed: 1, gain: 1, limit: -2 Nm}}", "-2 Nm", "greater than 0 [Nm]", ""),
    (joint("") + 'forces: {f: {body: arm, components: ["3*", 0]}}', "", "invalid syntax", ""),
    (joint("") + "forces: {f: {body: arm, components: [5 t, 0]}}", "5 t", "expected [N]", "100 N"),
    (joint("") + "forces: {f: {body: arm, components: [1/t, 0]}}", "1/t", "at t = 0", ""),
    (joint("") + "torques: {f: {body: arm, value: 3, reaction: arm}}", "arm", "cannot react to itself", ""),
    (joint("") + "torques: {j: {body: arm, value: 3}}", "j", 'the name "j" is taken', "line 4"),
    (ARM + "run: {duration: 1 s, revolutions: 2}", "revolutions", "both duration and revolutions", ""),
    (ARM + "run: {method: dopri}", "dopri", 'unknown method "dopri"', '"dopri5"'),
    (ARM + "run: {output: 1 m}", "1 m", "expected [s]", "20 ms"),
    (ARM + "run: {channels: a.x}", "a.x", "channels must be a list", ""),
    (ARM + "materials: {steel: {youngs_modulus: 1, poisson_ratio: 0, density: 1}}", "steel", "one of gudgeon", ""),
    (ARM + "materials: {x: {youngs_modulus: 1 m, poisson_ratio: 0, density: 1}}", "1 m", "expected [Pa]", "GPa"),
    ("bodies:\n\ta: 1", "\t", "a tab is used", "spaces"),
    ("name: a: b", ":", "a colon does not fit", "indentation"),
    ("name: [a, b\n", "[", "not closed", ""),
    ("name: a\x07", "\x07", "U+0007", ""),
    (ARM + "---\nname: b", "---", "second document", ""),
    ("- a", "-", "is a mapping, not a list", ""),
    ("", "", "no model", "name:"),
    (ARM + "joints: *x", "*x", "names no anchor", ""),
    ("[" * 100, "[", "nested deeper", ""),
    ("? {a: b}\n: 1\n", "{a: b}", "a key must be a text", ""),
]


@pytest.mark.parametrize(("text", "marked", "words", "hint"), CASES, ids=range(len(CASES)))
def test_each_mistake_at_its_place(text, marked, words, hint):
    problem = next((p for p in problems(text) if words in p.message), None)
    assert problem is not None, problems(text)
    line = text.split("\n")[problem.line - 1] if text else ""
    start = problem.column - 1
    if marked:
        assert line[start : start + problem.width] == marked
    assert hint in problem.hint
    assert "=" not in problem.message.replace("t = 0", "") and "(" not in problem.hint.replace("(20*t)", "")


# what a doubled key or a key that is no text was meant to be is not clear: other problems may follow from it
CLEAR = [text for text, _, words, _ in CASES if "twice" not in words and "a key must" not in words]


@pytest.mark.parametrize("text", CLEAR, ids=range(len(CLEAR)))
def test_one_mistake_is_one_problem(text):
    assert len(problems(text)) == 1, problems(text)


def test_all_mistakes_at_once():
    text = f"""name: a
bodies:
  arm: {{mass: 1 m, inertia: x, at: [0, 0], mas: 2}}
joints:
  j: {{kind: revolute, journal: arm, bearing: grund, at: [0, 0]}}
  k: {{{PLACE}, fit: {{clearance: {{radial_clearance: 1 kg, wall: Herz, friction: {{law: LuGre}}}}}}}}
drives: {{j: {{speed: 1 kg}}}}
run: {{rtol: -1}}
"""
    found = problems(text)
    assert [(p.line, p.column) for p in found] == [
        (3, 15), (3, 29), (3, 44), (5, 46), (6, 102), (6, 114), (6, 136), (7, 21), (8, 13),
    ]  # fmt: skip


def test_a_broken_part_does_not_accuse_others():
    text = ARM.replace("mass: 1", "mass: x") + f"joints: {{j: {{{PLACE}}}}}\ndrives: {{j: {{speed: 1}}}}\n"
    assert len(problems(text)) == 1
    text = f"{ARM}joints: {{j: {{{PLACE}, radius: x}}}}\ndrives: {{j: {{speed: 1}}}}\n"
    text += "torsion_springs: {t: {joint: j, stiffness: 1}}\n"
    assert len(problems(text)) == 1


def test_long_and_wide_lines_keep_their_caret():
    text = f"name: {'日本' * 5}\nbodies: {{日本: {{mass: 1 kgs, inertia: 1, at: [0, 0]}}}}\n"
    with pytest.raises(ModelFileError) as caught:
        loads(text)
    lines = str(caught.value).split("\n")
    assert lines[1].endswith("{日本: {mass: 1 kgs, inertia: 1, at: [0, 0]}}") and lines[2].index("^") == 8 + 23 - 1
    long = ARM.replace("mass: 1", f"mass: 1{' ' * 300} kgs")
    with pytest.raises(ModelFileError) as caught:
        loads(long)
    assert max(len(line) for line in str(caught.value).split("\n")[1:]) < 130


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "crank.yaml").write_bytes(b"name: \xff\n")
    with pytest.raises(ModelFileError, match=r"crank.yaml:1:7: the file is not UTF-8 here"):
        load(tmp_path / "crank.yaml")
    with pytest.raises(GudgeonError, match=r'cramk.yaml: no such file.*did you mean ".*crank.yaml"'):
        load(tmp_path / "cramk.yaml")
    with pytest.raises(GudgeonError, match="directory"):
        load(tmp_path)
    (tmp_path / "bom.yaml").write_bytes(b"\xef\xbb\xbf" + ARM.encode())
    assert load(tmp_path / "bom.yaml").mechanism.name == "a"


def test_a_tag_executes_nothing(tmp_path):
    target = tmp_path / "made"
    text = f'name: !!python/object/apply:os.system ["touch {target}"]\n' + ARM.split("\n")[1]
    assert "python/object" in problems(text)[0].message and not target.exists()


def test_laughing_aliases_are_harmless():
    text = "name: a\nbodies: &a0 {x: 1}\n" + "".join(f"k{k}: &a{k + 1} [{f'*a{k},' * 9}]\n" for k in range(30))
    assert problems(text)
