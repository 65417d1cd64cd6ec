"""A mechanism as a file: it comes back the same, and YAML's traps are not there."""

import math
import random
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import gudgeon
from gudgeon.compile.graph import Graph
from gudgeon.laws import (
    BRONZE,
    PTFE,
    STEEL,
    ContactLaw,
    ContactTable,
    FilmLaw,
    FrictionLaw,
    KelvinVoigt,
    LankaraniNikravesh,
    LinearLiner,
    LinerLaw,
    LinerTable,
    Material,
    ModifiedCoulomb,
    Moes,
    Ocvirk,
)
from gudgeon.methods import methods
from gudgeon.model import Bushing, Clearance, Formula, Ideal, Lubricated, Mechanism, Stop
from gudgeon.model.files import ModelFileError, RunSettings, dump, layout, load, loads
from gudgeon.model.run_settings import RunFields
from gudgeon.papers import flores2007, gonzalez2006, schwab2002
from gudgeon.quantity import GudgeonError

MODELS = Path(__file__).resolve().parents[3] / "examples" / "models"
HARD = LankaraniNikravesh(restitution=0.5, stiffness=1e9)
ARM = "name: a\nbodies: {arm: {mass: 1, inertia: 1, at: [0, 0]}}\n"


def parts(m):
    groups = (m.bodies, m.joints, m.drives, m.motors, m.controllers, m.springs, m.torsion_springs, m.forces, m.torques)
    return (m.name, m.gravity, m.start, *(list(group.items()) for group in groups))


def same(a, b):
    """Equal to the last digit, in the same order."""
    assert parts(a) == parts(b)
    assert repr(parts(a)) == repr(parts(b))


def pair(**options):
    m = Mechanism("pair", **options)
    m.body("a", mass="1 kg", inertia=0.1, at=(0.1, 1 / 3), angle=0.3, velocity=(1e-7, -2), spin=math.pi)
    m.body("b", mass=2, inertia=0.1, at=(1, 0))
    return m


