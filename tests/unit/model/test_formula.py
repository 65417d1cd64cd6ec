"""Formulas that read channels: what they say, what is seen of their units, and what is refused where."""

from __future__ import annotations

import math
import pickle

import pytest

import gudgeon as gd
from gudgeon.model import Formula, Mechanism
from gudgeon.model.files import ModelFileError, dump, loads
from gudgeon.model.signals import readable_channels, reads_motion
from gudgeon.quantity import GudgeonError, quantity


def pair(planar: bool = True) -> Mechanism:
    more = () if planar else (0.0,)
    m = Mechanism("pair", planar=planar)
    for name, x in (("bob", 0.0), ("left-arm", 1.0)):
        m.body(name, mass=1.0, inertia=1.0 if planar else (1.0, 1.0, 1.0), at=(x, 0.0, *more))
    if planar:
        m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 1.0))
    else:
        m.cylindrical("pivot", journal="bob", bearing=m.ground, at=(0.0, 1.0, 0.0), axis=(0.0, 0.0, 1.0))
    return m


STATE = {"bob.x": 0.2, "bob.vx": -3.0, "pivot.travel": 0.5, "left-arm.x": 1.0, "bob.angle": 0.7}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("40 N*pivot.travel", 20.0),
        ("-(3 Ns/m)*bob.vx", 9.0),
        ("5 kN/mm*bob.x", 1e6),
        ("1.5 cm²*2", 3e-4),
        ("100 mm", 0.1),
        ("0.5*1.2 kg/m^3*0.1 m²*bob.vx*abs(bob.vx)", -0.54),
        ("sin(bob.angle)*40 N", 40.0 * math.sin(0.7)),
        ("40 N*exp(-bob.x/(50 mm))", 40.0 * math.exp(-4.0)),
        ("'left-arm.x'*3 + \"bob.x\"", 3.2),
        ("90 deg + t", math.pi / 2 + 2),
        ("step(bob.x, 100 mm, 300 mm)", 0.5),
        ("min(bob.x, 10 cm) + max(1, 2)", 2.1),
        ("10 N*(1 - bob.vx/(-6 m/s))", 5.0),
        ("2 N * 3", 6.0),
        ("40 N - 5*t", 30.0),
        ("5 m/min(t, 4)", 2.5),
        ("300 rpm*1 s", 10.0 * math.pi),
        ("3 µm*t", 6e-6),
        ("2e-3*bob.x**2/0.04", 2e-3),
        ("(1 N)*(bob.x/(1 m))**1.5", 0.2**1.5),
    ],
)
def test_values(text, value):
    formula = Formula(text)
    assert formula(2.0, STATE) == pytest.approx(value, rel=1e-14)
    assert pickle.loads(pickle.dumps(formula)) == formula == eval(repr(formula), {"Formula": Formula})


def test_what_it_reads():
    formula = Formula("bob.x*t - 'left-arm.x' + rate(bob.x*pivot.travel)")
    assert sorted(formula.reads) == ["bob.x", "left-arm.x", "pivot.travel"]
    assert reads_motion(formula) and not reads_motion(Formula("sin(t)")) and not reads_motion(3.0)
    assert reads_motion(lambda t, s: s) and not reads_motion(lambda t: t) and not reads_motion(lambda t, k=3: t)


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("5 foo*bob.x", 3, 'unknown unit "foo"'),
        ("3*µm*bob.x", 3, "unknown name"),
        ("bob.x if t else 1", 1, "step(x, from, to)"),
        ("2 N*sign(bob.vx)", 5, "tanh(x / (1 mm/s))"),
        ("left-arm.x", 1, "write 'left-arm.x' in quotes"),
        ("step(t)", 1, "three arguments; write step(t, 0.1 s, 0.2 s)"),
        ("min(t)", 1, "two arguments"),
        ("rate()", 1, "one argument"),
        ("3*rate(t)", 3, "formula of positions"),
        ("3if t else 2", 1, "invalid decimal literal"),
        ("ddt(bob.x)", 1, "rate(x)"),
        ("bob.x[0]", 1, "not understood"),
        ("bob.x()", 1, "unknown name"),
        ("__*3", 1, "unknown name"),
        ("3 N > bob.x", 1, "not understood"),
    ],
)
def test_refused_as_text(text, position, words):
    with pytest.raises(GudgeonError) as caught:
        Formula(text)
    assert f"position {position}: " in str(caught.value) and words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("bob.x", 1, "this is [m], but [N] is wanted"),
        ("5 kg + bob.x", 8, "[m] is added to [kg]"),
        ("3 N/bob.x", 1, "[N/m]"),
        ("bob.vx - bob.x", 10, "[m] is taken from [m/s]"),
        ("sin(bob.x)", 5, "plain number, not [m]"),
        ("(3 N)*step(bob.x, 1 s, 2 s)", 19, "compared by step with [m]"),
        ("min(bob.x, 3 s)", 12, "[s] is compared by min"),
        ("(2 N)**bob.x", 8, "exponent"),
        ("5 N + (3 N)*bob.y", 7, "[Nm]"),
        ("rate(bob.x)", 1, "this is [m/s]"),
        ("(1 N)*sqrt(bob.x)", 1, "[m^1.5 kg s^-2]"),
        ("bob.ax", 1, "follows from the loads"),
        ("pivot.fx", 1, "follows from the loads"),
        ("pivot.moment", 1, "follows from the loads"),
        ("pivot.speed", 1, "write rate(pivot.travel)"),
        ("rate(bob.vx)", 6, "is an acceleration"),
        ("rate(rate(bob.x))", 6, "is an acceleration"),
        ("bub.x", 1, 'unknown part "bub"; did you mean "bob.x"'),
        ("pivot.turn", 1, '"pivot.offset" or "pivot.travel"'),
        ("zzz.x", 1, 'known: "bob"'),
        ("bob.e0", 1, "arbitrary"),
        ("bob.z", 1, "no position or speed"),
        ("energy.kinetic", 1, "unknown part"),
        ("µ.x*3", 1, "unknown part"),
        ("(1 µm)*bub.x", 8, "unknown part"),
    ],
)
def test_refused_with_the_mechanism(text, position, words):
    m = pair()
    m.force("bob", (0.0, text), name="push")
    with pytest.raises(GudgeonError) as caught:
        m.check()
    said = str(caught.value)
    assert 'force "push": components[1]: formula' in said
    assert f"position {position}: " in said and words in said


