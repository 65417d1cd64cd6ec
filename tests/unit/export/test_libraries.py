"""Exported mechanisms in C: they move as here, and bad calls are answered by errors."""

from __future__ import annotations

import ctypes
import math
import platform
import shutil
import subprocess
import zipfile
from ctypes import c_double, c_int, c_size_t, c_void_p
from importlib.util import find_spec

import numpy as np
import pytest
from importer import EventInfo, Instance, Library
from mechanisms_that_leave import pushed

import gudgeon as gd
from gudgeon.export.programs.fmu import export_fmu, write_fmu
from gudgeon.export.programs.machine import ExportedMechanism, machine_of
from gudgeon.export.programs.object import export_object
from gudgeon.papers import flores2007, schwab2002

CC = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(CC is None or platform.system() != "Linux" or platform.machine() != "x86_64",
                                reason="needs a C compiler on Linux")  # fmt: skip
CO_SIMULATION, MODEL_EXCHANGE, ERROR = 1, 0, 3
END = 0.1


@pytest.fixture(scope="module")
def machine() -> ExportedMechanism:
    return machine_of(pushed(), duration=END)


@pytest.fixture(scope="module")
def library(tmp_path_factory, machine) -> Library:
    folder = tmp_path_factory.mktemp("fmu")
    write_fmu(machine, folder / "pushed.fmu", platforms=["linux-x86_64"])
    return Library(folder / "pushed.fmu", folder / "files")


@pytest.fixture(scope="module")
def run() -> gd.Run:
    return gd.simulate(pushed(), duration=END, output=END / 10, rtol=1e-11)


def test_an_object_moves_as_here(tmp_path):
    """main.c, compiled by the C compiler of this computer."""
    export_object(schwab2002.hertz(), tmp_path, duration=2e-3, name="press")
    subprocess.run([CC, "-std=c99", "-Wall", "-Wextra", "-Werror", "main.c", "gudgeon.c", "press.o", "-lm", "-o", "a"],
                   cwd=tmp_path, check=True)  # fmt: skip
    out = subprocess.run([tmp_path / "a", "0.002", "10"], check=True, capture_output=True, text=True).stdout
    names, *rows = (line.split(",") for line in out.splitlines())
    table = dict(zip(names, np.array(rows, dtype=float).T, strict=True))
    ours = gd.simulate(schwab2002.hertz(), duration=2e-3, output=2e-4)
    assert table["t"] == pytest.approx(ours.t, abs=1e-15)
    for name in ("slider.x", "slider.vx", "rod.angle", "pin.normal", "main.torque"):
        assert table[name] == pytest.approx(ours[name], abs=1e-5 * np.abs(ours[name]).max())


def test_co_simulation_moves_as_here(library, run):
    """Contacts begin where they do here, and their peaks are seen between the steps of the importer."""
    one = Instance(library, CO_SIMULATION)
    assert one.begin() == 0
    for k in range(10):
        assert one.step(k * END / 10, END / 10) == 0
        bob, turn = one.get("bob.y", "crank.angle")
        assert bob == pytest.approx(run["bob.y"][k + 1], abs=1e-8)
        assert turn == pytest.approx(run["crank.angle"][k + 1], abs=1e-8)
    assert len(run.contacts) > 1
    last = run.contacts[-1]
    touched, speed, peak = one.get("pin.touch_time", "pin.touch_speed", "pin.peak_force")
    assert touched == pytest.approx(last.t_on, abs=1e-7) and speed == pytest.approx(last.speed_on, rel=1e-4)
    assert peak == pytest.approx(last.peak_force, rel=1e-4)


def test_instances_know_nothing_of_each_other(library):
    """Two at once, one with another voltage; a reset one; one that starts later: the same bits, or its own."""
    first, second, late = (Instance(library, CO_SIMULATION) for _ in range(3))
    first.begin(), second.begin(), late.begin(start=7.0)
    second.set(main__voltage=-5.0)
    for k in range(4):
        assert first.step(k * 0.01, 0.01) == second.step(k * 0.01, 0.01) == late.step(7.0 + k * 0.01, 0.01) == 0
    reached = first.get("bob.y", "crank.spin", "energy.kinetic")
    assert second.get("crank.spin")[0] < 0.0 < reached[1]
    assert late.get("bob.y", "crank.spin", "energy.kinetic") == pytest.approx(reached, rel=1e-6)
    second("Reset")
    second.begin()
    for k in range(4):
        second.step(k * 0.01, 0.01)
    assert second.get("bob.y", "crank.spin", "energy.kinetic") == reached


