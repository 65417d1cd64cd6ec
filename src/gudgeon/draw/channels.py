"""The channels that describe a run best."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gudgeon.model.plausible import typical_size

if TYPE_CHECKING:
    from gudgeon.results import Run

__all__ = ["moment_names", "motion_names"]

NOTHING = 1e-9  # of the largest force
STILL = 1e-6  # of the acceleration of a point as far from the axis as the mechanism is large


def motion_names(run: Run) -> list[str]:
    """Channels that describe the motion: accelerations, driving torques, forces of loose joints, moments."""
    joints = run.mechanism.joints
    names = [f"{joint}.{what}" for joint in run.mechanism.driven for what in ("torque", "drive_force", "current")]
    loose = [j.name for j in joints.values() if not j.ideal]
    names += [f"{joint}.force" for joint in loose]
    driven = {joints[name].journal for name in run.mechanism.driven}
    bodies = [body for body in run.mechanism.bodies if body not in driven] or list(run.mechanism.bodies)
    names = [*_last_moving(run, bodies), *names]
    if not loose:
        forces = [f"{joint}.force" for joint in joints if f"{joint}.force" in run]
        largest = max((_peak(run, name) for name in forces), default=0.0)
        # a guide that carries nothing has a force of rounding errors
        names += [name for name in forces if _peak(run, name) > NOTHING * largest]
    return [name for name in dict.fromkeys([*names, *moment_names(run)]) if name in run]


def moment_names(run: Run) -> list[str]:
    """For every flexible link the moment at the station where it becomes largest."""
    largest: dict[str, str] = {}
    for name in run.channels:
        match = re.fullmatch(r"(.+)\.[\d_]+\.\w*moment\w*", name)
        if match and (match[1] not in largest or _peak(run, name) > _peak(run, largest[match[1]])):
            largest[match[1]] = name
    return list(largest.values())


def _last_moving(run: Run, bodies: list[str]) -> list[str]:
    """The acceleration of the last body that has any beside rounding errors; of the last one where none has."""
    names = [name for body in reversed(bodies) if (name := _acceleration(run, body)) in run]
    units = {run.channel(name).unit for name in names}
    largest = {unit: max(_peak(run, name) for name in run.channels if run.channel(name).unit == unit) for unit in units}
    moving = [name for name in names if _peak(run, name) > NOTHING * largest[run.channel(name).unit]]
    return (moving or names)[:1]


def _acceleration(run: Run, body: str) -> str:
    """The largest acceleration of a body: angular where the body swings about the ground, else along an axis."""
    ends = {body, run.mechanism.ground}
    held = [j for j in run.mechanism.joints.values() if {j.journal, j.bearing} == ends]
    if any(j.kind.free == "rotation" and not any(map(j.gap, j.fit)) for j in held):
        return max((f"{body}.alpha{axis}" for axis in ("", "x", "y", "z")), key=lambda name: _peak(run, name))
    along = max((f"{body}.ax", f"{body}.ay", f"{body}.az"), key=lambda name: _peak(run, name))
    turning = max((f"{body}.alpha{axis}" for axis in ("", "x", "y", "z")), key=lambda name: _peak(run, name))
    # a body that turns about its centre of mass, which is held
    return turning if _peak(run, along) < STILL * _peak(run, turning) * typical_size(run.mechanism) else along


def _peak(run: Run, name: str) -> float:
    return float(abs(run[name]).max()) if name in run else -1.0