def test_bare_numbers_and_time_may_be_anything():
    m = pair()
    m.force("bob", ("-200*bob.x + 3*t + bob.spin*2 - sin(t)", "bob.x*t**0.5"))
    m.torque("bob", "(2 Nm/rad)*pivot.travel - (0.1 Nm s)*rate(pivot.travel)")
    m.check()


@pytest.mark.parametrize("planar", [True, False])
def test_channels_that_can_be_read_are_the_positions_and_speeds_of_a_run(planar):
    from gudgeon.assemble import assemble

    m = pair(planar)
    m.controller("pivot", speed=3.0, gain=1.0)
    reported = {c.name: c.unit for c in assemble(m).channels if c.unit in ("m", "rad", "m/s", "rad/s")}
    del reported["pivot.target"]
    assert readable_channels(m) == reported


def test_names_that_were_never_described_are_refused_when_it_is_complete():
    """A load may be added before the joint that it reads."""
    m = Mechanism("late")
    m.body("bob", mass=1.0, inertia=1.0, at=(0.0, 0.0))
    m.torque("bob", "-(1 Nm)*pivot.travel")
    with pytest.raises(GudgeonError, match='unknown part "pivot"'):
        m.check()
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0))
    m.check()


def test_drives_take_texts_of_time_too():
    assert pair().drive("pivot", speed="3*(1 - exp(-t/0.1))").speed == Formula("3*(1 - exp(-t/0.1))")
    assert pair().drive("pivot", motion="0.1*sin(20*t)").motion(0.1) == 0.1 * math.sin(2.0)
    assert pair().drive("pivot", speed="30 rpm").speed == pytest.approx(math.pi)
    with pytest.raises(GudgeonError, match="drive prescribes"):
        pair().drive("pivot", motion="pivot.travel")


def test_drives_are_functions_of_time_alone():
    with pytest.raises(GudgeonError, match="drive prescribes"):
        pair().drive("pivot", speed=Formula("bob.vx"))
    with pytest.raises(GudgeonError, match="drive prescribes"):
        pair().drive("pivot", motion=lambda t, s: t)


FILE = """name: m
bodies: {bob: {mass: 1, inertia: 1, at: [0, 0]}}
joints: {pivot: {kind: revolute, journal: bob, bearing: ground, at: [0, 0]}}
"""


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('forces: {push: {body: bob, components: [0, "3 N + bub.x"]}}', (4, 51), 'components[1]: unknown part "bub"'),
        ("forces:\n  push: {body: bob, components: [-200*bob.x, bob.x + bob.vx]}", (5, 54), "[m/s] is added to [m]"),
        ("torques:\n  t:\n    body: bob\n    value: -(3 N)*rate(pivot.travel)", (7, 12), "value: this is"),
        ("forces: {push: {body: bob, components: [min(1, t), 0]}}", (4, 40), "in quotes"),
        ("motors: {pivot: {voltage: 3 V*pivot.fx, resistance: 1, back_emf: 1}}", (4, 31), "follows from the loads"),
        ("controllers: {pivot: {speed: bob.x, gain: 1}}", (4, 30), "speed: this is [m], but [rad/s] is wanted"),
        ("drives: {pivot: {speed: 3*bob.x}}", (4, 25), "a drive prescribes"),
    ],
)
def test_in_a_file_with_line_and_column(text, place, words):
    with pytest.raises(ModelFileError) as caught:
        loads(FILE + text + "\n", "m.yaml")
    said = str(caught.value)
    assert f"m.yaml:{place[0]}:{place[1]}: " in said and words in said
    assert "1 problem" in said


def test_a_formula_in_a_file_comes_back_and_is_that_of_python():
    m = pair()
    m.force("bob", ("-(5 N s/m)*bob.vx", "3*'left-arm.x' + 2*\"bob.y\""), name="push")
    m.motor("pivot", voltage="12 V - (0.1 V s)*pivot.speed", resistance=1.0, back_emf=0.1)
    again = loads(dump(m)).mechanism
    assert again.forces["push"] == m.forces["push"] and again.motors["pivot"] == m.motors["pivot"]
    assert again.forces["push"].components[0] == Formula("-(5 N s/m)*bob.vx")


def test_a_function_of_the_motion_cannot_be_written():
    m = pair()
    m.torque("bob", lambda t, s: -s["bob.spin"], name="brake")
    with pytest.raises(GudgeonError, match=r'torque "brake": value is a Python function.*Formula'):
        dump(m)


def test_units_that_crashed_or_were_misread():
    with pytest.raises(GudgeonError, match='unknown unit "foo'):
        quantity("5 kN/mm*foo.x", "N")
    with pytest.raises(GudgeonError, match='unknown unit "1000"'):
        quantity("5 mm*1000", "m")
    assert gd.Mechanism("g", gravity=("0 m/s^2", "-9.81 m/s^2")).gravity == (0.0, -9.81)
