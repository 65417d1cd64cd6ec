"""What a motion is: sections, periods, exponents, spectra, regimes, bifurcations, statistics.

Sections and exponents follow the state itself, so they hold for whatever a mechanism is made of.
"""

from gudgeon.analysis.measure import Measure, named, observe

__all__ = ["Measure", "named", "observe"]
