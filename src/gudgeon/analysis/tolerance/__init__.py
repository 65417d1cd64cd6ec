"""What the play of joints does to positions, before any contact is simulated.

    gd.tolerance(mechanism, ["slider.x"])                        worst case, percentiles, which joint contributes what
    gd.tolerance(mechanism, ["tool"], points={"tool": ("rod", (0.17, 0.02))}, limits={"tool": "0.2 mm"})

The mechanism moves with ideal joints. Play lets each pair of surfaces deviate by a vector that stays within the
clearance: two components for a pin, three for a ball, one at each end of a slot. To first order the error of a position
is linear in these vectors, and the factors (`influence.py`) follow from the derivatives of the constraints that the
equations of motion use; nothing is differentiated by hand. What these vectors are while the machine runs is not known
without dynamics: so the answer has the worst case, and a distribution in which each vector lies anywhere within its
clearance, or anywhere on the wall, independent of the others (`distribution.py`). The worst case is repeated exactly,
by assembling the mechanism with these vectors, which shows how good the first order is.
"""

from gudgeon.analysis.tolerance.influence import Influences, Play, influences
from gudgeon.analysis.tolerance.tolerance import Contribution, PositionError, Tolerance, share_within, tolerance

__all__ = [
    "Contribution", "Influences", "Play", "PositionError", "Tolerance", "influences", "share_within", "tolerance",
]  # fmt: skip