def test_a_saved_state_goes_on_with_the_same_bits(library):
    """In the same instance, and as bytes in another one."""
    one, other = (Instance(library, CO_SIMULATION) for _ in range(2))
    one.begin(), other.begin()
    one.set(rub=2.0)
    one.step(0.0, 0.03)
    state, size = c_void_p(), c_size_t()
    assert one("GetFMUstate", ctypes.byref(state)) == one("SerializedFMUstateSize", state, ctypes.byref(size)) == 0
    data = ctypes.create_string_buffer(size.value)
    assert one("SerializeFMUstate", state, data, size) == 0
    one.step(0.03, 0.05)
    ended = one.get("bob.y", "bob.vy", "rub")
    assert one("SetFMUstate", state) == 0
    one.step(0.03, 0.05)
    assert one.get("bob.y", "bob.vy", "rub") == ended
    copy = c_void_p()
    assert other("DeSerializeFMUstate", data, size, ctypes.byref(copy)) == other("SetFMUstate", copy) == 0
    other.step(0.03, 0.05)
    assert other.get("bob.y", "bob.vy", "rub") == ended
    assert one("DeSerializeFMUstate", data, c_size_t(size.value - 8), ctypes.byref(c_void_p())) == ERROR
    assert one("SetFMUstate", None) == ERROR
    assert one("FreeFMUstate", ctypes.byref(state)) == other("FreeFMUstate", ctypes.byref(copy)) == 0


def test_inputs_and_parameters_act(library):
    """A torque that jumps, and another mass: as a run that is resumed with them."""
    m = pushed().vary("crank.mass", 1.5)
    before = gd.simulate(m, duration=0.04)
    after = gd.simulate(with_torque(m, -4.0), duration=0.04, resume=before)
    one = Instance(library, CO_SIMULATION)
    assert one.set(crank__mass=1.5) == 0
    one.begin()
    one.step(0.0, 0.04)
    one.set(rub=-4.0)
    one.step(0.04, 0.04)
    assert one.get("crank.spin", "bob.y") == pytest.approx([after["crank.spin"][-1], after["bob.y"][-1]], rel=1e-5)


def with_torque(mechanism: gd.Mechanism, value: float) -> gd.Mechanism:
    from dataclasses import replace

    from gudgeon.model.builder.vary import copied

    other = copied(mechanism)
    other._torques["rub"] = replace(mechanism.torques["rub"], value=value)
    return other


def test_bad_calls_are_errors(library):
    """Each is refused with words, and the instance goes on."""
    assert Instance(library, CO_SIMULATION, token=b"other").at is None
    assert Instance(library, CO_SIMULATION, name=b"").at is None
    assert Instance(library, 7).at is None
    one = Instance(library, CO_SIMULATION)
    assert one.step(0.0, 0.01) == ERROR and "not allowed now" in one.said[-1]
    assert one("SetupExperiment", 1, c_double(0.5), c_double(0.0), 0, c_double(0.0)) == ERROR
    assert one("SetupExperiment", 0, c_double(0.0), c_double(math.nan), 0, c_double(0.0)) == ERROR
    assert one.begin() == 0
    for values in ({"main__voltage": math.nan}, {"rub": math.inf}):
        assert one.set(**values) == ERROR and "not finite" in one.said[-1]
    assert one.set(crank__mass=2.0) == ERROR and "after the initialization" in one.said[-1]
    assert one.set(bob__y=1.0) == ERROR and "cannot be set" in one.said[-1]
    value = c_double()
    for reference in (1 << 19, 3 << 20 | 9999, 4000 << 20):
        number = (ctypes.c_uint * 1)(reference)
        assert one("GetReal", number, c_size_t(1), ctypes.byref(value)) == ERROR and "not known" in one.said[-1]
    assert one("GetReal", None, c_size_t(1), None) == ERROR
    assert one("GetInteger", (ctypes.c_uint * 1)(0), c_size_t(1), (c_int * 1)()) == ERROR
    for t, h in ((0.0, -0.01), (0.0, math.nan), (5.0, 0.01)):
        assert one.step(t, h) == ERROR
    assert one("GetDerivatives", None, c_size_t(3)) == ERROR
    assert library.code.fmi2DoStep(None, c_double(0.0), c_double(1.0), 1) == ERROR
    assert one.step(0.0, 0.01) == 0


