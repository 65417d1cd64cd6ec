"""Mechanisms of space as the user describes them: what is read, and what is refused with a remedy."""

from __future__ import annotations

import math

import pytest

import gudgeon as gd
from gudgeon.assemble import Needs, assemble
from gudgeon.space.spatial.geometry.inertia import box

LN = gd.LankaraniNikravesh(stiffness=1e7, restitution=0.8)
PLAY = gd.Clearance("0.1 mm", wall=LN)
LINER = gd.LinearLiner(stiffness=1e5, damping=20.0)
OILED = gd.Lubricated(1e-4, film=gd.Moes(viscosity=0.1))


def start(**body) -> gd.Mechanism:
    m = gd.Mechanism("m", planar=False, gravity=(0, 0, "-9.81 m/s^2"))
    m.body("a", **{"mass": 1, "inertia": (1, 1, 1), "at": (0, 0, 0)} | body)
    m.body("b", mass=1, inertia=(1, 1, 1), at=(1, 0, 0))
    return m


def joint(kind: str = "revolute", **options):
    m = start()
    options = {"at": (0.5, 0, 0), "axis": (0, 0, 1)} | options
    return m.joint(kind, "j", journal="a", bearing="b", **{k: v for k, v in options.items() if v is not None})


def stopped(**options) -> gd.Mechanism:
    m = start()
    m.cylindrical("c", journal="a", bearing="b", at=(0, 0, 0), axis=(1, 0, 0))
    m.stop("c", wall=LN, **options)
    return m


def test_bodies_and_joints_are_read():
    m = start(inertia=("1 kg m^2", 2, 2.5), orientation=(0, 0, math.pi / 2), spin=("60 rpm", 0, 0))
    a = m.bodies["a"]
    assert m.gravity == (0, 0, -9.81) and not m.planar
    assert a.orientation == pytest.approx((math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4)))
    assert a.local((0, 1, 0)) == pytest.approx((1, 0, 0))
    # the world's x is the body's -y
    assert a.velocities[3:] == pytest.approx((0, -2 * math.pi, 0), abs=1e-14)
    j = m.revolute("j", journal="a", bearing="b", at=(0, 2, 0), axis=(0, 0, 3), fit={"sleeve": gd.Ideal()})
    assert j.journal_point == pytest.approx((2, 0, 0)) and j.axis == (0, 0, 1)
    assert set(j.fit) == {"sleeve", "shoulder"}
    assert "spatial" in m.summary() and "0, 0, -9.81" in m.summary()


def test_euler_parameters_with_few_digits_are_scaled():
    m = start(orientation=(0.707, 0.707, 0, 0))
    assert sum(x * x for x in m.bodies["a"].orientation) == pytest.approx(1.0, abs=1e-15)


def test_a_shape_brings_mass_and_inertia():
    m = gd.Mechanism("m", planar=False)
    m.body("block", shape=box("10 cm", "20 cm", "30 cm", 7800), at=(0, 0, 0))
    assert m.bodies["block"].mass == pytest.approx(46.8)
    with pytest.raises(gd.GudgeonError, match="leave mass= and inertia= out"):
        m.body("other", shape=box(1, 1, 1, 1), mass=2, at=(0, 0, 0))


def test_every_kind_leaves_its_freedoms():
    free = {"revolute": 1, "cylindrical": 2, "translational": 1, "prismatic": 1, "spherical": 3, "rigid": 0,
            "planar": 3, "screw": 1, "mount": 0}  # fmt: skip
    for kind, freedoms in free.items():
        m = start()
        m.rigid("hold", journal="b", bearing=m.ground, at=(1, 0, 0))
        pitch = {"pitch": "2 mm"} if kind == "screw" else {}
        m.joint(kind, "j", journal="a", bearing="b", at=(0.5, 0, 0), axis=(1, 2, -1), **pitch)
        assert assemble(m).start.dof == freedoms, kind
    m = start()
    m.rigid("hold", journal="b", bearing=m.ground, at=(1, 0, 0))
    m.universal("j", journal="a", bearing="b", at=(0.5, 0, 0), journal_axis=(0, 1, 0), bearing_axis=(0, 0, 1))
    assert assemble(m).start.dof == 2


def test_misaligned_bearings_turn_the_body_at_the_start():
    m = gd.Mechanism("m", planar=False)
    m.body("a", mass=1, inertia=(1, 1, 1), at=(0, 0, 0))
    m.revolute("j", journal="a", bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1), misalignment=("1 deg", 0, 0))
    q = assemble(m).start.q
    assert 2 * math.atan2(q[4], q[3]) == pytest.approx(math.radians(1), rel=1e-9)


