"""Film laws: one file, one law. A film that is not there is None, not a law."""

from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.film.moes import Moes
from gudgeon.laws.film.ocvirk import Ocvirk
from gudgeon.laws.film.sommerfeld import Sommerfeld

__all__ = ["FilmLaw", "Moes", "Ocvirk", "Sommerfeld"]
