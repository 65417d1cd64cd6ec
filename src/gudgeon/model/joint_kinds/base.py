"""What a joint kind is: a list of mates and the directions it leaves free."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["UNITS", "JointKind"]

UNITS = {"rotation": "rad", "translation": "m"}


@dataclass(frozen=True)
class JointKind:
    """`mates` are the contact pairs, `free` is the free motion: "rotation", "translation" or None; `also` a second one.

    `aliases` are other names of ours, `also_called` what people call it elsewhere, for which it is suggested. `method`
    is the method of a mechanism that adds such a joint, where it does not have the kind's name; `words` what that
    method says where it is not written by hand. `rank`: where the kind stands in lists.
    """

    name: str
    mates: tuple[str, ...]
    free: str | None
    also: str | None = None
    aliases: tuple[str, ...] = field(default=(), repr=False)
    also_called: tuple[str, ...] = field(default=(), repr=False)
    method: str = field(default="", repr=False)
    words: str = field(default="", repr=False)
    rails: bool = field(default=False, repr=False)  # it slides along a beam, or along an axis that it is given
    cross: bool = field(default=False, repr=False)  # it has an axis on each side, perpendicular to each other
    rank: int = field(default=100, repr=False)

    @property
    def unit(self) -> str:
        """SI unit of the free coordinate, "" where nothing is free."""
        return UNITS[self.free] if self.free else ""

    @property
    def directions(self) -> tuple[str, ...]:
        """What can be driven or stopped."""
        return tuple(side for side in (self.free, self.also) if side is not None)

    @property
    def coordinates(self) -> dict[str, str]:
        """The free directions by the names of their channels."""
        return dict(zip(("travel", "turn"), self.directions, strict=False))
