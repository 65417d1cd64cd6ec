"""A speed controller: a torque on a joint that keeps it at a speed, as far as its limit allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from gudgeon.model.names import about
from gudgeon.model.signals import Signal, read_signal
from gudgeon.quantity import SI, Part, Unit

__all__ = ["Controller"]

Gain = Annotated[SI, Unit("Nm s/rad", above=0.0)]
IntegralGain = Annotated[SI, Unit("Nm/rad", minimum=0.0)]
Limit = Annotated[SI, Unit("Nm", above=0.0)]
Preset = Annotated[SI, Unit("Nm")]


@dataclass(frozen=True)
class Controller(Part):
    """PI controller: torque on the rotation of `joint` from the error of its speed, e = speed - turn', and the
    integral of e.

    wanted = gain e + held,   torque = wanted, at most limit in size,   held' = integral (e + (torque - wanted) / gain)

    The last term reduces the integral while the limit is reached (anti-windup by back-calculation).

    speed [rad/s]: a number, a string, a formula or a function, as the components of a Force
    gain [Nm s/rad]: torque per error of speed
    integral [Nm/rad]: torque per error of speed and second
    limit [Nm]: the largest torque; default: none
    preset [Nm]: torque that the integral holds at the start
    """

    joint: str
    speed: Signal
    gain: Gain
    integral: IntegralGain = 0.0
    limit: Limit | None = None
    preset: Preset = 0.0

    def __post_init__(self) -> None:
        with about(self.title, drop="Controller: "):
            super().__post_init__()

    def validate(self) -> None:
        object.__setattr__(self, "speed", read_signal(self.speed, "rad/s", "speed"))

    @property
    def title(self) -> str:
        """The controller in a message."""
        return f'controller of "{self.joint}"'
