"""Schwab, Meijaard, Meijers 2002: a comparison of revolute joint clearance models.

Mechanism and Machine Theory 37, 895-913; sections 3.1, 3.2 and 5.1 to 5.4.

Ambiguities resolved here:
  - The contact is that of a ball in a socket (Eq 3 with R2 < 0), as in the article, though the pin is long.
  - The rod is uniform: inertia m L^2 / 12 about its middle. Crank mass and slider inertia do not matter at
    constant speed in a straight guide; they have ordinary values.
  - The article superposes small vibrations on the ideal motion; here nothing is linearised.
  - The force is not clipped at zero and the ratio of rates is not limited.
  - The elastic rod bends about the chord between its pins; what bending shortens it by is left out (1e-7 m), damping
    goes with the rate of strain. Bending stiffness and mass are those of no bar of steel; that changes nothing here.
  - Film: r is the sleeve's radius of 10 mm, as under Fig 3, though the journal has 9.5 mm and the text says journal
    radius. Eq 6 and A.11 are the force on the sleeve, Fig 3 shows that on the journal. The film has no shear: its force
    acts at the pin's centre.
"""

from gudgeon.papers.article import Article
from gudgeon.papers.schwab2002.cases import (
    BASES,
    BENDING,
    CRANK,
    MASS,
    PUBLISHED,
    ROD,
    SPEED,
    SPIN,
    STEEL,
    VISCOSITY,
    bearing,
    elastic,
    elastic_elements,
    film,
    hertz,
    ideal,
    impact,
    sphere,
)

__all__ = [
    "ARTICLE", "BASES", "BENDING", "CRANK", "MASS", "PUBLISHED", "ROD", "SPEED", "SPIN", "STEEL", "VISCOSITY",
    "bearing", "elastic", "elastic_elements", "film", "hertz", "ideal", "impact", "sphere",
]  # fmt: skip

ARTICLE = Article(__name__, "Schwab, Meijaard, Meijers 2002", "002")
