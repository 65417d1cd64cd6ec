"""The claims of Schwab, Meijaard, Meijers 2002, sections 3.1, 3.2, 5.1, 5.2, 5.4 and 6."""

from __future__ import annotations

from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.analysis.statistics.windows import Windows, sample_windows
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from gudgeon.papers.schwab2002 import cases as case
from gudgeon.papers.stored import stored

__all__ = ["CLAIMS", "impact"]

SIGNALS = ("pin.normal", "slider.ax", "main.torque")
SAMPLES = 20_000  # in a revolution: the peak is narrow
LOWEST = 0.75  # restitution down to which the article vouches for the law
CENTRAL = 95.0  # a published window inside this central share [%] of ours is an ordinary window


def _stiffness(full: bool) -> Finding:
    pin = case.hertz().joints["pin"]
    ours = gd.LankaraniNikravesh(case.STEEL, restitution=0.95).stiffness_for(pin.pair("pin"))
    same = abs(ours - case.PUBLISHED["stiffness"]) < 0.05e9
    return Finding(f"{ours / 1e9:.5f}e9 N/m^1.5", REPRODUCED if same else NOT_REPRODUCED)


@stored
def impact(restitution: float) -> tuple[float, float]:
    """Rebound speed and lost energy of one impact of the sphere, relative to what it came with."""
    contact = gd.simulate(case.sphere(restitution), duration="300 us", rtol=1e-11).contacts[0]
    return contact.restitution, contact.energy_lost / (0.5 * case.MASS * contact.speed_on**2)


def _underestimates(full: bool) -> Finding:
    got, lost = impact(0.95)
    newton = 1.0 - 0.95**2
    text = f"e = 0.95: rebounds with {got:.6f}, loses {100 * lost:.3f} % instead of {100 * newton:.3f} %"
    return Finding(text, REPRODUCED if got > 0.95 and lost < newton else NOT_REPRODUCED)


def _velocity_error(full: bool) -> Finding:
    return _bound("velocity error, e >= 0.75", lambda e, got, lost: got / e - 1.0)


def _loss_error(full: bool) -> Finding:
    return _bound("dissipation error, e >= 0.75", lambda e, got, lost: 1.0 - lost / (1.0 - e * e))


def _bound(name: str, error) -> Finding:  # type: ignore[no-untyped-def]
    """The largest error over restitutions from LOWEST on, against the printed bound."""
    errors = {e: error(e, *impact(e)) for e in (LOWEST, 0.80, 0.85, 0.90, 0.95)}
    worst = max(errors, key=lambda e: float(errors[e]))
    verdict = REPRODUCED if errors[worst] < case.PUBLISHED[name] else DIFFERS
    return Finding(f"{100 * errors[worst]:.3f} % at e = {worst}", verdict)


@stored
def _windows(full: bool) -> Windows:
    return sample_windows(case.hertz(), SIGNALS, transient=10, windows=250 if full else 100, rtol=1e-10)


def _single_window(signal: str, name: str, unit: str, full: bool) -> Finding:
    windows = _windows(full)
    share = windows.percentile_of(f"peak {signal}", case.PUBLISHED[name])
    ordinary = (100.0 - CENTRAL) / 2 <= share <= (100.0 + CENTRAL) / 2
    text = (
        f"mean {windows.mean(f'peak {signal}')} {unit} over {len(windows.values['contacts'])} windows; the "
        f"printed window lies at {share:.0f} % of their distribution, an ordinary one"
    )
    return Finding(text, REPRODUCED if ordinary else NOT_REPRODUCED)


def _go_on(full: bool, turns: int, *channels: str) -> gd.Run:
    end = _windows(full).end
    return gd.simulate(case.hertz(), revolutions=turns, rtol=1e-10, channels=channels, resume=end)


def _modes(full: bool) -> Finding:
    windows, run = _windows(full), _go_on(full, 4, "pin.depth")
    impacts, lasting = len(run.contacts.impacts), sum(r.kind == "contact" for r in run.contacts)
    share = windows.mean("contact fraction")
    text = (
        f"in contact {share} of the time, {windows.mean('contacts')} touches in two turns; in four turns "
        f"{impacts} impacts and {lasting} lasting contacts"
    )
    return Finding(text, REPRODUCED if share.value < 1.0 and impacts and lasting else NOT_REPRODUCED)


def _flight(full: bool) -> Finding:
    run = _go_on(full, 2, "pin.depth", "slider.ax")
    largest = float(np.abs(run["slider.ax"][run["pin.depth"] < -1e-12]).max())
    text = f"largest acceleration in flight {largest:.1e} m/s^2"
    return Finding(text, REPRODUCED if largest < 1e-6 else NOT_REPRODUCED)


