"""A mechanism with its constant states left out is the same mechanism: same steps, same channels, same contacts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.simulation import Numerics, prepare

SLIM = (1.2e-4, 1.2e-6, 1.2e-4)
WALL = gd.LankaraniNikravesh(stiffness=6.61e9, restitution=0.8, clip=True)


def crank_in_space(pin: object = None, drive: bool = True, big: object = None) -> gd.Mechanism:
    """A slider-crank in the plane z = 0 of space, with pins of its kind and a ball at the slider."""
    m = gd.Mechanism("crank in space", planar=False, gravity=(0.0, -9.81, 0.0))
    m.body("crank", mass=0.3, inertia=(1e-5, 2e-5, 3e-5), at=(0.015, 0.02, 0.0))
    m.body("rod", mass=0.2, inertia=(2e-5, 1e-4, 1.1e-4), at=(0.09, 0.02, 0.0))
    m.body("slider", mass=0.1, inertia=(1e-5, 1e-5, 2e-5), at=(0.15, 0.0, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0))
    more = {} if big is None else {"fit": big, "radius": "6 mm", "length": "10 mm"}
    m.revolute("big", journal="crank", bearing="rod", at=(0.03, 0.04, 0.0), axis=(0.0, 0.0, 1.0), **more)
    fit = {} if pin is None else {"fit": pin}
    m.spherical("pin", journal="rod", bearing="slider", at=(0.15, 0.0, 0.0), radius="8 mm", **fit)
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.15, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    if drive:
        m.drive("main", speed=60.0)
    return m


def swinging(**more) -> gd.Mechanism:
    """A slim coupler between two rockers about skew axes, a spring across, a stop."""
    m = gd.Mechanism("swinging", planar=False, gravity=(0.0, 0.0, -9.81))
    m.body("a", mass=0.3, inertia=(3e-5, 2e-5, 1e-5), at=(0.0, 0.03, 0.0), spin=(4.0, 0.0, 0.0))
    m.body("b", mass=0.2, inertia=SLIM, at=(0.0, 0.11, 0.0), spin=(0.0, 3.0, 0.0))
    m.revolute("j", journal="a", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    m.spherical("k", journal="b", bearing="a", at=(0.0, 0.06, 0.0), **more)
    m.stop("j", lower=-0.5, upper=0.05, wall=gd.KelvinVoigt(2000.0, 1.0))
    return m


def in_plane() -> gd.Mechanism:
    """A slider-crank of the plane with its loop closed, in the coordinates of its bodies."""
    m = gd.Mechanism("in the plane", gravity=(0.0, -9.81))
    m.body("crank", mass=0.3, inertia=1e-5, at=(0.015, 0.02))
    m.body("rod", mass=0.2, inertia=1e-4, at=(0.09, 0.02))
    m.body("slider", mass=0.1, inertia=1e-5, at=(0.15, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(0.03, 0.04))
    m.revolute("pin", journal="rod", bearing="slider", at=(0.15, 0.0))
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.15, 0.0))
    m.spring("s", "slider", m.ground, at_i=(0.15, 0.0), at_j=(0.25, 0.0), stiffness=500.0, damping=0.5)
    return m


LOOSE = gd.Clearance("0.2 mm", wall=WALL)
RUBBING = gd.Clearance("0.2 mm", wall=WALL, friction=gd.ModifiedCoulomb(0.1))
SOFT = gd.Bushing(gd.LinearLiner(1e6, 50.0))

# how long, how many states are left out at least, how close the channels are: before contacts make rounding grow
CASES: dict[str, tuple[Callable[[], gd.Mechanism], dict, int, float]] = {
    "ideal in space, driven": (lambda: crank_in_space(), {"duration": 0.05}, 23, 1e-11),
    "ideal in space, falling": (lambda: crank_in_space(drive=False), {"duration": 0.05}, 23, 1e-12),
    "loose ball, three contacts": (
        lambda: crank_in_space(LOOSE), {"duration": 0.0066, "coordinates": "absolute"}, 23, 1e-9),
    "loose ball that rubs, one contact": (
        lambda: crank_in_space(RUBBING, drive=False), {"duration": 0.0066, "coordinates": "absolute"}, 23, 1e-5),
    "ball in a bushing": (lambda: crank_in_space(SOFT), {"duration": 0.02, "coordinates": "absolute"}, 23, 1e-10),
    "slim coupler, before its stop": (lambda: swinging(), {"duration": 0.066}, 1, 1e-11),
    "slim coupler, feedback, one contact": (
        lambda: swinging(),
        {"duration": 0.1, "coordinates": "absolute", "stabilisation": (50.0, 50.0), "rtol": 1e-12}, 7, 1e-8),
    "closed loop of the plane": (lambda: in_plane(), {"duration": 0.1}, 4, 1e-12),
}  # fmt: skip


def twice(mechanism: Callable[[], gd.Mechanism], coordinates: str = "auto", **how: Any) -> tuple[gd.Run, gd.Run]:
    """A run with all states, and one without those that are constant."""
    full, reduced = (prepare(mechanism(), numerics=Numerics(coordinates=coordinates, reduce=x), **how).run()
                     for x in (False, True))  # fmt: skip
    return full, reduced


def assert_same(a: gd.Run, b: gd.Run, tolerance: float) -> None:
    """All channels equal, relative to the largest of their unit; moments relative to forces at 0.1 m, too.

    Steps are the same where nothing touches; about a release rounding decides which are tried.
    """
    assert len(a.contacts) == len(b.contacts)
    if len(a.contacts) == 0:
        assert (a.evidence.steps, a.evidence.rejected) == (b.evidence.steps, b.evidence.rejected)
    elif tolerance < 1e-6:
        assert abs(a.evidence.steps - b.evidence.steps) <= 0.1 * a.evidence.steps
    largest: dict[str, float] = {}
    for name in a.channels:
        unit = a.channel(name).unit
        largest[unit] = max(largest.get(unit, 0.0), float(np.abs(a[name]).max()))
    largest["Nm"] = max(largest["Nm"], 0.1 * largest["N"])
    for name in a.channels:
        far = np.abs(a[name] - b[name]).max()
        assert far <= tolerance * largest[a.channel(name).unit] + 1e-15, (name, far)
    np.testing.assert_allclose(a.end.y, b.end.y, rtol=tolerance, atol=10.0 * tolerance)


@pytest.mark.parametrize("case", CASES)
def test_left_out_or_not(case):
    make, how, least, tolerance = CASES[case]
    how = {"rtol": 1e-9, "output": how["duration"] / 50, **how}
    full, reduced = twice(make, **how)
    left_out = int(reduced.evidence.notes[0].split()[0])
    assert left_out >= least
    assert_same(full, reduced, tolerance)


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_by_other_methods(method):
    how = {"duration": 0.0066, "output": 3e-4, "method": method, "coordinates": "absolute"}
    how |= {"step": 1e-5} if method == "rk4" else {"rtol": 1e-9}
    full, reduced = twice(lambda: crank_in_space(LOOSE), **how)
    assert_same(full, reduced, 1e-8 if method == "rk4" else 1e-5)


def test_in_a_loop_of_its_own():
    shared, own = (prepare(crank_in_space(LOOSE), numerics=Numerics(coordinates="absolute", loop=loop), duration=0.0066,
                           output=3e-4, rtol=1e-9).run() for loop in ("shared", "own"))  # fmt: skip
    assert_same(shared, own, 1e-8)


def test_statistics_and_peaks_are_those_of_all_bodies():
    how = {"duration": 0.01, "coordinates": "absolute"}
    full, reduced = twice(lambda: crank_in_space(LOOSE), **how)
    assert len(full.contacts) == len(reduced.contacts) > 3
    for a, b in zip(full.contacts, reduced.contacts, strict=True):
        assert b.t_on == pytest.approx(a.t_on, rel=1e-7)
        assert b.peak_force == pytest.approx(a.peak_force, rel=1e-4)
    assert set(full.channels) == set(reduced.channels)
    assert reduced["slider.z"] == pytest.approx(0.0, abs=1e-15)
