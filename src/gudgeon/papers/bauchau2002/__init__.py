"""Bauchau, Rodriguez 2002: modeling of joints with clearance in flexible multibody systems.

International Journal of Solids and Structures 39, 41-63; sections 7.1 (crank-slider), 7.2 (crank-slider with a spatial
clearance joint) and 7.3 (quick return).

Crank and arm are beams of four cubic elements, the slider weighs 40 kg, the crank turns at 150 rpm. Section 7.1 gives
results of the third revolution. Ambiguities resolved here, each an option of `crank_slider`:
  - The section of 30 x 10 mm bends over its 30 mm: over 10 mm the crank and the slider are in resonance, and the
    article's critical speed out of the plane is that of 10 mm across.
  - Point A, which has the clearance, joins arm and slider: the joint of crank and arm gives other percentages.
  - The stiffness of the contact is 64 GN/m^1.5, what Hertz gives for these spheres of steel; 64 MN/m^1.5, as printed,
    would let the journal sink in by several clearances.
  - The start is stretched out, undeformed, with the velocities of rigid links at 150 rpm and the pin centred. The
    article's crank angle is ours less half a turn.
  - The film needs an end, which the results depend on: it is nowhere thinner than `film_end` times the clearance, and
    from twice that on the wall takes part. Its force acts at the journal's centre.
  - The motor of Table 1 turns at 146.1 rpm with the 225 V given there, at 150 rpm with 231 V. It starts at 150 rpm
    without current.
"""

from gudgeon.papers.article import Article
from gudgeon.papers.bauchau2002 import quick_return, space
from gudgeon.papers.bauchau2002.cases import (
    A1,
    A2,
    A3,
    A4,
    A5,
    B1,
    B2,
    B3,
    C1,
    C2,
    C3,
    C4,
    C5,
    C6,
    C7,
    C8,
    CHANNELS,
    PUBLISHED,
    crank_slider,
    peaks,
)
from gudgeon.papers.bauchau2002.parts import clearance
from gudgeon.papers.bauchau2002.quick_return import quick_return_1, quick_return_1b, quick_return_2, quick_return_3
from gudgeon.papers.bauchau2002.space import spatial_A1, spatial_A2, spatial_A3

__all__ = [
    "A1", "A2", "A3", "A4", "A5", "ARTICLE", "B1", "B2", "B3", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8",
    "CHANNELS", "PUBLISHED", "clearance", "crank_slider", "peaks", "quick_return", "quick_return_1",
    "quick_return_1b", "quick_return_2", "quick_return_3", "space", "spatial_A1", "spatial_A2", "spatial_A3",
]  # fmt: skip

ARTICLE = Article(__name__, "Bauchau, Rodriguez 2002", "003")
