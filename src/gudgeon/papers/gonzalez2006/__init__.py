"""Gonzalez, Dopico, Lugris, Cuadrado 2006: the basic problems of the library of multibody benchmarks.

"A benchmarking system for MBS simulation software: problem standardization and performance measurement", Multibody
System Dynamics 16, 179-190; now the IFToMM library of computational benchmark problems, A01 to A05.

Where the numbers come from:
  - A01, A02, A04, A05: the descriptions of the library and the models that Tagliapietra, Vivian, Ceseracciu, Reggiani
    made of them for OpenSim. The library's files of reference solutions were not at hand; the tests solve each problem
    once more in its fewest coordinates.
  - A03: the same mechanism, with more digits, is that of Hairer, Wanner, Solving ODEs II, VII.7 and of the test set of
    initial value problems, which prints its state at 0.03 s. There is no gravity.

Resolved here:
  - A point mass (A01) gets a moment of inertia of 1e-6 kg m^2, since a body needs one: 1e-6 of the swing's.
  - A02: "rk4" with a step of 1 ms passes the singular positions best; methods that control their error stop there when
    asked for much, since the equations lose their digits near them ("dopri5" below 1e-9).
  - A04: rods of square section, 0.1 m wide, on the edges of a cube; the hinges lie along the coordinates.
  - A05: each ball is one body with its rod, sections of 10 mm included.
"""

from gudgeon.papers.article import Article
from gudgeon.papers.gonzalez2006.cases import ANDREWS, andrews, bricard, four_bars, governor, pendulum

__all__ = ["ANDREWS", "ARTICLE", "andrews", "bricard", "four_bars", "governor", "pendulum"]

ARTICLE = Article(__name__, "Gonzalez, Dopico, Lugris, Cuadrado 2006")
