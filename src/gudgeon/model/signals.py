"""Values that change in time or with the motion: numbers, formulas and functions, one kind for loads, motors and
controllers; and which channels they may read.

A function has one argument, the time t [s], or two, t and s, where s["bob.vx"] is a position or speed as a run reports
it and s.rate(x) the rate of a formula of positions. Both are called with symbols when equations are built.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from gudgeon.model.formula import Formula, looks_like_formula
from gudgeon.model.joint_kinds import UNITS
from gudgeon.model.names import about, shown
from gudgeon.quantity import GudgeonError, closest, in_words, quantity
from gudgeon.space.planar import PlanarGround, PlanarPlace, PlanarRigidBody, PlanarVector
from gudgeon.space.spatial import Ground, Place, RigidBody, Vector

__all__ = [
    "Signal", "SignalOf", "Steered", "as_formula", "check_signal", "check_signals", "missing_channel", "read_function",
    "read_signal", "readable_channels", "reads_motion", "signals_of", "unit_of_channel",
]  # fmt: skip

# a number, or a function of the time [s], or of the time and the motion
Signal: TypeAlias = float | Callable[..., float]

# a place of a joint, from which to learn what the mates of a joint measure
AT_ORIGIN: dict[bool, Any] = {
    True: PlanarPlace(PlanarGround().frame, PlanarVector(0.0, 0.0), PlanarVector(1.0, 0.0)),
    False: Place(Ground().frame, Vector(0.0, 0.0, 0.0), Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0),
                 Vector(0.0, 0.0, 1.0)),
}
EULER_PARAMETERS = ("e0", "e1", "e2", "e3")
SHOWN = 8  # channels in a message


@dataclass(frozen=True)
class Steered:
    """The speed of a drive [rad/s or m/s] that changes with an acceleration, which is a parameter: another program
    sets it while the mechanism moves (gudgeon.export)."""

    start: float
    acceleration: float = 0.0

    def __call__(self, t: float) -> float:
        return self.start + self.acceleration * t


def reads_motion(signal: Any) -> bool:
    """Whether a signal depends on positions or speeds."""
    if isinstance(signal, Formula):
        return bool(signal.reads)
    if not callable(signal):
        return False
    try:
        parameters = inspect.signature(signal).parameters.values()
    except (TypeError, ValueError):
        return False
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(x.kind in places and x.default is inspect.Parameter.empty for x in parameters) == 2


def read_function(value: Any, unit: str, name: str) -> tuple[Callable[[float], float], float]:
    """A function of time and its value at t = 0, where it must give a finite number."""
    if reads_motion(value):
        raise GudgeonError(
            f"{name} reads the motion, but a drive prescribes it and is a function of the time alone; use a torque, a "
            "motor or a controller"
        )
    try:
        start = value(0.0)
    except Exception as error:
        raise GudgeonError(
            f"{name} must be a function of the time alone: at t = 0 it raised {type(error).__name__}: {error}; "
            "it must have a finite value there"
        ) from error
    try:
        number = math.nan if isinstance(start, str) else float(start)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise GudgeonError(f"{name} gives {shown(start)} at t = 0; it must return a finite number [{unit}]")
    return value, number


def as_formula(value: Any, name: str, read: Callable[[], Any] | None = None) -> Any:
    """A text as what `read` makes of it, or else as a formula; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        if read is not None:
            return read()
    except GudgeonError:
        if not looks_like_formula(value):
            raise
    with about(name):
        return Formula(value)


def read_signal(value: Any, unit: str, name: str) -> Signal:
    """SI number from a number or a string, a formula from a string, or a checked function."""
    value = as_formula(value, name, lambda: quantity(value, unit, name))
    if reads_motion(value):
        return value
    return read_function(value, unit, name)[0] if callable(value) else quantity(value, unit, name)


# -- the signals of a mechanism ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SignalOf:
    """A signal of a part: the part's word and name, the field, the unit, and the bodies that it acts on."""

    word: str
    name: str
    field: str
    unit: str
    signal: Any
    bodies: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return f'{self.word} "{self.name}"'


def signals_of(mechanism: Any) -> Iterator[SignalOf]:
    """Every value that may change in time, numbers aside; drives are functions of time alone."""
    for x in _signals(mechanism):
        if callable(x.signal):
            yield x


