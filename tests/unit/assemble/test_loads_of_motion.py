"""Loads that read positions and speeds: closed forms, their work, and the same motion however it is described."""

from __future__ import annotations

import math

import numpy as np
import pytest
from at_start import channels_of

import gudgeon as gd
from gudgeon.assemble import Needs, assemble, call_address
from gudgeon.assemble.support import choose
from gudgeon.model import Formula, Mechanism
from gudgeon.model.files import dump, loads
from gudgeon.quantity import GudgeonError
from gudgeon.simulation import Numerics, prepare

G, MASS = 9.81, 2.0


def on_a_rail(*along: object, gravity: float = 0.0, planar: bool = True) -> Mechanism:
    """A mass on a rail along x, with forces along it; gravity along x too."""
    more = () if planar else (0.0,)
    m = Mechanism("mass", planar=planar, gravity=(gravity, 0.0, *more))
    inertia = 0.01 if planar else (0.01, 0.02, 0.03)
    m.body("bob", mass=MASS, inertia=inertia, at=(0.0, 0.0, *more))
    m.translational("rail", journal="bob", bearing=m.ground, at=(0.0, 0.0, *more), axis=(1.0, 0.0, *more))
    for force in along:
        m.force("bob", (force, 0.0, *more))  # type: ignore[arg-type]
    return m


def disc(*torques: object, planar: bool = True) -> Mechanism:
    """A flywheel of 0.5 kg m^2 about z."""
    m = Mechanism("disc", planar=planar)
    at, inertia = ((0.0, 0.0), 0.5) if planar else ((0.0, 0.0, 0.0), (0.3, 0.3, 0.5))
    m.body("disc", mass=1.0, inertia=inertia, at=at)
    m.revolute("main", journal="disc", bearing=m.ground, at=at, **({} if planar else {"axis": (0.0, 0.0, 1.0)}))
    for torque in torques:
        m.torque("disc", torque if planar else (0.0, 0.0, torque))
    return m


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("method, error, balance", [("dopri5", 1e-9, 1e-11), ("radau", 1e-8, 1e-11),
                                                    ("alpha", 1e-4, 1e-3), ("energy", 1e-4, 1e-11)])  # fmt: skip
def test_drag_has_its_terminal_speed(planar, method, error, balance):
    """m v' = m g - c v^2: v = V tanh(g t / V), V = sqrt(m g / c); the work is that of the weight less m v^2 / 2."""
    m = on_a_rail("-(0.8 N s^2/m^2)*bob.vx*abs(bob.vx)", gravity=G, planar=planar)
    run = gd.simulate(m, duration=2.0, method=method)
    final = math.sqrt(MASS * G / 0.8)
    assert np.abs(run["bob.vx"] - final * np.tanh(G * run.t / final)).max() < error * final
    work = 0.5 * MASS * run["bob.vx"] ** 2 - MASS * G * run["bob.x"]
    assert np.abs(run["energy.applied"] - work).max() < balance * MASS * G * run["bob.x"][-1]
    assert run.evidence.balance < balance * MASS * G * run["bob.x"][-1]


def test_linear_drag_by_formula_by_function_and_by_damper():
    """Three descriptions of one force: what the damper takes is what the load gives."""
    as_text = on_a_rail("-(3 N s/m)*bob.vx", gravity=G)
    as_function = on_a_rail(lambda t, s: -3.0 * s.rate("rail.travel"), gravity=G)
    damped = on_a_rail(gravity=G)
    damped.damper("oil", "bob", damped.ground, damping=3.0, at_i=(0.0, 0.0), at_j=(-1.0, 0.0))
    runs = [gd.simulate(m, duration=1.0, rtol=1e-10, output=0.01) for m in (as_text, as_function, damped)]
    exact = MASS * G / 3.0 * (1.0 - np.exp(-3.0 / MASS * runs[0].t))
    for run in runs:
        assert np.abs(run["bob.vx"] - exact).max() < 1e-9
    for run in runs[:2]:
        assert np.abs(run["energy.applied"] + runs[2]["energy.damper"]).max() < 1e-8


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
def test_a_hardening_spring_has_its_period(planar):
    """m x'' = -k x^3 from rest at a: period 4 K(1/2) sqrt(2 m / k) / a / sqrt(2) with K(1/2) = 1.8540746773013719; the
    work is the difference of k x^4 / 4."""
    k, a = 500.0, 0.1
    force = "-(500 N/m^3)*(rail.travel + 0.1 m)**3"  # the rail counts from where the body is described
    m = on_a_rail(force, planar=planar)
    period = 4.0 * 1.8540746773013719 * math.sqrt(MASS / k) / a
    run = gd.simulate(m, duration=period, rtol=1e-11)
    assert run["bob.x"][-1] == pytest.approx(0.0, abs=1e-9)
    assert run["bob.vx"][-1] == pytest.approx(0.0, abs=1e-9)
    stored = 0.25 * k * (run["bob.x"] + a) ** 4
    assert np.abs(run["energy.applied"] - (stored[0] - stored)).max() < 1e-9 * stored[0]
    assert run.evidence.balance < 1e-10 * stored[0]