def _outside(full: bool) -> Finding:
    largest = _go_on(full, 2, "pin.eccentricity").maximum("pin.eccentricity")
    return Finding(f"offset up to {largest:.3f} c", REPRODUCED if largest > 1.0 else NOT_REPRODUCED)


def _torque(full: bool) -> Finding:
    ideal = gd.simulate(case.ideal(), revolutions=1, rtol=1e-10, channels=["main.torque"])
    factor = _windows(full).mean("peak main.torque").value / abs(ideal.peak("main.torque").value)
    text = f"peak torque {factor:.1f} times that of the ideal mechanism"
    return Finding(text, REPRODUCED if factor > 2.0 else NOT_REPRODUCED)


@stored
def _instants(full: bool) -> Windows:
    count = 250 if full else 100
    return sample_windows(case.hertz(), SIGNALS, transient=10, windows=count, rtol=1e-10, method="impact")


def _predicts(full: bool) -> Finding:
    law, instants = _windows(full), _instants(full)
    means = {s: (law.mean(f"peak {s}"), instants.mean(f"peak {s}")) for s in SIGNALS}
    far = max(one.distance(other) for one, other in means.values())
    force, ax, torque = (f"{other} against {one}" for one, other in means.values())
    text = (
        f"mean peaks of the impact model against the Hertz model: force {force} N, acceleration {ax} m/s^2, torque "
        f"{torque} N m; at most {far:.1f} standard errors apart"
    )
    return Finding(text, REPRODUCED if far < 3.0 else DIFFERS)


def _effort(full: bool) -> Finding:
    """Evaluations in each revolution after ten. The median decides and the mean is told: a rare revolution whose
    contact hardly comes to rest takes hundreds of times as many by the impact model. Of 60 revolutions the ratio
    scattered from 0.46 to 0.65 with the rounding of the processor, of 200 from 0.57 to 0.63."""
    law, instants = (_evaluations(method, 200) for method in ("dopri5", "impact"))
    ratio = float(np.median(instants) / np.median(law))
    text = (
        f"{np.median(instants):.0f} evaluations in the median revolution against {np.median(law):.0f} at the same "
        f"tolerance, {ratio:.2f} of them; means {instants.mean():.0f} against {law.mean():.0f}"
    )
    return Finding(text, REPRODUCED if ratio < 0.5 else DIFFERS if ratio < 1.0 else NOT_REPRODUCED)


def _evaluations(method: str, turns: int) -> np.ndarray:
    period = 2.0 * np.pi / case.SPEED
    run = gd.simulate(case.hertz(), revolutions=10, output=period, channels=[], method=method)
    counts = []
    for _ in range(turns):
        run = gd.simulate(case.hertz(), duration=period, output=period, channels=[], method=method, resume=run)
        counts.append(run.evidence.evaluations)
    return np.array(counts, dtype=float)


def _stiffens(full: bool) -> Finding:
    half, near, nearer = (force for force, _ in case.bearing((0.5, 0.95, 0.999)))
    text = f"grows {near / half:.1f} times from x/c = 0.5 to 0.95, {nearer / near:.0f} times from there to 0.999"
    return Finding(text, REPRODUCED if nearer / near > near / half else NOT_REPRODUCED)


@stored
def steady_film() -> tuple[gd.Run, gd.Run]:
    """The third revolution with a film, and one with ideal joints: the same crank angles in every row."""
    settings = {"rtol": 1e-10, "output": 2.0 * np.pi / case.SPEED / SAMPLES}
    before = gd.simulate(case.film(), revolutions=2, rtol=1e-10, channels=[])
    ideal = gd.simulate(case.ideal(), revolutions=1, **settings)  # type: ignore[arg-type]
    return gd.simulate(case.film(), revolutions=1, resume=before, **settings), ideal  # type: ignore[arg-type]


def _almost_ideal(full: bool) -> Finding:
    film, ideal = steady_film()
    apart = np.abs(film["slider.ax"] - ideal["slider.ax"][-len(film.t) :])
    scale = float(np.abs(ideal["slider.ax"]).max())
    usual, most = float(np.median(apart)) / scale, float(apart.max()) / scale
    text = f"accelerations differ by {100 * usual:.2f} % of the peak in the median and by {100 * most:.0f} % at most"
    return Finding(text, REPRODUCED if usual < 0.05 < most else NOT_REPRODUCED)


