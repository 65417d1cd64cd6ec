"""The examples run, and their numbers are what the mathematics in their docstrings says."""

import importlib.util
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from gudgeon.model.files import load

FOLDER = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def example(tmp_path, monkeypatch):
    """Loads an example by the start of its name and runs it in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def load(start):
        (path,) = FOLDER.glob(f"{start}_*.py")
        name = f"gudgeon_example_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def free_pin(gap):
    """First touch of the loose slider-crank, independently: only the rod swings, about the crank pin.

    (I + m d^2) phi'' = -m d (cos(phi) a_y - sin(phi) a_x) with a the acceleration of the crank pin.
    """
    r, l, d, m, inertia, w, x_slider = 0.05, 0.12, 0.06, 0.21, 2.5e-4, 5000 * math.pi / 30, 0.17

    def pin(t, y):
        x, z = r * math.cos(w * t) + l * math.cos(y[0]), r * math.sin(w * t) + l * math.sin(y[0])
        vx = -r * w * math.sin(w * t) - l * y[1] * math.sin(y[0])
        vz = r * w * math.cos(w * t) + l * y[1] * math.cos(y[0])
        return x - x_slider, z, vx, vz

    def rates(t, y):
        ax, az = -r * w * w * math.cos(w * t), -r * w * w * math.sin(w * t)
        return [y[1], -m * d * (math.cos(y[0]) * az - math.sin(y[0]) * ax) / (inertia + m * d * d)]

    def touch(t, y):
        return math.hypot(*pin(t, y)[:2]) - gap

    touch.terminal, touch.direction = True, 1.0
    found = solve_ivp(rates, (0.0, 1e-3), [0.0, -r * w / l], events=touch, rtol=1e-12, atol=1e-14)
    t, y = found.t_events[0][0], found.y_events[0][0]
    x, z, vx, vz = pin(t, y)
    return t, (x * vx + z * vz) / math.hypot(x, z)


def test_slider_crank(example, tmp_path):
    got = example("01").main()
    w = 5000 * math.pi / 30
    # the dead centre, r w^2 (1 + r/l): exact for ideal joints
    assert got["ideal acceleration"] == pytest.approx(0.05 * w * w * (1 + 0.05 / 0.12), rel=1e-9)
    # before the first touch only the rod is free: an independent integration
    t, speed = free_pin(0.5e-3)
    assert got["first touch"] == pytest.approx(t, rel=1e-8)
    assert got["first speed"] == pytest.approx(speed, rel=1e-7)
    # an impact along the rod, which the crank holds: the slider alone (0.14 kg) meets a Hertz spring,
    # F = K^0.4 (5/4 m v^2)^0.6; damping and the moving rod change it by per cents
    stiffness = 4 / 3 * 207e9 / (2 * (1 - 0.3**2)) * math.sqrt(0.01 * 0.0095 / 0.0005)
    hertz = stiffness**0.4 * (1.25 * 0.14 * speed**2) ** 0.6
    assert got["first peak"] == pytest.approx(hertz, rel=0.1)
    assert got["first peak"] == pytest.approx(45922.94, rel=1e-5)
    assert (tmp_path / "out/examples/slider_crank.svg").stat().st_size > 10_000


def test_one_joint_three_fits(example):
    module = example("02")
    got = module.main()
    # what is left of the ringing is 0.2 per cent
    assert got["offset"] == pytest.approx(got["ideal force"] / module.STIFFNESS, rel=5e-3)
    assert got["first speed"] == pytest.approx(free_pin(0.1e-3)[1], rel=1e-7)


def test_own_contact_law(example):
    got = example("03").main()
    # m v^2 / 2 = k depth^3 / 3; the deepest row lies a little before the deepest point
    depth = (1.5 * 1.0 * 2.0**2 / 1e8) ** (1 / 3)
    assert got["depth"] == pytest.approx(depth, rel=1e-4)
    assert got["peak"] == pytest.approx(1e8 * depth**2, rel=1e-6)
    # the relation of the docstring, solved here
    c, v0 = 0.2, 2.0
    arrived = c * v0 - math.log(1 + c * v0)
    parting = brentq(lambda v: -c * v - math.log(1 - c * v) - arrived, 1e-3, 4.9)
    assert got["parting speed"] == pytest.approx(parting, rel=1e-6)


def test_pendulum_with_stop(example):
    module = example("04")
    got = module.main()
    inertia = module.INERTIA + module.MASS * module.ARM**2
    arrival = math.sqrt(2 * module.MASS * 9.81 * module.ARM / inertia)
    assert got["arrival"] == pytest.approx(arrival, rel=1e-8)
    decay = module.DAMPING / (2 * inertia)
    damped = math.sqrt(module.STIFFNESS / inertia - decay**2)
    restitution = math.exp(-decay / damped * (math.pi - math.atan2(2 * decay * damped, damped**2 - decay**2)))
    # the moment of gravity is zero where the pendulum hangs
    assert got["restitution"] == pytest.approx(restitution, rel=2e-3)
    # nothing is lost in between
    assert got["second arrival"] == pytest.approx(got["restitution"] * got["arrival"], rel=1e-6)


def test_loose_guide(example):
    module = example("05")
    got = module.main()
    # 2 c / L, and a per cent more as the corners sink in
    assert got["tilt"] == pytest.approx(2 * module.PLAY / module.LENGTH, rel=0.02)
    # a tilted drawer touches at corners that are L cos(tilt) - w sin(tilt) apart along the guide
    apart = module.LENGTH * math.cos(got["tilt"]) - (0.3 - 2 * module.PLAY) * math.sin(got["tilt"])
    corner = module.PULL * module.BESIDE / apart
    assert got["corner force"] == pytest.approx(corner, rel=1e-4)
    assert got["acceleration"] == pytest.approx((module.PULL - 2 * module.FRICTION * corner) / module.MASS, rel=1e-4)


def test_friction_on_a_slope(example):
    module = example("06")
    got = module.main()
    share = math.tan(module.SLOPE) / module.MU
    assert got["SmoothCoulomb speed"] == pytest.approx(5e-3 * math.atanh(share), rel=1e-6)
    assert got["ModifiedCoulomb speed"] == pytest.approx(1e-3 + 9e-3 * share, rel=1e-6)
    assert abs(got["LuGre speed"]) < 1e-9
    for law in module.LAWS:
        # what friction took is the kinetic energy and the way down the slope, but for the settling
        lost = 0.5 * (0.5**2 - got[f"{law} speed"] ** 2) + 9.81 * math.sin(module.SLOPE) * got[f"{law} way"]
        assert got[f"{law} work"] == pytest.approx(lost, abs=1e-4)
    assert np.isfinite(list(got.values())).all()


def test_journal_bearing(example):
    """The load of Ocvirk's short bearing; the loss is Petroff's couple and the sweep of the offset journal."""
    module = example("07")
    got = module.main()
    r, length, c, mu, w = module.RADIUS, module.LENGTH, module.CLEARANCE, module.VISCOSITY, module.SPEED
    unit = mu * w * r * length**3 / (4 * c * c)

    def carried(e):
        return unit * e / (1 - e * e) ** 2 * math.sqrt(16 * e * e + math.pi**2 * (1 - e * e))

    e = brentq(lambda e: carried(e) - module.LOAD, 0, 0.99)
    assert got["ratio"] == pytest.approx(e, rel=1e-6)
    shear = 2 * math.pi * mu * length * r**3 / (c * math.sqrt(1 - e * e)) * w * w
    half = 0.5 * w * c * e * unit * math.pi * e / (1 - e * e) ** 1.5
    assert got["loss"] == pytest.approx(shear + half, rel=1e-5)
    assert got["evaluations"] < 20_000


def test_conical_pendulum(example):
    module = example("08")
    got = module.main()
    moment = module.ACROSS + module.MASS * module.ARM**2 - module.ALONG
    square = module.MASS * 9.81 * module.ARM / (moment * math.cos(module.TILT))
    force = module.MASS * math.hypot(9.81, square * module.ARM * math.sin(module.TILT))
    assert got["force"] == pytest.approx(force, rel=1e-7)
    assert got["sinks"] < 1e-8
    assert got["contacts"] >= 1
    assert got["loose peak"] > 10 * force


def test_a_coupled_disc(example):
    got = example("09").main()
    stiff = 5e4 * 6.0 - 270.0**2
    assert (got["z"], got["turn"]) == pytest.approx((-400 * 6.0 / stiff, -400 * 270.0 / stiff), rel=1e-6)
    assert got["stored"] == pytest.approx(0.5 * 400 * 400 * 6.0 / stiff, rel=1e-6)


def test_flexible_rod(example):
    module = example("10")
    found = module.main()
    load = module.SECTION.mass * module.CRANK * module.SPEED**2
    assert found["moment"] == pytest.approx(load * module.ROD**2 / 16, rel=0.05)
    slender = math.pi / 2 * math.sqrt(module.SECTION.EI / module.SECTION.mass) / module.ROD**2
    assert 0.97 * slender < found["frequency"] < slender
    assert found["torque"] == pytest.approx(found["rigid torque"], rel=0.01)


def test_elastic_rod(example):
    module = example("11")
    found = module.main()
    section, length = module.SECTION, module.ROD
    load = section.mass * module.CRANK * module.SPEED**2
    assert found["deflection"] == pytest.approx(5 * (load / 2) * length**4 / (384 * section.EI), rel=0.05)
    assert found["moment"] == pytest.approx(load * length**2 / 16, rel=0.05)
    slender = math.sqrt(section.EI / section.mass) / length**2 / (2 * math.pi)
    # rotary inertia makes both a little slower, four modes the free end a little stiffer
    assert 0.99 * math.pi**2 * slender < found["held"] < math.pi**2 * slender
    assert found["in flight"] == pytest.approx(3.9266**2 * slender, rel=0.01)
    assert found["lost in the rod"] > found["lost in the pin"] > 0.0


def test_quick_return(example):
    module = example("12")
    found = module.main()
    d, r = module.PIVOTS, module.CRANK
    assert found["rigid ratio"] == pytest.approx((d + r) / (d - r), rel=1e-5)
    # the collar goes from d - r to d + r whatever the arm does, but for its stretch
    assert found["travel"] == pytest.approx(2 * r, rel=1e-4)
    # how much faster the bending arm returns, and what that takes
    assert found["ratio"] == pytest.approx(3.0018, rel=5e-3)
    assert found["torque"] == pytest.approx(570.6, rel=5e-3) and found["torque"] > 1.3 * found["rigid torque"]
    described = load(FOLDER / "models" / "quick-return.yaml").mechanism
    ours = module.quick_return(True)
    assert described.beams == ours.beams and described.joints == ours.joints
