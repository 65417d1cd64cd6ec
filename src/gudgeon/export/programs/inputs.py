"""What another program may change: inputs, which may change in time, and parameters, which are set at the start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gudgeon.assemble import System
from gudgeon.assemble.solve.start import start_of
from gudgeon.assemble.trace.parameters import STRUCTURAL
from gudgeon.assemble.trace.trace import Trace
from gudgeon.model import Mechanism
from gudgeon.model.builder.vary import copied, numbers
from gudgeon.model.signals import Steered, read_function, reads_motion
from gudgeon.model.units import unit_of
from gudgeon.quantity import GudgeonError, closest, in_words

__all__ = ["Given", "Opened", "inputs_of", "opened", "parameters_of"]

SHIFT = 0.37  # takes the place of 0, 1 and -1 while equations are built, which would fold
NOISE = 1e-10  # what moves less does not move
TRY = 1.0 + 2.0**-7  # a parameter is changed by this factor to see what else changes


@dataclass(frozen=True)
class Given:
    """A number that is given from outside: its places in p, name, unit, start and a few words."""

    places: tuple[int, ...]
    name: str
    unit: str
    start: float
    words: str


@dataclass(frozen=True)
class Opened:
    """A mechanism whose numbers stay numbers of the equations, and the inputs among these with their starts."""

    mechanism: Mechanism
    inputs: tuple[tuple[str, str, float, str], ...]  # name, unit, start, words


def opened(mechanism: Mechanism, also: Sequence[str] = ()) -> Opened:
    """Keep every input out of the structure of the equations. `also`: values that change in time and become inputs,
    whose start is their value at t = 0."""
    found: list[tuple[str, str, float, str]] = []
    formulas: list[str] = []

    def kept(value: Any, name: str, unit: str, words: str) -> Any:
        if callable(value):
            formulas.append(name)
            if name not in also:
                return value
            if reads_motion(value):
                raise GudgeonError(f'input "{name}": its formula reads the motion, which would be lost; give the '
                                   "mechanism another load for the input")  # fmt: skip
            value = read_function(value, unit, name)[1]
        found.append((name, unit, float(value), words))
        return SHIFT if value in STRUCTURAL else value

    other = copied(mechanism)
    axes = "xyz"
    for force in mechanism.forces.values():
        parts = tuple(kept(x, f"{force.name}.f{axis}", "N", f"force along {axis}, in the axes of the {force.frame}")
                      for axis, x in zip(axes, force.components, strict=False))  # fmt: skip
        other._forces[force.name] = replace(force, components=parts)
    for torque in mechanism.torques.values():
        value: Any = torque.value
        if isinstance(value, tuple):
            value = tuple(kept(x, f"{torque.name}.{axis}", "Nm", f"torque about {axis}")
                          for axis, x in zip(axes, value, strict=True))  # fmt: skip
        else:
            value = kept(value, torque.name, "Nm", "torque")
        other._torques[torque.name] = replace(torque, value=value)
    for name, motor in mechanism.motors.items():
        voltage = kept(motor.voltage, f"{name}.voltage", "V", "voltage of the motor")
        other._motors[name] = replace(motor, voltage=voltage)
    for name, controller in mechanism.controllers.items():
        speed = kept(controller.speed, f"{name}.speed", "rad/s", "speed that the controller keeps")
        other._controllers[name] = replace(controller, speed=speed)
    for name, drive in mechanism.drives.items():
        if isinstance(drive.speed, float):
            side = getattr(drive, "direction", None) or mechanism.joints[name].kind.free
            unit = "rad/s^2" if side == "rotation" else "m/s^2"
            found.append((f"{name}.acceleration", unit, 0.0, "acceleration of the drive"))
            other._drives[name] = replace(drive, speed=Steered(drive.speed))
    names = [name for name, *_ in found]
    for name in also:
        if name not in names:
            likely = closest(name, [*names, *formulas])
            raise GudgeonError(f'input "{name}" is not known; ' + (f'did you mean "{likely}"?' if likely else
                               f"the mechanism has {in_words([*names, *formulas]) or 'none'}"))  # fmt: skip
    return Opened(other, tuple(found))


def inputs_of(opened: Opened, system: System) -> list[Given]:
    """The inputs with their places in p."""
    names = system.code.parameter_names
    return [Given((names.index(name),), name, unit, start, words) for name, unit, start, words in opened.inputs]


def parameters_of(opened: Opened, system: System) -> list[Given]:
    """The numbers of the description that are numbers of the equations, and nothing else follows from them: each is
    changed a little to see whether other parameters or the start change, too."""
    mechanism, names = opened.mechanism, system.code.parameter_names
    taken = {name for name, *_ in opened.inputs}
    before, q, v = _traced(mechanism, system)
    found = []
    for path, number in numbers(mechanism).items():
        if path in taken or path not in names or number.value == 0.0 or not math.isfinite(number.value):
            continue
        other = number.value * TRY
        try:
            after, q_after, v_after = _traced(number.put(other), system)
        except GudgeonError:
            continue
        changed = [name for name in before if before[name] != after.get(name)]
        moved = any(np.abs(a - b).max(initial=0.0) > NOISE * max(1.0, np.abs(a).max(initial=0.0))
                    for a, b in ((q, q_after), (v, v_after)))  # fmt: skip
        alone = changed == [path] and set(before[path]) == {number.value} and set(after[path]) == {other}
        if alone and not moved:
            places = tuple(k for k, name in enumerate(names) if name == path)
            words = path.partition(".")[2].replace("_", " ").replace(".", " ")
            found.append(Given(places, path, unit_of(mechanism, path), number.value, words))
    return found


def _traced(mechanism: Mechanism, system: System) -> tuple[dict[str, list[float]], np.ndarray, np.ndarray]:
    """Parameters by name, and the start, of a mechanism like that of the system."""
    trace = Trace(mechanism, contact=system.needs.contact)
    start = start_of(trace, system.size)
    values: dict[str, list[float]] = {}
    for name, value in zip(trace.parameters.names, trace.parameters.values.tolist(), strict=True):
        values.setdefault(name, []).append(value)
    return values, start.q, start.v
