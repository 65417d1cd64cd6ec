"""The family of liner laws: deflection of a bushing and its rate to a force."""

from __future__ import annotations

from gudgeon.laws.law import Block, Law
from gudgeon.laws.pair import Pair

__all__ = ["LinerLaw"]


class LinerLaw(Law, family=True):
    """Radial force of an elastic layer, f(deflection) + damping * rate (Ambrosio, Pombo 2018, Eq 49).

    The force grows like stiffness * deflection from 0. The motion across the deflection is damped by
    `tangential_damping`, packed first, so that p[0] means the same in every liner.
    """

    damping: float

    @property
    def tangential_damping(self) -> float:
        """Damping of the transverse motion [N s/m]; by default that of the radial one."""
        return self.damping

    def pack(self, pair: Pair) -> dict[str, float]:
        return {"tangential_damping": self.tangential_damping, **self.parameters(pair)}

    def parameters(self, pair: Pair) -> dict[str, float]:
        """What follows the tangential damping in the block; by default every field in order."""
        return super().pack(pair)

    @staticmethod
    def force(deflection: float, rate: float, p: Block) -> float:
        """Force [N] against the deflection >= 0 [m], rate [m/s]."""
        raise NotImplementedError
