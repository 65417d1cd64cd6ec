"""Ideal: no play and no compliance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, ClassVar

from gudgeon.laws import FrictionLaw
from gudgeon.model.fits.base import Fit, check_law
from gudgeon.model.joint_kinds import JointKind
from gudgeon.quantity import GudgeonError, in_words
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.model.parts.joint import Joint

__all__ = ["Ideal", "rubs_by_reaction"]


def rubs_by_reaction(kind: JointKind, mates: Mapping[str, type[Mate]], name: str) -> bool:
    """Whether friction of an ideal mate follows from the reaction of a joint of this kind; not in those that hold
    everything, have a cross or count turns."""
    held = kind.free is None and len(kind.mates) > 1
    return mates[name].slides and not held and not any(mates[other].counts_turns for other in kind.mates)


@dataclass(frozen=True)
class Ideal(Fit):
    """No play and no compliance: constraint equations, with optional friction.

    friction: from the reaction of the joint. For a pin or a ball it is a couple, the radius times the friction of the
    whole force; for a guide a force along it. With a length of the joint both ends of a guide or sleeve carry load, and
    so its moment; without a length the moment is left out.
    """

    ideal: ClassVar[bool] = True

    _: KW_ONLY
    friction: FrictionLaw | None = None

    def validate(self) -> None:
        check_law(self, "friction", optional=True)

    def check(self, joint: Joint, mate: type[Mate]) -> None:
        if self.friction is None:
            return
        kind = joint.kind
        if kind.cross:
            raise GudgeonError(
                "friction of an ideal universal joint: its two axes carry differently; make the cross a body with "
                "two revolute joints, or give the joint a Clearance"
            )
        if not rubs_by_reaction(kind, joint.own_mates, mate.name):
            raise GudgeonError(
                f'friction of an ideal fit: contact pair "{mate.name}" of a {kind.name} joint has none that its '
                "reaction describes; leave it out, or give a Clearance, whose surfaces touch at known places"
            )
        missing = [size for size in mate.slide_needs if getattr(joint, size) is None]
        if missing:
            raise GudgeonError(f'friction on contact pair "{mate.name}" needs {in_words(missing)}; '
                               f'give for instance {missing[0]}="10 mm"')  # fmt: skip

    def describe(self) -> str:
        return "ideal" if self.friction is None else f"ideal, {type(self.friction).__name__}"
