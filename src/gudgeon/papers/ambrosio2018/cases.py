"""Mechanisms of Ambrosio, Pombo 2018."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import gudgeon as gd
from gudgeon.papers.case import case
from gudgeon.space.spatial import Rotation, Vector
from gudgeon.space.spatial.geometry.rotation import parameters_of

__all__ = ["ball", "slider_crank", "triple_pendulum"]

Size: TypeAlias = Any  # a number in SI, or a text such as "0.5 mm"
Point: TypeAlias = tuple[float, float, float]

STIFFNESS = 5e6  # [N/m^1.5], section 3.1
RESTITUTION = 0.75
RADIUS = 0.010  # of the bearing [m], assumed

A: Point = (0.0, 0.1, 0.12)
CRANK, ROD, SPEED = 0.08, 0.3, 6.0
ALONG_ROD: Point = (2 / 3, -1 / 3, -2 / 3)  # from crank to slider, at the start
SLIDER: Point = (0.2, 0.0, 0.0)
B: Point = (0.0, 0.1, 0.2)


def wall(stiffness: float = STIFFNESS, ratio_limit: Literal["above", "both"] = "above") -> gd.LankaraniNikravesh:
    """The contact law of section 3.1."""
    return gd.LankaraniNikravesh(stiffness=stiffness, restitution=RESTITUTION, ratio_limit=ratio_limit, clip=True)


@case("slider-crank in space, ideal joints", duration=5.0)
def slider_crank(model: Literal["P", "G", "M"] = "P", *, ball: Size | None = None, bearing: Size | None = None,
                 length: Size = "100 mm", shared: bool = False, ratio_limit: Literal["above", "both"] = "above",
                 speed: float = SPEED) -> gd.Mechanism:  # fmt: skip
    """Section 3.1: crank, rod with a spherical and a universal joint, slider on the x axis.

    `ball` is the clearance of the spherical joint between crank and rod; `bearing` that of the revolute joint of the
    crank, radial and axial, in a bearing of `length` with 10 strips: the stiffness is that of the whole bearing where
    it is `shared`, else that of each strip. `speed` [rad/s] of the crank at the start: a little other than the printed
    one gives the spread of what lies beyond the horizon.
    """
    if model not in ("P", "G", "M"):
        raise gd.GudgeonError(f'model {model!r} is not known; choose "P", "G" or "M"')
    m = gd.Mechanism(f"slider-crank of Ambrosio 2018, model {model}", planar=False, gravity=(0.0, 0.0, -9.81))
    spin, part = (speed, 0.0, 0.0), speed / SPEED
    crank = m.body("crank", mass=0.12, inertia=(1e-4, 1e-4, 1e-5), at=(0.0, 0.1, 0.16), spin=spin,
                   velocity=(0.0, -0.04 * speed, 0.0))  # fmt: skip
    cross = Vector(0.0, 0.0, 1.0) if model == "P" else Vector(1.0, 0.0, 0.0)
    along = Vector(*ALONG_ROD)
    across = along.cross(cross)
    across = across * (1.0 / across.norm)
    axes = Rotation.of_columns(along, across, along.cross(across))
    rod = m.body("rod", mass=0.5, inertia=(4e-3, 4e-3, 4e-4) if model == "M" else (4e-4, 4e-3, 4e-3),
                 at=(0.1, 0.05, 0.1), orientation=parameters_of(axes), velocity=(0.12 * part, -0.24 * part, 0.0),
                 spin=(0.0, 0.0, 2.4 * part) if model == "P" else (1.92 * part, -0.96 * part, 0.48 * part))  # fmt: skip
    slider = m.body("slider", mass=2.0, inertia=(1e-4, 1e-4, 1e-4), at=SLIDER,
                    velocity=(0.24 * part, 0.0, 0.0))  # fmt: skip
    m.revolute("main", journal=crank, bearing=m.ground, at=A, axis=(1.0, 0.0, 0.0), radius=RADIUS, length=length)
    m.spherical("ball", journal=rod, bearing=crank, at=B, radius=RADIUS)
    m.universal("cross", journal=rod, bearing=slider, at=SLIDER, journal_axis=tuple(across),
                bearing_axis=tuple(cross))  # fmt: skip
    m.translational("guide", journal=slider, bearing=m.ground, at=SLIDER, axis=(1.0, 0.0, 0.0))
    if ball is not None:
        m = m.refit(ball=gd.Clearance(ball, wall=wall(ratio_limit=ratio_limit)))
    if bearing is not None:
        strips = 1 if shared else 10
        fits = {
            "sleeve": gd.Clearance(bearing, wall=wall(strips * STIFFNESS, ratio_limit)),
            "shoulder": gd.Clearance(bearing, wall=wall(STIFFNESS, ratio_limit)),
        }
        m = m.refit(main=fits)
    return m


@case("the same with 0.5 mm of play in its ball", duration=1.0)
def ball(radial_clearance: Size = "0.5 mm") -> gd.Mechanism:
    """Section 3.1: the slider-crank with play in the ball between crank and rod."""
    return slider_crank(ball=radial_clearance)


@case("three arms in space, within stops", duration=4.0)
def triple_pendulum(stops: Literal["hysteresis", "kelvin-voigt"] | None = "hysteresis", *,
                    energy_ratio: float = 0.01) -> gd.Mechanism:  # fmt: skip
    """Section 3.2: a swinging arm, an arm that slides and turns on it within 0.25 m, and one that turns within 45
    degrees; with the stops of the first scenario, of the second, or none."""
    if stops not in ("hysteresis", "kelvin-voigt", None):
        raise gd.GudgeonError(f'stops {stops!r} are not known; choose "hysteresis", "kelvin-voigt" or None')
    m = gd.Mechanism("triple pendulum of Ambrosio 2018", planar=False, gravity=(0.0, 0.0, -9.81))
    tilt = math.pi / 4
    for k, (mass, inertia, turned) in enumerate(((0.10, 3e-3, 0.0), (0.04, 1.2e-3, 0.0), (0.02, 0.6e-3, -tilt)), 1):
        m.body(f"arm_{k}", mass=mass, inertia=(inertia, 10 * inertia, 10 * inertia), at=(0.6 * k - 0.3, 0.0, 0.0),
               orientation=(turned, 0.0, 0.0))  # fmt: skip
    m.revolute("swing", journal="arm_1", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0))
    m.cylindrical("slide", journal="arm_2", bearing="arm_1", at=(0.6, 0.0, 0.0), axis=(0.0, 0.0, 1.0))
    m.revolute("elbow", journal="arm_3", bearing="arm_2", at=(1.2, 0.0, 0.0),
               axis=(0.0, math.sin(tilt), math.cos(tilt)))  # fmt: skip
    if stops is not None:
        for joint, stiffness, limit in (("slide", 1e5, "0.25 m"), ("elbow", 1e3, "45 deg")):
            law: gd.ContactLaw = wall(stiffness)
            if stops == "kelvin-voigt":
                law = gd.ModifiedKelvinVoigt(stiffness=stiffness, energy_ratio=energy_ratio, rate_tolerance=0.1)
            m.stop(joint, lower=f"-{limit}", upper=limit, wall=law)
    return m
