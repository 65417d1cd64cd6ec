"""The claims of Schwab, Meijaard, Meijers 2002, section 5.3: the elastic connecting rod, as two beam elements."""

from __future__ import annotations

import math

import numpy as np

import gudgeon as gd
from gudgeon.analysis import modes
from gudgeon.analysis.statistics.windows import Windows, sample_windows
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from gudgeon.papers.schwab2002 import cases as case
from gudgeon.papers.schwab2002.claims import CENTRAL, SIGNALS, steady_film
from gudgeon.papers.schwab2002.claims import _windows as dry_windows
from gudgeon.papers.stored import stored

__all__ = ["CLAIMS", "elastic_windows"]

NEAR = 0.01  # of a printed frequency
MEANS = "none: the printed two turns against means"


@stored
def elastic_windows(full: bool) -> Windows:
    """Of the mechanism with play and an elastic rod."""
    count = 250 if full else 60
    return sample_windows(case.elastic_elements(), SIGNALS, transient=10, windows=count, rtol=1e-10)


def _bending(full: bool) -> Finding:
    sines, cubics = (2.0 * math.pi * modes(case.ideal(*basis), at="start").frequencies[:2]
                     for basis in case.BASES.values())  # fmt: skip
    printed = np.array([case.PUBLISHED["first bending frequency"], case.PUBLISHED["second bending frequency"]])
    text = f"{sines[0]:.0f} and {sines[1]:.0f} rad/s; as two elements {cubics[0]:.0f} and {cubics[1]:.0f} rad/s"
    return Finding(text, REPRODUCED if (np.abs(sines / printed - 1.0) < NEAR).all() else NOT_REPRODUCED)


def _axial(full: bool) -> Finding:
    young = case.STEEL.youngs_modulus
    diameter = (64.0 * case.BENDING / (math.pi * young)) ** 0.25
    stiffness = young * math.pi * diameter**2 / 4.0
    ours = math.pi / case.ROD * math.sqrt(stiffness * case.ROD / case.MASS)
    density = case.MASS / (case.ROD * math.pi * diameter**2 / 4.0)
    text = f"{ours:.0f} rad/s for a bar of {diameter * 1e3:.2f} mm, whose density would be {density:.0f} kg/m^3"
    same = abs(ours / case.PUBLISHED["axial frequency"] - 1.0) < NEAR
    return Finding(text, REPRODUCED if same else NOT_REPRODUCED)


def _freedoms(full: bool) -> Finding:
    dof = gd.simulate(case.elastic_elements(), duration=1e-6).evidence.dof
    return Finding(f"{dof}", REPRODUCED if dof == 6 else NOT_REPRODUCED)


def _smoothing(signal: str, name: str, unit: str, full: bool) -> Finding:
    """Means over windows against those of the rigid rod; then where the printed window lies."""
    rigid, elastic = (windows(full).mean(f"peak {signal}") for windows in (dry_windows, elastic_windows))
    printed = case.PUBLISHED[f"{name}, elastic"]
    share = elastic_windows(full).percentile_of(f"peak {signal}", printed)
    ordinary = (100.0 - CENTRAL) / 2 <= share <= (100.0 + CENTRAL) / 2
    text = (
        f"mean {elastic} {unit} against {rigid} with a rigid rod, a ratio of {elastic.value / rigid.value:.2f} instead "
        f"of {printed / case.PUBLISHED[name]:.2f}; the printed window lies at {share:.0f} % of ours, "
        f"{'an ordinary one' if ordinary else 'a rare one'}"
    )
    return Finding(text, DIFFERS if elastic.value < rigid.value else NOT_REPRODUCED)


def _smoother(full: bool) -> Finding:
    rigid, elastic = (windows(full).mean("rms slider.ax") for windows in (dry_windows, elastic_windows))
    far = rigid.distance(elastic)
    text = f"rms of the slider's acceleration {elastic} against {rigid} m/s^2, {far:.1f} standard errors lower"
    return Finding(text, REPRODUCED if elastic.value < rigid.value and far > 3.0 else NOT_REPRODUCED)