def test_a_spring_as_a_load_is_a_spring():
    """Two bodies that read each other, against a spring between them."""

    def pair() -> Mechanism:
        m = Mechanism("pair")
        m.body("one", mass=1.0, inertia=0.01, at=(0.0, 0.0))
        m.body("two", mass=2.0, inertia=0.02, at=(0.4, 0.3), velocity=(0.0, 0.3))
        return m

    sprung, loaded = pair(), pair()
    sprung.spring("s", "one", "two", stiffness=80.0, point_i=(0.0, 0.0), point_j=(0.0, 0.0), free_length=0.3)
    far = "sqrt((two.x - one.x)**2 + (two.y - one.y)**2)"
    for name, sign in (("one", ""), ("two", "-")):
        pull = [f"{sign}(80 N/m)*(1 - 0.3 m/{far})*(two.{a} - one.{a})" for a in "xy"]
        loaded.force(name, tuple(pull))
    a, b = (gd.simulate(m, duration=2.0, rtol=1e-10, output=0.05) for m in (sprung, loaded))
    for channel in ("one.x", "one.y", "two.x", "two.y"):
        assert np.abs(a[channel] - b[channel]).max() < 1e-8
    stored = a["energy.potential"][0] - a["energy.potential"]
    assert np.abs(b["energy.applied"] - stored).max() < 1e-8


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
def test_a_governor_holds_its_speed(planar):
    """Torque 40 (1 - w/120) Nm against 15 Nm: 75 rad/s at rest of the governor, reached by exp(-t 40 / (120 J))."""
    m = disc("(40 Nm)*(1 - rate(main.travel)/(120 rad/s)) - 15 Nm", planar=planar)
    run = gd.simulate(m, duration=6.0, rtol=1e-10)
    speed = run["disc.spin" if planar else "disc.wz"]
    assert np.abs(speed - 75.0 * (1.0 - np.exp(-run.t * 40.0 / 120.0 / 0.5))).max() < 1e-6
    assert run["energy.applied"][-1] == pytest.approx(0.25 * speed[-1] ** 2, rel=1e-12)


def test_a_tracking_controller_with_trigonometry():
    """Computed torque: the arm follows 0.5 sin 3t but for an error that dies out as e'' + 20 e' + 100 e = 0."""
    inertia = 0.02 + 1.5 * 0.3**2

    def torque(t, s):
        angle, speed = s["pivot.travel"], s.rate("pivot.travel")
        error, rate = 0.5 * gd.sin(3.0 * t) - angle, 1.5 * gd.cos(3.0 * t) - speed
        wanted = -4.5 * gd.sin(3.0 * t) + 20.0 * rate + 100.0 * error
        return inertia * wanted + 1.5 * G * 0.3 * gd.cos(angle)

    m = Mechanism("arm", gravity=(0.0, -G), start="given")
    m.body("arm", mass=1.5, inertia=0.02, at=(0.3, 0.0))
    m.revolute("pivot", journal="arm", bearing=m.ground, at=(0.0, 0.0))
    m.torque("arm", torque)
    run = gd.simulate(m, duration=1.5, rtol=1e-11)
    # e(0) = 0 and e'(0) = 1.5
    error = 1.5 * run.t * np.exp(-10.0 * run.t)
    assert np.abs(run["pivot.travel"] - (0.5 * np.sin(3.0 * run.t) - error)).max() < 1e-8
    assert run.evidence.balance < 1e-9


