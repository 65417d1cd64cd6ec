"""Impacts as instants on mechanisms with closed forms: bounces, rest, sliding, sticking, several at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import flores2010, schwab2002

G = 9.81
PERIOD = 2.0 * math.pi / schwab2002.SPEED


def ball(restitution: float, height: float = 1.0) -> gd.Mechanism:
    """A ball that falls onto a stop."""
    m = gd.Mechanism("ball", gravity=(0.0, -G), start="given")
    body = m.body("ball", mass=1.0, inertia=1.0, at=(0.0, height))
    wall = gd.LankaraniNikravesh(stiffness=1e9, restitution=restitution)
    m.translational("slide", journal=body, bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0),
                    stop=gd.Stop(lower=-height, wall=wall))  # fmt: skip
    return m


def block(speed: float, friction: float, slope: float = 0.0, gap: float = 1e-3) -> gd.Mechanism:
    """A block in a guide along x, gravity tilted by `slope` [rad]; it falls onto the lower wall and slides."""
    m = gd.Mechanism("block", gravity=(G * math.sin(slope), -G * math.cos(slope)), start="given")
    body = m.body("block", mass=2.0, inertia=0.01, at=(0.0, 0.0), velocity=(speed, 0.0))
    fit = gd.Clearance(gap, wall=gd.LankaraniNikravesh(stiffness=1e9, restitution=0.0),
                       friction=gd.ModifiedCoulomb(friction) if friction else None)  # fmt: skip
    m.translational("guide", journal=body, bearing=m.ground, at=(0.0, 0.0), axis=(1.0, 0.0), length=0.1,
                    width=0.05 + 2.0 * gap, fit=fit)  # fmt: skip
    return m


@pytest.mark.parametrize("restitution", [0.5, 0.8])
def test_a_ball_comes_to_rest_where_its_bounces_accumulate(restitution: float) -> None:
    """t = sqrt(2h/g) (1 + e)/(1 - e), to 1e-9 s; afterwards it rests."""
    expected = math.sqrt(2.0 / G) * (1.0 + restitution) / (1.0 - restitution)
    run = gd.simulate(ball(restitution), duration=expected + 1.0, method="impact", rtol=1e-12)
    rest = run.contacts[-1]
    assert rest.kind == "contact" and not rest.ended
    assert rest.t_on == pytest.approx(expected, abs=1e-9)
    after = run.t > expected + 1e-6
    assert np.abs(run["ball.y"][after]).max() < 1e-12
    assert np.abs(run["ball.vy"][after]).max() < 1e-12
    assert run["slide.stop.lower.normal"][after] == pytest.approx(G, rel=1e-9)
    speeds = np.array([x.speed for x in run.impacts])
    assert speeds[1:10] / speeds[:9] == pytest.approx(restitution, rel=1e-9)
    assert run.evidence.balance < 1e-10 * G


def test_a_ball_without_loss_bounces_for_ever() -> None:
    run = gd.simulate(ball(1.0), duration=9.0, method="impact", rtol=1e-12)
    hops = np.diff([x.t for x in run.impacts])
    assert hops == pytest.approx(2.0 * math.sqrt(2.0 / G), rel=1e-9)
    assert max(r.energy_lost for r in run.contacts) < 1e-10


def test_a_plastic_ball_stays() -> None:
    run = gd.simulate(ball(0.0), duration=1.0, method="impact", rtol=1e-12)
    assert len(run.impacts) == 1
    assert run.impacts[0].energy_lost == pytest.approx(G, rel=1e-10)
    assert run.contacts[-1].t_on == pytest.approx(math.sqrt(2.0 / G), rel=1e-10)


def test_a_block_slides_to_rest() -> None:
    """The fall costs mu v_n of the speed (friction impulse), then it slows down by mu g, then it sticks."""
    mu, speed, gap = 0.2, 2.0, 1e-3
    run = gd.simulate(block(speed, mu, gap=gap), duration=1.5, method="impact", rtol=1e-12)
    fall, drop = math.sqrt(2.0 * gap / G), math.sqrt(2.0 * gap * G)
    left = speed - mu * drop
    stop = fall + left / (mu * G)
    assert run["block.x"][-1] == pytest.approx(speed * fall + left * left / (2.0 * mu * G), rel=1e-9)
    assert np.abs(run["block.vx"][run.t > stop + 1e-6]).max() < 10.0 * 1e-12 * speed  # what the tolerance leaves
    assert run["energy.friction"][-1] == pytest.approx(0.5 * 2.0 * (speed**2 - 0.0), rel=0.02)
    assert run.evidence.balance < 1e-10
    both = [x for x in run.impacts if x.together == 2]
    assert len(both) == 2 and sum(x.impulse for x in both) == pytest.approx(2.0 * drop, rel=1e-9)
    assert "several at once" in " ".join(run.evidence.notes)


@pytest.mark.parametrize(("friction", "moves"), [(0.1, True), (0.3, False)])
def test_a_block_on_a_slope_holds_or_slips(friction: float, moves: bool) -> None:
    slope = 0.2  # tan 0.2 = 0.2027
    run = gd.simulate(block(0.0, friction, slope), duration=0.5, method="impact", rtol=1e-12)
    fall = math.sqrt(2.0 * 1e-3 / (G * math.cos(slope)))
    late = run.t > fall + 1e-3
    slip = G * (math.sin(slope) - friction * math.cos(slope)) if moves else 0.0
    assert run["block.ax"][late] == pytest.approx(slip, abs=1e-9)
    if not moves:
        assert np.abs(run["block.vx"][late]).max() < 1e-12


def test_sticking_breaks_loose_and_slides_back() -> None:
    """A pull that grows in time: slip starts where it reaches mu N, also in the other direction."""
    mu, mass = 0.25, 2.0
    m = block(0.0, mu)
    m.force("block", (lambda t: 20.0 * gd.sin(3.0 * t), 0.0))
    run = gd.simulate(m, duration=2.0, method="impact", rtol=1e-12)
    moving = np.abs(run["block.vx"]) > 1e-9
    loose = math.asin(mu * mass * G / 20.0) / 3.0
    assert run.t[moving & (run.t > 0.05)][0] == pytest.approx(loose, abs=5e-3)
    assert run["block.vx"].min() < -0.1 < 0.1 < run["block.vx"].max()
    assert run.evidence.balance < 1e-9


def test_momentum_of_a_free_pair() -> None:
    """A ring and a pin in free flight, rough walls: linear and angular momentum survive every impact."""
    m = gd.Mechanism("pair", start="given")
    ring = m.body("ring", mass=0.7, inertia=0.02, at=(0.0, 0.0), velocity=(0.3, -0.1), spin=2.0)
    pin = m.body("pin", mass=0.2, inertia=0.001, at=(0.0, 0.0), velocity=(-0.4, 1.0), spin=-8.0)
    fit = gd.Clearance("5 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.7), friction=gd.ModifiedCoulomb(0.2))
    m.revolute("hole", journal=pin, bearing=ring, at=(0.0, 0.0), radius="30 mm", fit=fit)
    run = gd.simulate(m, duration=0.5, method="impact", rtol=1e-12)
    assert len(run.impacts) > 5
    px = 0.7 * run["ring.vx"] + 0.2 * run["pin.vx"]
    py = 0.7 * run["ring.vy"] + 0.2 * run["pin.vy"]
    spin = 0.02 * run["ring.spin"] + 0.001 * run["pin.spin"]
    for name, mass in (("ring", 0.7), ("pin", 0.2)):
        spin = spin + mass * (run[f"{name}.x"] * run[f"{name}.vy"] - run[f"{name}.y"] * run[f"{name}.vx"])
    for momentum in (px, py, spin):
        assert np.abs(momentum - momentum[0]).max() < 1e-12
    assert min(x.energy_lost for x in run.impacts) > 0.0


def test_two_loose_joints_and_four_corners() -> None:
    """Several contacts in one mechanism: the ledger closes, no wall is passed."""
    two = schwab2002.hertz().refit(big=gd.Clearance("0.2 mm", wall=gd.Hertz(stiffness=1e10)))
    for mechanism, gaps, end in ((two, ("pin.depth", "big.depth"), {"revolutions": 1}),
                                 (flores2010.slider_crank(), ("guide.front_left.depth", "guide.rear_right.depth"),
                                  {"duration": 0.1})):  # fmt: skip
        run = gd.simulate(mechanism, method="impact", rtol=1e-11, **end)
        assert len(run.impacts) > 20
        assert run.evidence.balance < 1e-7 * run.evidence.energy_scale
        for name in gaps:
            assert run[name].max() < 1e-12


def test_a_released_contact_is_not_found_again_by_rounding() -> None:
    """A gap opens from zero with its third derivative; long steps must not see a touch in its rounding. Seen once: five
    million evaluations in a revolution that needs twelve thousand."""
    run = None
    for _ in range(35):
        run = gd.simulate(schwab2002.impact(), revolutions=1, method="impact", rtol=1e-9, output=PERIOD, channels=[],
                          resume=run)  # fmt: skip
        assert run.evidence.evaluations < 100_000


def test_a_liner_is_refused() -> None:
    liner = gd.LinearLiner(stiffness=1e7, damping=1e3)
    soft = schwab2002.ideal().refit(pin=gd.Clearance("0.5 mm", wall=gd.Hertz(stiffness=1e10), liner=liner,
                                                     liner_thickness="0.1 mm"))  # fmt: skip
    with pytest.raises(gd.GudgeonError, match=r'joint "pin": it has a liner.*leave the liner out'):
        gd.simulate(soft, revolutions=1, method="impact")


def test_a_wall_without_restitution_is_refused() -> None:
    wall = gd.KelvinVoigt(stiffness=1e8, damping=1e3)
    with pytest.raises(gd.GudgeonError, match=r"KelvinVoigt has no restitution.*ExactRestitution"):
        gd.simulate(schwab2002.ideal().refit(pin=gd.Clearance("0.5 mm", wall=wall)), revolutions=1, method="impact")


def test_capture_out_of_range_is_refused() -> None:
    with pytest.raises(gd.GudgeonError, match="capture 0 must lie"):
        gd.Impact(capture=0)


def test_peak_force_of_any_law_is_that_of_its_energy() -> None:
    """Eq 28 for a power law, against the general way through the energy of the law."""
    law, pair = gd.Hertz(stiffness=3e9), gd.laws.Pair()
    mass, speed = 0.2, 1.5
    general = gd.laws.ContactLaw.peak_force(law, pair, mass, speed)
    assert law.peak_force(pair, mass, speed) == pytest.approx(general, rel=1e-7)
    depth = (2.5 * 0.5 * mass * speed**2 / 3e9) ** 0.4
    assert law.peak_force(pair, mass, speed) == pytest.approx(3e9 * depth**1.5, rel=1e-12)


@pytest.mark.parametrize("order", [("left", "right"), ("right", "left")])
def test_what_rests_at_the_start_was_not_located(order: tuple[str, str]) -> None:
    """Of two weights one lies on its stop and the other falls far above its own: no onset is located, so that there is
    no error of one, whichever comes first."""
    m = gd.Mechanism("two weights", gravity=(0.0, -G), start="given")
    for name in order:
        weight = m.body(name, mass=1.0, inertia=0.01, at=(0.0, 0.0))
        stop = gd.Stop(lower=0.0 if name == "right" else -1.5, wall=gd.ExactRestitution(stiffness=1e9, restitution=0.5))
        m.translational(f"guide_{name}", journal=weight, bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0), stop=stop)
    run = gd.simulate(m, duration=1e-3, method="impact", progress=False)
    assert run.evidence.touch_error < 1e-12


@pytest.mark.parametrize("method", [gd.Impact(), gd.Moreau(step=1e-4), gd.Alpha(hard=True)])
def test_a_stop_on_a_prescribed_motion_is_refused(method):
    """An impact has an effective mass, which a motion that is prescribed has not (a division by zero before)."""
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    m.body("bob", mass=1.0, inertia=0.01, at=(0.3, 0.0))
    m.revolute("pin", journal="bob", bearing=m.ground, at=(0.0, 0.0))
    m.stop("pin", lower=-0.1, upper=0.1, wall=gd.ExactRestitution(stiffness=1e5, restitution=0.5))
    m.drive("pin", motion="0.3*sin(10*t)")
    with pytest.raises(gd.GudgeonError, match='joint "pin": its drive prescribes the motion that its stop limits'):
        gd.simulate(m, duration=0.2, method=method, progress=False)
