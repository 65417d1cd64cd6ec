"""Friction laws: slip and normal force to a friction force.

One file, one law: a law registers because its module lies here. It states its reference, its validity and `examples`,
which the conformance tests try.
"""

from gudgeon.laws.friction.base import FrictionLaw
from gudgeon.plugins import load_modules

__all__ = ["FrictionLaw"]

load_modules(__name__, __path__)
