"""`contact_loss`: for each loose pin whether, where and from which clearance on it must lose contact."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Unpack

import numpy as np

from gudgeon.analysis.contact_loss.following import Follower
from gudgeon.analysis.contact_loss.ideal_load import ideal_loads, loose_pins
from gudgeon.model import Mechanism
from gudgeon.model.run_settings import RunFields, period_of
from gudgeon.quantity import GudgeonError, closest

__all__ = ["ContactLoss", "JointLoss", "contact_loss"]


@dataclass(frozen=True)
class JointLoss:
    """What the ideal motion says of one loose pin.

    clearance   [m]; `kept` up to `largest_clearance` [m]: infinite where no clearance loses contact, 0 where every one
    lost        time [s] at which the wall would first have to pull, None: never; from a journal that is seated at
                `begin` [s], where it follows the load most easily
    sure        whether the verdict is the same with half the clearance (lost) or twice the clearance (kept)
    number      N = m c γ'² / R at its worst, at the time `worst` [s]: reaction R [N] there, rate γ' [rad/s] of its
                direction, mass m [kg] that the joint feels across it
    rate_by_force   |γ'| / R at its worst [rad/(N s)]
    """

    joint: str
    clearance: float
    lost: float | None
    sure: bool
    begin: float
    largest_clearance: float
    number: float
    worst: float
    reaction: float
    turning: float
    mass: float
    rate_by_force: float
    cycle: float | None  # [s]; None: the load does not repeat
    follower: Follower = field(repr=False, compare=False)

    @property
    def kept(self) -> bool:
        return self.lost is None

    def of_cycle(self, time: float) -> float:
        """A time as a share of the cycle; NaN where there is none."""
        return math.nan if self.cycle is None else time / self.cycle % 1.0


@dataclass(frozen=True)
class ContactLoss:
    """The pins of a mechanism, each with all other joints ideal."""

    name: str
    joints: tuple[JointLoss, ...]
    period: float | None

    def __getitem__(self, name: str) -> JointLoss:
        for joint in self.joints:
            if joint.joint == name:
                return joint
        likely = closest(name, [joint.joint for joint in self.joints])
        hint = f'; did you mean "{likely}"?' if likely else ""
        raise GudgeonError(f'contact loss: "{name}" is no planar pin with a clearance{hint}')


def contact_loss(mechanism: Mechanism, **fields: Unpack[RunFields]) -> ContactLoss:
    """For each planar pin with a clearance, whether its journal must lose contact, from the motion with ideal joints.

    No contact is simulated: the journal is followed along the wall, as a pendulum in the load that the ideal joint
    carries, until the wall would have to pull. One joint at a time is loose, without friction, on a rigid wall.
    Settings are those of `simulate` for the ideal run; default: two turns of the joint driven at constant speed.
    """
    loads, pins = ideal_loads(mechanism, **fields), loose_pins(mechanism)
    joints = []
    for name, load in loads.items():
        follower = Follower(load, pins[name])
        way, near = follower.way(), follower.near_extremes
        other = follower.way(clearance=(2.0 if way.lost is None else 0.5) * pins[name])
        number = near.number(pins[name])
        k = int(np.argmax(number))
        joints.append(JointLoss(
            name, pins[name], way.lost, (other.lost is None) == (way.lost is None), way.begin,
            follower.largest_clearance(), float(number[k]), float(near.times[k]), float(near.size[k]),
            float(near.rate[k]), float(near.mass[k]), float(near.rate_by_force.max()), load.period,
            follower))  # fmt: skip
    return ContactLoss(mechanism.name, tuple(joints), period_of(mechanism))
