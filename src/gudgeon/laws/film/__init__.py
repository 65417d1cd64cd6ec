"""Film laws: one file, one law. No film is None, not a law."""

from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.film.misaligned import Misaligned
from gudgeon.laws.film.moes import Moes
from gudgeon.laws.film.ocvirk import Ocvirk
from gudgeon.laws.film.pinkus_sternlicht import PinkusSternlicht
from gudgeon.laws.film.reynolds_table import ReynoldsTable
from gudgeon.laws.film.sommerfeld import Sommerfeld
from gudgeon.laws.film.sphere import Sphere

__all__ = ["FilmLaw", "Misaligned", "Moes", "Ocvirk", "PinkusSternlicht", "ReynoldsTable", "Sommerfeld", "Sphere"]