def _ripple(full: bool) -> Finding:
    """The strongest part of the torque's spectrum above the first bending frequency, beside the rigid rod's there."""
    period, count = 2.0 * math.pi / case.SPEED, 40_000
    omega = 2.0 * math.pi * np.fft.rfftfreq(count, period / count)
    spectra = []
    for m in (case.elastic_elements(), case.hertz()):
        torque = gd.simulate(m, revolutions=1, rtol=1e-11, output=period / count)["main.torque"][:count]
        spectra.append(np.abs(np.fft.rfft(torque * np.hanning(count))) * 4.0 / count)
    first, second = case.PUBLISHED["first bending frequency"], case.PUBLISHED["second bending frequency"]
    band = (omega > 0.8 * first) & (omega < 1.2 * second)
    peak = int(np.argmax(np.where(band, spectra[0], 0.0)))
    near = np.abs(omega - omega[peak]) < 0.05 * omega[peak]
    strength, rigid = (math.sqrt(float((x[near] ** 2).sum())) for x in spectra)
    flight = 2.0 * math.pi * modes(case.elastic_elements(), at="start").frequencies[0]
    text = (
        f"strongest at {omega[peak]:.0f} rad/s, {strength:.0f} N m against {rigid:.0f} N m with a rigid rod. In flight "
        f"one end of the rod is free, and its first frequency is {flight:.0f} rad/s, not that of two supports"
    )
    if strength < 1.2 * rigid:
        return Finding(text, NOT_REPRODUCED)
    return Finding(text, REPRODUCED if abs(omega[peak] / first - 1.0) < 0.2 else DIFFERS)


def _smaller_than_film(full: bool) -> Finding:
    rigid, elastic = (windows(full).mean("peak pin.normal") for windows in (dry_windows, elastic_windows))
    film = steady_film()[0].maximum("pin.force")
    by_rod, by_film = 1.0 - elastic.value / rigid.value, 1.0 - film / rigid.value
    text = (
        f"the mean peak force falls by {100 * by_rod:.0f} % with an elastic rod, by {100 * by_film:.0f} % with a film"
    )
    return Finding(text, REPRODUCED if 0.0 < by_rod < 0.5 * by_film else NOT_REPRODUCED)


def _deviations(full: bool) -> Finding:
    period = 2.0 * math.pi / case.SPEED
    ideal, rigid, elastic = (
        gd.simulate(m, revolutions=2, rtol=1e-10, output=period / 2000)
        for m in (case.ideal(), case.hertz(), case.elastic_elements())
    )
    deviations = []
    for channel in ("slider.x", "slider.vx"):
        off = [np.abs(run[channel] - ideal[channel][: len(run.t)]).max() for run in (rigid, elastic)]
        deviations.append((float(off[0]), float(off[1])))
    (x0, x1), (v0, v1) = deviations
    text = (
        f"from the ideal motion at most {x1 * 1e3:.3f} mm and {v1:.2f} m/s, with a rigid rod {x0 * 1e3:.3f} mm and "
        f"{v0:.2f} m/s"
    )
    return Finding(text, REPRODUCED if abs(x1 / x0 - 1) < 0.1 and abs(v1 / v0 - 1) < 0.1 else DIFFERS)


CLAIMS = (
    Claim("002 §5.3", "bending frequencies of the rod on two supports", "49e3, 197e3 rad/s", _bending, "1 %",
          quick=True),
    Claim("002 §5.3", "first axial frequency of the rod", "268e3 rad/s", _axial, "1 %", "a full round bar of steel",
          quick=True),
    Claim("002 §5.3", "two beam elements: six degrees of freedom", "6", _freedoms, "none", quick=True),
    Claim("002 §5.3", "an elastic rod lowers the peak acceleration", "180e3 to 120e3 m/s^2",
          lambda full: _smoothing("slider.ax", "peak slider acceleration", "m/s^2", full), MEANS),
    Claim("002 §5.3", "an elastic rod lowers the peak torque", "1.35 to 0.85 kN m",
          lambda full: _smoothing("main.torque", "peak driving torque", "N m", full), MEANS),
    Claim("002 §5.3", "the elasticity of the rod smooths", "in words", _smoother, "3 standard errors"),
    Claim("002 §5.3", "impacts of the first turn excite bending, seen in the torque", "near 49e3 rad/s", _ripple,
          "20 % in frequency", quick=True),
    Claim("002 §6", "elastic links smooth far less than a film", "in words", _smaller_than_film, "half as much"),
    Claim("002 §6", "deviations of position and velocity stay the same", "in words", _deviations, "10 %",
          quick=True),
)  # fmt: skip
