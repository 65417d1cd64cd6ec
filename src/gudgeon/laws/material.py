"""Elastic materials, and what a contact makes of two of them.

sigma = (1 - nu^2) / E          compliance of one surface [1/Pa]
E*    = 1 / (sigma_i + sigma_j) composite modulus [Pa]; E / (2 (1 - nu^2)) for equal materials
v_el  = 1e-5 sqrt(E / rho)      speed beyond which impacts leave a dent [m/s]
                                (Love 1944; Lankarani, Nikravesh 1994)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

from gudgeon.quantity import SI, Density, GudgeonError, Part, Pressure, Unit

__all__ = [
    "ALUMINIUM", "BRASS", "BRONZE", "CAST_IRON", "NYLON", "PTFE", "STEEL", "TITANIUM", "Material",
    "Materials", "composite_modulus", "elastic_limit_speed", "read_materials", "surface_compliance",
    "yield_warnings",
]  # fmt: skip

PoissonRatio = Annotated[SI, Unit("", above=-1.0, maximum=0.5, example="0.3")]


@dataclass(frozen=True)
class Material(Part):
    """A homogeneous isotropic elastic material.

    name [-], youngs_modulus [Pa], poisson_ratio [-], density [kg/m^3].
    """

    name: str
    youngs_modulus: Pressure
    poisson_ratio: PoissonRatio
    density: Density


Materials = Material | tuple[Material, Material]

# handbook values at room temperature; alloys and plastics scatter by some ten per cent
STEEL = Material("steel", 207e9, 0.30, 7800.0)
BRONZE = Material("bronze", 110e9, 0.34, 8800.0)
BRASS = Material("brass", 100e9, 0.34, 8500.0)
ALUMINIUM = Material("aluminium", 70e9, 0.33, 2700.0)
CAST_IRON = Material("cast iron", 110e9, 0.27, 7200.0)
TITANIUM = Material("titanium", 114e9, 0.34, 4430.0)
PTFE = Material("PTFE", 0.5e9, 0.46, 2200.0)
NYLON = Material("nylon", 2.8e9, 0.39, 1150.0)


def read_materials(value: Any, name: str) -> tuple[Material, Material]:
    """(journal, bearing) from one material for both or a pair of them."""
    if isinstance(value, Material):
        return value, value
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(m, Material) for m in value):
        return value[0], value[1]
    raise GudgeonError(f"{name} {value!r} is no material; give STEEL, or for journal and bearing (STEEL, BRONZE)")


def surface_compliance(material: Material) -> float:
    """sigma = (1 - nu^2) / E [1/Pa]."""
    return (1.0 - material.poisson_ratio**2) / material.youngs_modulus


def composite_modulus(materials: Materials) -> float:
    """E* = 1 / (sigma_i + sigma_j) [Pa]."""
    journal, bearing = read_materials(materials, "material")
    return 1.0 / (surface_compliance(journal) + surface_compliance(bearing))


def elastic_limit_speed(materials: Materials) -> float:
    """Smaller of the two speeds 1e-5 sqrt(E / rho) [m/s]."""
    return min(1e-5 * math.sqrt(m.youngs_modulus / m.density) for m in read_materials(materials, "material"))


def yield_warnings(law: str, materials: Materials, rate: float) -> list[str]:
    """A sentence when the largest |rate| [m/s] lies beyond the elastic limit speed."""
    limit = elastic_limit_speed(materials)
    if rate <= limit:
        return []
    return [
        f"{law}: the largest depth rate {rate:.3g} m/s exceeds the elastic limit speed {limit:.3g} m/s "
        "of the material; real surfaces yield there and lose more energy"
    ]
