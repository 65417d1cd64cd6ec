"""Friction in ideal joints from their reactions, against closed forms and equations written here by hand."""

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.assemble import Needs, assemble
from gudgeon.assemble.contact.joint_friction import MOST
from gudgeon.cli import app
from gudgeon.compile.graph.llvm import call_address
from gudgeon.results.failure import LOCKED
from gudgeon.simulation.marching import RunStopped

G = 9.81


def rubbing(mu, v0=1e-3):
    return gd.Ideal(friction=gd.SmoothCoulomb(mu, v0=v0))


# -- a pendulum on a pin ----------------------------------------------------------------------------------------

ARM, MASS, INERTIA, RADIUS = 0.3, 1.0, 0.01, 0.03


def pendulum(fit, angle=0.0, *, planar=True):
    """A body whose centre is `angle` above the horizontal beside its pin."""
    at = (ARM * math.cos(angle), ARM * math.sin(angle))
    if planar:
        m = gd.Mechanism("pendulum", gravity=(0.0, -G))
        m.body("bob", mass=MASS, inertia=INERTIA, at=at)
        m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0), radius=RADIUS, fit=fit)
        return m
    m = gd.Mechanism("pendulum", gravity=(0.0, -G, 0.0), planar=False)
    m.body("bob", mass=MASS, inertia=(INERTIA,) * 3, at=(*at, 0.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0, 0, 1), radius=RADIUS, fit=fit)
    return m


def swing(mu, v0, end):
    """(angle, speed, work of friction) of the pendulum: J α = -m g l cos φ - c |F|, F = m (a - g), a with α itself."""

    def force(angle, speed, alpha):
        ax = -ARM * (math.cos(angle) * speed**2 + math.sin(angle) * alpha)
        ay = -ARM * (math.sin(angle) * speed**2 - math.cos(angle) * alpha)
        return MASS * math.hypot(ax, ay + G)

    def slope(_, y):
        angle, speed, _ = y
        arm, alpha = mu * RADIUS * math.tanh(RADIUS * speed / v0), 0.0
        for _ in range(200):
            before = alpha
            torque = -MASS * G * ARM * math.cos(angle) - arm * force(angle, speed, alpha)
            alpha = torque / (INERTIA + MASS * ARM**2)
            if abs(alpha - before) < 1e-14:
                break
        return [speed, alpha, arm * speed * force(angle, speed, alpha)]

    return solve_ivp(slope, (0.0, end), [0.0, 0.0, 0.0], method="DOP853", rtol=1e-11, atol=1e-13).y[:, -1]


@pytest.mark.parametrize(("method", "closeness"), [("dopri5", 1e-9), ("radau", 1e-8), ("alpha", 4e-5)])
def test_a_pendulum_with_friction_in_its_pin_is_that_of_hand_made_equations(method, closeness):
    run = gd.simulate(pendulum(rubbing(0.2)), duration=2.0, method=method)
    angle, speed, work = swing(0.2, 1e-3, 2.0)
    assert run["bob.angle"][-1] == pytest.approx(angle, abs=closeness)
    assert run["bob.spin"][-1] == pytest.approx(speed, abs=10 * closeness)
    assert run["energy.friction"][-1] == pytest.approx(work, abs=closeness)
    assert np.ptp(run["energy.balance"]) < closeness
    friction, normal, slip = (run[f"pivot.{x}"] for x in ("friction", "normal", "slip"))
    assert friction == pytest.approx(-0.2 * normal * np.tanh(slip / 1e-3), abs=1e-9)
    assert run["pivot.friction_torque"] == pytest.approx(RADIUS * friction, abs=1e-12)
    assert normal == pytest.approx(run["pivot.force"], rel=1e-9)


def test_the_amplitude_falls_by_twice_the_friction_angle_in_each_half_swing():
    """Small swings about the lowest point: (m g l) φ against the constant couple mu r m g."""
    mu, first = 0.02, 0.05
    m = pendulum(rubbing(mu, v0=1e-6), angle=first - math.pi / 2)
    run = gd.simulate(m, duration=3.0, method="dopri5")
    angle, speed = run["bob.angle"] + first, run["bob.spin"]
    turns = np.flatnonzero(speed[:-1] * speed[1:] < 0.0)
    peaks = np.abs(angle[turns])
    falls = -np.diff([first, *peaks])
    assert len(falls) == 5
    assert falls == pytest.approx(2.0 * mu * RADIUS / ARM, rel=3e-3)