def test_a_step_is_smooth_and_its_limits_are_exact():
    x = np.linspace(-0.5, 1.5, 41)
    values = np.array([gd.step(float(v), 0.0, 1.0) for v in x])
    assert (values[x <= 0.0] == 0.0).all() and (values[x >= 1.0] == 1.0).all() and gd.step(0.5, 0.0, 1.0) == 0.5
    assert gd.step(0.2, 1.0, 0.0) == pytest.approx(1.0 - gd.step(0.2, 0.0, 1.0), rel=1e-15)
    assert (gd.absolute(-2.0), gd.minimum(1.0, 2.0), gd.maximum(1.0, 2.0)) == (2.0, 1.0, 2.0)
    with pytest.raises(GudgeonError, match="give it a width"):
        gd.step(0.5, 1.0, 1.0)


def test_a_drive_may_rise_by_a_step_and_has_no_kinks():
    m = disc()
    m.drive("main", motion=Formula("2*step(t, 0.1, 0.6)"))
    run = gd.simulate(m, duration=0.8, output=0.01, rtol=1e-11)
    z = np.clip((run.t - 0.1) / 0.5, 0.0, 1.0)
    assert np.abs(run["main.travel"] - 2.0 * z**3 * (10.0 - 15.0 * z + 6.0 * z**2)).max() < 1e-10
    assert np.abs(run["disc.alpha"] - 8.0 * (60.0 * z - 180.0 * z**2 + 120.0 * z**3)).max() < 1e-9
    bad = disc()
    bad.drive("main", motion=Formula("max(t - 0.1, 0)"))
    with pytest.raises(GudgeonError, match="kink"):
        assemble(bad)


def crank_and_slider(planar: bool = True) -> Mechanism:
    """An arm with a slider on it, with loads that read joints and bodies."""
    more = () if planar else (0.0,)
    size = 0.02 if planar else (0.01, 0.03, 0.02)
    m = Mechanism("arm and slider", planar=planar, gravity=(0.0, -G, *more))
    m.body("arm", mass=1.0, inertia=size, at=(0.2, 0.0, *more))
    m.body("slider", mass=0.5, inertia=size, at=(0.3, 0.0, *more))
    axis = {} if planar else {"axis": (0.0, 0.0, 1.0)}
    m.revolute("pivot", journal="arm", bearing=m.ground, at=(0.0, 0.0, *more), **axis)
    m.translational("guide", journal="slider", bearing="arm", at=(0.3, 0.0, *more), axis=(1.0, 0.0, *more))
    along = "-(300 N/m)*guide.travel - (2 N s/m)*rate(guide.travel)*abs(rate(guide.travel))/(1 m/s)"
    m.force("slider", (along, *(0.0,) * (1 if planar else 2)), frame="body")
    brake = "-(0.5 Nm)*tanh(rate(pivot.travel)/(2 rad/s))*step(arm.y, 50 mm, -50 mm)"
    m.torque("arm", brake if planar else (0.0, 0.0, brake))
    return m


def test_tree_and_absolute_coordinates_have_one_motion():
    routes = [prepare(crank_and_slider(), duration=0.5, rtol=1e-10, output=0.01, numerics=Numerics(coordinates=x))
              for x in ("tree", "absolute")]  # fmt: skip
    tree, absolute = (route.run() for route in routes)
    assert len(tree.end.y) < len(absolute.end.y)
    for channel in ("slider.x", "slider.y", "arm.angle", "energy.applied"):
        assert np.abs(tree[channel] - absolute[channel]).max() < 1e-7
    assert tree.evidence.balance < 1e-9 and absolute.evidence.balance < 1e-9


