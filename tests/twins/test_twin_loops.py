"""Code in loops over equal parts and code written out are one mechanism."""

from __future__ import annotations

import numpy as np
import pytest
from rich_mechanism import rich

import gudgeon as gd
from gudgeon.assemble import Baumgarte, System, assemble, call_address
from gudgeon.papers import ambrosio2018, flores2006, flores2007, schwab2002


def chain(planar: bool, n: int = 6) -> gd.Mechanism:
    """Links that hang at odd angles, of several kinds of joints, with springs between every other one."""
    place = (lambda x, y: (x, y)) if planar else (lambda x, y: (x, y, 0.02 * x))
    m = gd.Mechanism("chain", planar=planar, gravity=place(0.0, -9.81))
    before, at = m.ground, np.array([0.0, 0.0])
    for k in range(n):
        angle = 0.3 * k - 0.5
        step = 0.1 * np.array([np.cos(angle), np.sin(angle)])
        more = {"inertia": 1e-4 + 1e-5 * k} if planar else {"inertia": (5e-5, 1e-4, 1.2e-4)}
        body = m.body(
            f"b{k}", mass=0.2 + 0.01 * k, at=place(*(at + step / 2)), spin=0.1 if planar else (0, 0, 0.1), **more
        )
        if planar:
            m.revolute(f"j{k}", journal=body, bearing=before, at=place(*at))
        elif k % 3 == 1:
            m.spherical(f"j{k}", journal=body, bearing=before, at=place(*at))
        else:
            m.revolute(
                f"j{k}", journal=body, bearing=before, at=place(*at), axis=(0.0, 0.0, 1.0) if k else (0.0, 1.0, 1.0)
            )
        if k % 2:
            m.spring(
                f"s{k}", body, f"b{k - 1}", stiffness=50.0, damping=0.1, at_i=place(*(at + step)), at_j=place(0.0, 0.1)
            )
        before, at = body, at + step
    m.drive("j0", speed=1.5)
    return m


def dragged(planar: bool) -> gd.Mechanism:
    """The chain with loads that read the bodies they act on."""
    m = chain(planar)
    for k in range(6):
        rest = () if planar else (f"-(0.1 N)*sin(b{k}.x/(0.1 m))",)
        up = f"-(1 N/m)*min(rate(b{k}.x)*(1 s), b{k}.y)"
        m.force(f"b{k}", (f"-(0.3 N s/m)*b{k}.vx*abs(b{k}.vy)/(1 m/s)", up, *rest))
    return m


def powered(planar: bool) -> gd.Mechanism:
    """The chain with controllers and motors, of which some read the motion, and a force that reads another body."""
    m = chain(planar)
    m.controller("j5", speed="(3 rad/s) - 'j5.travel'/(5 s)", gain=0.02, integral=0.3, limit=0.05)
    m.motor("j3", voltage="(5 V) - (1 V s/m)*'b1.vx'", resistance=2.0, back_emf=0.1, inductance=0.01)
    m.motor("j2", voltage=3.0, resistance=2.0, back_emf=0.1, gear=-2.0)
    m.force("b4", ("-(2 N s/m)*(b4.vx - b1.vx)", *(0.0 for _ in range(1 if planar else 2))), name="between")
    return m


def mounted() -> gd.Mechanism:
    """The spatial chain with a nut on a screw, an elastic block and spheres that touch."""
    m = chain(False)
    m.body("nut", mass=0.3, inertia=(1e-4, 1e-4, 2e-4), at=(0.3, 0.3, 0.1), spin=(0.0, 0.0, 1.0))
    m.screw("thread", journal="nut", bearing=m.ground, at=(0.3, 0.3, 0.0), axis=(0.0, 0.0, 1.0), pitch=0.01)
    stiffness = tuple(tuple(1e3 if a == b else 10.0 for a in range(6)) for b in range(6))
    m.body("engine", mass=0.4, inertia=(1e-4, 2e-4, 2e-4), at=(0.4, 0.2, 0.1))
    m.mount("block", journal="engine", bearing="b5", at=(0.4, 0.2, 0.0), fit=gd.Elastic(stiffness))
    wall = gd.Touching(gd.KelvinVoigt(stiffness=1e5, damping=10.0))
    m.contact("touch", journal="engine", bearing="nut", journal_point=(0.0, 0.0, 0.0), bearing_point=(0.0, 0.0, 0.0),
              radius=0.07, journal_radius=0.07, fit=wall)  # fmt: skip
    return m


def ring(n: int = 8) -> gd.Mechanism:
    """A closed chain."""
    m = gd.Mechanism("ring", gravity=(0.0, -9.81))
    corners = [0.3 * np.array([np.cos(x), np.sin(x)]) for x in np.linspace(0.0, 2 * np.pi, n, endpoint=False)]
    for k in range(n):
        m.body(f"b{k}", mass=0.2, inertia=1e-4, at=tuple((corners[k] + corners[(k + 1) % n]) / 2))
    for k in range(n):
        m.revolute(f"j{k}", journal=f"b{k}", bearing=f"b{k - 1}" if k else f"b{n - 1}", at=tuple(corners[k]))
    m.revolute("hinge", journal="b0", bearing=m.ground, at=tuple(corners[0]))
    return m