class Solver:
    """Model exchange by Runge-Kutta's classical method, with crossings of event indicators found by halves."""

    def __init__(self, one: Instance, states: int, indicators: int) -> None:
        self.one, self.n, self.indicators, self.events = one, states, indicators, 0
        self.info = EventInfo()
        self.update()

    def update(self) -> None:
        assert self.one("NewDiscreteStates", ctypes.byref(self.info)) == 0
        assert self.one("EnterContinuousTimeMode") == 0
        self.y = self.one.array("GetContinuousStates", self.n)

    def slopes(self, t: float, y: np.ndarray) -> np.ndarray:
        self.one("SetTime", c_double(t))
        self.one.put_states(y)
        return self.one.array("GetDerivatives", self.n)

    def depths(self, t: float, y: np.ndarray) -> np.ndarray:
        self.slopes(t, y)
        return self.one.array("GetEventIndicators", self.indicators)

    def tried(self, t: float, h: float) -> np.ndarray:
        y = self.y
        a = self.slopes(t, y)
        b = self.slopes(t + h / 2, y + h / 2 * a)
        c = self.slopes(t + h / 2, y + h / 2 * b)
        d = self.slopes(t + h, y + h * c)
        return y + h / 6 * (a + 2 * b + 2 * c + d)

    def march(self, end: float, h: float) -> None:
        t, event, wanted = 0.0, c_int(), c_int()
        while t < end - 1e-12:
            before = self.depths(t, self.y) > 0.0
            length = min(h, end - t)
            crossed = (self.depths(t + length, self.tried(t, length)) > 0.0) != before
            if crossed.any():
                low, high = 0.0, length
                while high - low > 1e-15:
                    middle = 0.5 * (low + high)
                    if ((self.depths(t + middle, self.tried(t, middle)) > 0.0) != before).any():
                        high = middle
                    else:
                        low = middle
                length = high
            self.y = self.tried(t, length)
            t += length
            self.slopes(t, self.y)
            assert self.one("CompletedIntegratorStep", 1, ctypes.byref(wanted), ctypes.byref(event)) == 0
            if crossed.any() or wanted.value:
                self.events += 1
                self.one("EnterEventMode")
                self.update()


def test_another_solver_finds_the_same_contacts(library, run):
    """Depths are event indicators; modes and speeds of first touch change at events."""
    one = Instance(library, MODEL_EXCHANGE)
    assert one.begin() == 0
    count = sum(name.startswith("state.") for name in library.references)
    solver = Solver(one, count, 1)
    solver.march(END / 5, 1e-5)
    contacts = [c for c in run.contacts if c.t_on < END / 5]
    assert solver.events >= 2 * len(contacts) - 1 > 3
    touched, speed = one.get("pin.touch_time", "pin.touch_speed")
    assert touched == pytest.approx(contacts[-1].t_on, abs=1e-6)
    assert speed == pytest.approx(contacts[-1].speed_on, rel=1e-3)
    assert one.get("bob.y", "crank.angle") == pytest.approx([run["bob.y"][2], run["crank.angle"][2]], abs=1e-7)


def test_derivatives_through_the_interface(library):
    """Of slopes and outputs by a state and an input, against differences."""
    one = Instance(library, MODEL_EXCHANGE)
    one.begin(), one("EnterContinuousTimeMode")
    count = sum(name.startswith("state.") for name in library.references)
    y, h = one.array("GetContinuousStates", count), 1e-6
    unknowns = ["crank.alpha", "bob.ay", *(f"der(state.{k + 1})" for k in range(count))]
    got = one.along(unknowns, ["state.1", "rub"], [1.0, 0.5])

    def at(step: float) -> np.ndarray:
        one.put_states(y + step * (np.arange(count) == 0))
        one.set(rub=1.0 + 0.5 * step)
        return np.array(one.get(*unknowns))

    wanted = (at(h) - at(-h)) / (2 * h)
    assert got == pytest.approx(wanted, rel=1e-5, abs=1e-5) and np.abs(got).max() > 0.1


@pytest.fixture(scope="module")
def loop(tmp_path_factory) -> Library:
    """A four-bar with a loop."""
    folder = tmp_path_factory.mktemp("loop")
    path = export_fmu(flores2007.four_bar("0.5 mm", branch=1).refit(pin=gd.Ideal()), folder / "loop.fmu",
                      duration=0.01, platforms=["linux-x86_64"])  # fmt: skip
    return Library(path, folder / "files")


