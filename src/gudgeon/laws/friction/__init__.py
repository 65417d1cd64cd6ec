"""Friction laws: one file, one law. No friction is None, not a law."""

from gudgeon.laws.friction.base import FrictionLaw
from gudgeon.laws.friction.lugre import LuGre
from gudgeon.laws.friction.modified_coulomb import ModifiedCoulomb
from gudgeon.laws.friction.smooth_coulomb import SmoothCoulomb
from gudgeon.laws.friction.stribeck import Stribeck

__all__ = ["FrictionLaw", "LuGre", "ModifiedCoulomb", "SmoothCoulomb", "Stribeck"]
