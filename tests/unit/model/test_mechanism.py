"""A description becomes SI numbers and body-fixed points."""

import math
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest
from crank_model import HARD, LN, slider_crank

from gudgeon.laws import KelvinVoigt, LinearLiner, ModifiedCoulomb, Moes
from gudgeon.model import (
    GROUND,
    KINDS,
    Body,
    Bushing,
    Clearance,
    Fit,
    Ideal,
    Lubricated,
    Mechanism,
    Spring,
    Stop,
)


def test_the_program_of_the_design_page():
    m = slider_crank()
    m.check()
    assert list(m.bodies) == ["crank", "rod", "slider"]
    assert m.bodies["rod"] == Body("rod", 0.21, 2.5e-4, (0.11, 0.0))
    assert m.joints["pin"].radius == pytest.approx(0.01, rel=1e-15)
    assert m.joints["pin"].kind is KINDS["revolute"] and m.joints["pin"].axis is None
    assert m.joints["guide"].axis == (1.0, 0.0)
    assert m.drives["main"].speed == pytest.approx(5000 * math.tau / 60)
    assert m.joints["pin"].fit == {"pin": Ideal()}


def test_points_are_body_fixed():
    m = Mechanism("turned")
    a = m.body("a", mass=1, inertia=1, at=(1, 2), angle="90 deg")
    j = m.revolute("j", journal=a, bearing=m.ground, at=(1, 5))
    assert j.journal_point == pytest.approx((3, 0))
    assert j.bearing_point == (1, 5)
    assert a.world(j.journal_point) == pytest.approx((1, 5))
    k = m.revolute("k", journal=a, bearing="ground", journal_point=("10 mm", 0), bearing_point=(1, 2.02))
    assert k.journal_point == (0.01, 0) and k.bearing_point == (1, 2.02)


def test_kinds_and_aliases():
    m = slider_crank()
    body = m.body("b", mass=1, inertia=1, at=(0, 1))
    assert KINDS["prismatic"] is KINDS["translational"]
    assert m.prismatic("p", journal=body, bearing=m.ground, at=(0, 1)).kind is KINDS["translational"]
    assert m.joint("prismatic", "q", journal=body, bearing="rod", at=(0, 1), axis=(3, 4)).axis == (0.6, 0.8)
    weld = m.rigid("weld", journal=body, bearing="crank", at=(0, 1))
    assert weld.fit == {"pin": Ideal(), "key": Ideal()} and weld.kind.unit == ""


def test_a_clearance_gives_the_wall_its_radii():
    joint = slider_crank().refit(pin=Clearance("0.5 mm", wall=LN)).joints["pin"]
    assert joint.gap("pin") == 0.0005
    pair = joint.pair("pin")
    assert (pair.bearing_radius, pair.journal_radius) == pytest.approx((0.01, 0.0095))
    assert pair.name == "pin" and pair.length == pytest.approx(0.02)
    # 004, four decimals of the stiffness the paper prints as 6.6e10
    assert LN.pack(pair)["stiffness"] == pytest.approx(6.6101983979e10, rel=1e-9)


def test_a_liner_sets_the_wall_back():
    lined = Clearance("0.1 mm", wall=LN, liner=LinearLiner(stiffness=1e7, damping=0), liner_thickness="2 mm")
    pair = slider_crank().refit(pin=lined).joints["pin"].pair("pin")
    assert (pair.bearing_radius, pair.journal_radius) == pytest.approx((0.012, 0.0099))


def test_fits_for_two_mates():
    m = slider_crank()
    both = Clearance("0.1 mm", angular_clearance="1 deg", wall=HARD)
    weld = m.rigid("weld", journal="crank", bearing="slider", at=(0, 0), radius=0.01, fit=both)
    assert weld.gap("pin") == pytest.approx(1e-4) and weld.gap("key") == pytest.approx(math.radians(1))
    keyed = m.rigid("keyed", journal="crank", bearing="slider", at=(0, 0),
                    fit={"key": Clearance(angular_clearance="2 deg", wall=HARD)})  # fmt: skip
    assert keyed.fit["pin"] == Ideal() and keyed.gap("pin") == 0.0
    assert hash(keyed.fit) == hash(replace(keyed).fit) and "Ideal" in repr(keyed.fit)


def test_fits_register_and_describe_themselves():
    assert {"Ideal", "Clearance", "Bushing", "Lubricated"} <= set(Fit.registry) and "Loose" not in Fit.registry
    liner = LinearLiner(stiffness=1e7, damping=10)
    assert Bushing(liner).describe() == "bushing, LinearLiner"
    assert Bushing(liner, wall=HARD, thickness="2 mm").describe() == "bushing, LinearLiner, Hertz"
    text = Clearance("0.5 mm", wall=LN, friction=ModifiedCoulomb(0.03)).describe()
    assert "0.5 mm" in text and "ModifiedCoulomb" in text