def full():
    """Everything that Python can describe."""
    m = pair(gravity=(0, -9.81), start="given")
    own = Material("my bronze", 1.1e11, 0.34, 8765.4321)
    liner = LinerTable((0, "1 mm"), (0, "50 N"), damping=3)
    loose = Clearance("0.1 mm", wall=LankaraniNikravesh((STEEL, own), restitution=0.9, ratio_limit="above", clip=True),
                      friction=ModifiedCoulomb(0.1, v0="1 mm/s"))  # fmt: skip
    key = Clearance(angular_clearance="1 deg", wall=KelvinVoigt(1e3, 2, clip=False))
    m.revolute("r", journal="a", bearing="ground", at=(0, 1 / 7), radius="10 mm", fit=loose,
               stop=Stop("-90 deg", "1 rad", wall=KelvinVoigt(1e4, 1)))  # fmt: skip
    m.translational("s", journal="b", bearing="a", at=(1, 0), axis=(1, 1 / 3), length=0.1, width=0.05,
                    fit={"slot": Clearance("1 mm", wall=HARD)}, stop=Stop(upper="3 mm", wall=HARD))  # fmt: skip
    m.rigid("w", journal="b", bearing="ground", journal_point=(0, 0), bearing_point=(1, 0), radius=0.02,
            fit={"pin": Bushing(liner, wall=HARD, thickness="2 mm"), "key": key})  # fmt: skip
    oil = Lubricated("50 um", film=Moes("30 cP"), wall=HARD, minimum_film="2 um", friction=ModifiedCoulomb(0.1),
                     shear=False)  # fmt: skip
    m.rigid("o", journal="a", bearing="ground", at=(1, 2), radius=0.02, length=0.03, fit={"pin": oil})
    m.revolute("i", journal="b", bearing="ground", at=(1, 2), radius=0.01, length=0.03,
               fit=Lubricated.from_iso("20 H7/f7", limit="maximum", film=Ocvirk(0.1)))  # fmt: skip
    m.rigid("k", journal="b", bearing="ground", at=(1, 2), fit={"key": key})
    m.revolute("p", journal="b", bearing="a", at=(0.5, 0.5), radius=0.02, fit=Clearance("0.1 mm", wall=HARD,
               liner=LinearLiner(1e6), liner_thickness="1 mm"))  # fmt: skip
    m.drive("r", speed=Formula("3*(1 - exp(-t/0.1))"))
    m.drive("s", motion=Formula("0.1*sin(20*pi*t)"))
    m.drive("p", speed="100 rpm")
    m.revolute("n", journal="a", bearing="b", at=(0, 0))
    m.revolute("g", journal="a", bearing="b", at=(0, 0))
    m.revolute("h", journal="a", bearing="b", at=(0, 0))
    m.motor("n", voltage=Formula("24*tanh(t)"), resistance="0.3 ohm", back_emf=1 / 7, inductance="1 mH", gear=-3)
    m.motor("g", voltage=24, resistance=1, back_emf=0.1, torque_constant=0.11, rotor_inertia=1e-5, inductance=1,
            current=2)  # fmt: skip
    m.controller("h", speed=Formula("3*t"), gain=2, integral="3 N m/rad", limit="7 N m", preset=-1)
    m.spring("sp", "a", "b", at_i=(0, 0), at_j=(1, 1), stiffness="3 N/mm", free_length=0.7, damping=2, preload=1)
    m.damper("da", "a", "ground", point_i=(0, 0.1), at_j=(1, 1), damping=0.1)
    m.torsion_spring("ts", "r", stiffness=3, free_angle="10 deg", damping=0.2)
    m.force("a", (Formula("100*sin(20*t)"), "5 N"), at=(1, 2), frame="body")
    m.force("a", (1, 0), name="second")
    m.torque("a", Formula("tanh(t)"), reaction="b")
    m.torque("b", "5 Nm")
    return m


def test_everything_comes_back_exactly():
    run = RunSettings(duration=0.1, method="rk4", rtol=1e-7, output=1 / 3e4, channels=("a.x", "r.force"), trust=True)
    found = loads(dump(full(), run))
    same(found.mechanism, full())
    assert found.run == run and found.path is None
    assert dump(found.mechanism, found.run) == dump(full(), run)


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_models_load_and_come_back(path):
    found = load(path)
    assert path.read_text().startswith("# yaml-language-server: $schema=gudgeon.schema.json\n")
    assert found.path == path and len(found.run.arguments()) > 0
    again = loads(dump(found.mechanism, found.run))
    same(again.mechanism, found.mechanism)
    assert again.run == found.run


@pytest.mark.parametrize(("name", "mechanism"), [
    ("schwab2002-sphere", schwab2002.sphere()), ("schwab2002-ideal", schwab2002.ideal()),
    ("schwab2002-hertz", schwab2002.hertz()), ("schwab2002-film", schwab2002.film()),
    ("schwab2002-elastic", schwab2002.elastic()),
    ("flores2007-four_bar", flores2007.four_bar()),
    ("flores2007-slider_crank", flores2007.slider_crank()),
    *((f"gonzalez2006-{name}", getattr(gonzalez2006, name)()) for name in
      ("pendulum", "four_bars", "andrews", "bricard", "governor")),
])  # fmt: skip
def test_cases_of_papers_are_shipped_as_they_are(name, mechanism):
    same(load(MODELS / f"{name}.yaml").mechanism, mechanism)


def test_there_are_models_of_every_sort():
    text = "".join(path.read_text() for path in MODELS.glob("*.yaml"))
    words = ("clearance:", "bushing:", "lubricated:", "stop:", "iso:", "slot:", "springs:", "forces:", "torques:",
             "materials:")  # fmt: skip
    assert all(word in text for word in words)


