"""What a motion is: sections, periods, exponents, spectra, regimes, bifurcations, statistics.

Sections and exponents follow the state itself, so they hold for whatever a mechanism is made of.
"""

from gudgeon.analysis.measure import Measure, named, observe
from gudgeon.analysis.regime import Regime, regime

__all__ = ["Measure", "Regime", "named", "observe", "regime"]
