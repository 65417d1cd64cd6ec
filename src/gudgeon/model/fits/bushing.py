"""Bushing: a liner that acts from zero, with an optional hard wall behind it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, ClassVar

from gudgeon.laws import ContactLaw, LinerLaw
from gudgeon.model.fits.base import Fit, check_law
from gudgeon.quantity import GudgeonError, Length
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.model.parts.joint import Joint

__all__ = ["Bushing"]


@dataclass(frozen=True)
class Bushing(Fit):
    """An elastic liner that resists every deflection, with an optional hard wall after `thickness` [m].

    Beyond the thickness, the forces of liner and wall add. `conical` is the liner against tilt of a sleeve or a flat in
    space: its deflection is an angle, its stiffness in [N m/rad], its damping in [N m s/rad].
    """

    for_all_mates: ClassVar[bool] = False  # mates have different units
    needed: ClassVar[tuple[str, ...]] = ("liner",)

    liner: LinerLaw = None  # type: ignore[assignment]
    _: KW_ONLY
    wall: ContactLaw | None = None
    thickness: Length | None = None
    conical: LinerLaw | None = None

    def validate(self) -> None:
        check_law(self, "liner")
        check_law(self, "wall", optional=True)
        check_law(self, "conical", optional=True)
        if self.wall is not None and self.thickness is None:
            raise GudgeonError("Bushing: wall needs thickness=; the liner ends and the wall starts there")
        if self.wall is None and self.thickness is not None:
            raise GudgeonError(f"Bushing: thickness {self.thickness:g} has no wall; give wall= or leave it out")

    @property
    def layer(self) -> float:
        return self.thickness or 0.0

    def check(self, joint: Joint, mate: type[Mate]) -> None:
        tilts = "conical" in mate.angular_offsets
        if tilts and self.conical is None:
            raise GudgeonError(
                f'a Bushing on contact pair "{mate.name}" has a liner against displacement and another '
                'against tilt; '
                "give conical=LinearLiner(...) with stiffness [N m/rad] and damping [N m s/rad]"
            )
        if not tilts and self.conical is not None:
            raise GudgeonError(f'conical: contact pair "{mate.name}" does not tilt; leave it out')
        if mate.angular and self.thickness is not None:
            raise GudgeonError(
                f'contact pair "{mate.name}" is angular, so a wall after a thickness [m] has no meaning; leave wall out'
            )

    def describe(self) -> str:
        laws = [type(law).__name__ for law in (self.liner, self.wall) if law is not None]
        return f"bushing, {', '.join(laws)}"