def _sign_change(full: bool) -> Finding:
    film, ideal = steady_film()
    peak = film.peak("pin.force")
    turn = peak.time * case.SPEED / (2.0 * np.pi) % 1.0
    ax = ideal["slider.ax"]
    zeros = np.nonzero(ax[1:] * ax[:-1] < 0.0)[0] / SAMPLES
    late = min((turn - zero) % 1.0 for zero in zeros)
    ratio = peak.value / ideal.maximum("pin.force")
    text = (
        f"{peak.value:.0f} N, {ratio:.2f} times the ideal peak, {360 * late:.0f} deg of the crank after the ideal "
        "acceleration changes sign"
    )
    return Finding(text, REPRODUCED if late < 0.125 and ratio > 1.0 else NOT_REPRODUCED)


def _repeats(full: bool) -> Finding:
    film, _ = steady_film()
    change = max(abs(float(film[name][-1] - film[name][0])) / 5e-4 for name in ("pin.ex", "pin.ey"))
    return Finding(f"journal moves by {change:.0e} c", REPRODUCED if change < 1e-3 else NOT_REPRODUCED)


def _across(full: bool) -> Finding:
    film, _ = steady_film()
    low, high = film.minimum("pin.eccentricity"), film.maximum("pin.eccentricity")
    text = f"the journal changes sides by running round near the wall: offset {low:.3f} to {high:.4f} c"
    return Finding(text, REPRODUCED if low < 0.5 else DIFFERS)


def _smoother(full: bool) -> Finding:
    film, dry = steady_film()[0].maximum("pin.force"), _windows(full).mean("peak pin.normal")
    text = f"largest force {film:.0f} N with a film, {dry} N without"
    return Finding(text, REPRODUCED if film < 0.5 * dry.value else NOT_REPRODUCED)


SPHERE: dict[str, Any] = {"case": "sphere", "quick": True}
FILM: dict[str, Any] = {"case": "film", "quick": True}
HERTZ: dict[str, Any] = {"case": "hertz"}  # needs windows
ORDINARY = f"within the central {CENTRAL:g} % of our windows"

CLAIMS = (
    Claim("002 §3.1, Fig 2", "stiffness of ball and socket, Eq 3 with R2 = -10 mm", "65.8e9 N/m^1.5", _stiffness,
          "0.05e9 N/m^1.5", **SPHERE),
    Claim("002 §3.1", "the law loses too little energy and rebounds too fast", "in words", _underestimates, "any",
          **SPHERE),
    Claim("002 §3.1", "error of the velocity after impact, e >= 0.75", "< 10 %", _velocity_error, "none", **SPHERE),
    Claim("002 §3.1", "error of the dissipated energy, e >= 0.75", "< 25 %", _loss_error, "none", **SPHERE),
    Claim("002 §3.2, Fig 3", "the film's force increases very rapidly for x/c > 0.95", "in words", _stiffens,
          "faster than from 0.5 to 0.95", **FILM),
    Claim("002 §5.1, Fig 5; §5.3", "peak slider acceleration, two turns after the transient", "180e3 m/s^2",
          lambda full: _single_window("slider.ax", "peak slider acceleration", "m/s^2", full), ORDINARY, **HERTZ),
    Claim("002 §5.1, Fig 6; §5.3", "peak driving torque, the same two turns", "1350 N m",
          lambda full: _single_window("main.torque", "peak driving torque", "N m", full), ORDINARY, **HERTZ),
    Claim("002 §5.1, Fig 6", "free flight, impact with rebound and permanent contact occur", "in words", _modes,
          "each at least once", **HERTZ),
    Claim("002 §5.1, Fig 5", "the slider's acceleration is zero in free flight", "0", _flight, "1e-6 m/s^2", **HERTZ),
    Claim("002 §5.1, Fig 6", "the journal leaves the clearance circle by deformation", "in words", _outside, "any",
          **HERTZ),
    Claim("002 §5.1, Fig 6", "the peaks reach the crank's torque", "in words", _torque, "twice the ideal", **HERTZ),
    Claim("002 §5.2, Figs 7 and 8; §6", "the impact model predicts the peaks of the Hertz model", "in words", _predicts,
          "3 standard errors", case="impact"),
    Claim("002 §5.4, Fig 11", "with a film almost the same as without clearance", "in words", _almost_ideal,
          "5 % in the median", **FILM),
    Claim("002 §5.4, Fig 13", "peak force after the acceleration changes sign", "in words", _sign_change,
          "within 45 deg", **FILM),
    Claim("002 §5.4, Fig 12", "the motion with a film is steady: turns are alike", "in words", _repeats, "1e-3 c",
          **FILM),
    Claim("002 §5.4, Fig 12", "the journal flies across the sleeve", "in words", _across, "within 0.5 c of the centre",
          **FILM),
    Claim("002 §6", "the impact model takes much less effort", "in words", _effort, "half the evaluations",
          case="impact", quick=True),
    Claim("002 §6", "a film reduces the peak force significantly", "in words", _smoother, "half", case="film"),
)  # fmt: skip
