"""Hunt-Crossley: the first law with damping that grows with depth.

F = K depth^n (1 + chi rate / rate0),   chi = 3/2 (1 - e)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.contact.hysteresis import HertzianHysteresis
from gudgeon.laws.law import Law
from gudgeon.quantity import Ratio

__all__ = ["HuntCrossley"]


@dataclass(frozen=True, kw_only=True)
class HuntCrossley(HertzianHysteresis):
    """Hertz law with damping proportional to 1 - e, for restitutions near 1.

    restitution [-]: what is asked; what one gets is `effective_restitution`, always more
    """

    reference: ClassVar[str] = "Hunt, Crossley 1975, J. Applied Mech. 42, 440; chi = 3/2 (1 - e)"
    works: ClassVar[tuple[str, ...]] = ("hunt1975",)
    validity: ClassVar[str] = "Restitution near 1 (0.9 gives 0.909, 0.5 gives 0.663), no yielding."

    restitution: Ratio

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls(restitution=0.7)]

    @property
    def hysteresis(self) -> float:
        return 1.5 * (1.0 - self.restitution)
