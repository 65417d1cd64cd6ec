"""Sections of beams of the plane and of space: what they resist and what they weigh, from shapes or given directly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from gudgeon.laws import Material
from gudgeon.model.fits.elastic import SLACK, Matrix, _rows
from gudgeon.quantity import SI, GudgeonError, Part, Unit, quantity

__all__ = ["Section", "SpatialSection"]

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
    if material is not None and not isinstance(material, Material):
        remedy = "give one such as STEEL, or E=, nu= (or G=) and rho="
        raise GudgeonError(f"Section: material {material!r} is no material; {remedy}")
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


@dataclass(frozen=True)
class SpatialSection(Part):
    """Stiffness and mass of a section as 6 x 6 matrices, or as the six numbers of a diagonal, in its own axes: x along
    the beam, y and z across.

    stiffness: forces [N] and moments [N m] of stretch, shear along y, shear along z [1], twist, bending about y and
    bending about z [1/m]. inertia: momentum per length of the velocities along x, y, z and of the spins about them; the
    first three entries of its diagonal are the mass [kg/m], the last three moments [kg m], and what couples them the
    offset of the centre of mass. `rectangle`, `circle` and `tube` give them from sizes and a material.
    """

    stiffness: Matrix
    inertia: Matrix

    def validate(self) -> None:
        for name in ("stiffness", "inertia"):
            object.__setattr__(self, name, _read(getattr(self, name), name))
        self._check_inertia()

    @property
    def mass(self) -> float:
        """Mass [kg/m]."""
        return self.inertia[0][0]

    @property
    def centre(self) -> tuple[float, float, float]:
        """Centre of mass [m] in the section's axes: the coupling block of the inertia is -m c~ on the upper right."""
        m = self.inertia
        return m[1][5] / m[0][0], -m[0][5] / m[0][0], m[0][4] / m[0][0]

    @classmethod
    def rectangle(cls, width: Any, height: Any, material: Material | None = None, *, shear_factor: float = 5 / 6,
                  **moduli: Any) -> SpatialSection:  # fmt: skip
        """A full rectangle: width [m] along z, height [m] along y, the beam's `up`."""
        b, h = _length(width, "width"), _length(height, "height")
        return cls._of(b * h, h * b**3 / 12.0, b * h**3 / 12.0, _torsion(b, h), material, shear_factor, moduli)

    @classmethod
    def circle(cls, diameter: Any, material: Material | None = None, *, shear_factor: float = 0.9,
               **moduli: Any) -> SpatialSection:  # fmt: skip
        """A full circle of this diameter [m]."""
        d = _length(diameter, "diameter")
        second = math.pi * d**4 / 64.0
        return cls._of(math.pi * d**2 / 4.0, second, second, 2.0 * second, material, shear_factor, moduli)

    @classmethod
    def tube(cls, outer: Any, inner: Any, material: Material | None = None, *, shear_factor: float = 0.5,
             **moduli: Any) -> SpatialSection:  # fmt: skip
        """A round tube between two diameters [m]."""
        d, c = _length(outer, "outer"), _length(inner, "inner")
        if not c < d:
            raise GudgeonError(f"SpatialSection: inner {c:g} m must be smaller than outer {d:g} m; swap them")
        second = math.pi * (d**4 - c**4) / 64.0
        return cls._of(math.pi * (d**2 - c**2) / 4.0, second, second, 2.0 * second, material, shear_factor, moduli)

    @classmethod
    def _of(cls, area: float, second_y: float, second_z: float, torsion: float, material: Material | None,
            factor: float, moduli: dict[str, Any]) -> SpatialSection:  # fmt: skip
        """From area [m^2], second moments about y and z and torsion constant [m^4]."""
        young, shear, rho = _moduli(material, moduli)
        factor = quantity(factor, "", "shear_factor")
        across = factor * shear * area
        stiffness: Any = (young * area, across, across, shear * torsion, young * second_y, young * second_z)
        line = rho * area
        return cls(stiffness, (line, line, line, rho * (second_y + second_z), rho * second_y, rho * second_z))  # type: ignore[arg-type]

    def scaled(self, factor: float) -> SpatialSection:
        """The same section with every stiffness multiplied."""
        return SpatialSection(tuple(tuple(factor * x for x in row) for row in self.stiffness), self.inertia)

    def _check_inertia(self) -> None:
        """Refuse what no section can weigh: the first block is m 1, the coupling that of an offset."""
        m = np.array(self.inertia)
        mass, slack = m[0, 0], SLACK * float(np.abs(m).max())
        coupling = m[:3, 3:]
        if np.abs(m[:3, :3] - mass * np.eye(3)).max() > slack or np.abs(coupling + coupling.T).max() > slack:
            raise GudgeonError(
                "SpatialSection: inertia: its first three entries are one mass [kg/m], its coupling block is "
                "antisymmetric; give (m, m, m, Jx, Jy, Jz), or -m c~ beside it for a centre of mass at c"
            )


def _torsion(b: float, h: float) -> float:
    """Torsion constant [m^4] of a rectangle (Saint-Venant): a b^3 (1/3 - 64 b / (pi^5 a) sum tanh(n pi a / 2 b) / n^5)
    over odd n, b the short side."""
    short, long = sorted((b, h))
    tail = sum(math.tanh(n * math.pi * long / (2.0 * short)) / n**5 for n in range(1, 200, 2))
    return long * short**3 * (1.0 / 3.0 - 64.0 * short / (math.pi**5 * long) * tail)


def _read(value: Any, name: str) -> Matrix:
    """A symmetric positive matrix of 6 x 6 from its rows or its diagonal."""
    title = f"SpatialSection: {name}"
    rows = _rows(value)
    if rows is None:
        raise GudgeonError(f"{title} {value!r} is no matrix; give six rows of six numbers, or six for a diagonal")
    matrix = np.array([[quantity(x, "", f"{title}[{a}][{b}]") for b, x in enumerate(r)] for a, r in enumerate(rows)])
    scale = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    least = 3 if name == "inertia" else 6
    for a in range(least):
        if not matrix[a, a] > 0.0:
            raise GudgeonError(f"{title}[{a}][{a}] {matrix[a, a]:g} must be positive; check it")
    if np.abs(matrix - matrix.T).max() > SLACK * float(np.abs(matrix).max()):
        raise GudgeonError(f"{title} is not symmetric; give both entries of every pair the same number")
    safe = np.where(scale > 0.0, scale, 1.0)
    lowest = float(np.linalg.eigvalsh(matrix / np.outer(safe, safe))[0])
    if lowest < -SLACK or (name == "stiffness" and lowest <= SLACK):
        raise GudgeonError(f"{title} would give energy away: its couplings are too large; lower them")
    matrix = 0.5 * (matrix + matrix.T)
    return tuple(tuple(float(x) for x in row) for row in matrix)
