"""The tree of a mechanism: bodies hung one upon another by ideal joints, with the coordinates that these leave free.

Loose joints cut the loops of most mechanisms, and what is left of the ideal joints is a tree. A body then needs only
the coordinates of the joint that carries it: nothing has to be constrained and nothing can drift. A driven coordinate
is a function of time and no state at all. Joints that close a loop keep their rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gudgeon.model import Mechanism
from gudgeon.model.names import GROUND

ANGLE, LENGTH, EULER = ("rad", "rad/s"), ("m", "m/s"), ("1", "rad/s")

# the freedoms that the ideal mates of a joint leave, by the mates; other sets of mates keep their rows
PLANAR: dict[frozenset[str], str] = {
    frozenset({"pin"}): "revolute", frozenset({"slot"}): "translational", frozenset({"pin", "key"}): "rigid",
}  # fmt: skip
SPATIAL: dict[frozenset[str], str] = {
    frozenset({"sleeve", "shoulder"}): "revolute", frozenset({"sleeve"}): "cylindrical",
    frozenset({"sleeve", "key"}): "translational", frozenset({"ball"}): "spherical",
    frozenset({"ball", "key"}): "universal", frozenset({"sleeve", "shoulder", "key"}): "rigid",
    frozenset({"flat"}): "flat",
}  # fmt: skip
FREEDOMS: dict[str, dict[str, tuple[str, str]]] = {
    "revolute": {"rotation": ANGLE}, "translational": {"translation": LENGTH}, "rigid": {},
    "cylindrical": {"translation": LENGTH, "rotation": ANGLE}, "universal": {"about_t": ANGLE, "about_h": ANGLE},
    "flat": {"along_h": LENGTH, "along_t": LENGTH, "rotation": ANGLE},
}  # fmt: skip


@dataclass
class Link:
    """A body, what carries it, and the states of its joint.

    `outward`: the body is the journal of its joint, its parent the bearing. A link without a joint is free. `moves` are
    coordinate and speed of every freedom by name; of these `driven` ones are no states.
    """

    body: str
    parent: str = GROUND
    joint: str | None = None
    kind: str = "free"
    outward: bool = True
    driven: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    velocity_units: tuple[str, ...] = ()
    q: tuple[Any, ...] = ()
    v: tuple[Any, ...] = ()
    moves: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def turns_freely(self) -> bool:
        """Whether it has Euler parameters, the last four of its coordinates."""
        return "1" in self.units

    def bind(self, q: Sequence[Any], v: Sequence[Any], known: tuple[Any, Any]) -> None:
        """Give the link its symbols; `known` are coordinate and speed of its drive, where it has one."""
        self.q, self.v = tuple(q), tuple(v)
        own = iter(zip(q, v, strict=False))
        if self.kind in FREEDOMS:
            self.moves = {name: known if name in self.driven else next(own) for name in FREEDOMS[self.kind]}


@dataclass(frozen=True)
class Tree:
    """Links with parents before what they carry, and the joints between them."""

    links: list[Link]
    joints: dict[str, Link]  # by the joint that carries a body
    closing: list[str]  # ideal joints that keep rows

    def outboard(self, body: str) -> list[str]:
        """The body and all that it carries."""
        carried = [body]
        for link in self.links:
            if link.joint is not None and link.parent in carried:
                carried.append(link.body)
        return carried

    @property
    def longest(self) -> int:
        """The most speeds on the way to a body."""
        count = {GROUND: 0}
        for link in self.links:
            count[link.body] = (count[link.parent] if link.joint else 0) + len(link.velocity_units)
        return max(count.values())

    @property
    def speeds(self) -> int:
        return sum(len(link.velocity_units) for link in self.links)


def held_mates(joint: Any) -> list[str]:
    return [name for name, fit in joint.fit.items() if fit.ideal]


def grow(mechanism: Mechanism) -> Tree:
    """Hang the bodies upon the ground and upon one another: by driven joints first, then in the order described."""
    table = PLANAR if mechanism.planar else SPATIAL
    held = {name: held_mates(joint) for name, joint in mechanism.joints.items()}
    kinds = {name: table[frozenset(mates)] for name, mates in held.items() if frozenset(mates) in table}
    names = sorted(kinds, key=lambda name: name not in mechanism.drives)
    links: dict[str, Link] = {}
    for root in (GROUND, *mechanism.bodies):
        if root in links:
            continue
        if root != GROUND:
            links[root] = _link(mechanism, root)
        front = [root]
        while front:
            inner = front.pop(0)
            for name in names:
                joint = mechanism.joints[name]
                outer = {joint.bearing: joint.journal, joint.journal: joint.bearing}.get(inner)
                if outer is None or outer == GROUND or outer in links:
                    continue
                links[outer] = _link(mechanism, outer, inner, name, kinds[name])
                front.append(outer)
    joints = {link.joint: link for link in links.values() if link.joint is not None}
    closing = [name for name, mates in held.items() if mates and name not in joints]
    return Tree(list(links.values()), joints, closing)


def _link(mechanism: Mechanism, body: str, parent: str = GROUND, joint: str | None = None, kind: str = "free") -> Link:
    if joint is None:
        pairs = [LENGTH] * 2 + [ANGLE] if mechanism.planar else [LENGTH] * 3
        link = Link(body, units=tuple(q for q, _ in pairs), velocity_units=tuple(v for _, v in pairs))
        if not mechanism.planar:
            link.units += ("1",) * 4
            link.velocity_units += ("rad/s",) * 3
        return link
    outward = mechanism.joints[joint].journal == body
    if kind == "spherical":
        return Link(body, parent, joint, kind, outward, units=("1",) * 4, velocity_units=("rad/s",) * 3)
    freedoms = FREEDOMS[kind]
    driven: tuple[str, ...] = ()
    drive = mechanism.drives.get(joint)
    if drive is not None:
        direction = getattr(drive, "direction", None) or mechanism.joints[joint].kind.free
        driven = (direction,) if direction in freedoms else ()
    own = [pair for name, pair in freedoms.items() if name not in driven]
    return Link(body, parent, joint, kind, outward, driven, tuple(q for q, _ in own), tuple(v for _, v in own))
