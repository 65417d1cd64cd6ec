"""Motors and controllers against closed forms: run-up, steady state, gears, limits, and what they conserve."""

import math

import numpy as np
import pytest
from scipy import optimize

import gudgeon as gd
from gudgeon.model import Controller, Motor
from gudgeon.simulation import Numerics, prepare

SUPPLY = {"voltage": 24.0, "resistance": 0.5, "inductance": 2e-3, "back_emf": 0.12, "rotor_inertia": 3e-4, "gear": 4.0}


def fan(inertia: float = 0.02, damping: float = 0.05, planar: bool = True, **motor) -> gd.Mechanism:
    """A wheel with a viscous load on a motor."""
    m = gd.Mechanism("fan", planar=planar)
    if planar:
        wheel = m.body("wheel", mass=1, inertia=inertia, at=(0, 0))
        m.revolute("main", journal=wheel, bearing=m.ground, at=(0, 0))
    else:
        # turned, so that the axis lies along no axis of the world
        wheel = m.body(
            "wheel", mass=1, inertia=(inertia, 0.9 * inertia, inertia), at=(0, 0, 0), orientation=(0.3, -0.5, 0.2)
        )
        m.revolute("main", journal=wheel, bearing=m.ground, at=(0, 0, 0), axis=tuple(wheel.world((0, 0, 1))))
    m.torsion_spring("load", "main", stiffness=0, damping=damping)
    m.motor("main", **{**SUPPLY, **motor})
    return m


def run_up(t: np.ndarray, inertia: float, damping: float, **motor) -> np.ndarray:
    """Current and speed of the fan from rest: the two exponentials of its linear equations."""
    p = {**SUPPLY, "torque_constant": None, "current": 0.0, **motor}
    n, k = p["gear"], p["back_emf"]
    moment, coupling = inertia + n * n * p["rotor_inertia"], p["torque_constant"] or k
    matrix = np.array([[-p["resistance"], -n * k], [n * coupling, -damping]])
    matrix /= [[p["inductance"]], [moment]]
    steady = -np.linalg.solve(matrix, [p["voltage"] / p["inductance"], 0.0])
    values, vectors = np.linalg.eig(matrix)
    parts = np.linalg.solve(vectors, np.array([p["current"], 0.0]) - steady)
    return (steady[:, None] + vectors @ (parts[:, None] * np.exp(np.outer(values, t)))).real


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("motor", [{}, {"torque_constant": 0.1, "current": 3.0}, {"inductance": 0.3, "gear": -2.0}])
def test_run_up_is_that_of_two_exponentials(planar, motor):
    run = gd.simulate(fan(planar=planar, **motor), duration=0.4, rtol=1e-12)
    current, speed = run_up(run.t, 0.02, 0.05, **motor)
    assert run["main.current"] == pytest.approx(current, abs=1e-9 * np.abs(current).max())
    assert run["main.speed"] == pytest.approx(speed, abs=1e-9 * np.abs(speed).max())
    coupling = motor.get("torque_constant", SUPPLY["back_emf"]) * motor.get("gear", SUPPLY["gear"])
    assert run["main.torque"] == pytest.approx(coupling * run["main.current"])
    assert run["main.electrical_power"] == pytest.approx(24.0 * run["main.current"])
    assert run["main.mechanical_power"] == pytest.approx(run["main.torque"] * run["main.speed"])


@pytest.mark.parametrize("planar", [True, False])
def test_steady_state_is_the_closed_form(planar):
    run = gd.simulate(fan(planar=planar), duration=3.0, rtol=1e-11, output=0.1)
    n, k, r, c = 4.0, 0.12, 0.5, 0.05
    speed = 24.0 * n * k / (r * c + (n * k) ** 2)
    assert run["main.speed"][-1] == pytest.approx(speed, rel=1e-10)
    assert run["main.current"][-1] == pytest.approx(c * speed / (n * k), rel=1e-10)