@pytest.mark.parametrize("form", ["residual", "step"])
@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
def test_tangents_of_implicit_methods_are_exact(form, planar):
    """By velocities, against differences of the residuals."""
    s = assemble(crank_and_slider(planar), Needs(form=form))
    layout, n, nq = s.residual.layout, s.velocities, s.positions
    name = "residual" if form == "residual" else "dissipative"
    length = s.residual.longer if form == "step" else s.states
    y = np.zeros(max(length, s.states))
    y[: s.states] = s.y0
    y[nq : nq + n] += np.linspace(-0.5, 0.7, n)
    y[:2] += (0.01, 0.02)
    if form == "step":
        y[s.states : s.states + nq] = y[:nq]
    size = n + layout.rows + layout.internal + len(s.layout.integrals)

    def value(y: np.ndarray) -> np.ndarray:
        out = np.zeros(size)
        call_address(s.addresses[name], 0.3, y, s.p, np.zeros(s.memory), out)
        return out[:n]

    def tangent(place: int) -> np.ndarray:
        given = y.copy()
        given[layout.factors : layout.factors + 3] = 0.0
        given[layout.factors + place] = 1.0
        out = np.zeros(len(s.residual.plan.rows))
        call_address(s.addresses[f"{name}_tangent" if form == "step" else "tangent"], 0.3, given, s.p,
                     np.zeros(s.memory), out)  # fmt: skip
        return np.asarray(s.residual.plan.dense(out))[:n, :n]

    # the residual form has its factors for accelerations, velocities and positions, steps for b, velocities and a
    by_velocity = tangent(1 if form == "residual" else 2)
    expected, h = np.zeros((n, n)), 1e-6
    for j in range(n):
        change = np.zeros(y.size)
        change[nq + j] = h
        expected[:, j] = (value(y + change) - value(y - change)) / (2.0 * h)
    assert np.abs(expected).max() > 0.1
    assert np.abs(by_velocity - expected).max() < 1e-7 * np.abs(expected).max()


def test_loops_over_parts_serve_what_reads_bodies_but_no_joints():
    own, other, joint = (Mechanism("row") for _ in range(3))
    for m, read in ((own, "b{k}.vx"), (other, "b0.vx"), (joint, "rate(j.travel)")):
        for k in range(3):
            m.body(f"b{k}", mass=1.0, inertia=0.01, at=(k, 0.0))
            m.force(f"b{k}", (f"-(1 N s/m)*{read.format(k=k)}", 0.0))
        m.translational("j", journal="b1", bearing=m.ground, at=(1.0, 0.0), axis=(1.0, 0.0))
    assert choose(own, unrolled=False) == choose(other, unrolled=False) == "looped"
    with pytest.raises(GudgeonError, match="read a joint"):
        choose(joint, unrolled=False)
    function = Mechanism("function")
    function.body("b", mass=1.0, inertia=0.01, at=(0.0, 0.0))
    function.force("b", (lambda t, s: -s["b.vx"], 0.0))
    with pytest.raises(GudgeonError, match="read a joint"):
        choose(function, unrolled=False)


def test_a_formula_that_cannot_be_read_says_where():
    """Read as a unit, the text behind the stroke raised an internal error."""
    with pytest.raises(GudgeonError, match="position 12: invalid syntax"):
        disc().controller("main", speed="3 rad/s - (0.2 1/s)*'main.travel'", gain=0.02)


def test_voltages_and_targets_read_the_motion_too():
    """V = K (w0 - w) on a motor of no inductance against its torque; a controller whose target is the speed of a body
    does nothing."""
    m = disc()
    m.motor("main", voltage="(0.3 V s)*(50 rad/s - main.speed)", resistance=2.0, back_emf=0.1)
    run = gd.simulate(m, duration=2.0, rtol=1e-10)
    # J w' = 0.1 (0.3 (50 - w) - 0.1 w) / 2
    assert np.abs(run["disc.spin"] - 37.5 * (1.0 - np.exp(-0.1 * 0.4 / 2.0 / 0.5 * run.t))).max() < 1e-8
    assert run.evidence.balance < 1e-9
    with pytest.raises(GudgeonError, match="no mean over a step"):
        assemble(m, Needs(form="step"))
    idle = disc()
    idle.controller("main", speed="disc.spin", gain=3.0)
    assert np.abs(gd.simulate(idle, duration=0.1)["main.torque"]).max() == 0.0


def test_a_file_says_the_same_as_python():
    m = crank_and_slider()
    text = dump(m)
    again = loads(text).mechanism
    assert again.forces == m.forces and again.torques == m.torques
    a, b = (channels_of(assemble(x), 0.1) for x in (m, again))
    assert a == b


