"""Ambrosio, Pombo 2018: a unified formulation for mechanical joints with and without clearances, bushings and stops.

"A unified formulation for mechanical joints with and without clearances/bushings and/or stops in the framework of
multibody systems", Multibody System Dynamics 42, 317-345; section 3.

Ambiguities resolved here:
  - Slider-crank: the article does not say how the universal joint between rod and slider stands. Its axis in the slider
    is z, the only choice that has the angular velocity of the rod printed in Table 2 (model "P"). Two submissions to
    the IFToMM benchmark have it along x: "G" (Gonzalez) with the same rod, "M" (Masoudi) with the small moment of
    inertia across the rod.
  - Stiffness 5e6 "N/m" has the unit N/m^1.5.
  - Revolute clearance: the size of the bearing is not printed. `length` and `shared` are the two that matter.
  - Axial forces of a loose shoulder act along one line. The printed ones, at the middle of either side, leave a couple
    that makes up to 0.7 mJ in 0.5 s out of nothing; with them the crank moves otherwise by 1e-5 m in that time.
  - Null clearance: the surfaces never part, so that the first-touch speed is 0 and the law does not damp.
  - After 5 s a loose bearing is far beyond the time in which nearby motions part (0.34 s with 1 mm, 1.3 s with none, to
    1e-6 m): energy, turns and tilt at the end are values of distributions. `spread` gives them; single
    numbers of two programs, or of two sets of coordinates, cannot be compared. A second program with equations of its
    own has the same distribution of the energy left with 1 mm (tests/reference/independent).
  - The rule for the ratio of rates is the printed one: 1 where the first-touch speed is 0, and at most 1. The force is
    not allowed to pull.
  - Triple pendulum: the horizontal axis is y; the cylindrical joint is between bodies 1 and 2; the third body's centre
    of mass lies 0.3 m from its joint (Table 3), although its length is given as 0.3 m.
"""

from gudgeon.papers.ambrosio2018.cases import ball, slider_crank, triple_pendulum, wall
from gudgeon.papers.article import Article

__all__ = ["ARTICLE", "ball", "slider_crank", "triple_pendulum", "wall"]

ARTICLE = Article(__name__, "Ambrosio, Pombo 2018", "000")