def parallel() -> gd.Mechanism:
    """A four-bar in space with parallel axes: three rows are redundant."""
    m = gd.Mechanism("spatial four-bar", planar=False, gravity=(0.0, 0.0, -9.81))
    corners = [(0.0, 0.0, 0.0), (0.1, 0.2, 0.0), (0.5, 0.3, 0.0), (0.4, 0.0, 0.0)]
    links = ["a", "b", "c"]
    for name, p, q in zip(links, corners, corners[1:], strict=False):
        m.body(name, mass=0.3, inertia=(1e-4, 2e-4, 2.5e-4), at=tuple((x + y) / 2 for x, y in zip(p, q, strict=True)))
    for k, (i, j) in enumerate([("a", m.ground), ("b", "a"), ("c", "b"), ("c", m.ground)]):
        m.revolute(f"j{k}", journal=i, bearing=j, at=corners[k], axis=(0.0, 0.0, 1.0))
    return m


CASES = {
    "rich": rich,
    "planar chain": lambda: chain(True),
    "spatial chain": lambda: chain(False),
    "planar chain with drag": lambda: dragged(True),
    "spatial chain with drag": lambda: dragged(False),
    "planar chain with motors": lambda: powered(True),
    "spatial chain with motors": lambda: powered(False),
    "screw, mount and spheres": mounted,
    "ring": ring,
    "redundant rows": parallel,
    "slider-crank with clearance": lambda: flores2007.slider_crank(friction=gd.ModifiedCoulomb(0.03)),
    "four-bar with clearance": flores2007.four_bar,
    "film": schwab2002.film,
    "loose ball": flores2006.four_bar,
    "loose socket": lambda: flores2006.four_bar(socket=True),
    "bearing in space": lambda: ambrosio2018.slider_crank("P", bearing="0.5 mm"),
    "stops in the plane": ambrosio2018.triple_pendulum,
}  # fmt: skip


def both(mechanism: gd.Mechanism, **options: Baumgarte) -> tuple[System, System]:
    return assemble(mechanism, unrolled=True, **options), assemble(mechanism, unrolled=False, **options)  # type: ignore[arg-type]


def value(system: System, name: str, size: int, y: np.ndarray, m: np.ndarray) -> np.ndarray:
    out = np.full(size + 1, np.nan)
    call_address(system.addresses[name], 2e-3, y, system.p, m, out)
    assert np.isnan(out[size])
    return out[:size]


def compare(a: System, b: System, rounding: float = 1e-12) -> None:
    """At random states around the start, with every contact switched on."""
    assert b.formulation == "looped"
    assert a.formulation != "looped"
    assert a.layout == b.layout
    assert a.report.redundant == b.report.redundant
    assert a.report.constraint_names == b.report.constraint_names
    # with redundant rows the reactions are not unique, and loops say that these are not of least norm
    same = [x.label == z.label for x, z in zip(a.channels, b.channels, strict=True)]
    assert [(x.name, x.unit) for x in a.channels] == [(x.name, x.unit) for x in b.channels]
    assert all(same) or a.report.redundant
    assert [(c.name, c.kind, c.index, c.state, c.gap) for c in a.contacts] == [
        (c.name, c.kind, c.index, c.state, c.gap) for c in b.contacts
    ]
    assert a.start.dof == b.start.dof
    assert b.y0 == pytest.approx(a.y0, rel=1e-13, abs=1e-12)
    random = np.random.default_rng(1)
    y = a.y0 + random.normal(size=a.states) * 1e-4
    m = np.tile([1.0, 0.3], max(a.events, 1))
    n = a.positions + a.velocities
    sizes = {"rhs": a.states, "gaps": 3 * a.events, "channels": len(a.channels), "project": n + 2 * a.rows}
    for name, size in sizes.items():
        x, z = value(a, name, size, y, m), value(b, name, size, y, m)
        if name == "project":  # residuals come in another order
            x[n:], z[n:] = np.sort(x[n:]), np.sort(z[n:])
        if name == "channels":
            x, z = x[same], z[same]
        assert np.isfinite(x).all()
        assert size == 0 or np.abs(x).max() > 0.0
        # a depth is a difference of coordinates: 1e-16 m of 1e-4 m, times the exponent
        assert z == pytest.approx(x, rel=1e-9, abs=rounding * np.abs(x).max(initial=1.0)), name


@pytest.mark.parametrize("name", CASES)
def test_every_function_agrees(name):
    # a little off the constraints the rows that are left in are nearly dependent too
    compare(*both(CASES[name]()), rounding=1e-11 if name == "redundant rows" else 1e-12)


def test_feedback_of_the_constraints_agrees():
    compare(*both(chain(True), stabilisation=Baumgarte(20.0, 30.0)))