def test_a_link_within_the_friction_angle_creeps_as_slowly_as_the_law_says():
    """m g l sin φ = mu r m g tanh(r w / v0)."""
    mu, v0, away = 0.2, 1e-6, 0.01
    run = gd.simulate(pendulum(rubbing(mu, v0), angle=away - math.pi / 2), duration=2.0, method="radau")
    now = away + run["bob.angle"][-1]
    creep = v0 / RADIUS * math.atanh(ARM * math.sin(now) / (mu * RADIUS))
    assert run["bob.spin"][-1] == pytest.approx(-creep, rel=1e-6)
    assert abs(run["bob.angle"][-1]) < 1e-4
    beyond = gd.simulate(pendulum(rubbing(mu, v0), angle=0.03 - math.pi / 2), duration=0.2, method="radau")
    assert beyond["bob.angle"][-1] < -5e-3


LAWS = [gd.ModifiedCoulomb(0.2), gd.Stribeck(0.1, static_coefficient=0.2), gd.LuGre(0.1, static_coefficient=0.2)]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_every_law_rubs_in_the_plane_as_in_space(law):
    pendulums = (pendulum(gd.Ideal(friction=law), planar=planar) for planar in (True, False))
    run, other = (gd.simulate(m, duration=0.7) for m in pendulums)
    assert run["energy.friction"][-1] > 0.03
    assert other["energy.friction"][-1] == pytest.approx(run["energy.friction"][-1], rel=1e-7)
    for ledger in (run, other):
        assert np.ptp(ledger["energy.balance"]) < 1e-10
    sleeve = other["pivot.sleeve.normal"]
    assert sleeve[-1] == pytest.approx(run["pivot.normal"][-1], rel=1e-7)
    assert np.abs(other["pivot.shoulder.normal"]).max() < 1e-9


def test_a_turntable_rubs_on_its_shoulder():
    """A vertical axis: the weight lies on the ring of the shoulder, J w' = -mu m g r."""
    m = gd.Mechanism("turntable", gravity=(0.0, 0.0, -G), planar=False)
    m.body("table", mass=2.0, inertia=(0.1, 0.1, 0.2), at=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 5.0))
    m.revolute("bearing", journal="table", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0, 0, 1), radius=0.05,
               fit=rubbing(0.1))  # fmt: skip
    run = gd.simulate(m, duration=1.0)
    assert run["table.wz"][-1] == pytest.approx(5.0 - 0.1 * 2.0 * G * 0.05 / 0.2, rel=1e-9)
    assert run["bearing.friction_torque"][-1] == pytest.approx(-0.1 * 2.0 * G * 0.05, rel=1e-9)


def test_a_ball_rubs_against_its_spin_whichever_way_it_turns():
    m = gd.Mechanism("top", gravity=(0.0, 0.0, -G), planar=False)
    m.body("top", mass=2.0, inertia=(0.2, 0.2, 0.2), at=(0.0, 0.0, 0.0), spin=(3.0, 0.0, 4.0))
    m.spherical("foot", journal="top", bearing=m.ground, at=(0.0, 0.0, 0.0), radius=0.05, fit=rubbing(0.1))
    run = gd.simulate(m, duration=1.0)
    speed = 5.0 - 0.1 * 2.0 * G * 0.05 / 0.2
    assert [run[f"top.w{x}"][-1] for x in "xyz"] == pytest.approx([0.6 * speed, 0.0, 0.8 * speed], abs=1e-9)
    assert run["foot.friction_torque"][-1] == pytest.approx(-0.1 * 2.0 * G * 0.05, rel=1e-9)


# -- guides -------------------------------------------------------------------------------------------------------


def drawer(mu, *, slope=0.0, height=0.2, length=0.1, speed=1.0, push=0.0, v0=1e-3):
    """A box on a guide that rises by `slope`, its centre `height` beside the axis."""
    along, beside = (math.cos(slope), math.sin(slope)), (-math.sin(slope), math.cos(slope))
    m = gd.Mechanism("drawer", gravity=(0.0, -G))
    m.body("box", mass=2.0, inertia=0.05, at=tuple(height * x for x in beside),
           velocity=tuple(speed * x for x in along))  # fmt: skip
    m.translational("guide", journal="box", bearing=m.ground, at=(0.0, 0.0), axis=along, length=length,
                    fit=rubbing(mu, v0))  # fmt: skip
    if push:
        m.force("box", (push, 0.0))
    return m


