"""The claims of Flores, Ambrosio, Claro, Lankarani 2006 about the four-bar with play in a ball."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from gudgeon.papers.flores2006 import cases as case
from gudgeon.papers.stored import stored
from gudgeon.results import ContactRecord

__all__ = ["CLAIMS", "first_impacts", "loose", "moment", "perfect"]

SPAN, SPACING = 2.0, 1e-4  # [s], of the article's figures
CLEARANCE = 5e-4  # [m]
PLACES = "positions of the joints; lengths alone are printed"
KEPT = ["rocker.x", "rocker.y", "rocker.z", "rocker.vz", "rocker.az", "main.travel", "pivot.fx", "pivot.fy",
        "pivot.fz", "pivot.force", "pivot.moment", "energy.kinetic", "energy.potential", "energy.drive",
        "energy.applied"]  # fmt: skip
OF_CONTACT = ["ball.normal", "ball.depth", "ball.eccentricity", "ball.offset", "ball.ex", "ball.ey", "ball.ez"]


@dataclass(frozen=True)
class FourBarMotion:
    """Two seconds of the four-bar and, at equal spacing, the rocker's height [m]."""

    run: gd.Run
    z: np.ndarray


TIMES = np.arange(0.0, SPAN, SPACING)


def _motion(mechanism: gd.Mechanism, channels: list[str], spacing: float | None = None) -> FourBarMotion:
    run = gd.simulate(mechanism, duration=SPAN, rtol=1e-10, channels=channels, output=spacing)
    return FourBarMotion(run, np.interp(TIMES, run.t, run["rocker.z"]))


@stored
def perfect() -> FourBarMotion:
    """Ideal joints."""
    return _motion(case.four_bar(None), KEPT, SPACING)


@stored
def loose(clearance: float = CLEARANCE, socket: bool = False) -> FourBarMotion:
    """Play in the ball [m]; `socket`: stiffness of a ball in a socket instead of the printed one."""
    return _motion(case.four_bar(clearance, socket=socket), KEPT + OF_CONTACT)


def first_impacts(count: int, socket: bool = False) -> list[ContactRecord]:
    """The first contacts of the ball."""
    return list(loose(socket=socket).run.contacts[:count])


# -- the first impacts ------------------------------------------------------------------------------------------------


def _freedom(full: bool) -> Finding:
    dof = loose().run.evidence.dof
    return Finding(f"{dof} degrees of freedom", REPRODUCED if dof == 5 else NOT_REPRODUCED)


def _shape(full: bool) -> Finding:
    run, first = loose().run, first_impacts(1)[0]
    during = (run.t >= first.t_on) & (run.t <= first.t_off)
    alike = float(np.corrcoef(run["pivot.force"][during], run["ball.normal"][during])[0, 1])
    text = f"reaction and contact force have a correlation of {alike:.5f} during the first impact"
    return Finding(text, REPRODUCED if alike > 0.99 else NOT_REPRODUCED)


def _share(full: bool) -> Finding:
    shares = []
    for socket in (False, True):
        run, first = loose(socket=socket).run, first_impacts(1, socket)[0]
        during = (run.t >= first.t_on) & (run.t <= first.t_off)
        shares.append(float(run["pivot.force"][during].max()) / first.peak_force)
    text = f"{100 * shares[0]:.0f} %, with the stiffness of a socket {100 * shares[1]:.0f} %"
    return Finding(text, REPRODUCED if abs(shares[0] - case.PUBLISHED["reaction / contact force"]) < 0.05 else DIFFERS)


def _falling(full: bool) -> Finding:
    peaks = [record.peak_force for record in first_impacts(3)]
    socket = [record.peak_force for record in first_impacts(3, socket=True)]
    text = " N, ".join(f"{p:.0f}" for p in peaks) + " N; with a socket's stiffness "
    text += " N, ".join(f"{p:.0f}" for p in socket) + " N"
    steady = all(a > b for a, b in pairwise(peaks))
    return Finding(text, REPRODUCED if steady else DIFFERS if peaks[-1] < peaks[0] else NOT_REPRODUCED)


