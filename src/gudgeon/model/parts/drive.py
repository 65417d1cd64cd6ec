"""Drives: the motion of a joint's free direction, prescribed in time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gudgeon.model.names import about, shown
from gudgeon.model.signals import Signal, as_formula, read_function
from gudgeon.model.values import read_either
from gudgeon.quantity import GudgeonError, Part

__all__ = ["Drive", "SpatialDrive"]

SPEED_UNITS = ("rad/s", "m/s")


@dataclass(frozen=True)
class Drive(Part):
    """Prescribes the free motion of `joint`: journal relative to bearing, along its axis or anticlockwise.

    `speed` [rad/s] or [m/s] is a number, a string, or a formula or function of t [s]; `motion` is a formula or function
    of t that gives the change of the coordinate from its start [rad] or [m]. Exactly one of them.
    """

    joint: str
    speed: Signal | None = None
    motion: Callable[[float], float] | None = None
    # the unit that a string named, "rad/s" or "m/s"; compared with the joint's free direction
    unit: str | None = field(default=None, repr=False, compare=False)

    def validate(self) -> None:
        with about(self.title):
            if (self.speed is None) == (self.motion is None):
                count = "neither" if self.speed is None else "both"
                raise GudgeonError(f"{count} of speed and motion given; give exactly one of them")
            if self.motion is not None:
                object.__setattr__(self, "motion", as_formula(self.motion, "motion"))
                self._check_motion()
                return
            speed = as_formula(self.speed, "speed", lambda: read_either(self.speed, SPEED_UNITS, "speed"))
            if callable(speed):
                object.__setattr__(self, "speed", read_function(speed, "rad/s or m/s", "speed")[0])
                return
            number, unit = speed if isinstance(speed, tuple) else read_either(speed, SPEED_UNITS, "speed")
            object.__setattr__(self, "speed", number)
            object.__setattr__(self, "unit", unit or self.unit)

    @property
    def title(self) -> str:
        """The drive in a message."""
        return f'drive of "{self.joint}"'

    def _check_motion(self) -> None:
        if not callable(self.motion):
            raise GudgeonError(
                f"motion {shown(self.motion)} is no function of time; write motion=lambda t: ... or speed="
            )
        _, start = read_function(self.motion, "rad or m", "motion")
        if abs(start) > 1e-9:
            raise GudgeonError(
                f"motion is {start:g} at t = 0; it is the change from the start, subtract its start value"
            )


@dataclass(frozen=True)
class SpatialDrive(Drive):
    """A drive of one free direction, "rotation" or "translation", of a joint of space."""

    direction: str | None = None