def test_without_inductance_the_current_follows_at_once():
    run = gd.simulate(fan(inductance=0.0), duration=0.2, rtol=1e-12)
    moment, emf = 0.02 + 16.0 * 3e-4, 4.0 * 0.12
    rate = (emf * emf / 0.5 + 0.05) / moment
    speed = emf * 24.0 / 0.5 / moment / rate * (1.0 - np.exp(-rate * run.t))
    assert run["main.speed"] == pytest.approx(speed, abs=1e-10 * speed.max())
    assert run["main.current"] == pytest.approx((24.0 - emf * speed) / 0.5, abs=1e-8)
    assert np.ptp(run["energy.balance"]) < 1e-11 * run["energy.electrical"][-1]


def test_a_gear_reflects_the_rotor_by_its_square():
    geared = gd.simulate(fan(inertia=0.02), duration=0.2, rtol=1e-12, output=0.01)
    plain = fan(inertia=0.02 + 16.0 * 3e-4, rotor_inertia=0.0, gear=1.0, back_emf=4.0 * 0.12)
    same = gd.simulate(plain, duration=0.2, rtol=1e-12, output=0.01)
    assert geared["main.speed"] == pytest.approx(same["main.speed"], rel=1e-10)
    assert geared["main.current"] == pytest.approx(same["main.current"], rel=1e-10)


def test_voltage_in_time_may_be_a_formula_or_branch():
    smooth = gd.simulate(fan(voltage=lambda t: 24.0 * gd.sin(30.0 * t)), duration=0.1, rtol=1e-11, output=0.01)
    assert smooth["main.voltage"] == pytest.approx(24.0 * np.sin(30.0 * smooth.t))
    switched = gd.simulate(fan(voltage=lambda t: 24.0 if t < 0.05 else 0.0), duration=0.1, rtol=1e-10, output=0.01)
    early = switched.t < 0.045
    assert switched["main.current"][early] == pytest.approx(run_up(switched.t[early], 0.02, 0.05)[0], abs=1e-6)
    assert switched["main.current"][-1] < 0.0  # it brakes


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_other_methods_agree(method):
    run = gd.simulate(fan(), duration=0.1, method=method, rtol=1e-10)
    assert run["main.speed"] == pytest.approx(run_up(run.t, 0.02, 0.05)[1], abs=1e-8)


@pytest.mark.parametrize("planar", [True, False])
def test_both_back_ends_agree(planar):
    plain, machine = (
        prepare(fan(planar=planar), duration=0.01, output=0.001, numerics=Numerics(backend=b)).run()
        for b in ("python", "llvm")
    )
    assert plain["main.current"] == pytest.approx(machine["main.current"], rel=1e-12)
    assert plain["wheel.spin" if planar else "main.speed"] == pytest.approx(machine["main.speed"], rel=1e-12)


def test_a_strong_motor_is_a_prescribed_speed():
    def slider_crank(strong: bool) -> gd.Mechanism:
        m = gd.Mechanism("slider-crank", gravity=(0, -9.81))
        crank = m.body("crank", mass=1, inertia=0.01, at=(0.05, 0), spin=20, velocity=(0, 1))
        rod = m.body("rod", mass=1, inertia=0.01, at=(0.25, 0), spin=-20 / 3, velocity=(0, 1))
        slider = m.body("slider", mass=2, inertia=0.01, at=(0.4, 0))
        m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
        m.revolute("big", journal=crank, bearing=rod, at=(0.1, 0))
        m.revolute("small", journal=rod, bearing=slider, at=(0.4, 0))
        m.translational("guide", journal=slider, bearing=m.ground, at=(0.4, 0), axis=(1, 0))
        if strong:
            m.motor("main", voltage=20.0 * 100.0, resistance=1e-3, back_emf=100.0)
        else:
            m.drive("main", speed=20.0)
        return m

    soft, hard = (
        gd.simulate(slider_crank(strong), duration=0.3, rtol=1e-10, output=0.01, method="radau")
        for strong in (True, False)
    )
    # the speed gives way by torque R / K²
    given_way = 1.01e-7 * np.abs(hard["main.torque"]).max()
    assert np.abs(soft["main.speed"] - 20.0).max() < given_way < 2e-6
    # torque is 1e7 times the slack of the speed, and so is the error of the method; it starts with none
    size = np.abs(hard["main.torque"]).max()
    assert soft["main.torque"][1:] == pytest.approx(hard["main.torque"][1:], abs=1e-3 * size)
    assert soft["slider.x"] == pytest.approx(hard["slider.x"], abs=1e-7)


