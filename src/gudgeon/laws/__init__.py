"""Laws: scalar physics of surfaces that meet. They see depths, rates and slips, never vectors.

Decisions:

- A law may branch on the state, which formulas of the graph may not: so it is opaque there, a function called by its
  address. A contact law is called only where its contact touches and the depth is positive, so that it never has to
  test for that. The state of a friction law advances by the mode of its contact alone: the search for the end of a
  contact goes beyond depth zero, and a kink there would spoil it.
- Derivatives of a law, for implicit methods, come from its source, one argument at a time, branches following the
  values (`compile.native.tangent`). What cannot be read is refused with its line, never replaced by differences.
- A film never adds energy: its force acts midway between the centres, where the relative velocity of the bodies is the
  squeeze and sweep that feed it. Below the minimum film its thickness saturates smoothly and the wall takes over.
- Units are checked where a law is made (`quantity`), so that laws and parts take the same texts.

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
from gudgeon.laws.oil import oil
from gudgeon.laws.pair import Pair
from gudgeon.laws.restitution import effective_restitution, exact_hysteresis

FAMILIES: tuple[type[Law], ...] = (ContactLaw, FrictionLaw, LinerLaw, FilmLaw)
LAWS: dict[str, type[Law]] = {name: law for family in FAMILIES for name, law in family.registry.items()}
globals().update(LAWS)

__all__ = [
    "ALUMINIUM", "BRASS", "BRONZE", "CAST_IRON", "FAMILIES", "LAWS", "NYLON", "PTFE", "STEEL", "TITANIUM",
    "ContactLaw", "FilmLaw", "FrictionLaw", "Law", "LinerLaw", "Material", "Pair", "effective_restitution",
    "exact_hysteresis", "oil",
]  # fmt: skip
__all__ += list(LAWS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """A law by its name."""
