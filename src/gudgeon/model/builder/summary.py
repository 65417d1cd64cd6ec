"""A mechanism in lines for people."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gudgeon.model.fits import Ideal
from gudgeon.model.formula import Formula
from gudgeon.model.joint_kinds import UNITS
from gudgeon.model.parts.controller import Controller
from gudgeon.model.parts.drive import Drive
from gudgeon.model.parts.joint import Joint
from gudgeon.model.parts.modal import ModalLink
from gudgeon.model.parts.motor import Motor
from gudgeon.model.signals import reads_motion

if TYPE_CHECKING:
    from gudgeon.model.builder.mechanism import Mechanism

__all__ = ["summary"]


def summary(mechanism: Mechanism) -> str:
    """Name, bodies, joints with their fits, drives and loads."""
    where = "planar" if mechanism.planar else "spatial"
    lines = [f"{mechanism.name} · {where}, gravity {_listed(mechanism.gravity)} m/s²"]
    for body in mechanism.bodies.values():
        inertia = _listed(body.inertia if isinstance(body.inertia, tuple) else (body.inertia,))
        modes = f", bends by {body.modes} modes" if isinstance(body, ModalLink) else ""
        lines.append(f"  body    {body.name}: {body.mass:g} kg, {inertia} kg m², at {_listed(body.at)} m{modes}")
    for beam in mechanism.beams.values():
        mass = beam.section.mass * beam.length
        cut = f"{beam.elements} elements of order {beam.order}"
        lines.append(f"  beam    {beam.name}: {beam.length:g} m, {mass:g} kg, {cut}")
    for joint in mechanism.joints.values():
        lines.append(f"  joint   {joint.name}: {joint_line(joint)}")
    for drive in mechanism.drives.values():
        lines.append(f"  drive   {drive.joint}: {drive_line(drive, _unit(mechanism, drive))}")
    lines += [f"  motor   {motor.joint}: {motor_line(motor)}" for motor in mechanism.motors.values()]
    lines += [f"  control {part.joint}: {controller_line(part)}" for part in mechanism.controllers.values()]
    for spring in mechanism.springs.values():
        word = "spring" if spring.stiffness or spring.preload else "damper"
        lines.append(
            f"  {word}  {spring.name}: {spring.body_i} to {spring.body_j}, "
            f"{spring.stiffness:g} N/m, {spring.damping:g} N s/m{_strained(spring)}"
        )
    for torsion in mechanism.torsion_springs.values():
        lines.append(
            f"  spring  {torsion.name}: on {torsion.joint}, {torsion.stiffness:g} N m/rad, "
            f"{torsion.damping:g} N m s/rad"
        )
    for force in mechanism.forces.values():
        lines.append(f"  force   {force.name}: on {force.body}{_formulas(force.components)}")
    for torque in mechanism.torques.values():
        lines.append(f"  torque  {torque.name}: on {torque.body}{_formulas(torque.value)}")
    return "\n".join(lines)


def _strained(spring: Any) -> str:
    """Free length and preload of a spring, where they are given."""
    length = f", free length {spring.free_length:g} m" if spring.free_length is not None else ""
    return length + (f", preload {spring.preload:g} N" if spring.preload else "")


def _listed(numbers: tuple[float, ...]) -> str:
    return ", ".join(f"{x:g}" for x in numbers)


def _formulas(values: Any) -> str:
    """The components of a load, where one of them is a formula."""
    parts = values if isinstance(values, tuple) else (values,)
    if not any(isinstance(x, Formula) for x in parts):
        return ""
    words = (x.text if isinstance(x, Formula) else "a function" if callable(x) else f"{x:g}" for x in parts)
    return f", {', '.join(words)}"


def _changing(signal: Any) -> str:
    """What a signal that is no number follows."""
    return "by the motion" if reads_motion(signal) else "in time"


def _unit(mechanism: Mechanism, drive: Drive) -> str:
    kind = mechanism.joints[drive.joint].kind
    return UNITS[getattr(drive, "direction", None) or kind.free or "rotation"]


def joint_line(joint: Joint) -> str:
    """One joint: its kind, bodies, fits and stop."""
    kinds = [f"{mate} {fit.describe()}" for mate, fit in joint.fit.items() if fit != Ideal()]
    stop = "" if joint.stop is None else ", stop"
    return f"{joint.kind.name}, {joint.journal} in {joint.bearing}, {'; '.join(kinds) or 'ideal'}{stop}"


def motor_line(motor: Motor) -> str:
    """One motor: supply, winding and what it turns."""
    supply = f"voltage {_changing(motor.voltage)}" if callable(motor.voltage) else f"{motor.voltage:g} V"
    constants = f"{motor.back_emf:g} V s/rad, {motor.coupling:g} N m/A"
    rotor = f", rotor {motor.rotor_inertia:g} kg m²" if motor.rotor_inertia else ""
    gear = f", gear {motor.gear:g}" if motor.gear != 1.0 else ""
    return f"{supply}, {motor.resistance:g} ohm, {motor.inductance:g} H, {constants}{rotor}{gear}"


def controller_line(part: Controller) -> str:
    """One controller: its target and how hard it follows."""
    target = f"speed {_changing(part.speed)}" if callable(part.speed) else f"{part.speed:g} rad/s"
    limit = f", at most {part.limit:g} N m" if part.limit is not None else ""
    return f"{target}, {part.gain:g} N m s/rad, {part.integral:g} N m/rad{limit}"


def drive_line(drive: Drive, unit: str) -> str:
    """One drive: its number, or what it follows."""
    if drive.motion is not None:
        return "motion in time"
    if callable(drive.speed):
        return "speed in time"
    turning = f" ({drive.speed * 30.0 / math.pi:.6g} rpm)" if unit == "rad" and drive.speed else ""
    return f"{drive.speed:g} {unit}/s{turning}"
