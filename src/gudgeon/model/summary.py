"""A mechanism in lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gudgeon.model.drive import Drive
from gudgeon.model.fits import Ideal
from gudgeon.model.joint import Joint

if TYPE_CHECKING:
    from gudgeon.model.mechanism import Mechanism

__all__ = ["summary"]


def summary(mechanism: Mechanism) -> str:
    """Name, bodies, joints with their fits, drives and loads."""
    lines = [f"{mechanism.name} · planar, gravity {mechanism.gravity[0]:g}, {mechanism.gravity[1]:g} m/s²"]
    for body in mechanism.bodies.values():
        x, y = body.at
        lines.append(f"  body    {body.name}: {body.mass:g} kg, {body.inertia:g} kg m², at {x:g}, {y:g} m")
    for joint in mechanism.joints.values():
        lines.append(f"  joint   {joint.name}: {joint_line(joint)}")
    for drive in mechanism.drives.values():
        lines.append(f"  drive   {drive.joint}: {drive_line(drive, mechanism.joints[drive.joint].kind.unit)}")
    for spring in mechanism.springs.values():
        word = "spring" if spring.stiffness or spring.preload else "damper"
        lines.append(
            f"  {word}  {spring.name}: {spring.body_i} to {spring.body_j}, "
            f"{spring.stiffness:g} N/m, {spring.damping:g} N s/m"
        )
    for torsion in mechanism.torsion_springs.values():
        lines.append(
            f"  spring  {torsion.name}: on {torsion.joint}, {torsion.stiffness:g} N m/rad, "
            f"{torsion.damping:g} N m s/rad"
        )
    lines += [f"  force   {force.name}: on {force.body}" for force in mechanism.forces.values()]
    lines += [f"  torque  {torque.name}: on {torque.body}" for torque in mechanism.torques.values()]
    return "\n".join(lines)


def joint_line(joint: Joint) -> str:
    """One joint: its kind, bodies, fits and stop."""
    kinds = [f"{mate} {fit.describe()}" for mate, fit in joint.fit.items() if not isinstance(fit, Ideal)]
    stop = "" if joint.stop is None else ", stop"
    return f"{joint.kind.name}, {joint.journal} in {joint.bearing}, {'; '.join(kinds) or 'ideal'}{stop}"


def drive_line(drive: Drive, unit: str) -> str:
    """One drive: its number, or what it follows."""
    if drive.motion is not None:
        return "motion in time"
    return "speed in time" if callable(drive.speed) else f"{drive.speed:g} {unit}/s"
