"""Wrong descriptions: each is refused at once, and the message names the part, the value and the remedy."""

import math
from collections.abc import Callable

import pytest
from crank_model import HARD, LN, slider_crank

from gudgeon.laws import JohnsonCylinder, LinearLiner, ModifiedCoulomb, Moes
from gudgeon.model import Body, Bushing, Clearance, Drive, Ideal, Joint, Lubricated, Mechanism, Stop
from gudgeon.quantity import GudgeonError

LINER = LinearLiner(stiffness=1e7, damping=0)
OIL = Moes("400 cP")
NAN = float("nan")


def body(name="b", **values):
    given = {"mass": 1, "inertia": 1, "at": (0, 0)} | values
    return slider_crank().body(name, **given)


def pin(name="p", **values):
    given = {"journal": "crank", "bearing": "rod", "at": (0, 0)} | values
    return slider_crank().revolute(name, **given)


def slot(name="s", **values):
    given = {"journal": "slider", "bearing": "ground", "at": (0, 0)} | values
    return slider_crank().translational(name, **given)


def weld(**values):
    return slider_crank().rigid("w", journal="crank", bearing="rod", at=(0, 0), **values)


def drive(joint="guide", **values):
    return slider_crank().drive(joint, **values)


def spring(name="k", i="crank", j="slider", **values):
    given = {"at_i": (0, 0), "at_j": (1, 0), "stiffness": 1} | values
    return slider_crank().spring(name, i, j, **given)


def welded():
    m = slider_crank()
    m.rigid("w", journal="crank", bearing="rod", at=(0, 0))
    return m


def stopped():
    m = slider_crank()
    m.stop("guide", upper=1, wall=HARD)
    return m


