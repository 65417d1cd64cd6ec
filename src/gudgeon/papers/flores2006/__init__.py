"""Flores, Ambrosio, Claro, Lankarani 2006: spatial mechanisms with spherical joints with clearance.

"Dynamics of multibody systems with spherical clearance joints", J. Computational and Nonlinear Dynamics 1, 240-247;
the example of a four-bar mechanism.

Ambiguities resolved here:
  - The article gives lengths, not positions. Those here are the example of Nikravesh's DAP-3D, from memory: they have
    the printed lengths (20.0, 121.96, 73.82 mm against 20, 122, 74 mm) and body axes.
  - Centres of mass lie at mid-length. The moments of inertia of Table 1, some ten times those of uniform rods, are used
    as printed.
  - Eq 18 has R_i + R_j under the root, which is for two convex spheres (K = 1.058e10 N/m^1.5); for a ball in a socket
    it is R_i - R_j (6.610e10). `socket` chooses the second.
  - The ratio of rates is at most 1 and the force does not pull, as in Ambrosio and Pombo 2018.
"""

from gudgeon.papers.article import Article
from gudgeon.papers.flores2006.cases import PUBLISHED, four_bar, stiffness

__all__ = ["ARTICLE", "PUBLISHED", "four_bar", "stiffness"]

ARTICLE = Article(__name__, "Flores, Ambrosio, Claro, Lankarani 2006", "001")