BAD = {
    "inertia": (lambda: start(inertia=(1, 2, 4)), ['body "a"', "greater than the sum 3", "check units and order"]),
    "negative": (lambda: start(inertia=(1, -1, 1)), ['body "a"', "not positive"]),
    "tensor": (lambda: start(inertia=(1, 1, 1, 1.5, 0, 0)), ["not positive", "mixed components"]),
    "one number": (lambda: start(inertia=1.0), ["three principal moments"]),
    "euler": (lambda: start(orientation=(1, 1, 0, 0)), ['body "a"', "length 1.41421", "did you mean (0.707107"]),
    "orientation": (lambda: start(orientation=(1, 0)), ["Euler parameters", "rotation vector"]),
    "two components": (lambda: start(at=(0, 0)), ["at", "3 components"]),
    "angle": (lambda: start(angle=0.1), ["angle", "orientation="]),
    "no axis": (lambda: joint(axis=None), ['joint "j"', "axis is missing"]),
    "no direction": (lambda: joint(axis=(0, 0, 0)), ["no direction"]),
    "not parallel": (
        lambda: joint(axis=None, journal_axis=(0, 0, 1), bearing_axis=(0, 0.02, 1)), ["differ by", "misalignment"],
    ),
    "round": (lambda: joint(axis=None, journal_axis=(0, 0, 1), bearing_axis=(0, 0, -1)), ["turn one of them round"]),
    "cross": (
        lambda: joint("universal", axis=None, journal_axis=(0, 0, 1), bearing_axis=(0, 1, 1)), ["45 deg", "perpend"],
    ),
    "short": (
        lambda: joint(radius=0.01, length=0.05, journal_length=0.04, fit=PLAY), ["0.04 m", "0.05 m", "at its edges"],
    ),
    "no radius": (lambda: joint(length=0.05, fit=PLAY), ['contact pair "sleeve"', '"radius"']),
    "no length": (lambda: joint(radius=0.05, fit=PLAY), ['contact pair "sleeve"', '"length"']),
    "too loose": (lambda: joint("spherical", axis=None, radius="0.05 mm", fit=PLAY), ["not smaller than", "radius"]),
    "friction": (
        lambda: joint("spherical", axis=None, fit=gd.Clearance(1e-4, wall=LN, friction=gd.ModifiedCoulomb(0.1))),
        ["friction needs the bearing radius"],
    ),
    "strips": (lambda: joint(strips=0), ["strips 0", "at least 1"]),
    "profile": (lambda: joint(strips=3, profile=(0, 1e-5)), ["profile of 2", "3 strips"]),
    "film": (
        lambda: joint("spherical", axis=None, radius=0.01, fit=OILED),
        ["Moes", "ball", 'made for "sleeve"', 'choose from "Sphere"'],
    ),
    "film on a shoulder": (
        lambda: joint(radius=0.01, length=0.02, fit=OILED), ['contact pair "shoulder"', 'dict of fits with "sleeve"'],
    ),
    "film without length": (
        lambda: joint(radius=0.01, fit={"sleeve": OILED}), ["Moes needs the length of the bearing", "length="],
    ),
    "film in a barrel": (
        lambda: joint(radius=0.01, length=0.02, strips=2, profile=(0, 1e-5), fit={"sleeve": OILED}),
        ["one clearance along the whole bore", "profile"],
    ),
    "conical": (lambda: joint("cylindrical", fit=gd.Bushing(LINER)), ["another against tilt", "conical="]),
    "unknown mate": (lambda: joint(fit={"pin": gd.Ideal()}), ["revolute", "pin", '"sleeve" and "shoulder"']),
    "stop which": (lambda: stopped(upper=0.1), ['"translation" and "rotation"', "direction="]),
    "stop unit": (lambda: stopped(upper="0.1 m", direction="rotation"), ["[m]", "rotation", "[rad]"]),
    "spherical stop": (
        lambda: joint("spherical", axis=None, stop=gd.Stop(upper=1, wall=LN)), ["spherical", "no single free motion"],
    ),
    "planar only": (
        lambda: gd.Mechanism("p").joint("revolute", "j", journal="ground", bearing="ground", at=(0, 0), strips=3),
        ["strips", "only a joint of space"],
    ),
    "planar conical": (
        lambda: _planar().revolute("j", journal="a", bearing="ground", at=(0, 0), fit=gd.Bushing(LINER, conical=LINER)),
        ["conical", "does not tilt"],
    ),
    "torque": (lambda: start().torque("a", 1.0), ["three components"]),
    "force": (lambda: start().force("a", (1, 2)), ["must be three"]),
}  # fmt: skip


def _planar() -> gd.Mechanism:
    m = gd.Mechanism("p")
    m.body("a", mass=1, inertia=1, at=(0, 0))
    return m


@pytest.mark.parametrize("case", BAD)
def test_is_refused_with_a_remedy_in_space(case):
    build, fragments = BAD[case]
    with pytest.raises(gd.GudgeonError) as caught:
        build()
    for fragment in fragments:
        assert fragment in str(caught.value)


class OneLine(gd.laws.FrictionLaw):
    """A law with a state that says nothing about a second direction."""

    states = 1

    def pack(self, pair):
        return {"coefficient": 0.1}

    @staticmethod
    def force(slip, normal, state, p):
        return -p[0] * normal * state

    @staticmethod
    def state_rate(slip, normal, state, p):
        return slip - state


del gd.laws.FrictionLaw.registry["OneLine"]


def rubbing(friction: gd.FrictionLaw) -> gd.Mechanism:
    m = start()
    fit = gd.Clearance(1e-4, wall=LN, friction=friction)
    m.spherical("j", journal="a", bearing="b", at=(0.5, 0, 0), radius=0.01, fit=fit)
    return m


def test_friction_that_space_does_not_have_is_refused():
    with pytest.raises(gd.GudgeonError, match=r"OneLine has a state along one line.*component_rate"):
        gd.simulate(rubbing(OneLine()), duration=0.1)


def test_a_method_that_sticks_wants_equations_for_it():
    from gudgeon.assemble import assemble
    from gudgeon.methods.march.driver import run

    system = assemble(rubbing(gd.ModifiedCoulomb(0.1)), Needs(contact="event"))
    with pytest.raises(gd.GudgeonError, match=r"Impact needs friction that sticks in the equations; .*needs"):
        run(system, gd.Impact(), 0.0, 0.1, on_rows=lambda rows: None)