# -- rotors on bodies that move -----------------------------------------------------------------------------------


@pytest.mark.parametrize("gear", [1.0, 7.0, -3.0])
def test_a_floating_motor_keeps_its_angular_momentum_in_the_plane(gear):
    m = gd.Mechanism("floating", start="given")
    base = m.body("base", mass=3, inertia=0.2, at=(0, 0), spin=2.0, velocity=(0.3, 0.1))
    arm = m.body("arm", mass=1, inertia=0.05, at=(0.3, 0), spin=2.0, velocity=(0.3, 0.7))
    m.revolute("main", journal=arm, bearing=base, at=(0, 0))
    m.motor("main", voltage=12, resistance=0.4, inductance=1e-3, back_emf=0.2, rotor_inertia=0.01, gear=gear)
    run = gd.simulate(m, duration=0.5, rtol=1e-11)
    rotor = 0.01 * (gear * run["main.speed"] + run["base.spin"])
    total = 0.2 * run["base.spin"] + 0.05 * run["arm.spin"] + rotor
    for body, mass in (("base", 3.0), ("arm", 1.0)):
        total = total + mass * (run[f"{body}.x"] * run[f"{body}.vy"] - run[f"{body}.y"] * run[f"{body}.vx"])
    assert total == pytest.approx(total[0], rel=1e-9)
    assert np.ptp(run["main.speed"]) > 0.5
    assert np.ptp(run["energy.balance"]) < 1e-9 * run["energy.electrical"][-1]


def test_a_rotor_that_turns_as_the_journal_is_a_part_of_it():
    def pair(rotor: float, inertia: float) -> gd.Run:
        m = gd.Mechanism("pair", start="given")
        base = m.body("base", mass=3, inertia=0.2, at=(0, 0), spin=2.0)
        arm = m.body("arm", mass=1, inertia=inertia, at=(0, 0), spin=-1.0)
        m.revolute("main", journal=arm, bearing=base, at=(0, 0))
        m.motor("main", voltage=12, resistance=0.4, back_emf=0.2, rotor_inertia=rotor)
        return gd.simulate(m, duration=0.3, rtol=1e-11, output=0.01)

    assert pair(0.03, 0.05)["arm.spin"] == pytest.approx(pair(0.0, 0.08)["arm.spin"], rel=1e-9)


@pytest.mark.parametrize("gear", [1.0, 5.0])
def test_a_floating_motor_keeps_its_angular_momentum_in_space(gear):
    m = gd.Mechanism("floating", planar=False, start="given")
    base = m.body("base", mass=3, inertia=(0.2, 0.3, 0.4), at=(0, 0, 0), spin=(1.0, -2.0, 0.5))
    arm = m.body("arm", mass=1, inertia=(0.05, 0.06, 0.07), at=(0, 0, 0), spin=(1.0, -2.0, 0.5))
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    m.revolute("main", journal=arm, bearing=base, at=(0, 0, 0), axis=tuple(axis))
    m.motor("main", voltage=12, resistance=0.4, inductance=1e-3, back_emf=0.2, rotor_inertia=0.01, gear=gear)
    run = gd.simulate(m, duration=0.5, rtol=1e-11)
    total = np.zeros((3, len(run.t)))
    for body, moments in (("base", (0.2, 0.3, 0.4)), ("arm", (0.05, 0.06, 0.07))):
        e0, e = run[f"{body}.e0"], np.array([run[f"{body}.e{k}"] for k in (1, 2, 3)])

        def turned(x, e0=e0, e=e):
            across = np.cross(e, x, axis=0)
            return x + 2.0 * (e0 * across + np.cross(e, across, axis=0))

        spin = np.array([run[f"{body}.w{a}"] for a in "xyz"])
        total += turned(np.array(moments)[:, None] * spin)
        if body == "base":
            about = axis @ spin
            total += turned(np.outer(axis, np.ones(len(run.t)))) * 0.01 * (about + gear * run["main.speed"])
    assert np.abs(total - total[:, :1]).max() < 1e-9 * np.abs(total[:, 0]).max()
    assert np.ptp(run["main.speed"]) > 0.5
    assert np.ptp(run["energy.balance"]) < 1e-9 * run["energy.electrical"][-1]


