"""Lubricated joints in motion: what is conserved, what is lost, what a run says about its films."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.compile.graph import llvm
from gudgeon.papers import schwab2002
from gudgeon.results.extremes import extremum
from gudgeon.simulation import Numerics, prepare

GAP = 2e-4
WALL = gd.LankaraniNikravesh(gd.STEEL, restitution=0.8)

# thick enough that the journal gets there
TOUCHING = {"wall": WALL, "minimum_film": 0.6 * GAP, "friction": gd.ModifiedCoulomb(0.1)}


def free_pair(viscosity: str = "60 cP", **fit: object) -> gd.Mechanism:
    """Two bodies in the air, joined by nothing but a film."""
    m = gd.Mechanism("free pair", start="given")
    m.body("shaft", mass=0.4, inertia=3e-4, at=(0.1, 0.02), velocity=(0.6, -0.3), spin=90.0)
    m.body("ring", mass=0.7, inertia=9e-4, at=(-0.1, 0.0), velocity=(0.5, 0.2), spin=-20.0)
    m.revolute("j", journal="shaft", bearing="ring", journal_point=(-0.1, -0.02), bearing_point=(0.1 + 0.3 * GAP, 0.0),
               radius="8 mm", length="12 mm", fit=gd.Lubricated(GAP, film=gd.Moes(viscosity), **fit))  # fmt: skip
    return m


def momentum(run: gd.Run) -> np.ndarray:
    """Along x and y, and about the origin."""
    total = np.zeros((3, len(run.t)))
    for body in run.mechanism.bodies.values():
        x, y, vx, vy, spin = (run[f"{body.name}.{what}"] for what in ("x", "y", "vx", "vy", "spin"))
        total += body.mass * np.array([vx, vy, x * vy - y * vx])
        total[2] += body.inertia * spin
    return total


@pytest.mark.parametrize("shear", [True, False])
@pytest.mark.parametrize("fit", [{}, TOUCHING], ids=["film", "wall"])
def test_a_free_pair_keeps_its_momentum(shear, fit):
    run = gd.simulate(free_pair(shear=shear, **fit), duration=0.05, rtol=1e-10)
    p = momentum(run)
    scale = np.array([0.6, 0.3, 0.05])
    assert (np.abs(p - p[:, :1]).max(axis=1) < 1e-12 * scale).all()
    assert np.abs(run["j.fx"]).max() > 10.0
    assert run.evidence.energy["film"] > 0.01
    assert run.evidence.balance < 1e-8 * run["energy.kinetic"].max()
    assert bool(run.contacts) == ("wall" in fit)


def test_the_film_brings_a_free_pair_to_turn_as_one():
    """With shear the kinetic energy only falls, until both turn as one body; without it they go on as they like."""
    names = ["energy.kinetic", "shaft.spin", "ring.spin", "j.power_loss"]
    run = gd.simulate(free_pair("6 Pa s"), duration=1.5, rtol=1e-9, channels=names)
    assert (np.diff(run["energy.kinetic"]) <= 1e-12).all()
    assert run["j.power_loss"].min() >= 0.0
    apart = np.abs(run["shaft.spin"] - run["ring.spin"])
    assert apart[-1] < 0.1 * apart[0]
    bare = gd.simulate(free_pair("6 Pa s", shear=False), duration=1.5, rtol=1e-9, channels=names)
    assert abs(bare["shaft.spin"][-1] - bare["ring.spin"][-1]) > 2.0 * apart[-1]


def test_petroff_stops_a_centred_shaft():
    """A shaft that spins in the middle of its bearing: inertia w' = -C w, C = 2 pi mu l r^3 / c."""
    m = gd.Mechanism("spindown", start="given")
    m.body("shaft", mass=0.4, inertia=2e-5, at=(0.0, 0.0), spin=100.0)
    m.revolute("j", journal="shaft", bearing=m.ground, at=(0.0, 0.0), radius="8 mm", length="12 mm",
               fit=gd.Lubricated(GAP, film=gd.Ocvirk("60 cP")))  # fmt: skip
    run = gd.simulate(m, duration=0.05, rtol=1e-10)
    rate = 2.0 * math.pi * 0.06 * 0.012 * 0.008**3 / GAP / 2e-5
    assert run["shaft.spin"][-1] == pytest.approx(100.0 * math.exp(-rate * 0.05), rel=1e-8)
    assert run["j.power_loss"][0] == pytest.approx(2e-5 * rate * 100.0**2, rel=1e-12)
    assert run.evidence.energy["film"] == pytest.approx(-run.evidence.energy["kinetic"], rel=1e-8)
    assert np.abs(run["j.force"]).max() < 1e-12