def _signals(mechanism: Any) -> Iterator[SignalOf]:
    for force in mechanism.forces.values():
        for k, part in enumerate(force.components):
            yield SignalOf("force", force.name, f"components[{k}]", "N", part, (force.body,))
    for torque in mechanism.torques.values():
        several = isinstance(torque.value, tuple)
        bodies = tuple(x for x in (torque.body, torque.reaction) if x is not None)
        for k, part in enumerate(torque.value if several else (torque.value,)):
            yield SignalOf("torque", torque.name, f"value[{k}]" if several else "value", "Nm", part, bodies)
    for name, drive in mechanism.drives.items():
        yield SignalOf("drive of", name, "speed", "rad/s or m/s", drive.speed)
        yield SignalOf("drive of", name, "motion", "rad or m", drive.motion)
    for name, motor in mechanism.motors.items():
        yield SignalOf("motor of", name, "voltage", "V", motor.voltage)
    for name, controller in mechanism.controllers.items():
        yield SignalOf("controller of", name, "speed", "rad/s", controller.speed)


def check_signal(mechanism: Any, x: SignalOf) -> None:
    """Refuse a formula that reads what is not there, or whose units cannot be right."""
    if isinstance(x.signal, Formula) and x.word != "drive of":
        x.signal.check(x.unit, partial(unit_of_channel, mechanism), partial(missing_channel, mechanism))


def check_signals(mechanism: Any) -> None:
    """The same of every formula of a mechanism."""
    for x in signals_of(mechanism):
        with about(f"{x.title}: {x.field}"):
            check_signal(mechanism, x)


# -- what may be read ----------------------------------------------------------------------------------------------


def readable_channels(mechanism: Any) -> dict[str, str]:
    """Positions and speeds that a run reports, with their units. Euler parameters are none: their sign is arbitrary."""
    owners = (*mechanism.bodies, *mechanism.joints)
    return {name: unit for owner in owners for name, unit in _channels_of(mechanism, owner).items()}


def unit_of_channel(mechanism: Any, name: str) -> str | None:
    """The unit of such a channel; None where it is none."""
    return _channels_of(mechanism, name.partition(".")[0]).get(name)


def _channels_of(mechanism: Any, owner: str) -> dict[str, str]:
    """Those of one body or joint."""
    channels: dict[str, str] = {}
    if owner in mechanism.bodies:
        kind: Any = PlanarRigidBody if mechanism.planar else RigidBody
        channels |= dict(zip(kind.coordinates, kind.units, strict=True))
        channels |= dict(zip(kind.velocities, kind.velocity_units, strict=True))
    elif owner in mechanism.joints:
        joint = mechanism.joints[owner]
        for mate in joint.own_mates.values():
            measures = mate.measures(AT_ORIGIN[mechanism.planar], AT_ORIGIN[mechanism.planar])
            channels |= {name: x.unit for name, x in measures.items()}
        channels |= {name: UNITS[side] for name, side in joint.kind.coordinates.items()}
        if owner in mechanism.motors or owner in mechanism.controllers:
            channels["speed"] = "rad/s"
    return {f"{owner}.{name}": unit for name, unit in channels.items() if name not in EULER_PARAMETERS}


def missing_channel(mechanism: Any, name: str) -> str:
    """What to say of a name that cannot be read: what is not there, or why not, and what can be."""
    owner, _, what = name.partition(".")
    own = list(_channels_of(mechanism, owner))
    owners = [*mechanism.bodies, *mechanism.joints]
    if owner in mechanism.beams:
        return f"{name} is of a beam, whose channels no load reads; name a body or a joint"
    if owner not in owners:
        likely = closest(owner, owners)
        if likely is not None:
            meant = f"{likely}.{what}"
            return f'unknown part "{owner}"; did you mean "{meant if unit_of_channel(mechanism, meant) else likely}"?'
        return f'unknown part "{owner}"; known: {in_words(owners[:SHOWN])}'
    instead = f"take {in_words(own, 'or')}" if own else f"a {mechanism.joints[owner].kind.name} joint has none to read"
    if what == "speed" and f"{owner}.travel" in own:
        return f'"{name}" is reported only where a motor or controller is; write rate({owner}.travel)'
    if what in EULER_PARAMETERS:
        return f"the sign of {name} is arbitrary, so that no load reads it; {instead}, or the travel of a joint"
    if _depends_on_loads(mechanism, owner, what):
        return f"{name} follows from the loads, so that a load which reads it would depend on itself; {instead}"
    likely = closest(what, [x.removeprefix(f"{owner}.") for x in own])
    remedy = f'did you mean "{owner}.{likely}"?' if likely else instead
    return f"{name} is no position or speed that a load can read; {remedy}"


def _depends_on_loads(mechanism: Any, owner: str, what: str) -> bool:
    """Whether a channel is an acceleration or a force."""
    body_type: Any = PlanarRigidBody if mechanism.planar else RigidBody
    forces = ("fx", "fy", "fz", "force", "mx", "my", "mz", "moment", "torque", "drive_force", "normal", "friction",
              "film_force", "current", "mechanical_power")  # fmt: skip
    return what in body_type.accelerations if owner in mechanism.bodies else what.rpartition(".")[2] in forces