# -- with other fits ------------------------------------------------------------------------------------------------


def loose(fit) -> gd.Mechanism:
    m = gd.Mechanism("loose", gravity=(0, -9.81))
    crank = m.body("crank", mass=1, inertia=0.01, at=(0.05, 0))
    rod = m.body("rod", mass=0.5, inertia=0.01, at=(0.2, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0), radius=0.02, fit=fit)
    m.revolute("pin", journal=rod, bearing=crank, at=(0.1, 0), radius=0.01,
               fit=gd.Clearance("0.2 mm", wall=gd.LankaraniNikravesh(stiffness=1e9, restitution=0.6)))  # fmt: skip
    m.motor("main", **{**SUPPLY, "gear": 2.0})
    return m


WALL = gd.LankaraniNikravesh(stiffness=1e9, restitution=0.7)
FITS = [gd.Ideal(), gd.Clearance("0.1 mm", wall=WALL), gd.Bushing(gd.LinearLiner(stiffness=1e6, damping=1e3))]


@pytest.mark.parametrize("fit", FITS, ids=lambda fit: type(fit).__name__)
def test_the_ledger_closes_with_every_fit(fit):
    run = gd.simulate(loose(fit), duration=0.2, rtol=1e-10)
    assert run["energy.electrical"][-1] > 10.0
    assert run.evidence.balance < 1e-7 * run["energy.electrical"][-1]
    assert "supplies" in str(run.evidence)
    if not isinstance(fit, gd.Ideal):
        assert np.abs(run["main.offset"]).max() > 1e-5


def test_hard_walls_meet_a_rotor():
    m = loose(gd.Ideal())
    run = gd.simulate(m, duration=0.1, method="impact", rtol=1e-9)
    assert run.impacts
    assert run.evidence.balance < 1e-6 * run["energy.electrical"][-1]


@pytest.mark.parametrize("fit", [gd.Bushing(gd.LinearLiner(stiffness=1e6, damping=1e3),
                                            conical=gd.LinearLiner(stiffness=1e4, damping=10.0)),
                                 gd.Clearance("0.1 mm", wall=WALL)], ids=lambda fit: type(fit).__name__)  # fmt: skip
def test_the_ledger_closes_in_a_loose_sleeve(fit):
    m = gd.Mechanism("wheel", planar=False, gravity=(0, -9.81, 0))
    wheel = m.body("wheel", mass=2, inertia=(0.02, 0.02, 0.03), at=(0, 0.01, 0))
    m.cylindrical("main", journal=wheel, bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1), radius=0.02, length=0.05,
                  fit=fit)  # fmt: skip
    m.motor("main", **SUPPLY)
    run = gd.simulate(m, duration=0.25, rtol=1e-10)
    assert run["main.turn"][-1] > 2.0 * math.pi  # turns are counted
    assert run.evidence.balance < 1e-7 * run["energy.electrical"][-1]


# -- controllers ----------------------------------------------------------------------------------------------------


def governed(limit=None, integral=3.0, load=0.4, preset=0.0, speed=10.0) -> gd.Mechanism:
    m = gd.Mechanism("governed")
    wheel = m.body("wheel", mass=1, inertia=0.1, at=(0, 0))
    m.revolute("main", journal=wheel, bearing=m.ground, at=(0, 0))
    m.torque(wheel, -load, name="load")
    m.controller("main", speed=speed, gain=0.8, integral=integral, limit=limit, preset=preset)
    return m


def test_a_controller_without_limit_is_linear():
    run = gd.simulate(governed(), duration=2.0, rtol=1e-12)
    # J w' = k e + h - load, h' = i e: in e and d = h - load
    matrix = np.array([[-8.0, -10.0], [3.0, 0.0]])
    values, vectors = np.linalg.eig(matrix)
    parts = np.linalg.solve(vectors, [10.0, -0.4])
    error, excess = (vectors @ (parts[:, None] * np.exp(np.outer(values, run.t)))).real
    assert run["main.speed"] == pytest.approx(10.0 - error, abs=1e-9)
    assert run["main.torque"] == pytest.approx(0.8 * error + excess + 0.4, abs=1e-9)
    assert (run["main.target"] == 10.0).all()
    assert np.ptp(run["energy.balance"]) < 1e-11


