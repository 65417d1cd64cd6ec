"""Liner laws: deflection and rate to the force of an elastic layer.

One file, one law: a law registers because its module lies here. It states its reference, its validity and `examples`,
which the conformance tests try.
"""

from gudgeon.laws.liner.base import LinerLaw
from gudgeon.plugins import load_modules

__all__ = ["LinerLaw"]

load_modules(__name__, __path__)
