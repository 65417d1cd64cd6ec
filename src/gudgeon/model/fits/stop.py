"""A stop: hard limits on the direction that a joint leaves free."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar

from gudgeon.laws import ContactLaw
from gudgeon.model.fits.base import check_law
from gudgeon.model.values import read_either
from gudgeon.quantity import SI, GudgeonError, Part

__all__ = ["Stop"]


@dataclass(frozen=True)
class Stop(Part):
    """Limits of the joint's free direction, measured from the described position: [rad] or [m].

    The depth into the wall has the same unit: on a rotation K depth^n is a moment, K in [N m/rad^n].
    """

    needed: ClassVar[tuple[str, ...]] = ("wall",)

    lower: SI | None = None
    upper: SI | None = None
    _: KW_ONLY
    wall: ContactLaw = None  # type: ignore[assignment]
    # the unit that a string named, "rad" or "m"; the joint compares it with its free direction
    unit: str | None = field(default=None, repr=False, compare=False)

    def validate(self) -> None:
        units = set() if self.unit is None else {self.unit}
        given = tuple(f'"{x}"' if isinstance(x, str) else f"{x:g}" if x is not None else "" for x in
                      (self.lower, self.upper))  # fmt: skip
        for side in ("lower", "upper"):
            value = getattr(self, side)
            if value is None:
                continue
            number, unit = read_either(value, ("rad", "m"), f"Stop: {side}")
            object.__setattr__(self, side, number)
            units |= {unit} if unit else set()
        if len(units) > 1:
            raise GudgeonError("Stop: lower and upper are an angle and a length; give both in one unit")
        object.__setattr__(self, "unit", units.pop() if units else None)
        self._check_limits(*given)
        check_law(self, "wall", example="LankaraniNikravesh(stiffness=1e8, restitution=0.5)")

    def _check_limits(self, *given: str) -> None:
        lower, upper = self.lower, self.upper
        if lower is None and upper is None:
            raise GudgeonError("Stop: neither lower nor upper is given; give at least one limit")
        if lower is not None and upper is not None and lower >= upper:
            raise GudgeonError(f"Stop: lower {given[0]} must be less than upper {given[1]}; swap them")
        if lower is not None and lower > 0.0:
            raise GudgeonError(f"Stop: lower {given[0]} excludes the described position, its zero; give lower <= 0")
        if upper is not None and upper < 0.0:
            raise GudgeonError(f"Stop: upper {given[1]} excludes the described position, its zero; give upper >= 0")
