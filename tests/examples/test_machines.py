"""Machines that designers know: the examples from 13 on, their numbers, and the same machines as model files."""

import importlib.util
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd

FOLDER = Path(__file__).resolve().parents[2] / "examples"

# example, model file, and how the example makes that mechanism
TWINS = [
    ("07", "journal-bearing", lambda module: module.bearing()),
    ("09", "coupled-disc", lambda module: module.disc()),
    ("10", "flexible-rod", lambda module: module.slider_crank(True)),
    ("13", "engine-film", lambda module: module.engine()),
    ("14", "packaging-four-bar", lambda module: module.four_bar("0.2 mm")),
    ("15", "double-wishbone", lambda module: module.corner()),
    ("16", "cam-follower", lambda module: module.cam(290.0)),
    ("17", "robot-joint", lambda module: module.elbow()),
    ("18", "door-hinge", lambda module: module.door()),
    ("19", "triple-pendulum", lambda module: module.pendulum()),
    ("20", "macpherson-strut", lambda module: module.corner()),
    ("21", "whirling-shaft", lambda module: module.rotor()),
    ("22", "governed-engine", lambda module: module.engine()),
]


def load(start):
    (path,) = FOLDER.glob(f"{start}_*.py")
    name = f"gudgeon_example_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return load


@pytest.mark.parametrize(("number", "file", "make"), TWINS, ids=[file for _, file, _ in TWINS])
def test_model_file_is_the_same_machine(number, file, make):
    """Names, kinds and every number of the description."""
    ours, theirs = make(load(number)), gd.Mechanism.from_file(FOLDER / "models" / f"{file}.yaml")
    assert ours.parameters.keys() == theirs.parameters.keys()
    for path, value in ours.parameters.items():
        assert theirs.parameters[path] == pytest.approx(value, rel=1e-12, abs=1e-15), path
    for name, joint in ours.joints.items():
        other = theirs.joints[name]
        assert (joint.kind, joint.journal, joint.bearing) == (other.kind, other.journal, other.bearing)
        assert np.allclose(joint.axis or 0, other.axis or 0, atol=1e-12)
    assert ours.start == theirs.start


def test_engine_film(example, tmp_path):
    module = example("13")
    got = module.main()
    # Petroff's loss in a centred gap is the least; a journal off its middle shears a thinner film
    r, length, c, mu, w = module.RADIUS, module.LENGTH, module.CLEARANCE, module.VISCOSITY, module.SPEED
    # the rod swings against the crank: its spin is at most w r/l, and the mean of its square small
    petroff = 2 * math.pi * mu * length * r**3 / c * w * w
    assert petroff < got["loss"] < 2 * petroff
    assert got["thinnest"] == pytest.approx(6.00e-6, rel=2e-3)
    assert got["force"] == pytest.approx(10843, rel=2e-3)
    assert 0.0 < got["thinnest"] < c
    assert (tmp_path / "out/examples/engine_film.svg").exists()


def test_packaging_four_bar(example):
    module = example("14")
    got = module.main()
    # the transmission angle between coupler and rocker, all around
    worst = math.inf
    for angle in np.linspace(0, 2 * math.pi, 721):
        square = module.FRAME**2 + module.CRANK**2 - 2 * module.FRAME * module.CRANK * math.cos(angle)
        cosine = (module.COUPLER**2 + module.ROCKER**2 - square) / (2 * module.COUPLER * module.ROCKER)
        worst = min(worst, math.sin(math.acos(cosine)))
    for name, clearance in (("new", 0.02e-3), ("worn", 0.2e-3)):
        bound = clearance / (module.ROCKER * worst)
        # within its play, but for the wall that gives way
        assert 0.5 * clearance / module.ROCKER < got[f"{name} error"] < 1.2 * bound
    assert got["worn force"] > got["new force"] > got["ideal force"]
    assert got["worn error"] == pytest.approx(1.97e-3, rel=0.02)


def test_double_wishbone(example):
    module = example("15")
    got = module.main()
    # four bushings share the side force: the patch gives way by more than all their radial stiffness together allows
    assert abs(got["rubber sideways"] - got["ideal sideways"]) > 3000 / (4 * module.RUBBER[0])
    assert got["rubber toe"] == pytest.approx(-3.0920e-3, rel=1e-3)
    # bushings a hundred times stiffer are nearly the ideal hinges, but for turning in them, which stays as it was
    _, stiff = module.curve(100.0)
    ideal = np.array([got["ideal toe"], got["ideal camber"], got["ideal sideways"]])
    rubber = np.array([got["rubber toe"], got["rubber camber"], got["rubber sideways"]])
    assert (abs(stiff - ideal) < 0.2 * abs(rubber - ideal)).all()