def _loops(full: bool) -> Finding:
    lost = [record.energy_lost for record in first_impacts(3)]
    text = "the loops enclose " + ", ".join(f"{1e6 * x:.1f}" for x in lost) + " uJ"
    return Finding(text, REPRODUCED if min(lost) > 0.0 else NOT_REPRODUCED)


def _unfed(full: bool) -> Finding:
    run = loose().run
    fed = float(np.abs(run["energy.drive"]).max() + np.abs(run["energy.applied"]).max())
    energy = run["energy.kinetic"] + run["energy.potential"]
    flights = [float(np.interp(t, run.t, energy)) for t in (0.0, *(r.t_on for r in run.contacts))]
    rises = max(b - a for a, b in pairwise(flights))
    text = f"fed: {fed:g} J; from touch to touch the energy never rises by more than {max(rises, 0.0):.0e} J"
    return Finding(text, REPRODUCED if fed == 0.0 and rises < 1e-8 else NOT_REPRODUCED)


def _rebounding(full: bool) -> Finding:
    records = first_impacts(6)
    kinds = {record.kind for record in records}
    slow, fast = (pick(record.restitution for record in records) for pick in (min, max))
    text = f"six impacts within {1e3 * records[-1].t_off:.0f} ms, rebounds with {slow:.2f} to {fast:.2f} of the speed"
    return Finding(text, REPRODUCED if kinds == {"impact"} and slow > 0.0 else NOT_REPRODUCED)


# -- the whole motion -------------------------------------------------------------------------------------------------


def _displaced(full: bool) -> Finding:
    ideal, real = perfect(), loose()
    apart, whole = np.abs(real.z - ideal.z), float(np.ptp(ideal.z))
    early, later = float(apart[TIMES < 0.1].max()), float(apart.max())
    text = (
        f"the rocker's centre is up to {1e3 * early:.2f} mm from the ideal height in the first 0.1 s, "
        f"{1e3 * later:.1f} mm in 2 s, of a way of {1e3 * whole:.1f} mm"
    )
    return Finding(text, REPRODUCED if later > 0.1 * whole else NOT_REPRODUCED)


def _short_of(full: bool) -> Finding:
    """How far below the ideal top each top stays; the ideal ones are told apart by their time."""
    ideal, real = perfect(), loose()
    slope = np.diff(ideal.z)
    tops = np.nonzero((slope[1:] <= 0.0) & (slope[:-1] > 0.0))[0] + 1
    below = [float(ideal.z[k] - real.z[max(0, k - 1000) : k + 1000].max()) for k in tops]
    text = "highest within 0.1 s of each ideal top: " + ", ".join(f"{1e3 * x:.2f}" for x in below) + " mm below it"
    missed = sum(x > 0.01 * float(np.ptp(ideal.z)) for x in below)
    return Finding(text, REPRODUCED if 0 < missed < len(below) else NOT_REPRODUCED)


def moment(run: gd.Run) -> np.ndarray:
    """The y component of the pivot's moment about the rocker's centre of mass [N m]."""
    x, z = (case.D[0] - run["rocker.x"], case.D[2] - run["rocker.z"])
    return np.asarray(z * run["pivot.fx"] - x * run["pivot.fz"])


def _peaks(full: bool) -> Finding:
    ideal, real = perfect().run, loose().run
    one, other = float(np.abs(ideal["rocker.az"]).max()), float(np.abs(real["rocker.az"]).max())
    text = f"largest {other:.0f} m/s^2, with ideal joints {one:.1f} m/s^2"
    return Finding(text, REPRODUCED if other > 10.0 * one else NOT_REPRODUCED)


def _moments(full: bool) -> Finding:
    ideal, real = perfect().run, loose().run
    one, other = (float(np.abs(moment(run)).max()) for run in (ideal, real))
    text = (
        f"about the rocker's centre {other:.2f} N m, ideal {one:.3f} N m; about the pin it is 0, "
        f"for it turns freely about y; whole moment of the joint {real.maximum('pivot.moment'):.1f} and "
        f"{ideal.maximum('pivot.moment'):.2f} N m"
    )
    return Finding(text, REPRODUCED if other > 10.0 * one else NOT_REPRODUCED)