def law_of(cls, number):
    """A law with every field at an unusual value."""
    values = {}
    for name, entry in layout.entries_of(cls).items():
        if entry.kind == "quantity":
            high = entry.unit.maximum or 3.0
            values[name] = high - high / number if name != "v1" else 5.0
        elif entry.kind == "choice":
            values[name] = entry.choices[-1]
        elif entry.kind == "flag":
            values[name] = not entry.default
        elif entry.kind == "material":
            values[name] = (BRONZE, PTFE)
        elif entry.kind == "numbers":
            values[name] = (0.0 if name != "coefficients" else 1.0, 1 / number, 2.0)
        elif entry.kind == "either":
            values[name] = 1e9 / number
    values.update({"strips": 3.0} if "strips" in values else {})
    if "static_coefficient" in values:
        values["static_coefficient"] = 2 * values["coefficient"]
    return cls(**values)


FAMILIES = (ContactLaw, FrictionLaw, LinerLaw, FilmLaw)
LAWS = [law for f in FAMILIES for law in f.registry.values() if "gudgeon" in law.__module__]


@pytest.mark.parametrize("cls", LAWS, ids=lambda cls: cls.__name__)
def test_every_law_comes_back(cls):
    law = law_of(cls, 7.3)
    m = pair()
    if isinstance(law, ContactLaw):
        fit = Clearance(0.001, wall=law)
    elif isinstance(law, FrictionLaw):
        fit = Clearance(0.001, wall=HARD, friction=law)
    elif isinstance(law, FilmLaw):
        fit = Lubricated(0.001, film=law)
        if law.shape == "sphere":
            m = Mechanism("space", planar=False)
            m.body("a", mass=1.0, inertia=(1.0, 1.0, 1.0), at=(0, 0, 0))
            m.spherical("j", journal="a", bearing="ground", at=(0, 0, 0), radius=0.02, fit=fit)
            same(loads(dump(m)).mechanism, m)
            return
    else:
        fit = Bushing(law)
    m.revolute("j", journal="a", bearing="b", at=(0, 0), radius=0.02, length=0.03, fit=fit)
    same(loads(dump(m)).mechanism, m)


def test_axes_of_any_direction_come_back():
    choose = random.Random(1)
    for _ in range(300):
        m = Mechanism("m")
        m.body("a", mass=1, inertia=1, at=(0, 0))
        angle = choose.uniform(0, math.tau)
        m.translational("g", journal="a", bearing="ground", at=(0, 0), axis=(math.cos(angle), math.sin(angle)))
        same(loads(dump(m)).mechanism, m)


def test_any_number_comes_back():
    choose = random.Random(2)
    for _ in range(300):
        mass = choose.uniform(1, 10) * 10.0 ** choose.randint(-99, 98)
        m = Mechanism("m")
        m.body("a", mass=mass, inertia=1e-100, at=(-mass, 1e22), angle=-0.0)
        same(loads(dump(m)).mechanism, m)


def test_iso_fits_come_back_by_their_name():
    for limit in ("minimum", "mean", "maximum"):
        m = pair()
        fit = Clearance.from_iso("20 H7/f7", limit=limit, wall=HARD)
        m.revolute("j", journal="a", bearing="b", at=(0, 0), radius=0.01, fit=fit)
        assert "iso: " in dump(m) and "radial_clearance" not in dump(m)
        same(loads(dump(m)).mechanism, m)
        other = m.vary("j.radial_clearance", 1e-4)
        same(loads(dump(other)).mechanism, other)


def test_two_materials_of_one_name_stay_apart():
    m = pair()
    for k, modulus in enumerate((1e9, 2e9, 2e9)):
        wall = LankaraniNikravesh(Material("Steel", modulus, 0.3, 7800), restitution=0.9)
        m.revolute(f"j{k}", journal="a", bearing="b", at=(0, k), radius=0.01, fit=Clearance(1e-4, wall=wall))
    for k, modulus in enumerate((1e9, 2e9, 2e9)):
        wall = LankaraniNikravesh(Material("own", modulus, 0.3, 7800), restitution=0.9)
        m.revolute(f"k{k}", journal="a", bearing="b", at=(0, k), radius=0.01, fit=Clearance(1e-4, wall=wall))
    same(loads(dump(m)).mechanism, m)