def test_a_film_and_what_stands_behind_it():
    oil = Moes("400 cP")
    bare = Lubricated("0.5 mm", film=oil)
    assert bare.least_film is None and bare.shear
    assert bare.describe() == "film in 0.5 mm, Moes, no wall"
    walled = Lubricated("0.5 mm", film=oil, wall=LN, friction=ModifiedCoulomb(0.03), shear=False)
    assert walled.minimum_film is None and walled.least_film == pytest.approx(5e-6)
    laws = "Moes, LankaraniNikravesh, ModifiedCoulomb"
    assert walled.describe() == f"film in 0.5 mm, {laws}, wall below 5 um, without shear"
    assert replace(walled, minimum_film="2 um").least_film == 2e-6
    iso = Lubricated.from_iso("20 H7/f7", film=oil)
    assert iso.radial_clearance == pytest.approx(20.5e-6) and "ISO 20 H7/f7" in iso.describe()
    joint = slider_crank().refit(pin=walled).joints["pin"]
    assert joint.gap("pin") == 5e-4
    assert joint.pair("pin") == slider_crank().refit(pin=Clearance("0.5 mm", wall=LN)).joints["pin"].pair("pin")
    assert "pin film in 0.5 mm, Moes" in slider_crank().refit(pin=walled).summary()


def test_stops_count_from_the_described_position():
    m = slider_crank()
    joint = m.stop("guide", lower="-10 mm", upper=0.02, wall=HARD)
    assert (joint.stop.lower, joint.stop.upper) == (-0.01, 0.02)
    assert m.joints["guide"] is joint
    turn = m.revolute("r", journal="rod", bearing=GROUND, at=(0, 0), stop=Stop(upper="30 deg", wall=HARD))
    assert turn.stop.lower is None and turn.stop.upper == pytest.approx(math.pi / 6)
    assert Stop("-1 mm", wall=HARD) == Stop(-0.001, wall=HARD)


def test_drives():
    m = slider_crank()
    assert m.drive("guide", speed="1 m/s").speed == 1.0
    assert callable(m.drive("big", speed=lambda t: 1.0 + t).speed)
    assert m.drive(m.joints["pin"], motion=lambda t: 0.1 * math.sin(t)).motion(0.0) == 0.0


def test_springs_and_loads():
    m = Mechanism("loads", gravity=(0, "-9.81 m/s^2"), start="given")
    a = m.body("a", mass=1, inertia=1, at=(0, 0))
    b = m.body("b", mass=1, inertia=1, at=(1, 0))
    joint = m.revolute("j", journal=a, bearing=m.ground, at=(0, 0))
    assert m.gravity == (0, -9.81) and m.start == "given"
    spring = m.spring("s", a, b, at_i=(0.2, 0), point_j=(-0.2, 0), stiffness="1 kN/m", damping=2)
    assert spring == Spring("s", "a", "b", (0.2, 0), (-0.2, 0), 1000.0, None, 2.0)
    assert m.damper("d", a, m.ground, at_i=(0, 0), at_j=(0, 1), damping=5).stiffness == 0.0
    assert m.torsion_spring("t", joint, stiffness="3 Nm/rad", free_angle="180 deg").free_angle == math.pi
    force = m.force(a, ("1 kN", lambda t: t))
    assert force.name == "a_force" and force.point == (0, 0) and force.components[0] == 1000.0
    assert m.force(a, (0, 1), at=(0, 1), frame="body").name == "a_force_1"
    torque = m.torque(b, "2 Nm", reaction=a, name="motor")
    assert torque.reaction == "a" and m.torque(b, 1, reaction=m.ground).reaction is None
    m.check()
    text = m.summary()
    assert all(word in text for word in ("loads", "spring  s", "damper  d", "motor", "-9.81"))


def test_parts_are_immutable_and_views_read_only():
    m = slider_crank()
    with pytest.raises(FrozenInstanceError):
        m.bodies["crank"].mass = 2.0
    with pytest.raises(TypeError):
        m.bodies["crank"] = None
    with pytest.raises(TypeError):
        m.joints["pin"].fit["pin"] = Ideal()


def test_summary_and_repr():
    m = slider_crank().refit(pin=Clearance("0.5 mm", wall=LN))
    assert repr(m) == 'Mechanism("slider-crank": 3 bodies, 4 joints)'
    assert "pin clearance 0.5 mm, LankaraniNikravesh" in m.summary()
    assert "523.599 rad/s" in m.summary()


def test_a_mechanism_travels_between_processes():
    m = slider_crank().refit(pin=Clearance("0.5 mm", wall=LN))
    assert pickle.loads(pickle.dumps(m)).joints == m.joints


def test_parts_of_another_mechanism_are_refused_though_they_have_the_name():
    """A part is known by whose it is; mechanisms made from one another by vary and refit share their parts."""
    other, mine = slider_crank(), slider_crank()
    for make in (
        lambda: mine.revolute("x", journal=other.bodies["crank"], bearing=mine.ground, at=(0, 0)),
        lambda: mine.force(other.bodies["crank"], (1.0, 0.0)),
        lambda: mine.stop(other.joints["main"], upper=1.0, wall=KelvinVoigt(1e6, 1.0)),
    ):
        with pytest.raises(ValueError, match=r'belongs to the mechanism "[\w -]+", not to .*; write "(crank|main)"'):
            make()
    crank = mine.bodies["crank"]
    heavier = mine.vary("crank.mass", 2.0)
    assert heavier.revolute("x", journal=crank, bearing="rod", at=(0, 0)).journal == "crank"
    assert heavier.revolute("y", journal=heavier.bodies["crank"], bearing="rod", at=(0, 0)).journal == "crank"
