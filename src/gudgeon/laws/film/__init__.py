"""Film laws: place and motion of a journal in its bore to the force of the oil.

One file, one law: a law registers because its module lies here. It states its reference, its validity and `examples`,
which the conformance tests try.
"""

from gudgeon.laws.film.base import FilmLaw
from gudgeon.plugins import load_modules

__all__ = ["FilmLaw"]

load_modules(__name__, __path__)
