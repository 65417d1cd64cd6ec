"""Flores, Ambrosio, Claro, Lankarani 2007: planar mechanisms with revolute joints with clearance.

"Dynamic behaviour of planar rigid multi-body systems including revolute joints with clearance", Proc. IMechE,
Part K: J. Multi-body Dynamics 221, 161-174; sections 6 and 7.

Ambiguities resolved here:
  - Centres of mass are at mid-length and there is no gravity unless asked; the article says neither.
  - Eq 4 is used with a negative bearing radius: only so does it give the 6.6e10 N/m^1.5 of section 3.
  - Four-bar: Table 1 has lengths and masses by body number; the masses of 7.8 kg per metre fit ground 0.15,
    crank 0.40, coupler 0.26, follower 0.46 m, a drag-link. Start angle and branch are not printed.
  - Slider-crank: clockwise is a negative speed. The pin is on the rod, the bore in the slider.
  - Friction: v0 = 1e-3 and v1 = 1e-2 m/s of the modified Coulomb law are not printed.
  - The force is not clipped at zero and the ratio of rates is not limited.
"""

from gudgeon.papers.article import Article
from gudgeon.papers.flores2007.cases import (
    FOUR_BAR_SPEED,
    PUBLISHED,
    REGIME_BY_CLEARANCE,
    REGIME_BY_FRICTION,
    SLIDER_CRANK_SPEED,
    four_bar,
    slider_crank,
)

__all__ = [
    "ARTICLE", "FOUR_BAR_SPEED", "PUBLISHED", "REGIME_BY_CLEARANCE", "REGIME_BY_FRICTION", "SLIDER_CRANK_SPEED",
    "four_bar", "slider_crank",
]  # fmt: skip

ARTICLE = Article(__name__, "Flores, Ambrosio, Claro, Lankarani 2007", "004")
