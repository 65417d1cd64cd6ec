"""Laws: scalar physics of surfaces that meet. They see depths, rates and slips, never vectors."""

from gudgeon.laws.contact import (
    ContactLaw,
    ContactTable,
    DubowskyFreudenstein,
    ExactRestitution,
    Flores2011,
    Gonthier,
    Hertz,
    HuntCrossley,
    JohnsonCylinder,
    KelvinVoigt,
    LankaraniNikravesh,
    ModifiedKelvinVoigt,
    PereiraCylinder,
)
from gudgeon.laws.film import FilmLaw, Misaligned, Moes, Ocvirk, PinkusSternlicht, ReynoldsTable, Sommerfeld, Sphere
from gudgeon.laws.friction import FrictionLaw, LuGre, ModifiedCoulomb, SmoothCoulomb, Stribeck
from gudgeon.laws.law import Law
from gudgeon.laws.liner import LinearLiner, LinerLaw, LinerTable, PolynomialLiner
from gudgeon.laws.material import (
    ALUMINIUM,
    BRASS,
    BRONZE,
    CAST_IRON,
    NYLON,
    PTFE,
    STEEL,
    TITANIUM,
    Material,
)
from gudgeon.laws.pair import Pair
from gudgeon.laws.restitution import effective_restitution, exact_hysteresis

__all__ = [
    "ALUMINIUM", "BRASS", "BRONZE", "CAST_IRON", "NYLON", "PTFE", "STEEL", "TITANIUM", "ContactLaw",
    "ContactTable", "DubowskyFreudenstein", "ExactRestitution", "FilmLaw", "Flores2011", "FrictionLaw", "Gonthier",
    "Hertz", "HuntCrossley", "JohnsonCylinder", "KelvinVoigt", "LankaraniNikravesh", "Law", "LinearLiner",
    "LinerLaw", "LinerTable", "LuGre", "Material", "Misaligned", "ModifiedCoulomb", "ModifiedKelvinVoigt", "Moes",
    "Ocvirk", "Pair", "PereiraCylinder", "PinkusSternlicht", "PolynomialLiner", "ReynoldsTable", "SmoothCoulomb",
    "Sommerfeld", "Sphere", "Stribeck", "effective_restitution", "exact_hysteresis",
]  # fmt: skip