def test_the_limit_holds_and_does_not_wind_up():
    run = gd.simulate(governed(limit="2 N m"), duration=3.0, rtol=1e-10)
    torque, speed = run["main.torque"], run["main.speed"]
    assert np.abs(torque).max() <= 2.0
    # at the limit the speed is 16 t and the integral h = 2 (1 - exp(-3.75 t)); it leaves where 0.8 (10 - 16 t) + h = 2
    leaves = optimize.brentq(lambda t: 0.8 * (10.0 - 16.0 * t) - 2.0 * math.exp(-3.75 * t), 0.1, 1.0)
    assert (torque[run.t < leaves - 1e-6] == 2.0).all()
    assert (torque[run.t > leaves + 1e-3] < 2.0).all()
    assert speed[run.t < leaves] == pytest.approx(16.0 * run.t[run.t < leaves], abs=1e-8)
    # wound up, the integral would be 60 N m by then
    assert speed.max() < 11.5
    assert speed[-1] == pytest.approx(10.0, abs=1e-3)
    assert run.evidence.balance < 1e-6


def test_a_preset_integral_starts_in_balance():
    m = governed(preset=0.4, speed="0 rpm")
    run = gd.simulate(m, duration=0.5, rtol=1e-10)
    assert np.abs(run["main.speed"]).max() < 1e-12


def test_a_controller_may_only_be_proportional():
    run = gd.simulate(governed(integral=0.0), duration=3.0, rtol=1e-11)
    assert run["main.speed"][-1] == pytest.approx(9.5, abs=1e-9)


# -- descriptions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"voltage": "5 A"}, r'motor of "main": voltage "5 A" has the wrong dimension: expected \[V\]'),
        ({"resistance": -1}, r'motor of "main": resistance -1 must be at least 0 \[ohm\]'),
        ({"resistance": 0, "inductance": 0}, "without bounds; give one of them"),
        ({"gear": 0}, "gear 0 connects nothing"),
        ({"inductance": 0, "current": 2}, "no meaning without inductance"),
        ({"back_emf": 0}, "back_emf 0 needs torque_constant"),
        ({"torque_constant": "5 V"}, r"expected \[N m/A\]"),
    ],
)
def test_bad_motors_are_refused(change, words):
    with pytest.raises(gd.GudgeonError, match=words):
        fan(**change)


def test_one_actuator_for_a_joint_that_turns():
    m = fan()
    with pytest.raises(gd.GudgeonError, match='drive of "main": joint "main" is driven already'):
        m.drive("main", speed=1)
    with pytest.raises(gd.GudgeonError, match='controller of "main": joint "main" is driven already'):
        m.controller("main", speed=1, gain=1)
    m.translational("rail", journal="wheel", bearing=m.ground, at=(0, 0), axis=(1, 0))
    with pytest.raises(gd.GudgeonError, match='motor of "rail": a translational joint does not turn'):
        m.motor("rail", voltage=1, resistance=1, back_emf=1)
    with pytest.raises(gd.GudgeonError, match=r'controller of "main": gain 0 must be greater than 0'):
        Controller("main", 1, 0)
    assert m.driven == ("main",)


def test_units_and_paths():
    motor = Motor("main", "24 V", "500 mohm", "0.05 V/rpm", inductance="2 mH", current="100 mA")  # type: ignore[arg-type]
    assert motor.voltage == 24.0
    assert motor.resistance == 0.5
    assert motor.back_emf == motor.coupling == pytest.approx(0.05 * 30.0 / math.pi)
    assert motor.inductance == 2e-3
    assert motor.current == 0.1
    m = fan().vary("main.voltage", "12 V").vary("main.gear", 2)
    assert m.motors["main"].voltage == 12.0
    assert m.parameters["main.gear"] == 2.0
    assert "motor   main: 12 V, 0.5 ohm, 0.002 H, 0.12 V s/rad, 0.12 N m/A, rotor 0.0003 kg m², gear 2" in m.summary()
    assert "control main: 10 rad/s, 0.8 N m s/rad, 3 N m/rad, at most 2 N m" in governed(limit=2).summary()