def test_a_slider_slides_down_an_incline_with_both_ends_loaded():
    """a = -g (sin + mu cos) up the slope; the ends carry m g cos / 2 -+ (friction times height) / length."""
    slope, mu = 0.4, 0.1
    run = gd.simulate(drawer(mu, slope=slope), duration=0.1)
    assert np.hypot(run["box.vx"][-1], run["box.vy"][-1]) == pytest.approx(
        1.0 - 0.1 * G * (math.sin(slope) + mu * math.cos(slope)), rel=1e-9)  # fmt: skip
    half, moment = 2.0 * G * math.cos(slope) / 2.0, mu * 2.0 * G * math.cos(slope) * 0.2 / 0.1
    loads = run["guide.front.normal"][0], run["guide.rear.normal"][0]
    assert loads == pytest.approx((half + moment, abs(half - moment)), rel=1e-9)
    assert run["guide.friction_force"][0] == pytest.approx(-mu * 2.0 * half, rel=1e-9)


@pytest.mark.parametrize("method", ["dopri5", "alpha"])
def test_a_guide_locks_itself_beyond_its_closed_form(method):
    """Friction f has the moment f h: loads of both ends add up to 2 f h / L where one lifts, so that beyond
    2 mu h / L = 1 no f agrees with itself."""
    gd.simulate(drawer(0.249), duration=1e-3, method=method)
    with pytest.raises(gd.GudgeonError, match=r'joint "guide" locks itself .* at the start; .* longer guide'):
        gd.simulate(drawer(0.251), duration=1e-3, method=method)


@pytest.mark.parametrize("method", ["dopri5", "radau", "alpha"])
def test_a_guide_that_locks_on_the_way_is_named_with_its_time(method):
    """Friction that grows with the slip reaches 2 m h / L = 1: m v' = F - mu tanh(v / v0) m g until then."""
    with pytest.raises(RunStopped) as stopped:
        gd.simulate(drawer(0.5, speed=0.0, push=30.0, v0=1.0), duration=1.0, method=method)
    failure = stopped.value.failure
    when, _ = quad(lambda v: 2.0 / (30.0 - 0.5 * math.tanh(v) * 2.0 * G), 0.0, math.atanh(0.5))
    assert (failure.kind, failure.joint) == (LOCKED, "guide")
    assert failure.time == pytest.approx(when, abs=1e-3 if method == "alpha" else 1e-6)
    assert "locks itself" in failure.message
    assert all(np.isfinite(stopped.value.run[name]).all() for name in stopped.value.run.channels)


# -- a slider-crank with friction in every joint --------------------------------------------------------------------

CRANK, ROD, MU, PIN, GUIDE = 0.1, 0.25, 0.2, 0.012, 0.06
POSE = math.radians(50.0)
PARTS = {"crank": (0.3, 2e-4), "rod": (0.21, 1.2e-3), "slider": (0.14, 1e-4)}


def machine(*, planar=True, mu=MU, driven=True, length=GUIDE):
    top = (CRANK * math.cos(POSE), CRANK * math.sin(POSE))
    end = top[0] + math.sqrt(ROD**2 - top[1] ** 2)
    places = {"crank": (0.5 * top[0], 0.5 * top[1]), "rod": (0.5 * (top[0] + end), 0.5 * top[1]), "slider": (end, 0.0)}
    more = () if planar else (0.0,)
    m = gd.Mechanism("slider-crank", gravity=(0.0, -G, *more), planar=planar)
    for name, (mass, inertia) in PARTS.items():
        m.body(name, mass=mass, inertia=inertia if planar else (inertia,) * 3, at=(*places[name], *more))
    fit, axis = rubbing(mu), {} if planar else {"axis": (0, 0, 1)}
    pin = m.revolute if planar else m.spherical
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0, *more), radius=PIN, fit=fit, **axis)
    pin("big", journal="rod", bearing="crank", at=(*top, *more), radius=PIN, fit=fit)
    pin("small", journal="slider", bearing="rod", at=(end, 0.0, *more), radius=PIN, fit=fit)
    if planar:
        m.translational("guide", journal="slider", bearing=m.ground, at=(end, 0.0), axis=(1, 0), length=length, fit=fit)
    else:
        # the length is that of what carries: here of the slider, which is the bearing of the shaft it slides on
        m.cylindrical("guide", journal=m.ground, bearing="slider", at=(end, 0.0, 0.0), axis=(1, 0, 0), radius=PIN,
                      length=length, fit=fit)  # fmt: skip
    if driven:
        m.drive("main", speed=40.0)
    return m