def _modes(full: bool) -> Finding:
    run = loose().run
    impacts, lasting = len(run.contacts.impacts), [r for r in run.contacts if r.kind == "contact"]
    closed = sum((r.t_off if r.ended else SPAN) - r.t_on for r in run.contacts) / SPAN
    longest = max((r.duration for r in lasting if r.ended), default=0.0)
    text = (
        f"{impacts} impacts and {len(lasting)} lasting contacts, the first after {lasting[0].t_on:.3f} s, the longest "
        f"{1e3 * longest:.0f} ms; in contact {100 * closed:.0f} % of 2 s"
    )
    return Finding(text, REPRODUCED if impacts and lasting and 0.0 < closed < 1.0 else NOT_REPRODUCED)


def _beyond(full: bool) -> Finding:
    run = loose().run
    # by the mode of the contact: the law gives no force either while a contact opens fast
    largest, free = run.maximum("ball.eccentricity"), run["ball.eccentricity"][run["ball.mode"] == 0.0].max()
    text = f"eccentricity up to {largest:.4f} c, out of contact up to {free:.4f} c"
    return Finding(text, REPRODUCED if largest > 1.0 >= free - 1e-6 else NOT_REPRODUCED)


def _always(full: bool) -> Finding:
    rows = []
    for socket in (False, True):
        records = loose(socket=socket).run.contacts
        closed = sum(max(0.0, min(r.t_off, 0.15) - max(r.t_on, 0.1)) for r in records if r.ended)
        rows.append((closed / 0.05, sum(0.1 <= r.t_on < 0.15 for r in records)))
    (share, count), (other, more) = rows
    text = (
        f"in contact {100 * share:.0f} % of the time, in {count} touches; with a socket's stiffness "
        f"{100 * other:.0f} %, {more} touches"
    )
    return Finding(text, REPRODUCED if share > 0.95 else NOT_REPRODUCED)


def _varies(full: bool) -> Finding:
    run = loose().run
    long = max((r for r in run.contacts if r.kind == "contact" and r.ended), key=lambda r: r.duration)
    depth = run["ball.depth"][(run.t > long.t_on) & (run.t < long.t_off)]
    turns = int((np.diff(np.sign(np.diff(depth))) != 0).sum())
    text = (
        f"in the longest contact, {1e3 * long.duration:.0f} ms, the depth reaches {1e6 * depth.max():.2f} um and turns "
        f"{turns} times"
    )
    return Finding(text, REPRODUCED if turns > 2 else NOT_REPRODUCED)


def _loss(full: bool) -> Finding:
    shares = []
    for motion in (loose(), perfect()):
        energy = motion.run["energy.kinetic"] + motion.run["energy.potential"]
        shares.append(float(energy[0] - energy[-1]) / float(energy[0]))
    text = f"{100 * shares[0]:.1f} % of the energy above z = 0 in 2 s, with ideal joints {100 * abs(shares[1]):.0e} %"
    return Finding(text, REPRODUCED if shares[0] > 100 * abs(shares[1]) else NOT_REPRODUCED)


def _period() -> float:
    """When the ideal crank, released from rest, is back at rest where it was [s]."""
    run = perfect().run
    late = run.t > 0.5
    angle, t = run["main.travel"][late], run.t[late]
    k = int(angle[t < 1.6].argmin())
    a, b, _ = np.polyfit(t[k - 2 : k + 3] - t[k], angle[k - 2 : k + 3], 2)
    return float(t[k] - b / (2.0 * a))


def _returns(motion: FourBarMotion, period: float) -> float:
    """How far the height is from that of a period before, relative to the way of the ideal rocker."""
    early = TIMES[: int((SPAN - period) / SPACING) - 1]
    apart = np.abs(np.interp(early + period, TIMES, motion.z) - np.interp(early, TIMES, motion.z))
    return float(apart.max() / np.ptp(perfect().z))


