"""The claims of Schwab, Meijaard, Meijers 2002, sections 3.1 and 5.1."""

from __future__ import annotations

from functools import cache

import numpy as np

import gudgeon as gd
from gudgeon.analysis.windows import Windows, sample_windows
from gudgeon.papers import schwab2002 as case
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Outcome

__all__ = ["CLAIMS", "impact"]

SIGNALS = ("pin.normal", "slider.ax", "main.torque")
LOWEST = 0.75  # restitution down to which the article vouches for the law
CENTRAL = 95.0  # a published window inside this central share [%] of ours is an ordinary window


def _stiffness(full: bool) -> Outcome:
    pin = case.hertz().joints["pin"]
    ours = gd.LankaraniNikravesh(case.STEEL, restitution=0.95).stiffness_for(pin.pair("pin"))
    same = abs(ours - case.PUBLISHED["stiffness"]) < 0.05e9
    return Outcome(f"{ours / 1e9:.5f}e9 N/m^1.5", REPRODUCED if same else NOT_REPRODUCED)


@cache
def impact(restitution: float) -> tuple[float, float]:
    """Rebound speed and lost energy of one impact of the sphere, relative to what it came with."""
    contact = gd.simulate(case.sphere(restitution), duration="300 us", rtol=1e-11).contacts[0]
    return contact.restitution, contact.energy_lost / (0.5 * case.MASS * contact.speed_on**2)


def _underestimates(full: bool) -> Outcome:
    got, lost = impact(0.95)
    newton = 1.0 - 0.95**2
    text = f"e = 0.95: rebounds with {got:.6f}, loses {100 * lost:.3f} % instead of {100 * newton:.3f} %"
    return Outcome(text, REPRODUCED if got > 0.95 and lost < newton else NOT_REPRODUCED)


def _velocity_error(full: bool) -> Outcome:
    return _bound("velocity error, e >= 0.75", lambda e, got, lost: got / e - 1.0)


def _loss_error(full: bool) -> Outcome:
    return _bound("dissipation error, e >= 0.75", lambda e, got, lost: 1.0 - lost / (1.0 - e * e))


def _bound(name: str, error) -> Outcome:  # type: ignore[no-untyped-def]
    """The largest error over restitutions from LOWEST on, against the printed bound."""
    found = {e: error(e, *impact(e)) for e in (LOWEST, 0.80, 0.85, 0.90, 0.95)}
    worst = max(found, key=lambda e: float(found[e]))
    verdict = REPRODUCED if found[worst] < case.PUBLISHED[name] else DIFFERS
    return Outcome(f"{100 * found[worst]:.3f} % at e = {worst}", verdict)


@cache
def _windows(full: bool) -> Windows:
    return sample_windows(case.hertz(), SIGNALS, transient=10, windows=250 if full else 100, rtol=1e-10)


def _single_window(signal: str, name: str, unit: str, full: bool) -> Outcome:
    windows = _windows(full)
    share = windows.percentile_of(f"peak {signal}", case.PUBLISHED[name])
    ordinary = (100.0 - CENTRAL) / 2 <= share <= (100.0 + CENTRAL) / 2
    text = (
        f"mean {windows.mean(f'peak {signal}')} {unit} over {len(windows.values['contacts'])} windows; the "
        f"printed window lies at {share:.0f} % of their distribution, an ordinary one"
    )
    return Outcome(text, REPRODUCED if ordinary else NOT_REPRODUCED)


def _go_on(full: bool, turns: int, *channels: str) -> gd.Run:
    end = _windows(full).end
    return gd.simulate(case.hertz(), revolutions=turns, rtol=1e-10, channels=channels, resume=end)


def _modes(full: bool) -> Outcome:
    windows, run = _windows(full), _go_on(full, 4, "pin.depth")
    impacts, lasting = len(run.contacts.impacts), sum(r.kind == "contact" for r in run.contacts)
    share = windows.mean("contact fraction")
    text = (
        f"in contact {share} of the time, {windows.mean('contacts')} touches in two turns; in four turns "
        f"{impacts} impacts and {lasting} lasting contacts"
    )
    return Outcome(text, REPRODUCED if share.value < 1.0 and impacts and lasting else NOT_REPRODUCED)


def _flight(full: bool) -> Outcome:
    run = _go_on(full, 2, "pin.depth", "slider.ax")
    largest = float(np.abs(run["slider.ax"][run["pin.depth"] < -1e-12]).max())
    text = f"largest acceleration in flight {largest:.1e} m/s^2"
    return Outcome(text, REPRODUCED if largest < 1e-6 else NOT_REPRODUCED)


def _outside(full: bool) -> Outcome:
    largest = _go_on(full, 2, "pin.eccentricity").maximum("pin.eccentricity")
    return Outcome(f"offset up to {largest:.3f} c", REPRODUCED if largest > 1.0 else NOT_REPRODUCED)


def _torque(full: bool) -> Outcome:
    ideal = gd.simulate(case.ideal(), revolutions=1, rtol=1e-10, channels=["main.torque"])
    factor = _windows(full).mean("peak main.torque").value / abs(ideal.peak("main.torque").value)
    text = f"peak torque {factor:.1f} times that of the ideal mechanism"
    return Outcome(text, REPRODUCED if factor > 2.0 else NOT_REPRODUCED)


CLAIMS = (
    Claim("002 §3.1", "stiffness of ball and socket, Eq 3 with R2 = -10 mm", "65.8e9 N/m^1.5", _stiffness),
    Claim("002 §3.1", "the law loses too little energy and rebounds too fast", "in words", _underestimates),
    Claim("002 §3.1", "error of the velocity after impact, e >= 0.75", "< 10 %", _velocity_error),
    Claim("002 §3.1", "error of the dissipated energy, e >= 0.75", "< 25 %", _loss_error),
    Claim("002 §5.1", "peak slider acceleration, two turns after the transient", "180e3 m/s^2",
          lambda full: _single_window("slider.ax", "peak slider acceleration", "m/s^2", full)),
    Claim("002 §5.1", "peak driving torque, the same two turns", "1350 N m",
          lambda full: _single_window("main.torque", "peak driving torque", "N m", full)),
    Claim("002 §5.1", "free flight, impact with rebound and permanent contact occur", "in words", _modes),
    Claim("002 §5.1", "the slider's acceleration is zero in free flight", "0", _flight),
    Claim("002 §5.1", "the journal leaves the clearance circle by deformation", "in words", _outside),
    Claim("002 §5.1", "the peaks reach the crank's torque", "in words", _torque),
)  # fmt: skip
