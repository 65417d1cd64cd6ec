"""Joint coordinates against those of the bodies: at any state both say the same, to rounding."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from at_start import channels_of
from test_jacobian import CENTRAL, loose_guide, soft_joints
from tree_mechanisms import (
    closed_in_space,
    driven_in_plane,
    driven_in_space,
    hung_in_plane,
    hung_in_space,
    sleeves_in_space,
)

import gudgeon as gd
from gudgeon.assemble import Needs, System, assemble, call_address
from gudgeon.assemble.support import FORMULATIONS, choose
from gudgeon.assemble.trace.trace import Trace
from gudgeon.assemble.tree.tree import grow
from gudgeon.papers import ambrosio2018, flores2006, flores2007, flores2010, schwab2002
from gudgeon.simulation import Numerics, prepare

OPEN = {
    "slider-crank": flores2007.slider_crank,
    "slider-crank, friction": lambda: flores2007.slider_crank(friction=0.05),
    "four-bar": flores2007.four_bar,
    "guide and two pins": flores2010.slider_crank,
    "film": schwab2002.film,
    "soft joints": soft_joints,
    "free sphere": schwab2002.sphere,
    "hung in the plane": hung_in_plane,
    "driven in the plane": driven_in_plane,
    "spatial four-bar": flores2006.four_bar,
    "triple pendulum": ambrosio2018.triple_pendulum,
    "hung in space": hung_in_space,
    "driven in space": driven_in_space,
    "sleeves": sleeves_in_space,
}
CLOSED = {
    "ideal slider-crank": schwab2002.ideal,
    "ideal spatial four-bar": lambda: flores2006.four_bar(None),
    "loose guide": loose_guide,
    "closed in space": closed_in_space,
}


@cache
def both(name: str) -> tuple[gd.Mechanism, System, System]:
    """A mechanism in joint coordinates and in those of its bodies."""
    mechanism = {**OPEN, **CLOSED}[name]()
    return mechanism, assemble(mechanism, coordinates="tree"), assemble(mechanism, coordinates="absolute")


def rhs(system: System, t: float, y: np.ndarray, m: np.ndarray) -> np.ndarray:
    out = np.zeros(system.states)
    call_address(system.addresses["rhs"], t, y, system.p, m, out)
    return out


def moved(system: System, scale: float, t: float) -> np.ndarray:
    """A state near the start, on what constraints are left and with Euler parameters of length 1."""
    random = np.random.default_rng(3)
    y = system.y0.copy()
    n, moving = system.controlled, system.positions + system.velocities
    speeds = np.array([x.endswith("/s") for x in system.units])
    y[:moving] += random.normal(size=moving) * np.where(speeds, 0.3, scale)
    y[moving:n] += random.normal(size=n - moving) * 1e-3
    fix = np.zeros(moving + 2 * system.rows)
    for _ in range(8):
        call_address(system.addresses["project"], t, y, system.p, np.zeros(system.memory), fix)
        y[:moving] += fix[:moving]
    return y


def as_bodies(mechanism: gd.Mechanism, tree: System, absolute: System, t: float, y: np.ndarray) -> np.ndarray:
    """The state of all bodies where the tree is."""
    found, values = absolute.y0.copy(), channels_of(tree, t, y)
    first = absolute.channels
    bodies = [c.name for c in first if c.name.split(".")[0] in mechanism.bodies and "acceleration" not in c.label]
    places = [n for n in bodies if not n.split(".")[1].startswith(("v", "w", "spin"))]
    speeds = [n for n in bodies if n not in places]
    found[: absolute.positions] = [values[n] for n in places]
    found[absolute.positions : absolute.positions + absolute.velocities] = [values[n] for n in speeds]
    inner = dict(zip(Trace(mechanism, tree=grow(mechanism)).states.names,
                     y[tree.positions + tree.velocities : tree.controlled], strict=True))  # fmt: skip
    for k, name in enumerate(Trace(mechanism).states.names, absolute.positions + absolute.velocities):
        joint = name.removesuffix(".turns")
        turn = "turn" if f"{joint}.turn" in values else "travel"
        found[k] = inner[name] if name in inner else values[f"{joint}.{turn}"]
    return found


@pytest.mark.parametrize("name", [*OPEN, *CLOSED])
@pytest.mark.parametrize("touching", [0.0, 1.0])
def test_both_descriptions_say_the_same(name, touching):
    mechanism, tree, absolute = both(name)
    assert (tree.formulation == "tree" and tree.states < absolute.states) or name == "free sphere"
    assert [c.name for c in tree.channels] == [c.name for c in absolute.channels]
    t = 0.0 if tree.films else 2e-4  # a journal must stay in its film
    y = moved(tree, 1e-4 if tree.films else 1e-3 if tree.events else 0.1, t)
    m = np.tile([touching, 0.3], tree.events) if tree.events else np.zeros(tree.memory)
    other = as_bodies(mechanism, tree, absolute, t, y)
    a, b = channels_of(tree, t, y, m), channels_of(absolute, t, other, m)
    units = {c.name: c.unit for c in tree.channels}
    for key, value in b.items():
        size = max([1e-6, *(abs(x) for n, x in b.items() if units[n] == units[key])])
        assert abs(a[key] - value) < 1e-9 * size, (key, a[key], value)
    powers = rhs(tree, t, y, m)[tree.controlled :], rhs(absolute, t, other, m)[absolute.controlled :]
    assert powers[0] == pytest.approx(powers[1], rel=1e-8, abs=1e-8 * (1.0 + np.abs(powers[1]).max(initial=0.0)))


@pytest.mark.parametrize("name", ["soft joints", "film", "spatial four-bar", "ideal slider-crank",
                                  pytest.param("driven in space", marks=pytest.mark.slow)])  # fmt: skip
def test_the_jacobian_is_that_of_the_right_hand_side(name):
    system = assemble({**OPEN, **CLOSED}[name](), Needs(jacobian=True), coordinates="tree")
    t, n = 0.0 if system.films else 2e-4, system.controlled
    y = moved(system, 2e-5, t)
    m = np.tile([1.0, 0.3], system.events) if system.events else np.zeros(system.memory)
    out = np.zeros(n * system.states)
    call_address(system.addresses["jacobian"], t, y, system.p, m, out)
    exact = out.reshape(n, system.states)[:, :n]
    for k in range(n):
        h = 1e-6 * max(1.0, abs(y[k]))
        step = np.eye(system.states)[k] * h
        slope = sum(c * (rhs(system, t, y + i * step, m) - rhs(system, t, y - i * step, m)) for i, c in CENTRAL)[:n] / h
        assert exact[:, k] == pytest.approx(slope, rel=2e-5, abs=2e-6 * np.abs(slope).max() + 1e-6)


def test_a_run_does_not_depend_on_the_coordinates():
    mechanism = flores2006.four_bar()
    runs = [prepare(mechanism, duration=0.02, output=5e-4, rtol=1e-11, numerics=Numerics(coordinates=x)).run()
            for x in ("tree", "absolute")]  # fmt: skip
    for name in runs[0].channels:
        unit = runs[0].channel(name).unit
        size = max(np.abs(runs[1][n]).max() for n in runs[1].channels if runs[1].channel(n).unit == unit)
        assert np.abs(runs[0][name] - runs[1][name]).max() < 1e-9 * max(size, 1e-9), name


def test_a_run_goes_on_in_the_coordinates_it_began_in():
    mechanism = flores2007.slider_crank()
    for coordinates in ("tree", "absolute"):
        first = prepare(mechanism, duration=1e-4, output=1e-4, numerics=Numerics(coordinates=coordinates)).run()
        second = gd.simulate(mechanism, duration=1e-4, output=1e-4, resume=first, progress=False)
        assert second.t[-1] == pytest.approx(2e-4)
        assert len(second.end.y) == len(first.end.y)


def test_a_pendulum_has_one_coordinate():
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    m.body("bob", mass=2.0, inertia=0.01, at=(0.3, 0.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0))
    system = assemble(m, coordinates="auto")
    assert (system.positions, system.velocities, system.rows) == (1, 1, 0)
    # moment of the weight over the inertia about the pivot
    assert rhs(system, 0.0, system.y0, np.zeros(1))[1] == pytest.approx(-2.0 * 9.81 * 0.3 / (0.01 + 2.0 * 0.09))


@pytest.mark.parametrize("name", OPEN)
def test_open_trees_are_found(name):
    mechanism = OPEN[name]()
    assert choose(mechanism, coordinates="auto", unrolled=True) == "tree"
    assert FORMULATIONS["tree"](mechanism, Needs(contact="event"))
    assert choose(mechanism, coordinates="absolute", unrolled=True) == "absolute"


def test_loops_and_long_chains_keep_the_coordinates_of_the_bodies():
    assert choose(schwab2002.ideal(), coordinates="auto") == "absolute"
    assert choose(schwab2002.ideal(), coordinates="tree") == "tree"
    m = gd.Mechanism("chain")
    for k in range(9):
        m.body(f"link_{k}", mass=1.0, inertia=0.1, at=(k + 0.5, 0.0))
        m.revolute(f"joint_{k}", journal=f"link_{k}", bearing=f"link_{k - 1}" if k else m.ground, at=(k, 0.0))
    assert choose(m, coordinates="auto") == "absolute"


def test_what_cannot_be_is_refused():
    m = gd.Mechanism("crank")
    m.body("crank", mass=1.0, inertia=0.1, at=(0.5, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.drive("main", speed=3.0)
    assert assemble(m, coordinates="auto").formulation == "absolute"
    with pytest.raises(gd.GudgeonError, match="nothing is left to integrate"):
        assemble(m, coordinates="tree")
    with pytest.raises(gd.GudgeonError, match='coordinates "joint" is not known'):
        prepare(m, duration=1.0, numerics=Numerics(coordinates="joint")).run()
    with pytest.raises(gd.GudgeonError, match="rigid walls"):
        prepare(schwab2002.impact(), duration=1e-3, method="impact", numerics=Numerics(coordinates="tree")).run()


def test_drives_that_move_alike_have_forces_of_their_own():
    m = gd.Mechanism("two cranks", gravity=(0.0, -9.81))
    for k, mass in enumerate((1.0, 3.0)):
        m.body(f"crank_{k}", mass=mass, inertia=0.1, at=(0.5, 0.0))
        m.revolute(f"main_{k}", journal=f"crank_{k}", bearing=m.ground, at=(0.0, 0.0))
        m.drive(f"main_{k}", motion=lambda t: 2.0 * t)
    m.body("free", mass=1.0, inertia=0.1, at=(3.0, 0.0))
    found = channels_of(assemble(m, coordinates="tree"))
    assert found["main_0.torque"] == pytest.approx(9.81 * 0.5)
    assert found["main_1.torque"] == pytest.approx(3.0 * 9.81 * 0.5)
