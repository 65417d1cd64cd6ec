"""Published mechanisms, ready to run: one module per article, each with what the article printed.

    from gudgeon.papers import flores2007
    run = gd.simulate(flores2007.slider_crank("0.5 mm"), revolutions=2)

`gudgeon reproduce all` computes every claim anew and says which of them hold.
"""

from gudgeon.papers import (
    ambrosio2018,
    bauchau2002,
    bauchau2002_space,
    flores2006,
    flores2007,
    flores2010,
    gonzalez2006,
    schwab2002,
)

__all__ = [
    "ambrosio2018", "bauchau2002", "bauchau2002_space", "flores2006", "flores2007", "flores2010", "gonzalez2006",
    "schwab2002",
]  # fmt: skip