def test_a_loaded_bearing_settles_where_the_film_carries_the_load():
    """Ground, a spinning shaft and a constant load: at rest the film's force is the load, at the angle of the law."""
    m = gd.Mechanism("loaded", start="given", gravity=(0.0, -50.0))
    m.body("shaft", mass=0.4, inertia=2e-5, at=(0.0, 0.0), spin=300.0)
    m.revolute("j", journal="shaft", bearing=m.ground, at=(0.0, 0.0), radius="8 mm", length="12 mm",
               fit=gd.Lubricated("0.1 mm", film=gd.Ocvirk("60 cP")))  # fmt: skip
    m.drive("j", speed=300.0)
    run = gd.simulate(m, duration=0.4, rtol=1e-10)
    assert run["j.force"][-1] == pytest.approx(20.0, rel=1e-6)
    assert run["j.film_force"][-1] == pytest.approx(20.0, rel=1e-6)
    law = m.joints["j"].fit["pin"].film
    p = list(law.pack(m.joints["j"].pair("pin")).values())
    ratio = float(run["j.eccentricity"][-1])
    radial, across = (f(ratio, 0.0, -0.5 * 300.0 * ratio * 1e-4, p) for f in (law.radial, law.tangential))
    assert math.hypot(radial, across) == pytest.approx(20.0, rel=1e-6)
    assert run["j.film_thickness"][-1] == pytest.approx(1e-4 * (1.0 - ratio), rel=1e-9)
    assert run["j.peak_pressure"][-1] == pytest.approx(law.pressure(ratio, 0.0, -150.0 * ratio * 1e-4, p), rel=1e-6)
    # the drive works against the shear alone, and the offset force
    assert run["j.torque"][-1] * 300.0 == pytest.approx(run["j.power_loss"][-1], rel=1e-6)


def crank(**fit: object) -> gd.Mechanism:
    return schwab2002.ideal().refit(pin=gd.Lubricated("0.5 mm", film=gd.Moes("20 cP"), **fit))


@pytest.fixture(scope="module")
def mixed() -> gd.Run:
    return gd.simulate(crank(wall=WALL, minimum_film="5 um", friction=gd.ModifiedCoulomb(0.05)), revolutions=1)


def test_a_mixed_run_says_how_long_and_how_thin(mixed):
    (share,) = mixed.evidence.films
    assert (share.joint, share.law) == ("pin", "Moes")
    touched = sum((r.t_off if r.ended else mixed.t[-1]) - r.t_on for r in mixed.contacts)
    assert share.mixed == pytest.approx(touched / mixed.t[-1], rel=1e-12)
    assert share.full + share.mixed == pytest.approx(1.0, abs=1e-15)
    assert share.mixed == pytest.approx(mixed.touching("pin"), rel=1e-6)
    assert 0.05 < share.mixed < 0.95
    # the wall touches exactly below the minimum film
    below = mixed["pin.film_thickness"] < 5e-6
    assert (below == (mixed["pin.depth"] > 0.0)).mean() > 0.999
    low = mixed.lowest("pin.film_thickness")
    assert (share.thinnest, share.time) == (low.value, low.time)
    row = int(np.argmin(mixed["pin.film_thickness"]))
    assert share.angle == pytest.approx(math.atan2(mixed["pin.ey"][row], mixed["pin.ex"][row]), abs=0.01)
    assert share.pressure == mixed.maximum("pin.peak_pressure")
    text = str(mixed.evidence)
    assert f"pin: full film {100 * share.full:.4g} % of the time, mixed {100 * share.mixed:.4g} %" in text
    assert "film" in text.splitlines()[0] and "friction" in text.splitlines()[0]
    assert any(line.startswith("Moes: ") for line in mixed.evidence.references)
    # what the film took is no restitution of the wall
    assert mixed.evidence.restitution == ()


def test_a_mixed_run_accounts_for_everything(mixed):
    energy = mixed.evidence.energy
    assert all(energy[name] > 1e-3 for name in ("film", "friction", "contact", "drive"))
    assert mixed.evidence.balance < 1e-6 * mixed["energy.kinetic"].max()
    assert mixed["pin.power_loss"].min() >= 0.0
    # the joint's force is that of film, wall and friction together
    touching = mixed["pin.depth"] > 0.0
    alone = np.abs(mixed["pin.force"] - mixed["pin.film_force"])
    assert alone[~touching].max() < 1e-9 * mixed["pin.force"].max()
    assert alone[touching].max() > 0.1 * mixed["pin.normal"].max()


def test_the_channels_of_a_film():
    run = gd.simulate(crank(), revolutions=0.05)
    units = {"film_thickness": "m", "power_loss": "W", "peak_pressure": "Pa", "film_force": "N", "eccentricity": "1"}
    assert {what: run.channel(f"pin.{what}").unit for what in units} == units
    assert run["pin.film_thickness"] == pytest.approx(5e-4 * (1.0 - run["pin.eccentricity"]), abs=1e-15)
    assert run["energy.film"][-1] == pytest.approx(np.trapezoid(run["pin.power_loss"], run.t), rel=1e-2)
    (share,) = run.evidence.films
    assert (share.full, share.mixed) == (1.0, 0.0)
    # the shares are told whatever is recorded
    few = gd.simulate(crank(), revolutions=0.05, channels=["slider.ax"])
    assert few.channels == ["slider.ax"] and few.evidence.films == run.evidence.films