BAD: dict[str, tuple[Callable[[], object], list[str]]] = {
    # the mechanism
    "space": (lambda: Mechanism("m", planar="no"), ['"m"', "planar", '"no"', "True or False"]),
    "no mechanism name": (lambda: Mechanism(""), ['""', "text"]),
    "scalar gravity": (lambda: Mechanism("m", gravity=9.81), ["gravity", "9.81", "2 components"]),
    "gravity unit": (lambda: Mechanism("m", gravity=(0, "9.81 N")), ["gravity[1]", "9.81 N", "[m/s^2]"]),
    "start": (lambda: Mechanism("m", start="idael"), ["start", '"idael"', 'did you mean "ideal"']),
    "empty": (lambda: Mechanism("m").check(), ['"m"', "no bodies", "body(...)"]),
    # names
    "duplicate body": (lambda: body("crank"), ['body "crank"', "taken", "another name"]),
    "body named as a joint": (lambda: body("pin"), ['body "pin"', "taken"]),
    "space in name": (lambda: body("big end"), ['"big end"', "spaces or dots", '"big_end"']),
    "dot in name": (lambda: pin("a.b"), ['joint name "a.b"', "spaces or dots", '"a_b"']),
    "reserved name": (lambda: body("ground"), ['"ground"', "reserved", "another name"]),
    "number as name": (lambda: body(5), ["5", "must be a text"]),
    "empty name": (lambda: spring(""), ["spring name", '""', "must be a text"]),
    # bodies
    "zero mass": (lambda: body(mass=0), ['body "b"', "mass 0", "greater than 0", "[kg]"]),
    "negative inertia": (lambda: body(inertia=-1e-5), ['body "b"', "inertia -1e-05", "greater than 0"]),
    "mass in metres": (lambda: body(mass="1 m"), ['body "b"', 'mass "1 m"', "expected [kg]"]),
    "mass nan": (lambda: body(mass=NAN), ['body "b"', "mass nan", "finite"]),
    "angle inf": (lambda: body(angle=math.inf), ['body "b"', "angle inf", "finite"]),
    "one coordinate": (lambda: body(at=(1,)), ['body "b"', "at (1,)", "2 components"]),
    "at in kilograms": (lambda: body(at=("1 kg", 0)), ['body "b"', 'at[0] "1 kg"', "expected [m]"]),
    "unit typo": (lambda: body(spin="5 rmp"), ['body "b"', '"5 rmp"', 'did you mean "rpm"']),
    "body alone": (lambda: Body("x", -1, 1, (0, 0)), ['body "x"', "mass -1", "greater than 0"]),
    # joints
    "unknown body": (
        lambda: pin(journal="cranc"),
        ['joint "p"', "journal", '"cranc"', 'did you mean "crank"'],
    ),
    "number as body": (lambda: pin(bearing=3), ['joint "p"', "bearing 3", "body or its name"]),
    "field typo": (lambda: pin(radus=1.0), ['joint "p"', 'unknown field "radus"', 'did you mean "radius"']),
    "field of space": (lambda: pin(strips=3), ['joint "p"', "strips", "only a joint of space"]),
    "field of a link": (
        lambda: Mechanism("m").modal_link("rod", a=(0, 0), b=(1, 0), EI=1.0, mass=1.0, dampng=0.1),
        ['modal link "rod"', '"dampng"', 'did you mean "damping"'],
    ),
    "Ground": (lambda: pin(bearing="Ground"), ['"Ground"', 'did you mean "ground"']),
    "same body": (lambda: pin(bearing="crank"), ['joint "p"', '"crank"', "two different bodies"]),
    "ground to ground": (lambda: slot(journal="ground"), ['joint "s"', "both ground", "must be a body"]),
    "no place": (lambda: pin(at=None), ['joint "p"', "no place", "at=(x, y)"]),
    "half a place": (lambda: pin(at=None, journal_point=(0, 0)), ["bearing_point", "both"]),
    "two places": (
        lambda: pin(journal_point=(0, 0)),
        ['joint "p"', "both of at and journal_point", "one of"],
    ),
    "unknown kind": (
        lambda: slider_crank().joint("revolut", "p", journal="crank", bearing="rod", at=(0, 0)),
        ['joint "p"', "joint kind", '"revolut"', 'did you mean "revolute"'],
    ),
    "strange kind": (
        lambda: slider_crank().joint("weld", "p", journal="crank", bearing="rod", at=(0, 0)),
        ['"weld"', 'did you mean "rigid"?', '"rigid"'],
    ),
    "zero axis": (lambda: slot(axis=(0, 0)), ['joint "s"', "axis (0, 0)", "no direction", "axis=(1, 0)"]),
    "axis nan": (lambda: slot(axis=(NAN, 0)), ['joint "s"', "axis[0] nan", "finite"]),
    "axis missing": (
        lambda: slider_crank().joint("prismatic", "p", journal="crank", bearing="rod", at=(0, 0)),
        ['joint "p"', "axis is missing", "axis=(1, 0)"],
    ),
    "axis of a pin": (
        lambda: Joint("p", "revolute", "a", "b", (0, 0), (0, 0), axis=(1, 0)),
        ['joint "p"', "axis (1, 0)", "leave axis out"],
    ),
    "width of a pin": (
        lambda: Joint("p", "revolute", "a", "b", (0, 0), (0, 0), width=1),
        ['joint "p"', "width 1", '"radius"'],
    ),
    "zero radius": (lambda: pin(radius=0), ['joint "p"', "radius 0", "greater than 0"]),
    "radius in degrees": (lambda: pin(radius="3 deg"), ['joint "p"', 'radius "3 deg"', "expected [m]"]),
    # fits
    "journal larger than bearing": (
        lambda: pin(radius="10 mm", fit=Clearance("0.5 m", wall=LN)),
        ['joint "p"', "radial_clearance 0.5 m", "bearing radius 10 mm", 'did you mean "0.5 mm"?'],
    ),
    "clearance far too large": (
        lambda: pin(radius="10 mm", fit=Clearance(50, wall=LN)),
        ['joint "p"', "50 m", "10 mm", "smaller clearance"],
    ),
    "guide too narrow": (
        lambda: slot(length=1, width="20 mm", fit=Clearance("0.2 m", wall=HARD)),
        ['joint "s"', "radial_clearance 0.2 m", "half the guide width 10 mm", 'did you mean "0.2 mm"?'],
    ),
    "no radius": (
        lambda: pin(fit=Clearance("0.5 mm", wall=LN)),
        ['joint "p"', "LankaraniNikravesh", "radi", "stiffness="],
    ),
    "no length": (
        lambda: pin(radius=1, fit=Clearance("0.5 mm", wall=JohnsonCylinder())),
        ['joint "p"', "JohnsonCylinder", "length=..."],
    ),
    "cylinder in a slot": (
        lambda: slot(length=1, width=1, fit=Clearance("0.5 mm", wall=JohnsonCylinder())),
        ['joint "s"', "JohnsonCylinder", '"slot"', "stiffness=..."],
    ),
    "friction without radius": (
        lambda: pin(fit=Clearance("0.5 mm", wall=HARD, friction=ModifiedCoulomb(0.1))),
        ['joint "p"', "friction", "radius="],
    ),
    "slot without sizes": (
        lambda: slot(fit=Clearance("0.5 mm", wall=HARD)),
        ['joint "s"', "Clearance", "length=", "width="],
    ),
    "slot without stiffness": (
        lambda: slot(length=1, width=1, fit=Clearance("0.5 mm", wall=LN)),
        ['joint "s"', "LankaraniNikravesh", '"slot"', "stiffness="],
    ),
    "law as fit": (lambda: pin(fit=LN), ['joint "p"', "LankaraniNikravesh", "wrap it: Clearance(", "wall="]),
    "liner as fit": (lambda: pin(fit=LINER), ['joint "p"', "LinearLiner", "wrap it: Bushing("]),
    "friction as fit": (lambda: pin(fit=ModifiedCoulomb(0.1)), ["ModifiedCoulomb", "wrap it", "friction="]),
    "text as fit": (lambda: pin(fit="ideal"), ['joint "p"', '"ideal"', "Ideal()"]),
    "class as fit": (lambda: pin(fit=Ideal), ['joint "p"', "Ideal is a class", "Ideal(...)"]),
    "number as fit": (lambda: pin(fit=0.5), ['joint "p"', "fit 0.5", '"Clearance"']),
    "unknown mate": (lambda: weld(fit={"kee": Ideal()}), ['joint "w"', '"kee"', 'did you mean "key"']),
    "mate of another kind": (lambda: pin(fit={"slot": Ideal()}), ['joint "p"', '"slot"', '"pin"']),
    "one number for two mates": (
        lambda: weld(fit=Clearance("1 mm", wall=HARD)),
        ['joint "w"', "angular_clearance", '"key"', "dict"],
    ),
    "one bushing for two mates": (lambda: weld(fit=Bushing(LINER)), ['joint "w"', "Bushing", "dict"]),
    "angle on a pin": (
        lambda: pin(fit=Clearance("1 mm", angular_clearance="1 deg", wall=HARD)),
        ['joint "p"', "angular_clearance", "no key", "leave it out"],
    ),
    "lined key": (
        lambda: weld(fit={"key": Bushing(LINER, wall=HARD, thickness="1 mm")}),
        ['joint "w"', '"key"', "thickness", "leave wall out"],
    ),
    "zero clearance": (
        lambda: Clearance(0, wall=LN),
        ["Clearance", "radial_clearance 0", "LankaraniNikravesh", "stiffness=", "Ideal()"],
    ),
    "negative clearance": (lambda: Clearance("-1 um", wall=HARD), ["Clearance", "radial_clearance", "-1 um", "gap"]),
    "clearance in kilograms": (lambda: Clearance("1 kg", wall=LN), ["Clearance", '"1 kg"', "expected [m]"]),
    "degrees as radians": (
        lambda: Clearance(angular_clearance=5, wall=HARD),
        ["angular_clearance 5", '"1 deg"'],
    ),
    "no clearance": (lambda: Clearance(wall=LN), ["Clearance", "no clearance", "0.1 mm"]),
    "no wall": (lambda: Clearance("1 mm"), ["Clearance", "wall is missing", "wall=LankaraniNikravesh("]),
    "wall is a number": (lambda: Clearance("1 mm", wall=1e9), ["wall 1000000000.0", "ContactLaw", "wall="]),
    "wall is a class": (lambda: Clearance("1 mm", wall=type(LN)), ["LankaraniNikravesh is a class", "wall="]),
    "friction is a number": (
        lambda: Clearance("1 mm", wall=LN, friction=0.03),
        ["friction 0.03", "friction=ModifiedCoulomb(0.03)"],
    ),
    "liner without thickness": (lambda: Clearance(1, wall=LN, liner=LINER), ["liner", "liner_thickness="]),
    "thickness without liner": (
        lambda: Clearance(1, wall=LN, liner_thickness=1),
        ["liner_thickness 1", "leave it"],
    ),
    "bushing without liner": (lambda: Bushing(), ["Bushing", "liner is missing", "LinearLiner("]),
    "bushing of steel": (lambda: Bushing(LN), ["Bushing", "liner", "LankaraniNikravesh", "LinerLaw"]),
    "no film": (lambda: Lubricated("1 mm"), ["Lubricated", "film is missing", 'film=Moes(viscosity="400 cP")']),
    "film is a class": (lambda: Lubricated("1 mm", film=Moes), ["Moes is a class", "film=Moes("]),
    "film is a wall": (lambda: Lubricated("1 mm", film=LN), ["film LankaraniNikravesh", "FilmLaw"]),
    "film without gap": (lambda: Lubricated(0, film=OIL), ["Lubricated", "radial_clearance 0", "greater than 0"]),
    "film as fit": (lambda: pin(fit=OIL), ['joint "p"', "Moes", "wrap it: Lubricated("]),
    "minimum film without wall": (
        lambda: Lubricated("1 mm", film=OIL, minimum_film="1 um"),
        ["minimum_film 1e-06", "no wall", "wall=..."],
    ),
    "friction without wall": (
        lambda: Lubricated("1 mm", film=OIL, friction=ModifiedCoulomb(0.1)),
        ["friction ModifiedCoulomb(...)", "no wall", "leave it out"],
    ),
    "minimum film too thick": (
        lambda: Lubricated("1 mm", film=OIL, wall=LN, minimum_film="2 mm"),
        ["minimum_film 2 mm", "not smaller", "radial_clearance 1 mm", "leave it out"],
    ),
    "shear is a word": (lambda: Lubricated("1 mm", film=OIL, shear="no"), ['shear "no"', "True or False"]),
    "film in a guide": (
        lambda: slot(length=1, width=1, fit=Lubricated("1 mm", film=OIL)),
        ['joint "s"', '"slot"', "round journal", "Clearance"],
    ),
    "film on a key": (
        lambda: weld(radius=1, length=1, fit=Lubricated("1 mm", film=OIL)),
        ['joint "w"', '"key"', "round journal", 'dict of fits with "pin": Lubricated(...)'],
    ),
    "film without radius": (lambda: pin(length=1, fit=Lubricated("1 mm", film=OIL)), ['joint "p"', "Moes", "radius="]),
    "film without length": (lambda: pin(radius=1, fit=Lubricated("1 mm", film=OIL)), ['joint "p"', "Moes", "length="]),
    "film wider than the bore": (
        lambda: pin(radius="1 mm", length=1, fit=Lubricated("2 mm", film=OIL)),
        ['joint "p"', "radial_clearance 2 mm", "bearing radius 1 mm", "smaller"],
    ),
    "film of an iso fit twice": (
        lambda: Lubricated.from_iso("20 H7/f7", radial_clearance=1, film=OIL),
        ["Lubricated.from_iso", "radial_clearance comes from", "leave"],
    ),
    "refit unknown": (lambda: slider_crank().refit(pinn=Ideal()), ["refit", '"pinn"', 'did you mean "pin"']),
    "refit with a law": (lambda: slider_crank().refit(pin=LN), ['joint "pin"', "wrap it: Clearance("]),
    # stops
    "stop without limits": (
        lambda: slider_crank().stop("guide", wall=HARD),
        ['"guide"', "neither", "one limit"],
    ),
    "stop turned round": (lambda: Stop(1, -1, wall=HARD), ["lower 1", "upper -1", "swap"]),
    "stop above": (lambda: Stop(0.1, 0.2, wall=HARD), ["lower 0.1", "described position", "lower <= 0"]),
    "stop below": (lambda: Stop(upper=-0.2, wall=HARD), ["upper -0.2", "described position", "upper >= 0"]),
    "stop unit": (lambda: slot(stop=Stop(upper="5 deg", wall=HARD)), ['joint "s"', "[rad]", "in [m]"]),
    "stop of two units": (lambda: Stop("-5 deg", "1 mm", wall=HARD), ["angle and a length", "one unit"]),
    "stop in seconds": (lambda: Stop("-5 s", wall=HARD), ['lower "-5 s"', "[rad] or [m]"]),
    "stop without wall": (lambda: Stop(-1), ["Stop", "wall is missing", "wall="]),
    "stop without stiffness": (lambda: slot(stop=Stop(-1, wall=LN)), ['joint "s"', "stop", "stiffness="]),
    "stop on rigid": (
        lambda: welded().stop("w", upper=1, wall=HARD),
        ['"w"', "no single free motion", "leave the stop"],
    ),
    "stop is no stop": (lambda: pin(stop=LN), ['joint "p"', "LankaraniNikravesh", "Stop(lower="]),
    "second stop": (lambda: stopped().stop("guide", lower=-1, wall=HARD), ['"guide"', "already", "one call"]),
    "stop unknown joint": (lambda: slider_crank().stop("giude", upper=1, wall=HARD), ['"giude"', '"guide"']),
    # drives
    "drive unknown joint": (lambda: drive("mian", speed=1), ["drive", '"mian"', 'did you mean "main"']),
    "two drives": (lambda: drive("main", speed=1), ['"main"', "already"]),
    "drive a rigid joint": (lambda: welded().drive("w", speed=1), ['"w"', "rigid", "another joint"]),
    "no motion": (lambda: drive(), ['"guide"', "neither of speed and motion", "exactly one"]),
    "both motions": (lambda: drive(speed=1, motion=lambda t: t), ['"guide"', "both", "exactly one"]),
    "speed of another sort": (lambda: drive(speed="100 rpm"), ['"guide"', "[rad/s]", "give it in [m/s]"]),
    "speed in metres": (lambda: drive(speed="100 m"), ['"guide"', 'speed "100 m"', "[rad/s] or [m/s]"]),
    "speed nan": (lambda: drive(speed=NAN), ['"guide"', "speed nan", "finite"]),
    "motion is a number": (lambda: drive(motion=3), ['"guide"', "motion 3", "lambda t"]),
    "motion starts away": (lambda: drive(motion=lambda t: 1 + t), ['"guide"', "motion is 1", "subtract"]),
    "motion of two": (lambda: drive(motion=lambda t, u: t), ['"guide"', "motion", "time alone"]),
    "speed returns text": (lambda: drive(speed=lambda t: "fast"), ['"guide"', '"fast"', "finite number"]),
    "speed returns a pair": (lambda: drive(speed=lambda t: (t, t)), ['"guide"', "(0.0, 0.0)", "finite"]),
    "speed returns nothing": (lambda: drive(speed=lambda t: None), ['"guide"', "None", "finite number"]),
    "drive of a body": (lambda: drive(body()), ["drive", "no joint", "name"]),
    "drive alone": (lambda: Drive("j"), ['"j"', "exactly one"]),
    # springs and loads
    "spring on itself": (lambda: spring(j="crank"), ['spring "k"', '"crank"', "two different bodies"]),
    "negative damping": (lambda: spring(damping=-1), ['spring "k"', "damping -1", "at least 0"]),
    "negative stiffness": (lambda: spring(stiffness=-1), ['spring "k"', "stiffness -1", "at least 0"]),
    "spring of nothing": (lambda: spring(stiffness=0), ['spring "k"', "do nothing", "at least one"]),
    "spring without length": (lambda: spring(at_j=(0, 0)), ['spring "k"', "coincide", "at_i or at_j"]),
    "spring end missing": (lambda: spring(at_i=None), ['spring "k"', "at_i and point_i", "give one"]),
    "spring unknown body": (lambda: spring(j="slidr"), ['spring "k"', '"slidr"', 'did you mean "slider"']),
    "spring stiffness unit": (lambda: spring(stiffness="1 N"), ['spring "k"', '"1 N"', "expected [N/m]"]),
    "zero free length": (lambda: spring(free_length=0), ['spring "k"', "free_length 0", "greater than 0"]),
    "torsion on a slot": (
        lambda: slider_crank().torsion_spring("t", "guide", stiffness=1),
        ['"t"', '"guide"', "does not turn", "revolute"],
    ),
    "torsion unit": (
        lambda: slider_crank().torsion_spring("t", "pin", stiffness="1 N/m"),
        ['torsion spring "t"', '"1 N/m"', "[Nm/rad]"],
    ),
    "force unit": (
        lambda: slider_crank().force("rod", ("1 kg", 0)),
        ['"rod_force"', '"1 kg"', "expected [N]"],
    ),
    "one component": (lambda: slider_crank().force("rod", 5), ['"rod_force"', "components 5", '("10 N", 0)']),
    "force on ground": (
        lambda: slider_crank().force("ground", (1, 0)),
        ["force", "never moves", "name a body"],
    ),
    "force in two places": (
        lambda: slider_crank().force("rod", (1, 0), at=(0, 0), point=(0, 0)),
        ["force", "both of at and point", "one of them"],
    ),
    "force frame": (
        lambda: slider_crank().force("rod", (1, 0), frame="wrold"),
        ["frame", '"wrold"', 'did you mean "world"'],
    ),
    "torque function": (
        lambda: slider_crank().torque("rod", lambda t: 1 / t),
        ['"rod_torque"', "ZeroDivisionError", "t = 0"],
    ),
    "torque on itself": (
        lambda: slider_crank().torque("rod", 1, reaction="rod"),
        ['"rod_torque"', '"rod"', "another body"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_is_refused_with_a_remedy(case):
    build, fragments = BAD[case]
    with pytest.raises(GudgeonError) as caught:
        build()
    message = str(caught.value)
    for fragment in fragments:
        assert fragment in message, message


def test_a_refused_part_leaves_no_trace():
    m = slider_crank()
    with pytest.raises(GudgeonError):
        m.body("b", mass=-1, inertia=1, at=(0, 0))
    with pytest.raises(GudgeonError):
        m.drive("guide", speed="1 rpm")
    assert "b" not in m.bodies and "guide" not in m.drives
    m.body("b", mass=1, inertia=1, at=(0, 0))
