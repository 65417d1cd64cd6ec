"""Liner laws, the elastic layer of a bushing: one file, one law."""

from gudgeon.laws.liner.base import LinerLaw
from gudgeon.laws.liner.linear_liner import LinearLiner
from gudgeon.laws.liner.liner_table import LinerTable
from gudgeon.laws.liner.polynomial_liner import PolynomialLiner

__all__ = ["LinearLiner", "LinerLaw", "LinerTable", "PolynomialLiner"]
