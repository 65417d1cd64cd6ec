"""The section of a beam: what it resists and what it weighs, from its shape or given as numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

from gudgeon.laws import Material
from gudgeon.quantity import SI, GudgeonError, Part, Unit, quantity

__all__ = ["Section"]

AxialStiffness = Annotated[SI, Unit("N", above=0.0)]
BendingStiffness = Annotated[SI, Unit("N m^2", above=0.0)]
LineMass = Annotated[SI, Unit("kg/m", above=0.0)]
LineInertia = Annotated[SI, Unit("kg m", minimum=0.0)]


@dataclass(frozen=True)
class Section(Part):
    """Stiffness against stretch EA [N], shear GA [N] (shear factor included) and bending EI [N m^2]; mass [kg/m] and
    rotary inertia [kg m] per length. `rectangle`, `circle` and `tube` give them from sizes and a material."""

    EA: AxialStiffness
    GA: AxialStiffness
    EI: BendingStiffness
    mass: LineMass
    inertia: LineInertia

    @classmethod
    def rectangle(cls, width: Any, height: Any, material: Material | None = None, *, shear_factor: float = 5 / 6,
                  **moduli: Any) -> Section:  # fmt: skip
        """A full rectangle: width [m] out of the plane, height [m] in the plane of bending."""
        b, h = _length(width, "width"), _length(height, "height")
        return cls._of(b * h, b * h**3 / 12.0, material, shear_factor, moduli)

    @classmethod
    def circle(cls, diameter: Any, material: Material | None = None, *, shear_factor: float = 0.9,
               **moduli: Any) -> Section:  # fmt: skip
        """A full circle of this diameter [m]."""
        d = _length(diameter, "diameter")
        return cls._of(math.pi * d**2 / 4.0, math.pi * d**4 / 64.0, material, shear_factor, moduli)

    @classmethod
    def tube(cls, outer: Any, inner: Any, material: Material | None = None, *, shear_factor: float = 0.5,
             **moduli: Any) -> Section:  # fmt: skip
        """A round tube between two diameters [m]."""
        d, c = _length(outer, "outer"), _length(inner, "inner")
        if not c < d:
            raise GudgeonError(f"Section: inner {c:g} m must be smaller than outer {d:g} m; swap them")
        area, second = math.pi * (d**2 - c**2) / 4.0, math.pi * (d**4 - c**4) / 64.0
        return cls._of(area, second, material, shear_factor, moduli)

    @classmethod
    def _of(cls, area: float, second: float, material: Material | None, factor: float, moduli: dict[str, Any]
            ) -> Section:  # fmt: skip
        """From area [m^2] and second moment [m^4] with E, G or nu, and rho, which may come from a material."""
        young, shear, rho = _moduli(material, moduli)
        factor = quantity(factor, "", "shear_factor")
        return cls(young * area, factor * shear * area, young * second, rho * area, rho * second)

    def scaled(self, factor: float) -> Section:
        """The same section with every stiffness multiplied."""
        return Section(factor * self.EA, factor * self.GA, factor * self.EI, self.mass, self.inertia)


def _moduli(material: Material | None, moduli: dict[str, Any]) -> tuple[float, float, float]:
    """E [Pa], G [Pa] and rho [kg/m^3], which may come from a material."""
    unknown = set(moduli) - {"E", "G", "nu", "rho"}
    if unknown:
        raise GudgeonError(f"Section: {min(unknown)} is not known; give E=, G= or nu=, and rho=, or a material")
    given = dict(moduli)
    if material is not None:
        given = {"E": material.youngs_modulus, "nu": material.poisson_ratio, "rho": material.density, **given}
    if "E" not in given or "rho" not in given or not {"G", "nu"} & set(given):
        raise GudgeonError("Section: a material is missing; give one such as STEEL, or E=, nu= (or G=) and rho=")
    young, rho = quantity(given["E"], "Pa", "E"), quantity(given["rho"], "kg/m^3", "rho")
    if "G" in given:
        return young, quantity(given["G"], "Pa", "G"), rho
    return young, young / (2.0 * (1.0 + quantity(given["nu"], "", "nu"))), rho


def _length(value: Any, name: str) -> float:
    number = quantity(value, "m", name)
    if not number > 0.0:
        raise GudgeonError(f"Section: {name} {value!r} must be positive [m]")
    return number