def _closed(full: bool) -> Finding:
    period = _period()
    off = _returns(perfect(), period)
    text = (
        f"a period of {period:.5f} s, after which the height is the same to {off:.0e} of its way: one degree of "
        "freedom without loss must repeat"
    )
    return Finding(text, REPRODUCED if off > 0.01 else NOT_REPRODUCED)


def _wanders(full: bool) -> Finding:
    period = _period()
    off = _returns(loose(), period)
    near, other = loose(), loose(CLEARANCE * (1.0 + 1e-9))
    apart = np.abs(near.z - other.z)
    when = float(TIMES[int(np.argmax(apart > 1e-4))]) if apart.max() > 1e-4 else SPAN
    text = (
        f"after a period of the ideal one {100 * off:.0f} % of the way is missing; motions whose clearances differ by "
        f"0.5 pm are 0.1 mm apart after {when:.2f} s"
    )
    return Finding(text, REPRODUCED if off > 0.05 and when < SPAN else NOT_REPRODUCED)


HERE: dict[str, Any] = {"case": "four_bar", "quick": True}
THERE: dict[str, Any] = {"assumed": PLACES, "case": "four_bar", "quick": True}
EXAMPLE = "001 Example Application"

CLAIMS = (
    Claim(EXAMPLE, "the system has five degrees of freedom", "5", _freedom, "none", **HERE),
    Claim(f"{EXAMPLE}, Fig 8", "contact force and reaction have a very similar shape", "in words", _shape,
          "a correlation of 0.99", **THERE),
    Claim(f"{EXAMPLE}, Fig 8", "largest reaction over largest contact force", "about 60 %", _share, "5 %", **THERE),
    Claim(f"{EXAMPLE}, Fig 9", "the contact force decreases from impact to impact", "in words", _falling,
          "in each of the first three", **THERE),
    Claim(f"{EXAMPLE}, Fig 9", "each impact dissipates energy, the area of its loop", "in words", _loops, "any loss",
          **HERE),
    Claim(f"{EXAMPLE}, Fig 9", "no energy is fed to the system", "in words", _unfed, "1e-8 J", **HERE),
    Claim(f"{EXAMPLE}, Fig 10", "clearance clearly influences the rocker's position", "in words", _displaced,
          "10 % of its way", **THERE),
    Claim(f"{EXAMPLE}, Fig 10", "the largest height is not reached in every cycle", "in words", _short_of,
          "1 % of its way", **THERE),
    Claim(f"{EXAMPLE}, Fig 12", "accelerations are significantly larger", "in words", _peaks, "10 times", **THERE),
    Claim(f"{EXAMPLE}, Fig 13", "so is the y moment between ground and rocker", "in words", _moments, "10 times",
          f"{PLACES}; about the rocker's centre, for the point is not said", **HERE),
    Claim(f"{EXAMPLE}, Fig 14", "free flight, impact, rebound and lasting contact occur", "in words", _modes,
          "each at least once", **HERE),
    Claim(f"{EXAMPLE}, Fig 14", "beyond the clearance only by contact", "0.5 mm", _beyond, "1e-6 c", **HERE),
    Claim(f"{EXAMPLE}, Fig 15", "the first six impacts are followed by rebounds", "in words", _rebounding, "none",
          **HERE),
    Claim(f"{EXAMPLE}, Fig 16", "always in contact from 0.100 to 0.150 s", "always", _always, "95 % of the time",
          **THERE),
    Claim(f"{EXAMPLE}, Fig 16", "depth varies along a lasting contact", "in words", _varies, "more than two turns",
          **HERE),
    Claim(f"{EXAMPLE}, Fig 17", "even with ideal joints the orbit does not repeat", "in words", _closed,
          "1 % of its way", **THERE),
    Claim(f"{EXAMPLE}, Fig 18", "with clearance the motion is chaotic", "in words", _wanders,
          "0.1 mm apart from a neighbour", **HERE),
    Claim("001 Conclusions", "clearance makes the loss of energy much larger", "in words", _loss, "100 times", **HERE),
)  # fmt: skip