def test_cam_follower(example):
    module = example("16")
    got = module.main()
    # touching all the time, the lift is that of the eccentric, and the least force is at the top
    assert got["slow landings"] == 0
    assert got["lift"] == pytest.approx(2 * module.ECCENTRICITY, rel=1e-3)
    l = module.CAM + module.ROLLER
    spring = module.PRELOAD + module.STIFFNESS * ((module.ECCENTRICITY + l) - math.sqrt(l * l - module.ECCENTRICITY**2))
    least = (spring + module.MASS * module.GRAVITY) * (1 - 0.9**2)
    assert got["least force"] == pytest.approx(least, rel=0.01)
    # above the limit it flies, and lands far harder than it ever pressed
    assert got["fast landings"] >= 2
    assert got["fast force"] > 10 * least


def test_robot_joint(example):
    module = example("17")
    got = module.main()
    # 2 b and how far the teeth give way on both sides
    assert 2 * module.BACKLASH < got["lost"] < 2 * (module.BACKLASH + got["deepest"])
    assert got["lost"] == pytest.approx(0.01896, rel=1e-3)
    # two reversals a period of 0.5 s, each with a hit and sometimes a bounce
    assert got["hits"] >= 4


def test_door_hinge(example):
    module = example("18")
    got = module.main()
    beta = math.atan2(module.WIDTH, module.APART)
    force = module.MASS * 9.81 / 2 / math.cos(beta)
    for play in (1e-3, 3e-3):
        # the wall gives way by its force over its stiffness
        gap = play + force / 5e7
        lean = 2 * gap * math.sin(beta) / module.APART
        assert got[f"lean {1e3 * play:g}"] == pytest.approx(lean, rel=5e-3)
        assert got[f"edge {1e3 * play:g}"] == pytest.approx(gap * math.cos(beta) + module.WIDTH * lean, rel=5e-3)
    assert got["upper"] == pytest.approx(force, rel=5e-3)
    # let go, it comes to rest near there; friction may hold it beside
    assert got["dropped"] == pytest.approx(got["lean 1"], rel=0.3)
    assert got["still"] < 1e-3


def test_triple_pendulum(example):
    got = example("19").main()
    assert got["taken"] == pytest.approx(got["lost"], rel=1e-6)
    assert got["first hit"] == pytest.approx(0.56407943, rel=1e-6)
    # gravity pushes on during the contact: less comes back than the law alone would return
    assert 0.3 < got["restitution"] < 0.5


def test_macpherson_strut(example):
    got = example("20").main()
    # the less play, the nearer to the ideal joint; the peak force is that of the side force, whatever the play
    for bushing in ("400", "1600"):
        rattle = [got[f"ay {play} {bushing}"] for play in ("0.05", "0.2", "0.4")]
        assert got["ideal ay"] < rattle[0] < rattle[1] < rattle[2]
        assert got[f"force 0.4 {bushing}"] == pytest.approx(got["ideal force"], rel=0.01)
    # the ball flies or rolls across a play that it crosses twice in a period: accelerations grow with it, not as fast
    assert 2.0 < got["ay 0.4 400"] / got["ay 0.05 400"] < 8.0
    assert got["ay 0.2 400"] == pytest.approx(1.493, rel=5e-3)


def test_whirling_shaft(example):
    module = example("21")
    got = module.main()
    # clamped at both ends; 13/35 of the mass of the shaft move with the disc (Rayleigh)
    second = math.pi * module.DIAMETER**4 / 64
    moved = module.MASS + 13 / 35 * 7800 * math.pi / 4 * module.DIAMETER**2 * module.LENGTH
    assert got["critical"] == pytest.approx(math.sqrt(192 * 207e9 * second / module.LENGTH**3 / moved), rel=0.01)
    # damping that turns with the shaft, at 1.5 times the critical speed
    assert got["theory"] == pytest.approx(module.MU * got["critical"] ** 2 / 4, rel=1e-12)
    assert got["rigid bearing, growth"] == pytest.approx(got["theory"], rel=0.01)
    assert got["bearing that gives, growth"] < -2.0
    # above the critical speed the centre of mass comes to the middle: 1 / ((W/w)^2 - 1) of its offset remains
    assert got["bearing that gives, width"] < module.ECCENTRICITY


def test_governed_engine(example):
    module = example("22")
    got = module.main()
    # what the gas gives with the governor as far open as the mean speed says, the fan takes
    assert got["mean"] == pytest.approx(got["expected"], rel=1e-3)
    # the gas comes within a small part of two turns: the flywheel swings by what the fan takes in the rest of them, and
    # at most by the kinetic energy of piston and rod besides
    fan, moved = 4 * math.pi * module.FAN * got["mean"] / 0.5, 0.9 * module.CRANK**2 * got["mean"] / 2 / 0.5
    assert fan < got["swing"] < fan + 1.1 * moved
    assert got["balance"] < 1e-7 * 0.5 * 0.5 * got["mean"] ** 2
    in_file = gd.Mechanism.from_file(FOLDER / "models" / "governed-engine.yaml")
    described, ours = (gd.simulate(m, duration=0.2, output=1e-3) for m in (in_file, module.engine()))
    assert np.abs(described["crank.spin"] - ours["crank.spin"]).max() < 1e-9 * 280.0
