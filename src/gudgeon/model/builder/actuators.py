"""What moves a mechanism: drives by decree, motors by their voltage, controllers by their torque."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from gudgeon.model.builder.joints import Number
from gudgeon.model.joint_kinds import UNITS
from gudgeon.model.names import about, choice
from gudgeon.model.parts import SpatialDrive
from gudgeon.model.parts.controller import Controller
from gudgeon.model.parts.drive import Drive
from gudgeon.model.parts.joint import Joint, choice_of_direction
from gudgeon.model.parts.motor import Motor
from gudgeon.model.signals import Signal
from gudgeon.quantity import GudgeonError

__all__ = ["ActuatorMaker"]


class ActuatorMaker(ABC):
    """What a mechanism inherits: at most one drive, motor or controller on each joint, by the joint's name."""

    _types: Any
    _drives: dict[str, Drive]
    _motors: dict[str, Motor]
    _controllers: dict[str, Controller]

    @property
    def drives(self) -> Mapping[str, Drive]:
        """Drives by the name of their joint."""
        return MappingProxyType(self._drives)

    @property
    def motors(self) -> Mapping[str, Motor]:
        """Motors by the name of their joint."""
        return MappingProxyType(self._motors)

    @property
    def controllers(self) -> Mapping[str, Controller]:
        """Speed controllers by the name of their joint."""
        return MappingProxyType(self._controllers)

    @property
    def driven(self) -> tuple[str, ...]:
        """Names of the joints that a drive, a motor or a controller moves."""
        return (*self._drives, *self._motors, *self._controllers)

    def drive(self, joint: Joint | str, *, speed: Number | Callable[[float], float] | None = None,
              motion: Callable[[float], float] | str | None = None, direction: str | None = None) -> Drive:  # fmt: skip
        """Prescribe the free motion of a joint: its speed [rad/s] or [m/s], or its motion over time [rad] or [m]. If a
        joint in space can both turn and slide, `direction` is "rotation" or "translation".
        """
        target = self._undriven(joint, "drive")
        drive = self._types.drive(target.name, speed, motion)
        if isinstance(drive, SpatialDrive):
            with about(drive.title):
                side = direction or choice_of_direction(target.kind, drive.unit, "drive")
            drive = replace(drive, direction=choice(side, target.kind.directions, "direction"))
        self._drives[target.name] = self._fitting(drive)
        return drive

    def motor(self, joint: Joint | str, *, voltage: Signal | str, resistance: Number, back_emf: Number,
              torque_constant: Number | None = None, inductance: Number = 0.0, rotor_inertia: Number = 0.0,
              gear: Number = 1.0, current: Number = 0.0) -> Motor:  # fmt: skip
        """Drive a joint with a direct-current motor: voltage [V], resistance [ohm], back_emf [V s/rad], torque_constant
        [N m/A], inductance [H], rotor_inertia [kg m^2], gear [-], current at the start [A]; see Motor."""
        name = self._undriven(joint, "motor").name
        values: dict[str, Any] = {"resistance": resistance, "back_emf": back_emf, "torque_constant": torque_constant}
        values |= {"inductance": inductance, "rotor_inertia": rotor_inertia, "gear": gear, "current": current}
        motor = Motor(name, voltage, **values)  # type: ignore[arg-type]
        self._turning(motor)
        self._motors[name] = motor
        return motor

    def controller(self, joint: Joint | str, *, speed: Signal | str, gain: Number, integral: Number = 0.0,
                   limit: Number | None = None, preset: Number = 0.0) -> Controller:  # fmt: skip
        """Add a PI controller whose torque keeps a joint at a speed [rad/s]: gain [Nm s/rad], integral [Nm/rad], limit
        [Nm]; see Controller.
        """
        name = self._undriven(joint, "controller").name
        values: dict[str, Any] = {"gain": gain, "integral": integral, "limit": limit, "preset": preset}
        controller = Controller(name, speed, **values)  # type: ignore[arg-type]
        self._turning(controller)
        self._controllers[name] = controller
        return controller

    def _check_actuators(self) -> None:
        """Refuse what moves a joint that cannot move so, or that is moved twice."""
        for drive in self._drives.values():
            self._fitting(drive)
        turning: list[Motor | Controller] = [*self._motors.values(), *self._controllers.values()]
        for part in turning:
            self._turning(part)
        for name in self.driven:
            if self.driven.count(name) > 1:
                raise GudgeonError(f'joint "{name}" is driven already; keep one of drive, motor and controller')

    def _undriven(self, joint: Any, word: str) -> Joint:
        target = self._joint(joint, word)
        if target.name in self.driven:
            raise GudgeonError(f'{word} of "{target.name}": joint "{target.name}" is driven already; drop one')
        return target

    def _turning(self, part: Motor | Controller) -> None:
        """Refuse a joint that does not turn."""
        kind = self._joint(part.joint, part.title).kind
        if "rotation" not in kind.directions:
            raise GudgeonError(f"{part.title}: a {kind.name} joint does not turn; choose a joint with a free rotation")

    def _fitting(self, drive: Drive) -> Drive:
        """The drive, if its joint exists and moves in the drive's unit."""
        kind = self._joint(drive.joint, "drive").kind
        with about(drive.title):
            if kind.free is None:
                raise GudgeonError(f"a {kind.name} joint has no single free motion to drive; choose another joint")
            side = getattr(drive, "direction", None) or kind.free
            if drive.unit is not None and drive.unit != f"{UNITS[side]}/s":
                raise GudgeonError(
                    f"speed is in [{drive.unit}], but a {kind.name} joint is free in {side}: "
                    f"give it in [{UNITS[side]}/s]"
                )
        return drive

    @abstractmethod
    def _joint(self, joint: Any, who: str) -> Joint:
        """The joint of a name."""
