"""Laws: scalar physics of surfaces that meet. They see depths, rates and slips, never vectors.

Each law is importable from here by its name, since its file exists: `from gudgeon.laws import Hertz`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gudgeon.laws.contact import ContactLaw
from gudgeon.laws.film import FilmLaw
from gudgeon.laws.friction import FrictionLaw
from gudgeon.laws.law import Law
from gudgeon.laws.liner import LinerLaw
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

FAMILIES: tuple[type[Law], ...] = (ContactLaw, FrictionLaw, LinerLaw, FilmLaw)
LAWS: dict[str, type[Law]] = {name: law for family in FAMILIES for name, law in family.registry.items()}
globals().update(LAWS)

__all__ = [
    "ALUMINIUM", "BRASS", "BRONZE", "CAST_IRON", "FAMILIES", "LAWS", "NYLON", "PTFE", "STEEL", "TITANIUM",
    "ContactLaw", "FilmLaw", "FrictionLaw", "Law", "LinerLaw", "Material", "Pair", "effective_restitution",
    "exact_hysteresis",
]  # fmt: skip
__all__ += list(LAWS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """A law by its name."""
