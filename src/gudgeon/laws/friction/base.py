"""The family of friction laws: slip and normal force to a force along the slip."""

from __future__ import annotations

from typing import Annotated, ClassVar

from gudgeon.laws.law import Block, Law
from gudgeon.quantity import SI, GudgeonError, Unit

__all__ = ["Coefficient", "FrictionLaw", "SlipSpeed", "StaticCoefficient"]

Coefficient = Annotated[SI, Unit("", minimum=0.0, example="0.1")]
StaticCoefficient = Annotated[SI, Unit("", above=0.0, example="0.2")]
SlipSpeed = Annotated[SI, Unit("m/s", above=0.0)]


class FrictionLaw(Law, family=True):
    """Friction [N] on the journal, odd in slip [m/s] (and state) and proportional to the normal force [N].

    `states` is the number of internal states per touch and direction, 0 or 1; a law with one defines `state_rate`. In
    space surfaces slide in two directions: a law without states then acts along the slip, by its speed; one with a
    state has one for each direction and defines `component` and `component_rate`.
    """

    states: ClassVar[int] = 0

    @property
    def coulomb(self) -> float:
        """The coefficient of Coulomb's law [-], for contacts between rigid walls: that of sliding."""
        value = getattr(self, "coefficient", None)
        if not isinstance(value, (int, float)):
            raise GudgeonError(
                f"{type(self).__name__} has no field `coefficient`; rigid walls need one, or a property `coulomb`"
            )
        return float(value)

    @property
    def breakaway(self) -> float:
        """Of a law with a state: the size of the state at which surfaces begin to slide [m], which errors of the state
        are relative to; 0: not known."""
        return 0.0

    @staticmethod
    def force(slip: float, normal: float, state: float, p: Block) -> float:
        """Force on the journal along positive slip [N]: negative for positive slip [m/s] and normal [N]."""
        raise NotImplementedError

    @staticmethod
    def state_rate(slip: float, normal: float, state: float, p: Block) -> float:
        """Time derivative of the state; just beyond the end of a contact it is asked with normal 0."""
        return 0.0

    @staticmethod
    def component(slip: float, speed: float, normal: float, state: float, p: Block) -> float:
        """Force along one of several directions, of which slip and state are the components, at a slip of size `speed`.
        Where speed = |slip| it is `force`."""
        raise NotImplementedError

    @staticmethod
    def component_rate(slip: float, speed: float, normal: float, state: float, p: Block) -> float:
        """Time derivative of the state's component; `state_rate` where speed = |slip|."""
        raise NotImplementedError
