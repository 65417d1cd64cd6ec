"""What leaves for other programs: inputs, parameters, derivatives, tables and descriptions."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from mechanisms_that_leave import pushed

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.assemble.support import Needs
from gudgeon.compile.graph.llvm import call_address
from gudgeon.export.programs import description, machine, platforms
from gudgeon.export.programs.fmu import export_fmu, works_of
from gudgeon.export.programs.machine import machine_of
from gudgeon.export.programs.object import export_object, identifier
from gudgeon.model.signals import Steered
from gudgeon.papers import flores2007, schwab2002
from gudgeon.simulation.prepare import prepare


@pytest.fixture(scope="module")
def lifted() -> machine.ExportedMechanism:
    return machine_of(pushed(), duration=0.1)


def test_numbers_that_act_are_inputs(lifted):
    """0 and 1 too, which would be structure of the equations; a formula only where it is named."""
    given = {one.name: (one.start, one.unit) for one in lifted.inputs}
    assert given == {"push.fx": (0.0, "N"), "rub": (1.0, "Nm"), "main.voltage": (3.0, "V")}
    also = machine_of(pushed(), duration=0.1, also=["push.fy"])
    assert [one.name for one in also.inputs] == ["push.fx", "push.fy", "rub", "main.voltage"]
    p, names = lifted.system.p, lifted.system.code.parameter_names
    assert [p[names.index(x)] for x in ("push.fx", "rub", "main.voltage")] == [0.0, 1.0, 3.0]


def test_parameters_are_those_that_stand_alone(lifted):
    """A clearance also changes the place of the journal at the start or the stiffness of a wall; a mass does not."""
    names = {one.name for one in lifted.parameters}
    assert {"crank.mass", "bob.inertia", "band.stiffness", "main.resistance"} <= names
    hertz = {one.name: one for one in machine_of(schwab2002.hertz(), duration=1e-3).parameters}
    assert "slider.mass" in hertz and hertz["slider.mass"].unit == "kg"
    assert "pin.radial_clearance" not in hertz and "pin.radius" not in hertz


def test_the_equations_are_those_of_the_mechanism(lifted):
    """With inputs at their starts: slopes of coordinates and speeds as assembled without any."""
    own, ours = assemble(pushed(), coordinates=lifted.system.formulation), lifted.system
    y = own.y0 + 1e-3 * np.sin(np.arange(own.states))
    wanted, got = np.zeros(own.states), np.zeros(ours.states)
    m = np.zeros(own.memory)
    call_address(own.addresses["rhs"], 0.3, y, own.p, m, wanted)
    call_address(ours.addresses["rhs"], 0.3, y, ours.p, m, got)
    assert got == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_a_driven_joint_follows_its_acceleration():
    """The speed is a state, whose rate is a parameter: half of the turn of an even acceleration, from a formula."""
    m = flores2007.four_bar("0.5 mm", branch=1)
    name = next(iter(m.drives))
    speed = m.drives[name].speed
    by_state = replace_drive(m, name, Steered(speed, -0.3 * speed))
    by_formula = replace_drive(m, name, f"{speed!r}*(1-0.3*t)")
    a, b = (prepare(x, duration=0.01).run() for x in (by_state, by_formula))
    assert a.end.t == b.end.t
    for channel in ("crank.angle", "crank.spin", "crank.alpha"):
        assert a[channel][-1] == pytest.approx(b[channel][-1], rel=1e-9)


def replace_drive(mechanism: gd.Mechanism, name: str, speed) -> gd.Mechanism:
    from gudgeon.model.builder.vary import copied

    other = copied(mechanism)
    other._drives[name] = replace(mechanism.drives[name], speed=speed)
    return other


@pytest.mark.parametrize("touching", [0.0, 1.0])
def test_derivatives_are_those_of_the_equations(lifted, touching):
    """By central differences, of slopes, channels and depths, along a direction of states and inputs."""
    s = lifted.system
    n, outputs = s.states, len(s.channels)
    y = s.y0 + 1e-3 * np.sin(np.arange(n))
    m = np.array([touching, 0.1])
    direction = np.cos(np.arange(n + len(lifted.inputs)))
    got = np.zeros(n + outputs + s.events)
    call_address(s.addresses["slopes"], 0.2, np.concatenate([y, direction]), s.p, m, got)

    def everything(h: float) -> np.ndarray:
        p = s.p.copy()
        p[[x.places[0] for x in lifted.inputs]] += h * direction[n:]
        call_address(s.addresses["prepare"], 0.0, y, p, m, p[s.module.parameters :])
        parts = {"rhs": np.zeros(n), "channels": np.zeros(outputs), "gaps": np.zeros(3 * s.events)}
        for name, out in parts.items():
            call_address(s.addresses[name], 0.2, y + h * direction[:n], p, m, out)
        return np.concatenate([parts["rhs"], parts["channels"], parts["gaps"][::3]])

    h = 1e-6
    wanted = (everything(h) - everything(-h)) / (2 * h)
    assert got == pytest.approx(wanted, rel=2e-6, abs=2e-6 * np.abs(everything(0.0)).max())
    assert np.abs(got[:n]).max() > 1.0


def test_derivatives_agree_with_the_jacobian_of_implicit_methods(lifted):
    own = assemble(pushed(), Needs(jacobian=True))
    ours = machine_of(pushed(), duration=0.1, method="radau").system
    y, m, c = own.y0 + 1e-3, np.array([1.0, 0.1]), own.controlled
    jacobian, got = np.zeros((c, own.states)), np.zeros(ours.states + len(ours.channels) + ours.events)
    call_address(own.addresses["jacobian"], 0.2, y, own.p, m, jacobian.reshape(-1))
    direction = np.zeros(ours.states + 3)
    direction[:c] = np.cos(np.arange(c))
    call_address(ours.addresses["slopes"], 0.2, np.concatenate([y, direction]), ours.p, m, got)
    wanted = jacobian @ direction[: own.states]
    assert got[:c] == pytest.approx(wanted, rel=1e-9, abs=1e-9 * np.abs(wanted).max())


def test_the_table_is_the_one_of_the_header():
    """Names and order of its entries in Python and in C."""
    text = (platforms.SOURCES / "gudgeon.h").read_text()
    body = re.sub(r"/\*.*?\*/", "", text[text.index("typedef struct {") : text.index("} gudgeon_model;")], flags=re.S)
    names = [re.sub(r"[*\s]", "", x) for line in body.partition("{")[2].split(";") if line.strip()
             for x in re.sub(r"^\s*(const )?(unsigned char|\w+)\s", "", line, count=1).split(",")]  # fmt: skip
    assert names == list(machine.ENTRIES)


def test_every_platform_gets_an_object_file(lifted):
    """By what such files begin with."""
    begins = {"linux": b"\x7fELF", "windows": b"", "mac": b"\xcf\xfa\xed\xfe"}
    code = lifted.code("press")
    for name, platform in platforms.PLATFORMS.items():
        made = machine.object_file(code, platform.triple, effort=0)
        assert made.startswith(begins[name.partition("-")[0]]) and b"press" in made
        if name.startswith("windows"):
            assert made[:2] in (b"\x64\x86", b"\x64\xaa")


def test_an_object_comes_with_its_header(tmp_path):
    files = export_object(pushed(), tmp_path, duration=0.1, name="lift-1", channels=["bob.x", "bob.y"])
    assert sorted(x.name for x in files) == sorted(
        ["lift_1.o", "lift_1.h", "main.c", "gudgeon.h", "gudgeon.c", "LICENSE"])  # fmt: skip
    header = (tmp_path / "lift_1.h").read_text()
    assert "lift_1_input_main_voltage = 2, /* voltage of the motor [V] */" in header
    assert "lift_1_output_bob_y = 1," in header and "bob_angle" not in header
    assert "NAME" not in (tmp_path / "main.c").read_text()
    assert (tmp_path / "LICENSE").read_bytes() == (platforms.SOURCES / "LICENSE").read_bytes()


@pytest.mark.parametrize(("name", "made"), [("press", "press"), ("my press 2", "my_press_2"), ("2x", "m_2x"),
                                            ("main", "main_model"), ("double", "double_model")])  # fmt: skip
def test_names_for_c(name, made):
    assert identifier(name) == made


ABOUT = description.About("press", "token", "words", "1", 0.1, 1e-3)


@pytest.mark.parametrize("version", [2, 3])
def test_the_description_is_whole(lifted, version):
    """References are unique, units have definitions, starts are where the standard wants them."""
    root = ElementTree.fromstring(description.description(lifted, ABOUT, version))
    found = list(root.find("ModelVariables"))
    assert len({x.get("valueReference") for x in found}) == len({x.get("name") for x in found}) == len(found)
    units = {x.get("name"): x for x in root.find("UnitDefinitions")}
    typed = [next(iter(x)) if version == 2 else x for x in found]
    assert {x.get("unit") for x in typed} - {None} == set(units)
    assert dict(units["Nm"].find("BaseUnit").items()) == {"kg": "1", "m": "2", "s": "-2"}
    starts = {x.get("name"): float(t.get("start")) for x, t in zip(found, typed, strict=True) if t.get("start")}
    assert starts["main.voltage"] == 3.0 and starts["bob.mass"] == 0.5
    slopes = [t for t in typed if t.get("derivative")]
    assert len(slopes) == lifted.system.states
    states = {"2": lambda t: found[int(t.get("derivative")) - 1].get("name")}
    if version == 2:
        assert [states["2"](t) for t in slopes] == [f"state.{k + 1}" for k in range(len(slopes))]
        assert root.get("numberOfEventIndicators") == "1"
    for kind in ("ModelExchange", "CoSimulation"):
        assert root.find(kind).get("needsExecutionTool") == "false"


@pytest.mark.parametrize(("unit", "base"), [
    ("m/s^2", {"m": 1, "s": -2}), ("Nm s/rad", {"kg": 1, "m": 2, "s": -1, "rad": -1}), ("1", {}),
    ("kg m^2", {"kg": 1, "m": 2}), ("N/m^1.5", None), ("furlong", None),
])  # fmt: skip
def test_units_are_made_of_base_units(unit, base):
    assert description.exponents(unit) == base


def test_works_are_named(lifted):
    keys = {work.key for work in works_of(machine_of(schwab2002.hertz(), duration=1e-3))}
    assert {"lankarani1990", "dormand1980", "gudgeon"} <= keys


def beam() -> gd.Mechanism:
    m = gd.Mechanism("whip")
    m.beam("rod", a=(0.0, 0.0), b=(1.0, 0.0), section=gd.Section.rectangle("10 mm", "5 mm", gd.STEEL))
    m.revolute("pin", journal="rod", bearing=m.ground, at=(0.0, 0.0))
    return m


@pytest.mark.parametrize(("make", "options", "why"), [
    (beam, {}, 'beam "rod" cannot be exported: beams have equations in residual form'),
    (schwab2002.hertz, {"method": "alpha"}, "with generalized-alpha: it takes equations in residual form"),
    (schwab2002.impact, {"method": "impact"}, "it treats walls as rigid by code that is compiled apart"),
    (pushed, {"inputs": ["main.volt"]}, 'input "main.volt" is not known; did you mean "main.voltage"'),
    (pushed, {"platforms": ["linux-x86"]}, 'platform "linux-x86" is not known; did you mean "linux-x86_64"'),
    (pushed, {"channels": ["bob.z"]}, 'channel "bob.z" is not known'),
])  # fmt: skip
def test_what_cannot_leave_says_which_part_and_why(tmp_path, make, options, why):
    with pytest.raises(gd.GudgeonError, match=re.escape(why)):
        export_object(make(), tmp_path / "out", duration=0.01, **options)
    assert not (tmp_path / "out").exists()


def test_an_input_that_reads_the_motion_is_refused(tmp_path):
    m = pushed()
    m.torque("crank", "-0.1*main.speed", name="brake")
    with pytest.raises(gd.GudgeonError, match='input "brake": its formula reads the motion'):
        export_object(m, tmp_path, duration=0.01, inputs=["brake"])


def test_versions_and_names_of_fmus_are_checked(tmp_path):
    with pytest.raises(gd.GudgeonError, match="version 1 of FMI is not known; choose 2 or 3"):
        export_fmu(pushed(), tmp_path / "x.fmu", version=1)
    with pytest.raises(gd.GudgeonError, match=r"the name of an FMU ends with \.fmu"):
        export_fmu(pushed(), tmp_path / "x.zip")
