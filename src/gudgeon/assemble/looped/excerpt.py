"""`Excerpt`: one part of a mechanism and the bodies it acts on, as a mechanism of its own.

The equations of a mechanism are sums over its parts. Traced alone, a part gives its own rows and forces, by the same
formulas as in the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gudgeon.model import Formula, Mechanism
from gudgeon.model.names import GROUND
from gudgeon.model.signals import signals_of


@dataclass(frozen=True)
class Excerpt:
    """What a trace asks of a mechanism, for one part; `owner` is its name."""

    owner: str
    planar: bool
    gravity: tuple[float, ...]
    bodies: Mapping[str, Any]
    world: Callable[[str, tuple[float, ...]], tuple[float, ...]]
    joints: Mapping[str, Any] = field(default_factory=dict)
    drives: Mapping[str, Any] = field(default_factory=dict)
    springs: Mapping[str, Any] = field(default_factory=dict)
    torsion_springs: Mapping[str, Any] = field(default_factory=dict)
    forces: Mapping[str, Any] = field(default_factory=dict)
    torques: Mapping[str, Any] = field(default_factory=dict)
    motors: Mapping[str, Any] = field(default_factory=dict)
    controllers: Mapping[str, Any] = field(default_factory=dict)
    beams: Mapping[str, Any] = field(default_factory=dict)

    def link(self, name: str) -> Any:
        """The body of this name."""
        return self.bodies[name]


def body_excerpts(mechanism: Mechanism) -> list[Excerpt]:
    """Each body alone, with gravity."""
    planar, gravity, world = mechanism.planar, mechanism.gravity, mechanism.world
    return [Excerpt(name, planar, gravity, {name: body}, world) for name, body in mechanism.bodies.items()]


def part_excerpts(mechanism: Mechanism) -> list[Excerpt]:
    """Each joint with its drive, motor, controller and torsion springs, each spring, force and torque, and with the
    bodies whose motion they read; without gravity."""
    planar, world, every = mechanism.planar, mechanism.world, mechanism.bodies
    still = (0.0,) * len(mechanism.gravity)
    movers = {"drives": mechanism.drives, "motors": mechanism.motors, "controllers": mechanism.controllers}
    turning: dict[str, dict[str, Any]] = {}
    for name, torsion in mechanism.torsion_springs.items():
        turning.setdefault(torsion.joint, {})[name] = torsion

    read: dict[str, list[str]] = {}
    for x in signals_of(mechanism):
        if isinstance(x.signal, Formula):
            read.setdefault(x.name, []).extend(name.partition(".")[0] for name in x.signal.reads)

    def take(owner: str, names: tuple[str | None, ...], **parts: Any) -> Excerpt:
        known = (*names, *sorted(set(read.get(owner, ())) & set(every)))
        bodies = {name: every[name] for name in known if name is not None and name != GROUND}
        return Excerpt(owner, planar, still, bodies, world, **parts)

    excerpts = []
    for name, joint in mechanism.joints.items():
        moved = {kind: {name: by_joint[name]} for kind, by_joint in movers.items() if name in by_joint}
        excerpts.append(take(name, (joint.journal, joint.bearing), joints={name: joint}, **moved,
                          torsion_springs=turning.get(name, {})))  # fmt: skip
    for name, spring in mechanism.springs.items():
        excerpts.append(take(name, (spring.body_i, spring.body_j), springs={name: spring}))
    for name, force in mechanism.forces.items():
        excerpts.append(take(name, (force.body,), forces={name: force}))
    for name, torque in mechanism.torques.items():
        excerpts.append(take(name, (torque.body, torque.reaction), torques={name: torque}))
    return excerpts
