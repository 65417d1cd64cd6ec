"""Measures: what is kept of one motion, each some named numbers or words.

    observe(mechanism, ["peak pin.force", "regime"], transient=100, turns=200)
    -> {"peak pin.force": 28112.4, "regime": "chaotic", "period": 0.0, "confidence": 0.99, "exponent": 5.3, ...}

A file in this folder is a measure. It says how it is computed from one motion (`take`) and, where many motions are
marched at once on threads or a graphics card, what has to be kept of each of them (`keeps`) and how it follows from
that (`of_many`); a measure without the latter needs the engine "local". It registers by being defined, and is found
because its file exists. All measures of one call share one motion: the transient is marched once, and so is what
follows. Every value is a plain float or str, so that a table, a file or another process can hold it.
"""

import importlib
import pkgutil

from gudgeon.analysis.measures.measure import Measure, named, observe

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

MEASURES: dict[str, type[Measure]] = dict(sorted(Measure.registry.items()))

__all__ = ["MEASURES", "Measure", "named", "observe"]