def test_the_thinnest_film_and_its_pressure_are_those_of_the_motion():
    """Rows now and then, or densely: the evidence has the same extremes, where and when."""
    settings = {"duration": 1e-3, "rtol": 1e-9}
    dense = gd.simulate(crank(), output=2e-8, **settings)
    (seldom,) = gd.simulate(crank(), output=2e-4, channels=["slider.ax"], **settings).evidence.films
    (every,) = gd.simulate(crank(), **settings).evidence.films
    row = int(np.argmin(dense["pin.film_thickness"]))
    pressure = extremum(dense.t, dense["pin.peak_pressure"], 1.0).value
    assert 0 < row < len(dense.t) - 1
    for share in (seldom, every):
        assert share.thinnest == pytest.approx(dense["pin.film_thickness"][row], rel=1e-6)
        assert share.pressure == pytest.approx(pressure, rel=1e-6)
        assert share.time == pytest.approx(dense.t[row], abs=1e-7)
        assert share.angle == pytest.approx(math.atan2(dense["pin.ey"][row], dense["pin.ex"][row]), abs=1e-3)


def test_evidence_of_films_goes_with_a_run():
    """It is computed when it is read: also by a part of the run and before it is sent to another process."""
    run = gd.simulate(crank(), duration=1e-3, output=2e-4)
    late = run.after(5e-4)
    sent = pickle.loads(pickle.dumps(gd.simulate(crank(), duration=1e-3, output=2e-4)))
    assert late.evidence.films == run.evidence.films == sent.evidence.films
    assert run.evidence.films[0].thinnest == run.minimum("pin.film_thickness")


def test_a_film_thinner_than_surfaces_are_rough_is_warned_about():
    run = gd.simulate(crank(), revolutions=1)
    assert run.minimum("pin.film_thickness") < 1e-7
    (text,) = (text for text in run.evidence.warnings if text.startswith("pin: the film"))
    assert "nm thick" in text and "wall" in text
    assert not any("nm thick" in text for text in gd.simulate(schwab2002.film(), revolutions=1).evidence.warnings)


def test_a_film_pressed_beyond_its_law_is_warned_about():
    run = gd.simulate(schwab2002.film(), revolutions=0.1)
    (text,) = run.evidence.warnings
    reached = run["pin.peak_pressure"].max() / 1e6
    assert text.startswith(f"pin: the pressure reached {reached:.4g} MPa; above about 100 MPa")
    short = schwab2002.ideal().refit(pin=gd.Lubricated("0.5 mm", film=gd.Ocvirk(10.0)))
    (text,) = gd.simulate(short, revolutions=0.01).evidence.warnings
    assert text.startswith("pin: Ocvirk:") and "diameters long" in text


@pytest.mark.parametrize(
    "path, value", [("pin.viscosity", 0.3), ("pin.radial_clearance", 2e-4), ("pin.minimum_film", 1e-6)]
)
def test_varying_a_film_compiles_nothing(path, value):
    m = crank(wall=WALL)
    assemble(m)
    count = llvm.compilations
    assert (assemble(m.vary(path, value)).p != assemble(m).p).any()
    assert llvm.compilations == count


def test_a_journal_outside_its_bearing_is_refused():
    m = free_pair()
    away = gd.Mechanism("away", start="given")
    away.body("shaft", mass=0.4, inertia=3e-4, at=(0.0, 1.5 * GAP))
    away.revolute("j", journal="shaft", bearing=away.ground, journal_point=(0.0, 0.0), bearing_point=(0.0, 0.0),
                  radius="8 mm", length="12 mm", fit=m.joints["j"].fit["pin"])  # fmt: skip
    for backend in ("llvm", "python"):
        with pytest.raises(gd.GudgeonError, match=r'joint "j": the journal starts outside .* 0.0003 m .* 0.0002 m;'):
            prepare(away, duration=1e-3, numerics=Numerics(backend=backend)).run()


def test_both_back_ends_agree():
    runs = [
        prepare(free_pair(wall=WALL), duration=2e-3, numerics=Numerics(backend=backend)).run()
        for backend in ("llvm", "python")
    ]
    for name in ("shaft.x", "ring.spin", "j.power_loss"):
        assert runs[0][name][-1] == pytest.approx(runs[1][name][-1], rel=1e-9)


def test_trust_of_a_film_is_judged_by_its_clearance():
    run = gd.simulate(schwab2002.film(), revolutions=0.2, trust=True)
    assert "agree to 1 % of the clearance to the end" in run.evidence.trust
