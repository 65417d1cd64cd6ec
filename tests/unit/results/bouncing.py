"""Small runs whose contacts are known in closed form, shared by the tests of this folder."""

from __future__ import annotations

import functools

import gudgeon as gd
from gudgeon.papers import schwab2002

G = 9.81


@functools.cache
def sphere_run() -> gd.Run:
    """S1 of cases/planar.md: one impact, from 0.1 ms on."""
    return gd.simulate(schwab2002.sphere(), duration=2e-4, rtol=1e-10)


@functools.cache
def resting_run() -> gd.Run:
    """A block let go 1 nm above its stop: it touches with sqrt(2 g 1e-9) = 0.14 mm/s and stays."""
    m = gd.Mechanism("rest", gravity=(0.0, -G))
    m.body("block", mass=1.0, inertia=1e-3, at=(0.0, 0.0))
    m.translational("path", journal="block", bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0))
    m.stop("path", lower=-1e-9, wall=gd.LankaraniNikravesh(stiffness=1e8, restitution=0.9))
    return gd.simulate(m, duration=0.05)


@functools.cache
def falling_run() -> gd.Run:
    """A ball that falls 20 mm on a floor that gives back half of its speed, again and again."""
    m = gd.Mechanism("ball", gravity=(0.0, -G))
    m.body("ball", mass=0.2, inertia=1e-5, at=(0.0, 0.0))
    m.translational("path", journal="ball", bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0))
    m.stop("path", lower="-20 mm", wall=gd.ExactRestitution(stiffness=1e10, restitution=0.5))
    return gd.simulate(m, duration=0.17, rtol=1e-10)


@functools.cache
def loose_run() -> gd.Run:
    """A loose slider-crank with friction over a tenth of a revolution."""
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)
    m = schwab2002.ideal().refit(pin=gd.Clearance("0.5 mm", wall=wall, friction=gd.ModifiedCoulomb(0.05)))
    return gd.simulate(m, revolutions=0.1)
