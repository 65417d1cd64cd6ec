"""Fits: how the surfaces of a mate meet.

A fit is a row of layers from the centre outwards: a free gap, a liner, a hard wall. `Ideal` has none of them
and becomes a constraint; `Clearance` starts with a gap, `Bushing` with the liner.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, ClassVar, Literal

from gudgeon.laws import ContactLaw, FrictionLaw, LinerLaw
from gudgeon.model.iso286 import Limit, clearance_of, iso_fit
from gudgeon.model.names import choice, shown
from gudgeon.quantity import GudgeonError, Length, Part, Unit, in_words

__all__ = ["Bushing", "Clearance", "Fit", "Fits", "Ideal", "Layers", "check_fit", "check_law"]

Gap = Annotated[float, Unit("m", above=0.0, remedy="use Ideal() for a mate without play")]
AngularGap = Annotated[float, Unit("rad", above=0.0, maximum=math.pi, remedy='write degrees as "1 deg"')]
Layers = Literal["sum", "published"]

_EXAMPLES: dict[str, tuple[type, str]] = {
    "wall": (ContactLaw, "LankaraniNikravesh(STEEL, restitution=0.9)"),
    "friction": (FrictionLaw, "ModifiedCoulomb(0.03)"),
    "liner": (LinerLaw, 'LinearLiner(stiffness="1e7 N/m", damping="1e3 N s/m")'),
}


class Fit(Part, ABC):
    """How a mate is enforced. A subclass registers under its own name."""

    registry: ClassVar[dict[str, type[Fit]]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        Fit.registry[cls.__name__] = cls

    @abstractmethod
    def describe(self) -> str:
        """One line for a summary."""


@dataclass(frozen=True)
class Ideal(Fit):
    """No play and no compliance: the mate is a constraint."""

    def describe(self) -> str:
        return "ideal"


@dataclass(frozen=True)
class Clearance(Fit):
    """A free gap, then an optional liner, then a hard wall.

    radial_clearance [m] is the gap on each side of a centred `pin` or `slot`; angular_clearance [rad] the
    play on each side of a centred `key`. The wall starts at the gap plus liner_thickness [m]. With
    layers="sum" liner and wall add beyond that; with "published" the wall takes over within `blend` [m], as
    printed in Eq 50 of Ambrosio and Pombo (2018), whose force falls there. `iso` names the ISO 286 fit that
    the radial clearance comes from, see `from_iso`.
    """

    radial_clearance: Gap | None = None
    _: KW_ONLY
    wall: ContactLaw = None  # type: ignore[assignment]
    friction: FrictionLaw | None = None
    liner: LinerLaw | None = None
    liner_thickness: Length | None = None
    layers: Layers = "sum"
    blend: Length | None = None
    angular_clearance: AngularGap | None = None
    iso: str | None = None

    @classmethod
    def from_iso(cls, text: str, *, limit: Limit = "mean", **fields: Any) -> Clearance:
        """The clearance of an ISO 286 fit such as "20 H7/f7", at its "minimum", "mean" or "maximum"."""
        if "radial_clearance" in fields or "iso" in fields:
            raise GudgeonError(
                f"Clearance.from_iso: radial_clearance comes from {shown(text)}; leave radial_clearance and iso out"
            )
        fit = iso_fit(text)
        return cls(clearance_of(fit, limit), iso=fit.text, **fields)

    def validate(self) -> None:
        if self.radial_clearance is None and self.angular_clearance is None:
            raise GudgeonError(
                'Clearance: no clearance given; write for instance Clearance("0.1 mm", wall=...)'
            )
        if self.iso is not None:
            if self.radial_clearance is None:
                raise GudgeonError(
                    f"Clearance: iso {shown(self.iso)} needs radial_clearance; write Clearance.from_iso(...)"
                )
            object.__setattr__(self, "iso", iso_fit(self.iso).text)
        check_law(self, "wall")
        check_law(self, "friction", optional=True)
        check_law(self, "liner", optional=True)
        _check_layers(self, self.liner is not None, "liner", self.liner_thickness, "liner_thickness")

    def describe(self) -> str:
        gaps = []
        if self.radial_clearance is not None:
            gaps.append(f"{self.radial_clearance * 1e3:g} mm{self._origin(self.radial_clearance)}")
        if self.angular_clearance is not None:
            gaps.append(f"{math.degrees(self.angular_clearance):g} deg")
        laws = [type(law).__name__ for law in (self.liner, self.wall, self.friction) if law is not None]
        return f"clearance {' and '.join(gaps)}, {', '.join(laws)}"

    def _origin(self, gap: float) -> str:
        if self.iso is None:
            return ""
        fit = iso_fit(self.iso)
        within = fit.minimum <= gap <= fit.maximum
        return f" ({'' if within else 'outside '}ISO {fit.text}: {fit.clearances})"


@dataclass(frozen=True)
class Bushing(Fit):
    """A liner that acts from zero, with an optional hard wall after `thickness` [m].

    `layers` and `blend` [m] as in Clearance.
    """

    liner: LinerLaw = None  # type: ignore[assignment]
    _: KW_ONLY
    wall: ContactLaw | None = None
    thickness: Length | None = None
    layers: Layers = "sum"
    blend: Length | None = None

    def validate(self) -> None:
        check_law(self, "liner")
        check_law(self, "wall", optional=True)
        _check_layers(self, self.wall is not None, "wall", self.thickness, "thickness")

    def describe(self) -> str:
        laws = [type(law).__name__ for law in (self.liner, self.wall) if law is not None]
        return f"bushing, {', '.join(laws)}"


def check_law(part: Part, field: str, *, optional: bool = False, example: str = "") -> None:
    """Refuse what is no law, or a law of another sort, in the field `wall`, `friction` or `liner`."""
    base, usual = _EXAMPLES[field]
    example = example or usual
    value, title = getattr(part, field), type(part).__name__
    if isinstance(value, base) or (optional and value is None):
        return
    if value is None:
        raise GudgeonError(f"{title}: {field} is missing; write {field}={example}")
    if isinstance(value, type):
        raise GudgeonError(f"{title}: {field} {value.__name__} is a class; write {field}={example}")
    raise GudgeonError(f"{title}: {field} {shown(value)} is no {base.__name__}; write {field}={example}")


def _check_layers(part: Clearance | Bushing, layered: bool, layer: str, thickness: float | None,
                  field: str) -> None:  # fmt: skip
    title = type(part).__name__
    choice(part.layers, ("sum", "published"), f"{title}: layers")
    if layered and thickness is None:
        raise GudgeonError(f"{title}: {layer} needs {field}=; the liner ends and the wall starts there")
    if thickness is not None and not layered:
        raise GudgeonError(f"{title}: {field} {thickness:g} has no {layer}; give {layer}= or leave it out")
    if part.layers == "published" and not layered:
        raise GudgeonError(f'{title}: layers "published" needs both a liner and a wall; give {layer}=')
    if part.layers == "published" and part.blend is None:
        raise GudgeonError(f'{title}: layers "published" needs blend=, for instance 1 % of {field}')
    if part.layers == "sum" and part.blend is not None:
        raise GudgeonError(f'{title}: blend {part.blend:g} is used only by layers="published"; leave it out')


def check_fit(value: Any, field: str = "fit") -> Fit:
    """The fit, or an error that says how to make one from what was given."""
    if isinstance(value, Fit):
        return value
    names = in_words(Fit.registry)
    if isinstance(value, type) and issubclass(value, Fit):
        raise GudgeonError(f"{field} {value.__name__} is a class; call it: {value.__name__}(...)")
    if isinstance(value, ContactLaw | FrictionLaw):
        role = "wall" if isinstance(value, ContactLaw) else "wall=..., friction"
        raise GudgeonError(
            f'{field} {type(value).__name__} is a law, no fit; wrap it: Clearance("0.1 mm", {role}=...)'
        )
    if isinstance(value, LinerLaw):
        raise GudgeonError(f"{field} {type(value).__name__} is a law, no fit; wrap it: Bushing(...)")
    if isinstance(value, str):
        wanted = next((name for name in Fit.registry if name.lower() == value.lower()), "Ideal")
        example = f"{wanted}()" if wanted == "Ideal" else f"{wanted}(...)"
        raise GudgeonError(f'{field} "{value}" is a text, no fit; write {example}')
    raise GudgeonError(f"{field} {shown(value)} is no fit; choose from {names}")


class Fits(Mapping[str, Fit]):
    """The fit of each mate of a joint: a mapping that never changes."""

    __slots__ = ("_pairs",)

    def __init__(self, fits: Mapping[str, Fit]) -> None:
        self._pairs = tuple(fits.items())

    def __getitem__(self, mate: str) -> Fit:
        return dict(self._pairs)[mate]

    def __iter__(self) -> Iterator[str]:
        return iter(mate for mate, _ in self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def __hash__(self) -> int:
        return hash(frozenset(self._pairs))

    def __repr__(self) -> str:
        return repr(dict(self._pairs))