@pytest.mark.parametrize("name", [
    "null", "true", "1e5", "12:30", "- a", "a: b", "#x", 'say "hi"', "back\\slash", "日本", "tab\there", " lead",
    "é\u2028", "\U0001f600", "yes", "~", "a,b", "[x]", "*x", "&x", "%x", "new\nline", "trail ", "\x07",
])  # fmt: skip
def test_awkward_names_come_back(name):
    m = Mechanism(name)
    m.body("a" + "".join(name.split()).replace(".", ""), mass=1, inertia=1, at=(0, 0))
    same(loads(dump(m)).mechanism, m)


def test_mechanisms_write_and_read_themselves(tmp_path):
    path = full().to_file(tmp_path / "full.yaml")
    same(Mechanism.from_file(path), full())
    assert load(str(path)).path == path


def test_yaml_is_read_as_people_mean_it():
    text = ARM.replace("mass: 1", "mass: 1e-4").replace("name: a", "name: on")
    m = loads(text).mechanism
    assert m.bodies["arm"].mass == 1e-4 and m.name == "on"
    with pytest.raises(ModelFileError, match='mass "12:30:45" is not a number with a unit'):
        loads(ARM.replace("mass: 1", "mass: 12:30:45"))
    with pytest.raises(ModelFileError, match='trust must be true or false, not "yes"'):
        loads(ARM + "run: {trust: yes}")
    assert loads(ARM + "joints:\ndrives:\nrun:\nmaterials:\n").run == RunSettings()
    assert loads(ARM.replace("\n", "\r\n")).mechanism.name == "a"


def test_aliases_are_allowed():
    text = """name: a
bodies:
  one: &b {mass: &m 1 kg, inertia: 1, at: [0, 0]}
  two: *b
  three: {mass: *m, inertia: 2, at: [0, 0]}
"""
    m = loads(text).mechanism
    assert m.bodies["two"].inertia == 1 and m.bodies["three"].mass == 1


def test_names_of_laws_materials_and_fits_are_forgiving():
    text = (
        ARM
        + """joints:
  j: {kind: prismatic, journal: arm, bearing: ground, at: [0, 0], axis: [0, 2], length: 1, width: 1,
      fit: {Clearance: {radial_clearance: 1 mm, wall: {law: hertz, material: [STEEL, cast_iron], stiffness: 1e9}}}}
  k: {kind: rigid, journal: arm, bearing: ground, at: [0, 0], fit: {pin: ideal, key: Ideal}}
  l: {kind: revolute, journal: arm, bearing: ground, at: [0, 0], fit: {ideal: {}}}
"""
    )
    m = loads(text).mechanism
    assert m.joints["j"].fit["slot"].wall.material[1].name == "cast iron"
    assert m.joints["k"].fit == {"pin": Ideal(), "key": Ideal()} == m.joints["k"].fit
    assert m.joints["l"].fit == {"pin": Ideal()}


def test_a_python_function_cannot_be_written():
    m = pair()
    m.force("a", (lambda t: t, 0), name="push")
    with pytest.raises(GudgeonError, match=r'force "push": components\[0\] is a Python function.*Formula\('):
        dump(m)


def test_importing_gudgeon_loads_neither_yaml_nor_pydantic():
    code = "import gudgeon, sys; print([m for m in ('yaml', 'pydantic') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_list_of_methods_is_that_of_methods():
    assert layout.run_entries()["method"].choices == tuple(methods())


