"""The family of film laws: an oil film between journal and bearing, as scalars in the frame of the eccentricity.

e points from the bearing centre to the journal centre. Only the pure-squeeze velocity moves oil into the gap
(Booker 1965; Schwab, Meijaard, Meijers 2002, A.2):

    v_s = de/dt - 1/2 (omega_i + omega_j) x e         squeeze = v_s along e, sweep = v_s across e (e turned +90 deg)

so a film does not feel a rotation that carries both parts and the eccentricity along: the force is objective. The
force F on the journal loses the power F v_s <= 0. The shear of the surfaces adds the couple -C (omega_i - omega_j) on
the journal and the opposite one on the bearing, for a gap that is wetted all round

    C = mu l r^3 / c  integral dtheta / (1 - epsilon cos theta) = 2 pi mu l r^3 / (c sqrt(1 - epsilon^2))

(Petroff 1883 for epsilon = 0, Sommerfeld 1904). Moments balance when half of -e x F acts on each part:
F de/dt - 1/2 (e x F) (omega_i + omega_j) = F v_s, and what drives v_s by its gradient has this split built in.

A journal that tilts in its bearing moves oil along the axis too, which no law of the cross-section knows. In a centred
gap, wetted all round, the pressure P(z) cos(theta) by a velocity v(z) along theta = 0 obeys Reynolds' equation
P'' - P/r^2 = -12 mu v(z) / c^3 with P = 0 at both ends. With lambda = l / 2r

    v = v_0:       P = 12 mu v_0 r^2/c^3 (1 - cosh(z/r) / cosh(lambda))
    v = z phi':    P = 12 mu phi' r^2/c^3 (z - l/2 sinh(z/r) / sinh(lambda))

so the couple against the tilt rate phi' is to the force against v_0 as the mean square distance of the film's parts,

    (kappa l)^2 / 12,    kappa^2 = (lambda^2 - 3 lambda coth(lambda) + 3) / (lambda (lambda - tanh(lambda)))

Even parts of the film spread over kappa times the length have exactly this. kappa^2 is 1/5 for short bearings, whose
ends carry little, 1 for long ones, where every cross-section is on its own.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, ClassVar, Literal

from gudgeon.laws.law import Block, Law
from gudgeon.laws.oil import ViscosityUnit
from gudgeon.laws.pair import Pair
from gudgeon.quantity import SI, GudgeonError

__all__ = ["RADIUS", "FilmLaw", "Viscosity", "tilt_reach"]

RADIUS = 1  # place of the radius in the block of a film law

Viscosity = Annotated[SI, ViscosityUnit("Pa s", above=0.0)]


def tilt_reach(slenderness: float) -> float:
    """kappa [-] of a bearing by its length in diameters."""
    x = slenderness
    if x < 0.03:  # where the differences below lose their digits
        square = x * x
        return math.sqrt(0.2 * (1.0 - 2.0 / 21.0 * square) / (1.0 - 0.4 * square))
    return math.sqrt((x * x - 3.0 * x / math.tanh(x) + 3.0) / (x * (x - math.tanh(x))))


@dataclass(frozen=True)
class FilmLaw(Law, family=True):
    """Force of a film on the journal; a new law defines `radial`, `tangential` and `pressure`.

    viscosity [Pa s]: dynamic, "40 mPa s", or an oil, "ISO VG 46 at 60 °C"
    radius [-]: the one in the formulas, "bearing" or "journal"; thin films do not tell them apart
    """

    shape: ClassVar[str] = "cylinder"  # of the gap that it fills: that of mates with the same `film_shape`
    lengths: ClassVar[tuple[float, float]] = (0.0, math.inf)  # of the bearing, in diameters, where the law holds
    whole: ClassVar[bool] = False  # fills a sleeve as a whole, from the gaps at both ends, and not strip by strip
    beyond: ClassVar[str] = "its force is too large; use Moes or ReynoldsTable"

    viscosity: Viscosity
    _: KW_ONLY
    radius: Literal["bearing", "journal"] = "bearing"

    def validate(self) -> None:
        if self.radius not in ("bearing", "journal"):
            raise GudgeonError(
                f'{type(self).__name__}: radius {self.radius!r} is unknown; choose "bearing" or "journal"'
            )

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls("100 cP")]

    def gap(self, pair: Pair) -> tuple[float, float]:
        """Clearance and radius [m] of a pair that has both."""
        law, clearance = type(self).__name__, pair.clearance
        radius = pair.bearing_radius if self.radius == "bearing" else pair.journal_radius
        if clearance is None or radius is None:
            raise GudgeonError(
                f"{pair.title}: {law} needs the radii of bearing and journal; "
                "give the joint radius=... and the fit a clearance"
            )
        if not clearance > 0.0:
            raise GudgeonError(
                f"{pair.title}: {law} needs a gap for the oil, but the clearance is {clearance:g} m; give one above 0"
            )
        if not radius > 0.0:
            raise GudgeonError(
                f"{pair.title}: {law} needs a {self.radius} radius above 0, not {radius:g} m; make the joint larger"
            )
        return clearance, radius

    def pack(self, pair: Pair) -> dict[str, float]:
        """p[0] clearance, p[1] radius, p[2] length, p[3] viscosity."""
        clearance, radius = self.gap(pair)
        law, length = type(self).__name__, pair.length
        if length is None or not length > 0.0:
            problem = "it has none" if length is None else f"it is {length:g} m"
            raise GudgeonError(
                f'{pair.title}: {law} needs the length of the bearing, but {problem}; give the joint length="20 mm"'
            )
        return {"clearance": clearance, "radius": radius, "length": length, "viscosity": self.viscosity}

    def slenderness(self, pair: Pair) -> float:
        """Length / diameter of the bearing [-]."""
        block = FilmLaw.pack(self, pair)
        return 0.5 * block["length"] / block["radius"]

    def reach(self, pair: Pair) -> float:
        """Part of the length [-] over which even parts of the film stand for it where the journal tilts."""
        return tilt_reach(self.slenderness(pair))

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """A bearing too long or too short for the law."""
        slenderness, (shortest, longest) = self.slenderness(pair), self.lengths
        if shortest <= slenderness <= longest:
            return []
        sentence = f"{type(self).__name__}: {pair.title} is {slenderness:.3g} diameters long"
        return [f"{sentence}, for which {self.beyond}"]

    @staticmethod
    def radial(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        """Force on the journal along e, outward [N]; ratio = |e| / c [-], squeeze, sweep [m/s]. nan from ratio 1 on."""
        raise NotImplementedError

    @staticmethod
    def tangential(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        """Force on the journal along e turned by +90 degrees [N]."""
        raise NotImplementedError

    @staticmethod
    def pressure(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        """Largest pressure of the film above ambient [Pa]."""
        raise NotImplementedError

    @staticmethod
    def couple(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        """Shear coefficient C [N m s/rad]; ruptured oil counts as oil, so this is an upper bound."""
        if not ratio < 1.0:
            return math.nan
        return 2.0 * math.pi * p[3] * p[2] * p[1] ** 3 / (p[0] * math.sqrt((1.0 - ratio) * (1.0 + ratio)))
