"""Flores, Leine, Glocker 2010: a slider-crank with play in the translational joint.

Multibody System Dynamics 23, 165-190, https://doi.org/10.1007/s11044-009-9178-y; the mechanism of Table 1.
Its reference motion is that of the program Siconos (siconos-tutorials, examples/mechanics/SliderCrank), which
treats impacts as instants.

The crank is not driven: it starts at 150 rad/s and gravity acts. A slider of 100 x 50 mm runs in a guide 1 mm
wider on each side; its four corners can touch, with restitution 0.4 and friction 0.01.

Here the walls are compliant, so that impacts last some ten microseconds:
  - ExactRestitution, so that a free impact of one corner has the 0.4 that Newton's law asks for;
  - the stiffness is that of no material; it is large enough for the depth to stay small against the play;
  - friction is full from a slip of 10 mm/s on, against slips of metres per second.
"""

from gudgeon.papers.article import Article
from gudgeon.papers.flores2010.cases import CRANK, ROD, SPEEDS, slider_crank

__all__ = ["ARTICLE", "CRANK", "ROD", "SPEEDS", "slider_crank"]

ARTICLE = Article(__name__, "Flores, Leine, Glocker 2010")