def test_a_magnetic_bearing_reads_the_offset_of_its_journal():
    """A bearing with much play whose journal is held by k e + c e', one way and the other: it falls by m g / k as
    e^(-a t) (cos w t + a/w sin w t), a = c / 2 m, w = sqrt(k/m - a^2), and never touches."""
    m = Mechanism("rotor", gravity=(0.0, -G), start="given")
    m.body("rotor", mass=MASS, inertia=0.01, at=(0.0, 0.0))
    wall = gd.KelvinVoigt(1e8, 1e3)
    m.revolute("main", journal="rotor", bearing=m.ground, at=(0.0, 0.0), radius="10 mm", length="20 mm",
               fit=gd.Clearance("1 mm", wall=wall))  # fmt: skip
    pull = [f"-(50 kN/m)*main.e{a} - (100 N s/m)*rate(main.e{a})" for a in "xy"]
    m.force("rotor", tuple(pull))
    run = gd.simulate(m, duration=0.1, rtol=1e-11)
    k, a = 5e4, 100.0 / (2.0 * MASS)
    w = math.sqrt(k / MASS - a * a)
    exact = MASS * G / k * (np.exp(-a * run.t) * (np.cos(w * run.t) + a / w * np.sin(w * run.t)) - 1.0)
    assert np.abs(run["rotor.y"] - exact).max() < 1e-10
    assert not run.contacts and run.evidence.balance < 1e-10


@pytest.mark.parametrize("modal", [False, True], ids=["beam", "modes"])
def test_flexible_links_are_damped_by_loads(modal):
    """Over steps the energy is accounted for to rounding, whatever is flexible."""
    m = Mechanism("flexible", gravity=(0.0, -G))
    section = gd.Section.rectangle(0.01, 0.01, gd.STEEL)
    if modal:
        m.modal_link("bar", a=(0.0, 0.0), b=(1.0, 0.0), section=section, modes=1)
    else:
        m.beam("bar", a=(0.0, 0.0), b=(1.0, 0.0), section=section, elements=1)
    m.revolute("pivot", journal="bar", bearing=m.ground, at=(0.0, 0.0))
    m.body("tip", mass=0.2, inertia=1e-3, at=(1.0, 0.0))
    m.rigid("hold", journal="tip", bearing="bar", at=(1.0, 0.0))
    m.force("bar", (0.0, "-(5 N s/m)*tip.vy - (20 N/m)*tip.y"), at=(0.5, 0.0))
    run = gd.simulate(m, duration=0.05, method="energy")
    assert run["energy.applied"][-1] < -1e-3
    assert run.evidence.balance < 1e-11


def test_equilibrium_sees_the_slope_of_a_load():
    """A weight on a force that hardens: k x^3 = m g."""
    from gudgeon.analysis.rest.equilibrium import equilibrium

    m = on_a_rail("-(1e4 N/m^3)*bob.x**3 - (1 N/m)*bob.x - (5 N s/m)*bob.vx", gravity=G)
    rest = equilibrium(m)
    x = rest["bob.x"]
    assert 1e4 * x**3 + x == pytest.approx(MASS * G, rel=1e-9)


@pytest.mark.parametrize("function, words", [
    (lambda t, s: -3.0 if s["bob.vx"] > 0.0 else 3.0, "use gudgeon.sin, cos, sqrt, exp, tanh, and absolute"),
    (lambda t, s: math.sin(s["bob.x"]), "use gudgeon.sin"),
    (lambda t, s: s["bob.ax"], "follows from the loads"),
    (lambda t, s: s["bub.vx"], 'unknown part "bub"; did you mean "bob.vx"'),
    (lambda t, s: s.rate("bob.vx"), "the rate of a speed is an acceleration"),
    (lambda t, s: s.rate(s["bob.x"] * s["bob.vx"]), "the rate of a speed is an acceleration"),
    (lambda t, s: s.bob.x, "raised AttributeError"),
])  # fmt: skip
def test_functions_are_refused_before_anything_runs(function, words):
    with pytest.raises(GudgeonError) as caught:
        gd.simulate(on_a_rail(function), duration=0.1)
    assert "bob_force.fx" in str(caught.value) and words in str(caught.value)


def test_a_load_that_becomes_infinite_is_named():
    m = on_a_rail("(1 N m)/(0.5 m - bob.x)*sqrt(1 - bob.x/(0.4 m))", gravity=G)
    with pytest.raises(gd.RunStopped, match='force "bob_force" gives nan'):
        gd.simulate(m, duration=2.0)
