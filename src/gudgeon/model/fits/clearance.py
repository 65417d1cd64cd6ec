"""Clearance: a free gap, then an optional liner, then a hard wall."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from gudgeon.laws import ContactLaw, FrictionLaw, LinerLaw, Pair
from gudgeon.model.fits.base import Loose, check_law
from gudgeon.quantity import SI, GudgeonError, Length, Unit
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.model.parts.joint import Joint

__all__ = ["Clearance"]

Play = Annotated[SI, Unit("m", minimum=0.0, remedy="give the gap on each side of the centred journal",
                                example="0.1 mm")]  # fmt: skip
AngularGap = Annotated[SI, Unit("rad", above=0.0, maximum=math.pi, remedy='write degrees as "1 deg"',
                                      example="1 deg")]  # fmt: skip


@dataclass(frozen=True)
class Clearance(Loose):
    """Play: a free gap, then an optional liner, then a hard wall.

    radial_clearance [m] is the gap on each side of the centred journal: half the difference of the diameters, or of
    the widths of guide and slider. For the contact pairs `shoulder` and `flat` it is the gap on each side along the
    axis. angular_clearance [rad] is the play on each side of a centred `key`. The wall begins at the gap plus
    liner_thickness [m]; beyond that, the forces of liner and wall add. `iso` names the ISO 286 fit that the radial
    clearance comes from: left out, the clearance is the mean one of the fit (`from_iso` takes others), and a bore
    without a radius has the nominal size of the fit.

    With radial_clearance 0 the surfaces are in contact as soon as the journal leaves the centre, and never part. There
    is no impact at the beginning, so laws whose damping depends on the first-touch speed have no damping. The
    stiffness must be given, since the formulas have none for equal radii.
    """

    needed: ClassVar[tuple[str, ...]] = ("wall",)
    iso_words: ClassVar[str] = "A clearance by the name of its ISO 286 fit."

    radial_clearance: Play | None = None
    _: KW_ONLY
    wall: ContactLaw = None  # type: ignore[assignment]
    friction: FrictionLaw | None = None
    liner: LinerLaw | None = None
    liner_thickness: Length | None = None
    angular_clearance: AngularGap | None = None
    iso: str | None = None

    def validate(self) -> None:
        self.check_iso()
        if self.radial_clearance is None and self.angular_clearance is None:
            raise GudgeonError('Clearance: no clearance given; write for instance Clearance("0.1 mm", wall=...)')
        check_law(self, "wall")
        check_law(self, "friction", optional=True)
        check_law(self, "liner", optional=True)
        if self.liner is not None and self.liner_thickness is None:
            raise GudgeonError("Clearance: liner needs liner_thickness=; the liner ends and the wall starts there")
        if self.liner is None and self.liner_thickness is not None:
            thickness = f"liner_thickness {self.liner_thickness:g}"
            raise GudgeonError(f"Clearance: {thickness} has no liner; give liner= or leave it out")
        if self.radial_clearance == 0.0 and self.liner is None:
            self._check_equal_radii()

    def _check_equal_radii(self) -> None:
        """Refuse a wall whose stiffness would come from the difference of the radii."""
        try:
            self.wall.pack(Pair(1.0, 1.0, 1.0))
        except GudgeonError:
            raise GudgeonError(
                f"Clearance: radial_clearance 0: {type(self.wall).__name__} has no stiffness between equal radii; give "
                "the wall a stiffness=..., or use Ideal() for a contact pair without play"
            ) from None

    @property
    def layer(self) -> float:
        return self.liner_thickness or 0.0

    def check(self, joint: Joint, mate: type[Mate]) -> None:
        field = mate.clearance
        gap = getattr(self, field)
        if gap is None:
            raise GudgeonError(
                f'Clearance has no {field} for contact pair "{mate.name}"; give {field}=, or a dict of fits with '
                f'"{mate.name}": Ideal()'
            )
        if self.angular_clearance is not None and not any(other.angular for other in joint.own_mates.values()):
            play = f"angular_clearance {self.angular_clearance:g}"
            raise GudgeonError(f"{play}: a {joint.kind.name} joint has no key; leave it out")
        if mate.angular:
            if self.liner is not None:
                raise GudgeonError(
                    f'contact pair "{mate.name}" is angular, so a liner thickness [m] has no meaning; leave liner out'
                )
            return
        self.check_bore(joint, mate)
        joint.check_room(mate, gap)
        if mate.round and self.friction is not None and joint.radius is None:
            raise GudgeonError('friction needs the bearing radius; give radius=, for instance "10 mm"')

    def describe(self) -> str:
        gaps = []
        if self.radial_clearance is not None:
            gaps.append(self.radial_text)
        if self.angular_clearance is not None:
            gaps.append(f"{math.degrees(self.angular_clearance):g} deg")
        laws = [type(law).__name__ for law in (self.liner, self.wall, self.friction) if law is not None]
        return f"clearance {' and '.join(gaps)}, {', '.join(laws)}"