def hand_made(run, k):
    """Forces of all joints at one time, from the motion of the bodies alone: nine equations of Newton and Euler for
    main (x, y), big (x, y), small (x, y), guide across and its moment, and the torque of the drive; friction is put in
    again and again until it agrees with them."""
    at = {name: {x: run[f"{name}.{x}"][k] for x in ("x", "y", "spin", "vx", "ax", "ay", "alpha")} for name in PARTS}
    main, crank, rod, slider = np.zeros(2), *(np.array([at[x]["x"], at[x]["y"]]) for x in PARTS)
    big = 2.0 * crank
    matrix, right = np.zeros((9, 9)), np.zeros(9)

    def put(body, force, point, sign, columns):
        """A joint's force on a body at a point, by columns of its components."""
        n = 3 * list(PARTS).index(body)
        arm = point - force
        matrix[n, columns[0]] += sign
        matrix[n + 1, columns[1]] += sign
        matrix[n + 2, columns[0]] -= sign * arm[1]
        matrix[n + 2, columns[1]] += sign * arm[0]

    put("crank", crank, main, 1.0, (0, 1))
    put("crank", crank, big, -1.0, (2, 3))
    put("rod", rod, big, 1.0, (2, 3))
    put("rod", rod, slider, -1.0, (4, 5))
    put("slider", slider, slider, 1.0, (4, 5))
    matrix[7, 6] = matrix[8, 7] = matrix[2, 8] = 1.0
    for n, (name, (mass, inertia)) in enumerate(PARTS.items()):
        right[3 * n : 3 * n + 3] = mass * at[name]["ax"], mass * (at[name]["ay"] + G), inertia * at[name]["alpha"]
    spins = (at["crank"]["spin"], at["rod"]["spin"] - at["crank"]["spin"], -at["rod"]["spin"])
    couples, drag = np.zeros(3), 0.0
    for _ in range(100):
        load = right.copy()
        load[2] += couples[1] - couples[0]
        load[5] += couples[2] - couples[1]
        load[8] -= couples[2]
        load[6] -= drag
        x = np.linalg.solve(matrix, load)
        sizes = np.hypot(x[0:6:2], x[1:6:2])
        couples = np.array([-MU * PIN * size * np.tanh(PIN * s / 1e-3) for size, s in zip(sizes, spins, strict=True)])
        ends = abs(x[6] / 2 + x[7] / GUIDE) + abs(x[6] / 2 - x[7] / GUIDE)
        drag = -MU * ends * np.tanh(at["slider"]["vx"] / 1e-3)
    return {"main": sizes[0], "big": sizes[1], "small": sizes[2], "ends": ends, "torque": x[8], "drag": drag,
            "couples": couples}  # fmt: skip


# at the end of a step alpha brings velocities onto the constraints, where friction near rest is steep
@pytest.mark.parametrize(("method", "rel", "ledger"), [
    ("dopri5", 1e-8, 1e-9), ("radau", 1e-8, 1e-8), ("alpha", 1e-2, 1e-3), ("energy", 1e-8, 1e-7),
    ("decay", 1e-8, 1e-5)])  # fmt: skip
