"""The hysteresis family F = f(depth) (1 + chi rate / rate0): one kernel, classes differ by chi.

Articles and programs differ in two points that change numbers, so both are options:
    ratio_limit  "none": rate / rate0 as it is; "above": at most 1 (Ambrosio, Pombo 2018, after Eq 43);
                 "both": also at least -1
    clip         True: no adhesive force, F >= 0
In every case the ratio is 1 where rate0 = 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from gudgeon.laws.contact.base import ContactLaw
from gudgeon.laws.contact.hertzian import Hertzian, power
from gudgeon.laws.law import Block
from gudgeon.laws.pair import Pair
from gudgeon.quantity import SI, GudgeonError, Unit, in_words

__all__ = ["HertzianHysteresis", "HysteresisLaw", "PositiveRatio", "RatioLimit", "damped"]

RatioLimit = Literal["none", "above", "both"]
PositiveRatio = Annotated[
    SI, Unit("", above=0.0, maximum=1.0, remedy="give 0 < restitution <= 1, 0.01 is nearly plastic")
]


def damped(elastic: float, rate: float, rate0: float, p: Block) -> float:
    """Elastic force with the bracket; p[0] chi, p[1] and p[2] bounds of the ratio, p[3] bound of the force.

    Options that are off are infinite bounds: the kernel has no branch to take.
    """
    ratio = 1.0 if rate0 == 0.0 else rate * (1.0 / rate0)  # the reciprocal does not wait for the rate
    ratio = max(min(ratio, p[1]), p[2])
    return max(elastic * (1.0 + p[0] * ratio), p[3])


@dataclass(frozen=True, kw_only=True)
class HysteresisLaw(ContactLaw, abstract=True):
    """Options of the family; the kernel here is that of f = K depth^n.

    ratio_limit [-]: "none", "above" or "both"
    clip [-]: True keeps the force from becoming adhesive
    """

    ratio_limit: RatioLimit = "none"
    clip: bool = False

    def validate(self) -> None:
        if self.ratio_limit not in get_args(RatioLimit):
            raise GudgeonError(
                f"{type(self).__name__}: ratio_limit {self.ratio_limit!r} is unknown; "
                f"choose from {in_words(get_args(RatioLimit))}"
            )
        super().validate()

    @property
    def hysteresis(self) -> float:
        raise NotImplementedError

    def pack_hysteresis(self) -> dict[str, float]:
        """The first four numbers of the block, as `damped` reads them."""
        return {
            "hysteresis": self.hysteresis,
            "ratio_upper": 1.0 if self.ratio_limit != "none" else math.inf,
            "ratio_lower": -1.0 if self.ratio_limit == "both" else -math.inf,
            "force_lower": 0.0 if self.clip else -math.inf,
        }

    @staticmethod
    def force(depth: float, rate: float, rate0: float, p: Block) -> float:
        """p[4] stiffness, p[5] exponent."""
        return damped(power(depth, p[4], p[5]), rate, rate0, p)


@dataclass(frozen=True)
class HertzianHysteresis(Hertzian, HysteresisLaw, abstract=True):
    """The family on Hertz's K depth^n."""

    def pack(self, pair: Pair) -> dict[str, float]:
        return {**self.pack_hysteresis(), "stiffness": self.stiffness_for(pair), "exponent": self.exponent}
