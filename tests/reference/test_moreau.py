"""Time stepping of Moreau and Jean against closed forms, the event-driven method, and the program of Flores 2010."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from nonsmooth_slider_crank import energy, march_like_the_program
from reference_data import DATA

import gudgeon as gd
from gudgeon.papers import flores2010, schwab2002

G, DROP = 9.81, 0.02
FALL = math.sqrt(2 * DROP / G)  # time of the first impact [s]
WHOLE = json.loads((DATA / "slider_crank_whole_run.json").read_text())


def ball(restitution: float) -> gd.Mechanism:
    m = gd.Mechanism("ball", gravity=(0.0, -G))
    m.body("ball", mass=0.2, inertia=1e-5, at=(0.0, 0.0))
    m.translational("path", journal="ball", bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0))
    m.stop("path", lower=-DROP, wall=gd.ExactRestitution(stiffness=1e10, restitution=restitution))
    return m


def block(friction: float) -> gd.Mechanism:
    """A block thrown along a floor 1 mm below it, at 1 m/s."""
    m = gd.Mechanism("block", gravity=(0.0, -G), start="given")
    m.body("block", mass=1.0, inertia=1e-3, at=(0.0, 0.0), velocity=(1.0, 0.0))
    wall = gd.ExactRestitution(restitution=0.3, stiffness=1e10)
    fit = gd.Clearance("1 mm", wall=wall, friction=gd.ModifiedCoulomb(friction))
    m.translational("floor", journal="block", bearing=m.ground, at=(0.0, 0.0), axis=(1.0, 0.0), length=0.2,
                    width=0.022, fit=fit)  # fmt: skip
    return m


def loose(friction: float | None) -> gd.Mechanism:
    """A slider-crank with two loose pins and a loose guide."""
    wall = gd.ExactRestitution(restitution=0.8, stiffness=1e10)
    rubs = gd.ModifiedCoulomb(friction) if friction else None
    m = gd.Mechanism("two loose pins, loose guide")
    crank = m.body("crank", mass=0.145, inertia=3e-5, at=(0.025, 0.0))
    rod = m.body("rod", mass=0.145, inertia=1.7e-4, at=(0.11, 0.0))
    slider = m.body("slider", mass=0.145, inertia=1e-4, at=(0.17, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    pin = gd.Clearance("0.3 mm", wall=wall, friction=rubs)
    m.revolute("big", journal=crank, bearing=rod, at=(0.05, 0.0), radius=0.01, length=0.02, fit=pin)
    m.revolute("pin", journal=rod, bearing=slider, at=(0.17, 0.0), radius=0.01, length=0.02, fit=pin)
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.17, 0.0), axis=(1.0, 0.0), length=0.04,
                    width=0.03, fit=gd.Clearance("0.2 mm", wall=wall, friction=rubs))  # fmt: skip
    m.drive("main", speed=200.0)
    return m


@pytest.mark.parametrize("restitution", [0.01, 0.5, 0.8])
def test_ball_comes_to_rest(restitution: float) -> None:
    """Impacts in geometric series, then rest from fall (1 + e) / (1 - e) on, and no chatter."""
    step, end = 1e-4, FALL * (1 + restitution) / (1 - restitution)
    run = gd.simulate(ball(restitution), duration=1.3 * end, method="moreau", step=step)
    impacts, lasting = run.impacts, [r for r in run.contacts if r.kind == "contact"]
    assert len(lasting) == 1 and not lasting[0].ended
    assert abs(lasting[0].t_on - end) < 30 * step
    times = [FALL * (1 + 2 * sum(restitution**j for j in range(1, k + 1))) for k in range(4)]
    speed = G * FALL
    for k, impact in enumerate(impacts[: 4 if restitution > 0.1 else 1]):
        assert 0.0 < impact.t - times[k] < 2 * (k + 1) * step
        assert impact.speed == pytest.approx(speed * restitution**k, rel=0.02)
        assert impact.rebound == pytest.approx(restitution * impact.speed, rel=1e-9, abs=1e-12)
    assert lasting[0].peak_force == pytest.approx(0.2 * G, rel=1e-9)
    after = run.t > lasting[0].t_on
    assert np.abs(run["ball.vy"][after]).max() < 1e-12
    # it may rest where free fall would have closed the gap within a step
    assert np.abs(run["path.stop.lower.depth"][after]).max() < G * step**2


def test_ball_converges_to_the_event_driven_motion() -> None:
    """Errors of impact times stay below two steps each, whatever the step."""
    events = gd.simulate(ball(0.5), duration=0.15, method="impact", output=1e-3)
    for step in (1e-3, 1e-4, 1e-5):
        run = gd.simulate(ball(0.5), duration=0.15, method="moreau", step=step, output=1e-3)
        n = len(events.t)
        assert np.abs(run["ball.y"][:n] - events["ball.y"]).max() < step
        late = [(a.t - b.t) / step for a, b in zip(run.impacts, events.impacts, strict=False)]
        assert len(late) >= 2 and 0.4 < late[0] < 1.6 and 0.0 < late[1] < 3.5


@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_block_slides_to_rest(step: float) -> None:
    """Sliding it loses μ g; where it stops the event-driven method says, and v² / (2 μ g) but for the fall."""
    friction = 0.2
    run = gd.simulate(block(friction), duration=0.7, method="moreau", step=step, output=0.01)
    fall = math.sqrt(2 * 1e-3 / G)
    events = gd.simulate(block(friction), duration=0.7, method="impact", output=0.01)
    assert run["block.vx"][-1] == pytest.approx(0.0, abs=1e-12)
    assert run["block.x"][-1] == pytest.approx(events["block.x"][-1], abs=0.05 * step)
    assert run["block.x"][-1] == pytest.approx(fall + 1.0 / (2 * friction * G), abs=fall)
    sliding = (run.t > 0.05) & (run.t < 0.5)
    assert np.polyfit(run.t[sliding], run["block.vx"][sliding], 1)[0] == pytest.approx(-friction * G, rel=1e-6)
    lasting = [r for r in run.contacts if r.kind == "contact"]
    assert len(lasting) == 2 and all(not r.ended for r in lasting)
    assert run["energy.friction"][-1] == pytest.approx(0.5, abs=2 * step)
    assert run.evidence.balance < 2 * step


def test_loose_pin_converges_to_the_event_driven_motion() -> None:
    """The slider-crank of Schwab 2002 through four impacts, before they tell apart what differs little."""
    m, span = schwab2002.hertz(), 0.0011
    events = gd.simulate(m, duration=span, method="impact", output=span / 200)
    assert len(events.impacts) == 4
    for step in (2e-6, 2e-7):
        run = gd.simulate(m, duration=span, method="moreau", step=step, output=span / 200)
        late = np.array([a.t - b.t for a, b in zip(run.impacts, events.impacts, strict=True)]) / step
        assert np.abs(late).max() < 6.0
        assert np.abs(run["pin.ex"] - events["pin.ex"]).max() < 30.0 * step
        assert run.evidence.balance < 1e-4 * events["energy.kinetic"].max()


@pytest.mark.parametrize("method", ["moreau", "impact"])
@pytest.mark.parametrize("friction", [None, 0.1])
def test_many_loose_joints(method: str, friction: float | None) -> None:
    """Two loose pins and four corners; what drives put in is found again, and no wall is left far behind."""
    step = {"step": 1e-5} if method == "moreau" else {}
    run = gd.simulate(loose(friction), revolutions=2, method=method, **step)
    assert run.complete
    assert run.evidence.balance < 1e-4
    # a blow on the pin after 0.6 ms turns the slip round: by the mean slip friction would give 8 mJ;
    # the end of sliding is located to rounding
    assert np.diff(run["energy.friction"]).min() >= -1e-11 * run["energy.friction"][-1]
    assert run["energy.contact"][-1] > 0.0
    for joint in ("big", "pin"):
        assert run[f"{joint}.offset"].max() < 3e-4 + 2e-5
    assert any(x.joint == "guide" for x in run.impacts)


@pytest.mark.parametrize("restitution", [0.3, 1.0])
def test_no_impact_without_friction_gains_energy(restitution: float) -> None:
    """Without drives and friction the kinetic energy falls at impacts, and stays where e = 1."""
    m = flores2010.slider_crank(restitution=restitution, friction=0.0)
    run = gd.simulate(m, duration=0.1, method="moreau", step=1e-5)
    total = run["energy.kinetic"] + run["energy.potential"]
    assert len(run.impacts) > 10
    assert np.diff(total).max() < 2e-4 * total[0]
    assert (total[0] - total[-1] > 0.02 * total[0]) == (restitution < 1.0)


@pytest.mark.parametrize("friction", [0.01, 0.1])
def test_what_is_rubbed_away_never_comes_back(friction: float) -> None:
    """A corner that stops a slip which the same blow has turned round (1.7 uJ by the mean slip at friction 0.1)."""
    run = gd.simulate(flores2010.slider_crank(friction=friction), duration=0.1, method="moreau", step=1e-4)
    assert run["energy.friction"][-1] > 0.05
    assert np.diff(run["energy.friction"]).min() >= 0.0


@pytest.mark.parametrize("friction", [0.0, 0.1])
@pytest.mark.parametrize("step", [1e-4, 3e-5])
def test_contacts_do_not_chatter(friction: float, step: float) -> None:
    """Where a corner rests lightly it misses steps, and is one contact still: before a lasting contact begins its
    corner has bounced, or has not acted for four steps. (Of 10 to 23 records 2 to 13 began again too soon.)
    Nor does a corner last that is open, on impulses that are rounding."""
    run = gd.simulate(flores2010.slider_crank(friction=friction), duration=0.1, method="moreau", step=step)
    lasting = [r for r in run.contacts if r.kind == "contact"]
    assert len(lasting) >= 6 and min(r.peak_force for r in lasting) > 1.0
    for record in lasting:
        ago = (record.t_on - run.t) / step
        lately = (ago > 0.5) & (ago < 4.5)
        bounced = any(x.contact == record.contact and 0.5 < (record.t_on - x.t) / step < 5.5 for x in run.impacts)
        assert bounced or run[f"{record.contact}.normal"][lately].max() == 0.0


def test_what_hard_walls_give_back_is_of_second_order() -> None:
    """In lasting contact nothing is lost. Steps store up to W (N h)² / 8 while the force N grows and give it back."""
    back = []
    for step in (1e-5, 3e-6, 1e-6):
        lost = gd.simulate(loose(None), revolutions=0.5, method="moreau", step=step)["energy.contact"]
        back.append(-np.minimum(np.diff(lost), 0.0).sum() / lost[-1])
    assert back[0] < 0.02
    assert back[1] < back[0] / 3 and back[2] < back[1] / 3


def test_the_program_is_known() -> None:
    """What we say its scheme is gives its crank speed to 0.03 rad/s and its angle to 3e-5 turns over 20 ms."""
    path = DATA / "slider_crank_translational_clearance.csv"
    ref = np.genfromtxt(path, delimiter=",", skip_header=6, names=True, deletechars="")[:51]
    own = march_like_the_program(0.020, 1e-4)[::4]
    assert np.abs(own[:, 3] - ref["crank_spin"]).max() < 0.03
    assert np.abs(own[:, 1] / (2 * np.pi) - ref["crank"]).max() < 3e-5


def test_the_program_goes_to_our_motion_as_its_step_shrinks() -> None:
    """Crank angle at 20 ms: the difference falls with its step; ours is twenty times closer at the same step."""
    fine = gd.simulate(flores2010.slider_crank(), duration=0.02, method="moreau", step=1e-6, output=1e-3)
    apart = []
    for step in (1e-4, 5e-5, 2.5e-5):
        own = march_like_the_program(0.02, step)[:: round(1e-3 / step)]
        apart.append(np.abs(own[:, 1] - fine["crank.angle"]).max())
    assert 1.8 < apart[0] / apart[1] < 2.2
    assert 1.8 < apart[1] / apart[2] < 2.2
    same = gd.simulate(flores2010.slider_crank(), duration=0.02, method="moreau", step=1e-4, output=1e-3)
    assert np.abs(same["crank.angle"] - fine["crank.angle"]).max() < apart[0] / 20


def test_whole_run_of_the_program() -> None:
    """0.2 s, three turns. Nothing drives this mechanism, yet the program's energy grows by 15 %, by its mass matrix at
    the end of the step; ours falls by what impacts and friction take. So the turns differ by 6 %, and the crank speeds
    at the end, at other angles, mean nothing; the shares of contact agree."""
    run = gd.simulate(flores2010.slider_crank(), duration=0.2, method="moreau", step=1e-4, output=1e-4)
    last = WHOLE["last"]
    begin = run["energy.kinetic"][0] + run["energy.potential"][0]
    theirs = energy(np.array([last["crank"], last["rod"]]), np.array([last["crank_spin"], last["rod_spin"]]))
    assert 0.14 < theirs / begin - 1.0 < 0.16
    ours = run["energy.kinetic"][-1] + run["energy.potential"][-1]
    assert -0.08 < ours / begin - 1.0 < -0.05
    assert run.evidence.balance < 1e-3 * begin
    assert abs(run["crank.angle"][-1] / last["crank"] - 1.0) < 0.065
    for side, pushed, spells in zip(("left", "right"), WHOLE["pushed"], WHOLE["spells"], strict=True):
        loaded = run[f"guide.rear_{side}.normal"][1:] > 0.0
        assert abs(loaded.mean() - pushed / WHOLE["steps"]) < 0.015
        begins = int((loaded[1:] & ~loaded[:-1]).sum())
        assert 0.6 < begins / spells < 1.5