def test_states_off_the_constraints_are_brought_back(loop):
    """In model exchange by an event; at the start where a state is given another value, unless no position closes."""
    one = Instance(loop, MODEL_EXCHANGE)
    one.begin(), one("EnterContinuousTimeMode")
    count = sum(name.startswith("state.") for name in loop.references)
    y = one.array("GetContinuousStates", count)
    one.put_states(y + 1e-4 * (np.arange(count) == 1))
    event, ended = c_int(), c_int()
    one("CompletedIntegratorStep", 1, ctypes.byref(event), ctypes.byref(ended))
    assert event.value == 1
    info = EventInfo()
    one("EnterEventMode"), one("NewDiscreteStates", ctypes.byref(info)), one("EnterContinuousTimeMode")
    assert info.states == 1
    one("CompletedIntegratorStep", 1, ctypes.byref(event), ctypes.byref(ended))
    assert event.value == 0
    apart = Instance(loop, CO_SIMULATION)
    apart("SetupExperiment", 0, c_double(0.0), c_double(0.0), 0, c_double(0.0)), apart("EnterInitializationMode")
    apart.set(state__1=50.0)
    assert apart("ExitInitializationMode") == ERROR and "do not close" in apart.said[-1]


def test_fmi_3_has_the_same_motion(tmp_path, library, machine):
    """Through some of its own functions."""
    path = tmp_path / "third.fmu"
    write_fmu(machine, path, version=3, platforms=["linux-x86_64"])
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
        text = archive.read("modelDescription.xml").decode()
    code = ctypes.CDLL(str(tmp_path / "binaries" / "x86_64-linux" / "third.so"))
    token = text.partition('instantiationToken="')[2].partition('"')[0]
    code.fmi3InstantiateCoSimulation.restype = c_void_p
    at = c_void_p(code.fmi3InstantiateCoSimulation(b"one", token.encode(), None, False, True, False, False, None,
                                                   c_size_t(0), None, None, None))  # fmt: skip
    assert code.fmi3EnterInitializationMode(at, False, c_double(0), c_double(0), False, c_double(0)) == 0
    assert code.fmi3ExitInitializationMode(at) == 0
    flags, reached = [ctypes.c_bool() for _ in range(3)], c_double()
    told = [*map(ctypes.byref, flags), ctypes.byref(reached)]
    assert code.fmi3DoStep(at, c_double(0.0), c_double(0.03), True, *told) == 0
    assert reached.value == pytest.approx(0.03, abs=1e-15)
    two = Instance(library, CO_SIMULATION)
    two.begin(), two.step(0.0, 0.03)
    number, value = (ctypes.c_uint * 1)(library.references["bob.y"]), (c_double * 1)()
    assert code.fmi3GetFloat64(at, number, c_size_t(1), value, c_size_t(1)) == 0
    assert list(value) == two.get("bob.y")
    assert code.fmi3GetFloat64(at, number, c_size_t(1), value, c_size_t(2)) == ERROR
    assert code.fmi3GetInt32(at, number, c_size_t(1), value, c_size_t(1)) == ERROR
    code.fmi3FreeInstance(at)


@pytest.mark.parametrize("version", [2, 3])
def test_fmpy_finds_no_problem(tmp_path, version, machine):
    fmpy = pytest.importorskip("fmpy")
    validation = pytest.importorskip("fmpy.validation")
    path = tmp_path / "pushed.fmu"
    write_fmu(machine, path, version=version, platforms=["linux-x86_64"])
    assert validation.validate_fmu(str(path)) == []
    for kind in ("CoSimulation", "ModelExchange"):
        rows = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=0.02, output_interval=1e-3)
        assert len(rows) > 20


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("zig") is None and find_spec("ziglang") is None, reason="needs zig")
def test_every_platform_is_linked(tmp_path, machine):
    """By what libraries begin with; the functions of FMI are among the names that each gives away."""
    begins = {"linux64": b"\x7fELF", "aarch64-linux": b"\x7fELF", "win64": b"MZ", "aarch64-windows": b"MZ",
              "darwin64": b"\xca\xfe\xba\xbe"}  # fmt: skip
    write_fmu(machine, tmp_path / "all.fmu")
    with zipfile.ZipFile(tmp_path / "all.fmu") as archive:
        made = {x.split("/")[1]: archive.read(x) for x in archive.namelist() if x.startswith("binaries/")}
    assert {x: made[x][: len(begin)] for x, begin in begins.items()} == begins and len(made) == len(begins)
    assert all(b"fmi2DoStep" in library for library in made.values())