def test_a_slider_crank_balances_by_equations_written_by_hand(method, rel, ledger):
    run = gd.simulate(machine(), duration=0.16, method=method)
    assert len(run.t) > 100
    for k in range(0, len(run.t), len(run.t) // 12):
        by_hand = hand_made(run, k)
        for joint in ("main", "big", "small"):
            assert run[f"{joint}.normal"][k] == pytest.approx(by_hand[joint], rel=rel)
        ends = run["guide.front.normal"][k] + run["guide.rear.normal"][k]
        assert ends == pytest.approx(by_hand["ends"], rel=rel)
        assert run["main.torque"][k] == pytest.approx(by_hand["torque"], rel=10 * rel, abs=rel)
        assert run["guide.friction_force"][k] == pytest.approx(by_hand["drag"], rel=rel, abs=rel)
        couples = [run[f"{joint}.friction_torque"][k] for joint in ("main", "big", "small")]
        assert couples == pytest.approx(by_hand["couples"], rel=rel, abs=0.1 * rel)
    assert np.ptp(run["energy.balance"]) < ledger
    assert run["energy.friction"][-1] > 1.0


def test_friction_in_the_plane_is_that_of_the_plane_in_space():
    plane, space = (gd.simulate(machine(planar=planar), duration=0.05) for planar in (True, False))
    for name in ("main.torque", "big.force", "small.force", "guide.friction_force", "energy.friction"):
        assert abs(space[name][-1]) == pytest.approx(abs(plane[name][-1]), rel=1e-7)
    assert np.ptp(space["energy.balance"]) < 1e-9


# -- formulations ----------------------------------------------------------------------------------------------------


def evaluate(system, name, count, y, t=0.0):
    out = np.zeros(count)
    call_address(system.addresses[name], t, y, system.p, np.zeros(max(1, system.memory)), out)
    return out


def reported(system):
    values = evaluate(system, "channels", len(system.channels), system.y0.copy())
    return {channel.name: x for channel, x in zip(system.channels, values, strict=True)}


@pytest.mark.parametrize("driven", [False, True])
@pytest.mark.parametrize("planar", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_tree_has_the_loads_and_accelerations_of_the_bodies(planar, driven):
    own, tree = (assemble(machine(planar=planar, driven=driven), coordinates=x) for x in ("absolute", "tree"))
    bodies, joints = reported(own), reported(tree)
    assert bodies["big.normal"] > 0.1
    assert all(joints[name] == pytest.approx(x, rel=1e-8, abs=1e-8) for name, x in bodies.items())


def test_a_chain_has_the_same_loads_by_joints_and_by_bodies():
    m = gd.Mechanism("chain", gravity=(0.0, -G))
    inner = m.ground
    for k in range(3):
        m.body(f"link{k}", mass=1.0, inertia=0.01, at=(0.2 * k + 0.1, 0.0), velocity=(0.0, 0.1 + 0.2 * k), spin=1.0)
        m.revolute(f"pin{k}", journal=f"link{k}", bearing=inner, at=(0.2 * k, 0.0), radius=0.03, fit=rubbing(0.3))
        inner = f"link{k}"
    runs = [gd.simulate(m, duration=0.3, method=method) for method in ("dopri5", "alpha")]
    assert runs[1]["pin0.normal"][-1] == pytest.approx(runs[0]["pin0.normal"][-1], rel=1e-4)
    own, tree = (reported(assemble(m, coordinates=x)) for x in ("absolute", "tree"))
    assert all(tree[name] == pytest.approx(x, rel=1e-9, abs=1e-9) for name, x in own.items())


@pytest.mark.parametrize("coordinates", ["absolute", "tree"])
def test_the_jacobian_knows_how_loads_change(coordinates):
    m = pendulum(gd.Ideal(friction=gd.LuGre(0.1, static_coefficient=0.2, stiffness=100.0)))
    m.body("tip", mass=0.5, inertia=0.002, at=(0.7, 0.1))
    m.revolute("elbow", journal="tip", bearing="bob", at=(0.6, 0.0), radius=0.02, fit=rubbing(0.3, v0=0.5))
    system = assemble(m, Needs(jacobian=True), coordinates=coordinates)
    n, count = system.states, system.controlled
    y = system.y0 + 0.05 * np.sin(np.arange(n) + 1.0)
    exact = evaluate(system, "jacobian", count * n, y).reshape(count, n)

    def slope(step, k):
        return evaluate(system, "rhs", n, y + step * np.eye(n)[k])[:count]

    by_differences = np.array([
        (8.0 * (slope(h, k) - slope(-h, k)) - slope(2 * h, k) + slope(-2 * h, k)) / (12.0 * h)
        for k in range(n) for h in (1e-3,)]).T  # fmt: skip
    assert exact == pytest.approx(by_differences, abs=1e-6 * np.abs(exact).max())


# -- what cannot be --------------------------------------------------------------------------------------------------


def test_friction_of_a_force_that_is_not_unique_is_refused():
    doubled = gd.Mechanism("two bearings", gravity=(0.0, 0.0, -G), planar=False)
    doubled.body("shaft", mass=1.0, inertia=(0.1,) * 3, at=(0.0, 0.0, 0.0))
    for name, z in (("lower", -0.1), ("upper", 0.1)):
        doubled.revolute(name, journal="shaft", bearing=doubled.ground, at=(0.0, 0.0, z), axis=(0, 0, 1), radius=0.01,
                         fit=rubbing(0.1))  # fmt: skip
    with pytest.raises(gd.GudgeonError, match="redundant, so that the force there is not unique"):
        assemble(doubled)


def test_what_has_no_friction_of_its_reaction_says_so():
    space = gd.Mechanism("space", planar=False)
    space.body("a", mass=1.0, inertia=(1.0, 1.0, 1.0), at=(0.0, 0.0, 0.0))
    where = {"journal": "a", "bearing": space.ground, "at": (0.0, 0.0, 0.0)}
    with pytest.raises(gd.GudgeonError, match="make the cross a body with two revolute joints"):
        space.universal("u", **where, journal_axis=(1, 0, 0), bearing_axis=(0, 1, 0), fit=rubbing(0.1))
    with pytest.raises(gd.GudgeonError, match='friction on contact pair "sleeve" needs "radius"; give for instance '
                                              'radius='):
        space.revolute("r", **where, axis=(0, 0, 1), fit=rubbing(0.1))
    with pytest.raises(gd.GudgeonError, match='contact pair "sleeve" of a rigid joint has none'):
        space.rigid("w", **where, axis=(0, 0, 1), radius=0.1, fit=rubbing(0.1))
    plane = gd.Mechanism("plane")
    plane.body("a", mass=1.0, inertia=1.0, at=(0.0, 0.0))
    with pytest.raises(gd.GudgeonError, match='friction on contact pair "pin" needs "radius"'):
        plane.revolute("p", journal="a", bearing=plane.ground, at=(0.0, 0.0), fit=rubbing(0.1))
    with pytest.raises(gd.GudgeonError, match=r'pair "groove" of a sliding joint has none .* give a Clearance'):
        plane.sliding("s", journal="a", bearing=plane.ground, at=(0.0, 0.0), axis=(1, 0), fit=rubbing(0.1))


def test_methods_and_formulations_that_cannot_say_so():
    with pytest.raises(gd.GudgeonError, match="an impact would have some from its impulse"):
        assemble(pendulum(rubbing(0.1)), Needs(contact="event"))
    with pytest.raises(gd.GudgeonError, match="does not support friction in ideal joints"):
        assemble(pendulum(rubbing(0.1)), unrolled=False)
    m = gd.Mechanism("many")
    for k in range(MOST + 1):
        m.body(f"b{k}", mass=1.0, inertia=0.1, at=(float(k), 0.0))
        m.revolute(f"j{k}", journal=f"b{k}", bearing=m.ground, at=(float(k), 0.1), radius=0.01, fit=rubbing(0.1))
    with pytest.raises(gd.GudgeonError, match=f'more than {MOST} .* choose method="alpha"'):
        assemble(m)


# -- files and words -------------------------------------------------------------------------------------------------

FILE = """name: box
gravity: [0, -9.81]
bodies:
  box: {mass: 2 kg, inertia: 0.05 kg m^2, at: [0, 0]}
joints:
  guide:
    kind: translational
    journal: box
    bearing: ground
    at: [0, 0]
    axis: [1, 0]
    length: 60 mm
    fit: {ideal: {friction: {law: ModifiedCoulomb, coefficient: 0.1, v0: 1 mm/s}}}
"""


def test_files_say_what_python_says(tmp_path):
    (tmp_path / "box.yaml").write_text(FILE)
    m = gd.Mechanism.from_file(tmp_path / "box.yaml")
    assert m.joints["guide"].fit["slot"] == gd.Ideal(friction=gd.ModifiedCoulomb(0.1))
    assert gd.Mechanism.from_file(m.to_file(tmp_path / "again.yaml")).joints == m.joints
    assert "slot ideal, ModifiedCoulomb" in m.summary()
    assert m.vary("guide.friction", 0.2).joints["guide"].fit["slot"] == gd.Ideal(friction=gd.ModifiedCoulomb(0.2))


def test_show_says_which_joints_take_friction():
    def words(name):
        return " ".join(CliRunner().invoke(app, ["show", name]).stdout.split())

    assert "law of friction" in words("ideal")
    assert "{ideal: {friction: ...}}" in words("revolute")
    assert "{ideal:" not in words("universal") + words("screw") + words("rigid")
