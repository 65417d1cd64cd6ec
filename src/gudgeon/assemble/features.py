"""One small mechanism for each feature that some formulation or treatment of contact may refuse, and for each kind of
link with each kind of fit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gudgeon.laws import STEEL, ExactRestitution, KelvinVoigt, LinearLiner, LuGre, Moes, SmoothCoulomb
from gudgeon.model import Bushing, Clearance, Elastic, Ideal, Lubricated, Mechanism, Section, SpatialSection, Touching

WALL = ExactRestitution(stiffness=1e7, restitution=0.7)
SOFT = KelvinVoigt(stiffness=1e7, damping=1e2)
OIL = Moes(viscosity=0.1)
SECTION = Section.rectangle(0.01, 0.01, STEEL)
LINER = LinearLiner(stiffness=1e6, damping=1e2)


def _pendulum(fit: Any = None, **more: Any) -> Mechanism:
    """A body on a joint of the plane."""
    m = Mechanism("pendulum", gravity=(0.0, -9.81))
    m.body("bob", mass=1.0, inertia=0.01, at=(0.3, 0.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0), fit=fit or Ideal(), **more)
    return m


def _hinge(fit: Any = None) -> Mechanism:
    """A body on a spherical joint in space."""
    m = Mechanism("ball", gravity=(0.0, 0.0, -9.81), planar=False)
    m.body("bob", mass=1.0, inertia=(0.01, 0.01, 0.01), at=(0.3, 0.0, 0.0))
    m.spherical("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0, 0.0), radius=0.01, fit=fit or Ideal())
    return m


def _loop() -> Mechanism:
    """A four-bar linkage with ideal joints."""
    m = Mechanism("four-bar", gravity=(0.0, -9.81))
    for name, at in (("crank", (0.0, 0.1)), ("rod", (0.2, 0.3)), ("rocker", (0.5, 0.15))):
        m.body(name, mass=1.0, inertia=0.01, at=at)
    m.revolute("a", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("b", journal="rod", bearing="crank", at=(0.0, 0.2))
    m.revolute("c", journal="rocker", bearing="rod", at=(0.5, 0.35))
    m.revolute("d", journal="rocker", bearing=m.ground, at=(0.5, 0.0))
    return m


def _driven() -> Mechanism:
    """A crank whose whole motion is prescribed."""
    m = _pendulum()
    m.drive("pivot", speed=3.0)
    return m


def _motor() -> Mechanism:
    m = _pendulum()
    m.motor("pivot", voltage=12.0, resistance=1.0, back_emf=0.1)
    return m


def _controller() -> Mechanism:
    m = _pendulum()
    m.controller("pivot", speed=3.0, gain=0.5)
    return m


def _reading_load() -> Mechanism:
    """A force that reads the turn of a joint and the speed of the body it acts on."""
    m = _pendulum()
    m.force("bob", ("-(0.3 N s/m)*bob.vx + (2 N)*tanh(pivot.travel)", 0.0))
    return m


def _fed_back() -> Mechanism:
    """A motor whose voltage follows the motion."""
    m = _pendulum()
    m.motor("pivot", voltage="12 V - (2 V)*pivot.travel", resistance=1.0, back_emf=0.1)
    return m


def _stop() -> Mechanism:
    m = _pendulum()
    m.stop("pivot", lower=-0.5, wall=WALL)
    return m


def _beam() -> Mechanism:
    m = Mechanism("cantilever", gravity=(0.0, -9.81))
    beam = m.beam("bar", a=(0.0, 0.0), b=(1.0, 0.0), section=SECTION, elements=1)
    m.rigid("root", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    return m


def _modal() -> Mechanism:
    m = Mechanism("modal", gravity=(0.0, -9.81))
    link = m.modal_link("bar", a=(0.0, 0.0), b=(1.0, 0.0), section=SECTION, modes=1)
    m.revolute("pivot", journal=link, bearing=m.ground, at=(0.0, 0.0))
    return m


def _screw() -> Mechanism:
    m = Mechanism("screw", planar=False)
    m.body("nut", mass=1.0, inertia=(0.01, 0.01, 0.01), at=(0.0, 0.0, 0.1))
    m.screw("thread", journal="nut", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0), pitch=0.01)
    return m


def _mount() -> Mechanism:
    m = Mechanism("mount", planar=False)
    m.body("engine", mass=1.0, inertia=(0.01, 0.01, 0.01), at=(0.0, 0.0, 0.1))
    fit = Elastic(tuple(tuple(1e3 if a == b else 0.0 for a in range(6)) for b in range(6)))
    m.mount("block", journal="engine", bearing=m.ground, at=(0.0, 0.0, 0.0), fit=fit)
    return m


def _outside() -> Mechanism:
    m = Mechanism("discs", gravity=(0.0, -9.81))
    m.body("disc", mass=1.0, inertia=0.01, at=(0.0, 0.3))
    m.contact("touch", journal="disc", bearing=m.ground, journal_point=(0.0, 0.0), bearing_point=(0.0, 0.0),
              radius=0.1, journal_radius=0.1, fit=Touching(WALL))  # fmt: skip
    return m


def _clearance(**more: Any) -> Clearance:
    return Clearance(**{"radial_clearance": 1e-4, "wall": WALL, **more})


LINKS = ("rigid link in space", "link with modes", "beam", "beam in space")
FITS: dict[str, Callable[[], Any]] = {
    "ideal": Ideal,
    "clearance": _clearance,
    "clearance, friction": lambda: _clearance(friction=SmoothCoulomb(0.1)),
    "clearance, bristles": lambda: _clearance(friction=LuGre(0.05, static_coefficient=0.08)),
    "bushing": lambda: Bushing(LINER),
    "film": lambda: Lubricated(1e-4, film=OIL),
    "film, wall": lambda: Lubricated(1e-4, film=OIL, wall=WALL),
    "stop": Ideal,
    "friction": lambda: Ideal(friction=SmoothCoulomb(0.1)),
}


def _link(link: str, fit: str) -> Mechanism:
    """A link that hangs at a pin with this fit; in space the pin is a ball, or a shaft where a film needs one."""
    space = link.endswith("in space")
    m = Mechanism(f"{link}, {fit}", gravity=(0.0, -9.81, 0.0) if space else (0.0, -9.81), planar=not space)
    end, far = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)) if space else ((0.0, 0.0), (1.0, 0.0))
    part: Any
    if link == "link with modes":
        part = m.modal_link("bar", a=end, b=far, section=SECTION, modes=1)
    elif link == "beam":
        part = m.beam("bar", a=end, b=far, section=SECTION, elements=1)
    elif link == "beam in space":
        part = m.beam("bar", a=end, b=far, section=SpatialSection.rectangle(0.01, 0.02, STEEL), elements=1)
    else:
        part = m.body("bar", mass=1.0, inertia=(0.001, 0.08, 0.08), at=(0.5, 0.0, 0.0))
    held: dict[str, Any] = {"journal": part, "bearing": m.ground, "at": end, "fit": FITS[fit](), "radius": 0.01}
    if not space:
        m.revolute("pivot", **held, length=0.02 if "film" in fit else None)
    elif "film" in fit:
        m.cylindrical("pivot", **held, length=0.02, axis=(0.0, 0.0, 1.0))
    elif fit == "stop":
        m.revolute("pivot", **held, axis=(0.0, 0.0, 1.0))
    else:
        m.spherical("pivot", **held)
    if fit == "stop":
        m.stop("pivot", lower=-0.5, wall=WALL)
    return m


FEATURES: dict[str, Callable[[], Mechanism]] = {
    "ideal joints, no loop": _pendulum,
    "ideal joints, closed loop": _loop,
    "every motion driven": _driven,
    "motor": _motor,
    "speed controller": _controller,
    "beam": _beam,
    "link with modes": _modal,
    "stop": _stop,
    "clearance": lambda: _pendulum(_clearance(), radius=0.01),
    "clearance in space": lambda: _hinge(_clearance()),
    "clearance of 0": lambda: _pendulum(_clearance(radial_clearance=0.0), radius=0.01),
    "clearance with a liner": lambda: _pendulum(_clearance(liner=LINER, liner_thickness=1e-3), radius=0.01),
    "wall without restitution": lambda: _pendulum(_clearance(wall=SOFT), radius=0.01),
    "friction": lambda: _pendulum(_clearance(friction=SmoothCoulomb(0.1)), radius=0.01),
    "friction in space": lambda: _hinge(_clearance(friction=SmoothCoulomb(0.1))),
    "bristle friction": lambda: _pendulum(_clearance(friction=LuGre(0.05, static_coefficient=0.08)), radius=0.01),
    "bristle friction in space": lambda: _hinge(_clearance(friction=LuGre(0.05, static_coefficient=0.08))),
    "friction in an ideal joint": lambda: _pendulum(Ideal(friction=SmoothCoulomb(0.1)), radius=0.01),
    "friction in an ideal joint in space": lambda: _hinge(Ideal(friction=SmoothCoulomb(0.1))),
    "bristle friction in an ideal joint": lambda: _pendulum(
        Ideal(friction=LuGre(0.05, static_coefficient=0.08)), radius=0.01),
    "bushing": lambda: _pendulum(Bushing(LINER)),
    "film": lambda: _pendulum(Lubricated(1e-4, film=OIL), radius=0.01, length=0.02),
    "film with a wall": lambda: _pendulum(Lubricated(1e-4, film=OIL, wall=WALL), radius=0.01, length=0.02),
    "screw": _screw,
    "mount": _mount,
    "contact from outside": _outside,
    "load that reads the motion": _reading_load,
    "voltage that reads the motion": _fed_back,
}
FEATURES |= {f"{link}: {fit}": partial(_link, link, fit) for link in LINKS for fit in FITS}