def test_settings_of_a_run_are_those_of_simulate():
    import inspect

    known = inspect.signature(gudgeon.simulate).parameters
    assert {item.name for item in fields(RunSettings)} <= set(known)
    assert {item.name for item in fields(RunSettings)} == set(RunFields.__annotations__) == set(layout.run_entries())


# -- formulas -----------------------------------------------------------------------------------------------


def test_formulas_on_floats_and_symbols():
    text = "2*sin(3*t) - t**2/4 + exp(-t)*cos(pi*t) + sqrt(1 + t) + log(2 + t) - -tanh(t) + (1+t)**1.7 + 2**t"
    formula = Formula(text)
    t = 0.37
    want = (2 * math.sin(3 * t) - t**2 / 4 + math.exp(-t) * math.cos(math.pi * t) + math.sqrt(1 + t)
            + math.log(2 + t) + math.tanh(t) + (1 + t) ** 1.7 + 2**t)  # fmt: skip
    assert formula(t) == pytest.approx(want, rel=1e-14)
    graph = Graph()
    assert float(formula(graph.scalar(t))) == pytest.approx(want, rel=1e-14)
    assert formula == Formula(" " + text) and hash(formula) == hash(Formula(text)) and formula != Formula("t")
    assert repr(Formula("2*t")) == 'Formula("2*t")'


@pytest.mark.parametrize(("text", "position", "words"), [
    ("100*sim(t)", 5, 'unknown name "sim"; did you mean "sin"'), ("2*x", 3, 'unknown name "x"'),
    ("__import__('os')", 1, "unknown name"), ("t.real", 1, "not understood"), ("sin(t, t)", 1, "one argument"),
    ("sin", 1, "needs an argument"), ("t if t else 1", 1, "not understood"), ("t < 1", 1, "not understood"),
    ("2 // t", 6, "unknown operator"), ("'a'*t", 1, "is no number"), ("1e999*t", 1, "too large"), ("2*(t", 3, "closed"),
    ("2·t", 2, "unknown character"), ("[t]", 1, "not understood"), ("sin(*t)", 1, "one argument"),
    ("True*t", 1, "is no number"), ("(lambda: 1)()", 1, "unknown name"),
])  # fmt: skip
def test_formulas_refuse_with_a_position(text, position, words):
    with pytest.raises(GudgeonError) as caught:
        Formula(text)
    assert f"position {position}: " in str(caught.value) and words in str(caught.value)


@pytest.mark.parametrize("text", ["", " ", "1+" * 600 + "1", "(" * 300 + "t" + ")" * 300, "-" * 400 + "t", 3, "1\n+2"])
def test_formulas_refuse_what_is_too_much(text):
    with pytest.raises(GudgeonError):
        Formula(text)


def test_large_powers_of_formulas_do_no_harm():
    with pytest.raises(GudgeonError, match="at t = 0"):
        Mechanism("m").body("a", mass=1, inertia=1, at=(0, 0)) and pair().torque("a", Formula("9**9**9**9"))
    with pytest.raises(GudgeonError, match="finite"):
        pair().torque("a", Formula("(0-8)**1.5"))


def test_a_table_law_of_ones_own_units():
    text = (
        ARM
        + """joints:
  j: {kind: revolute, journal: arm, bearing: ground, at: [0, 0], fit: {clearance: {radial_clearance: 1 mm,
      wall: {law: ContactTable, depths: [0, 1 um], forces: [0, 1 kN]}}}}
"""
    )
    assert loads(text).mechanism.joints["j"].fit["pin"].wall == ContactTable((0, 1e-6), (0, 1e3))


def test_every_run_setting_comes_back():
    run = RunSettings(duration=0.1, method="rk4", rtol=1e-8, step=1e-3, output=0.01, channels=("a.x",),
                      stabilisation=(5.0, 4.0), trust=True)  # fmt: skip
    read = loads(dump(pair(), run)).run
    assert read == run
    assert read.arguments()["stabilisation"] == (5.0, 4.0)
