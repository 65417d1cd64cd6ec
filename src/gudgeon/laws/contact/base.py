"""The family of contact laws: depth, rate and first-touch rate to a normal force."""

from __future__ import annotations

from typing import Any, ClassVar

from gudgeon.laws.law import Block, Law
from gudgeon.laws.pair import Pair
from gudgeon.laws.restitution import effective_restitution
from gudgeon.quantity import GudgeonError, quantity

__all__ = ["ContactLaw", "read_stiffness"]


class ContactLaw(Law, family=True):
    """Normal force [N] of two surfaces that have met, by their depth [m], its rate and that of first touch [m/s].

    A new law derives from this class as a frozen dataclass, states `reference` and `validity`, and defines
    `force`; `pack` too, where fields are not the numbers the force needs.
    """

    continuous_at_zero: ClassVar[bool] = True

    @staticmethod
    def force(depth: float, rate: float, rate0: float, p: Block) -> float:
        """Normal force [N], positive pushes apart; depth > 0 [m], rate [m/s], rate0 >= 0 [m/s] at touch."""
        raise NotImplementedError

    @property
    def hysteresis(self) -> float | None:
        """chi [-] of the laws F = f(depth) (1 + chi rate / rate0); None for any other form."""
        return None

    @property
    def requested_restitution(self) -> float | None:
        """The restitution the user wrote [-], if any."""
        return getattr(self, "restitution", None)

    @property
    def effective_restitution(self) -> float | None:
        """The restitution one free impact really has [-], where it does not depend on the impact."""
        chi = self.hysteresis
        return None if chi is None else effective_restitution(chi)

    @property
    def newton_restitution(self) -> float | None:
        """The restitution of an impact taken as an instant [-]: what is requested, else what the law has; None if
        neither is a number."""
        requested = self.requested_restitution
        return requested if requested is not None else self.effective_restitution

    def peak_force(self, pair: Pair, mass: float, speed: float) -> float:
        """Estimate of the largest force [N] of an impact of this effective mass [kg] and closing speed [m/s]: that of
        the elastic part of the law where it has taken up the energy of the impact."""
        from scipy.integrate import quad
        from scipy.optimize import brentq

        block, energy = list(self.pack(pair).values()), 0.5 * mass * speed * speed
        if energy <= 0.0:
            return 0.0

        def elastic(depth: float) -> float:
            return self.force(depth, 0.0, 1.0, block) if depth > 0.0 else 0.0

        def rest(depth: float) -> float:
            return float(quad(elastic, 0.0, depth, epsrel=1e-9)[0]) - energy

        deep = 1e-9
        while rest(deep) < 0.0:
            deep *= 2.0
        return elastic(float(brentq(rest, 0.5 * deep if deep > 1e-9 else 0.0, deep, rtol=1e-9)))


def read_stiffness(value: Any, exponent: float, law: str) -> float:
    """Stiffness of F = K depth^exponent; the unit of a string must be N/m^exponent."""
    unit = f"N/m^{exponent:g}"
    number = quantity(value, unit, f"{law}: stiffness")
    if not number > 0.0:
        raise GudgeonError(f"{law}: stiffness {value!r} must be greater than 0 [{unit}]")
    return number
