"""Pereira-Ramalho-Ambrosio: an explicit law for a cylinder in a bore or on a cylinder, fitted to Johnson's.

    F = (a dR + b) L E* / (N dR) depth^n [1 + 3/4 (1 - e^2) rate / rate0]

    internal  dR = R_B - R_J, a = 0.965, b = 0.0965, n = Y dR^-0.005
              Y = 1.51 ln(1000 dR)^-0.151 for dR in 0.005 .. 0.34954 mm, 0.0151 dR + 1.151 up to 10 mm
    external  dR = R_B + R_J, a = 0.39, b = 0.85, n = 1.094

All lengths in mm and E* in N/mm^2, as the fit was made; in SI units the same formula is 37 times wrong.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, ClassVar, Literal

from gudgeon.laws.contact.cylinder import cylinder_sizes
from gudgeon.laws.contact.hysteresis import HysteresisLaw
from gudgeon.laws.law import Law
from gudgeon.laws.material import STEEL, Materials, composite_modulus, read_materials, yield_warnings
from gudgeon.laws.pair import Pair
from gudgeon.laws.restitution import lankarani_nikravesh_hysteresis
from gudgeon.quantity import SI, GudgeonError, Ratio, Unit

__all__ = ["PereiraCylinder"]

Strips = Annotated[SI, Unit("", minimum=1.0)]


@dataclass(frozen=True)
class PereiraCylinder(HysteresisLaw):
    """Line contact of cylinders in explicit form, with the damping of Lankarani and Nikravesh.

    material [-]: one Material, or (journal, bearing)
    restitution [-]: what is asked, see LankaraniNikravesh
    strips [-]: number of touches that share the length of the bearing
    contact [-]: "internal", a pin in a bore, or "external", two convex cylinders
    """

    reference: ClassVar[str] = "Pereira, Ramalho, Ambrosio 2015; Ambrosio, Pombo 2018, Eqs 44-48"
    works: ClassVar[tuple[str, ...]] = ("ambrosio2018", "lankarani1990")
    validity: ClassVar[str] = (
        "Clearance 0.005 to 10 mm; within 14 per cent of Johnson for 0.02 to 2 mm, 10 to 1000 N/mm."
    )

    material: Materials = STEEL
    _: KW_ONLY
    restitution: Ratio
    strips: Strips = 1.0
    contact: Literal["internal", "external"] = "internal"

    def validate(self) -> None:
        read_materials(self.material, "PereiraCylinder: material")
        if self.contact not in ("internal", "external"):
            raise GudgeonError(f'PereiraCylinder: contact {self.contact!r} is unknown; choose "internal" or "external"')
        if self.strips % 1.0:
            raise GudgeonError(f"PereiraCylinder: strips {self.strips:g} must be a whole number, 1 or more")
        super().validate()

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(restitution=0.8), cls(restitution=0.8, contact="external", strips=4)]

    @property
    def hysteresis(self) -> float:
        return lankarani_nikravesh_hysteresis(self.restitution)

    def pack(self, pair: Pair) -> dict[str, float]:
        internal = self.contact == "internal"
        bearing, journal, length = cylinder_sizes(pair, "PereiraCylinder", internal=internal)
        gap = 1e3 * (bearing - journal if internal else bearing + journal)
        exponent = _internal_exponent(gap, pair) if internal else 1.094
        a, b = (0.965, 0.0965) if internal else (0.39, 0.85)
        modulus = 1e-6 * composite_modulus(self.material)
        stiffness = (a * gap + b) * 1e3 * length * modulus / (self.strips * gap)
        return {**self.pack_hysteresis(), "stiffness": stiffness * 1e3**exponent, "exponent": exponent}

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """Where the fit is poor, and speed beyond the elastic limit."""
        sentences = []
        gap = 1e3 * (pair.clearance or 0.0)
        if self.contact == "internal" and not 0.01 <= gap <= 2.0:
            sentences.append(
                f"PereiraCylinder: at a clearance of {gap:.3g} mm the fit is 0.3 to 0.9 times Johnson's force"
            )
        load = 1e-3 * force * self.strips / pair.length if pair.length else 0.0
        if 0.0 < load < 10.0:
            sentences.append(f"PereiraCylinder: the fit is poor below 10 N/mm; the load is {load:.3g} N/mm")
        return sentences + yield_warnings("PereiraCylinder", self.material, rate)


def _internal_exponent(gap: float, pair: Pair) -> float:
    if not 0.005 <= gap <= 10.0:
        raise GudgeonError(
            f"{pair.title}: PereiraCylinder holds for clearances from 0.005 to 10 mm, not {gap:.4g} mm; "
            "use JohnsonCylinder"
        )
    y = 1.51 * math.log(1e3 * gap) ** -0.151 if gap <= 0.34954 else 0.0151 * gap + 1.151
    return y * gap**-0.005
