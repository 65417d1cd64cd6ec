"""What a motion is: sections, periods, exponents, spectra, regimes, bifurcations, statistics.

    gd.regime(mechanism)                        label, confidence and the numbers behind them
    gd.bifurcate(mechanism, path, values, channel)
    Motion(mechanism, transient=200).exponent   the parts, each computed once
    strobe(mechanism, ["pin.ex"]), section(run, "slider.vx"), spectrum(run, "slider.ax")
    observe(mechanism, ["regime", "peak pin.force"])
    gd.routes(mechanism, film=Moes("400 cP"))   one joint by every route, and how well they agree
    modes(mechanism), equilibrium(mechanism)    natural frequencies and where it rests
    gd.tolerance(mechanism, ["slider.x"])       errors of position by play, without dynamics
    gd.contact_loss(mechanism)                  where loose pins must lose contact, from the motion with ideal joints
    multipliers(mechanism)                      whether small differences from a periodic motion die out

Sections and exponents follow the state itself, so they hold for whatever a mechanism is made of. What lies beyond the
trust horizon of a motion is said to be a statistic, and comes with its standard error.
"""

from gudgeon.analysis.agreement import Routes, routes
from gudgeon.analysis.measures import Measure, named, observe
from gudgeon.analysis.motions.bifurcation import Bifurcation, bifurcate
from gudgeon.analysis.motions.motion import Motion, regime
from gudgeon.analysis.motions.multipliers import Multipliers, multipliers
from gudgeon.analysis.motions.regimes import Regime
from gudgeon.analysis.motions.sections import Portrait, SectionPoints, portrait, section, strobe
from gudgeon.analysis.motions.series import repetition, spectrum, zero_one
from gudgeon.analysis.rest.equilibrium import Equilibrium, equilibrium
from gudgeon.analysis.rest.modes import Mode, Modes, modes
from gudgeon.analysis.statistics.mean import Mean, mean_of
from gudgeon.analysis.statistics.percentiles import Percentile
from gudgeon.analysis.statistics.sobol_indices import SobolIndices
from gudgeon.analysis.statistics.windows import Windows, sample_windows

__all__ = [
    "Bifurcation",
    "Equilibrium",
    "Mean",
    "Measure",
    "Mode",
    "Modes",
    "Motion",
    "Multipliers",
    "Percentile",
    "Portrait",
    "Regime",
    "Routes",
    "SectionPoints",
    "SobolIndices",
    "Windows",
    "bifurcate",
    "equilibrium",
    "mean_of",
    "modes",
    "multipliers",
    "named",
    "observe",
    "portrait",
    "regime",
    "repetition",
    "routes",
    "sample_windows",
    "section",
    "spectrum",
    "strobe",
    "zero_one",
]
