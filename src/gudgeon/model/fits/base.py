"""Fits: how the surfaces of a mate meet.

A fit is a row of layers from the centre outwards: a free gap, a liner, a hard wall. `Ideal` has none of them
and becomes a constraint; `Clearance` starts with a gap, `Bushing` with the liner; `Lubricated` fills the gap
with a film; `Touching` has a wall alone, met from outside.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, cast

from gudgeon.laws import ContactLaw, FilmLaw, FrictionLaw, LinerLaw, Pair
from gudgeon.model.fits.iso286 import Limit, clearance_of, iso_fit
from gudgeon.model.names import choice, shown
from gudgeon.model.values import size_text
from gudgeon.quantity import SI, GudgeonError, Length, Part, Unit, in_words

__all__ = ["Bushing", "Clearance", "Fit", "Fits", "Ideal", "Layers", "Loose", "Lubricated", "Touching", "check_fit",
           "check_law"]  # fmt: skip

Gap = Annotated[SI, Unit("m", above=0.0, remedy="use Ideal() for a mate without play")]
Play = Annotated[SI, Unit("m", minimum=0.0, remedy="give the gap on each side of the centred journal")]
AngularGap = Annotated[SI, Unit("rad", above=0.0, maximum=math.pi, remedy='write degrees as "1 deg"')]
Layers = Literal["sum", "published"]

LEAST_FILM = 0.01  # of the clearance: where a film hands over to its wall unless said otherwise

_EXAMPLES: dict[str, tuple[type, str]] = {
    "wall": (ContactLaw, "LankaraniNikravesh(STEEL, restitution=0.9)"),
    "friction": (FrictionLaw, "ModifiedCoulomb(0.03)"),
    "liner": (LinerLaw, 'LinearLiner(stiffness="1e7 N/m", damping="1e3 N s/m")'),
    "film": (FilmLaw, 'Moes(viscosity="400 cP")'),
    "conical": (LinerLaw, "LinearLiner(stiffness=50, damping=0.1)"),
}


class Fit(Part, ABC):
    """How a mate is enforced. A subclass registers under its own name."""

    registry: ClassVar[dict[str, type[Fit]]] = {}

    def __init_subclass__(cls, *, abstract: bool = False, **options: Any) -> None:
        super().__init_subclass__(**options)
        if not abstract:
            Fit.registry[cls.__name__] = cls

    @abstractmethod
    def describe(self) -> str:
        """One line for a summary."""


@dataclass(frozen=True)
class Ideal(Fit):
    """No play and no compliance: the mate is a constraint."""

    def describe(self) -> str:
        return "ideal"


class Loose(Fit, abstract=True):
    """A fit with a gap, which may come from ISO 286."""

    radial_clearance: float | None
    iso: str | None

    @classmethod
    def from_iso(cls, text: str, *, limit: Limit = "mean", **fields: Any) -> Self:
        """The clearance of an ISO 286 fit such as "20 H7/f7", at its "minimum", "mean" or "maximum"."""
        title = cls.__name__
        if "radial_clearance" in fields or "iso" in fields:
            raise GudgeonError(
                f"{title}.from_iso: radial_clearance comes from {shown(text)}; leave radial_clearance and iso out"
            )
        fit, make = iso_fit(text), cast(type[Any], cls)
        made: Self = make(radial_clearance=clearance_of(fit, limit), iso=fit.text, **fields)
        return made

    def check_iso(self) -> None:
        """Bring the name of the ISO fit into its usual form."""
        if self.iso is None:
            return
        title = type(self).__name__
        if self.radial_clearance is None:
            raise GudgeonError(f"{title}: iso {shown(self.iso)} needs radial_clearance; write {title}.from_iso(...)")
        object.__setattr__(self, "iso", iso_fit(self.iso).text)

    @property
    def radial_text(self) -> str:
        """The gap in mm, with the ISO fit it comes from."""
        assert self.radial_clearance is not None
        text = f"{self.radial_clearance * 1e3:g} mm"
        if self.iso is None:
            return text
        fit = iso_fit(self.iso)
        within = fit.minimum <= self.radial_clearance <= fit.maximum
        return f"{text} ({'' if within else 'outside '}ISO {fit.text}: {fit.clearances})"


@dataclass(frozen=True)
class Clearance(Loose):
    """A free gap, then an optional liner, then a hard wall.

    radial_clearance [m] is the gap on each side of a centred `pin` or `slot`, in space of a `ball` or `sleeve`, and
    along the axis that of a `shoulder` or `flat`; angular_clearance [rad] the play on each side of a centred `key`.
    The wall starts at the gap plus liner_thickness [m]. With layers="sum" liner and wall add beyond that; with
    "published" the wall takes over within `blend` [m], as printed in Eq 50 of Ambrosio and Pombo (2018), whose force
    falls there. `iso` names the ISO 286 fit that the radial clearance comes from, see `from_iso`.

    With radial_clearance 0 the surfaces touch as soon as the journal leaves the middle, and never part: no impact
    starts the contact, so that laws that scale their damping with the speed of first touch have none. Its stiffness
    must be given, since equal radii have none.
    """

    radial_clearance: Play | None = None
    _: KW_ONLY
    wall: ContactLaw = None  # type: ignore[assignment]
    friction: FrictionLaw | None = None
    liner: LinerLaw | None = None
    liner_thickness: Length | None = None
    layers: Layers = "sum"
    blend: Length | None = None
    angular_clearance: AngularGap | None = None
    iso: str | None = None

    def validate(self) -> None:
        if self.radial_clearance is None and self.angular_clearance is None:
            raise GudgeonError('Clearance: no clearance given; write for instance Clearance("0.1 mm", wall=...)')
        self.check_iso()
        check_law(self, "wall")
        check_law(self, "friction", optional=True)
        check_law(self, "liner", optional=True)
        _check_layers(self, self.liner is not None, "liner", self.liner_thickness, "liner_thickness")
        if self.radial_clearance == 0.0 and self.liner is None:
            self._check_equal_radii()

    def _check_equal_radii(self) -> None:
        """Refuse a wall whose stiffness would come from the difference of the radii."""
        try:
            self.wall.pack(Pair(1.0, 1.0, 1.0))
        except GudgeonError:
            raise GudgeonError(
                f"Clearance: radial_clearance 0: {type(self.wall).__name__} has no stiffness between equal radii; give "
                "the wall a stiffness=..., or use Ideal() for a mate without play"
            ) from None

    def describe(self) -> str:
        gaps = []
        if self.radial_clearance is not None:
            gaps.append(self.radial_text)
        if self.angular_clearance is not None:
            gaps.append(f"{math.degrees(self.angular_clearance):g} deg")
        laws = [type(law).__name__ for law in (self.liner, self.wall, self.friction) if law is not None]
        return f"clearance {' and '.join(gaps)}, {', '.join(laws)}"


@dataclass(frozen=True)
class Bushing(Fit):
    """A liner that acts from zero, with an optional hard wall after `thickness` [m].

    `layers` and `blend` [m] as in Clearance. `conical` is the liner against tilt of a sleeve or a flat in space: its
    deflection is an angle, its stiffness in [N m/rad], its damping in [N m s/rad].
    """

    liner: LinerLaw = None  # type: ignore[assignment]
    _: KW_ONLY
    wall: ContactLaw | None = None
    thickness: Length | None = None
    layers: Layers = "sum"
    blend: Length | None = None
    conical: LinerLaw | None = None

    def validate(self) -> None:
        check_law(self, "liner")
        check_law(self, "wall", optional=True)
        check_law(self, "conical", optional=True)
        _check_layers(self, self.wall is not None, "wall", self.thickness, "thickness")

    def describe(self) -> str:
        laws = [type(law).__name__ for law in (self.liner, self.wall) if law is not None]
        return f"bushing, {', '.join(laws)}"


@dataclass(frozen=True)
class Lubricated(Loose):
    """A gap filled by a film, with an optional hard wall behind it; for a `pin`, in space for a `sleeve`, whose strips
    share the film so that it also resists tilt (`Misaligned` fills it as a whole), and for a `ball`, whose law is
    `Sphere`.

    radial_clearance [m] as in Clearance; `iso` too. The film carries the journal and, with shear=True, drags on it:
    its force acts midway between the centres and its shear resists the relative rotation, so that it never
    adds energy. shear=False leaves the drag out: the force acts at the journal's centre, as in most articles.

    A `wall` touches where the film is thinner than minimum_film [m], by default 1 % of the clearance (three times the
    roughness of both surfaces is a usual estimate); there the film grows thinner ever more slowly and stays above half
    of minimum_film. Friction acts at the wall. Without a wall a run ends where the film gives way.
    """

    radial_clearance: Gap
    _: KW_ONLY
    film: FilmLaw = None  # type: ignore[assignment]
    wall: ContactLaw | None = None
    minimum_film: Length | None = None
    friction: FrictionLaw | None = None
    shear: bool = True
    iso: str | None = None

    def validate(self) -> None:
        self.check_iso()
        check_law(self, "film")
        check_law(self, "wall", optional=True)
        check_law(self, "friction", optional=True)
        if not isinstance(self.shear, bool):
            raise GudgeonError(f"Lubricated: shear {shown(self.shear)} must be True or False")
        for field in ("minimum_film", "friction"):
            if self.wall is None and getattr(self, field) is not None:
                given = shown(getattr(self, field))
                raise GudgeonError(f"Lubricated: {field} {given} has no wall to act at; give wall=..., or leave it out")
        if self.minimum_film is not None and self.minimum_film >= self.radial_clearance:
            thin, gap = size_text(self.minimum_film), size_text(self.radial_clearance)
            raise GudgeonError(
                f"Lubricated: minimum_film {thin} is not smaller than radial_clearance {gap}; "
                "give some micrometres, or leave it out for 1 % of the clearance"
            )

    @property
    def least_film(self) -> float | None:
        """Thickness [m] below which the wall touches; None without a wall."""
        if self.wall is None:
            return None
        return LEAST_FILM * self.radial_clearance if self.minimum_film is None else self.minimum_film

    def describe(self) -> str:
        laws = [type(law).__name__ for law in (self.film, self.wall, self.friction) if law is not None]
        least = "no wall" if self.least_film is None else f"wall below {size_text(self.least_film)}"
        drag = "" if self.shear else ", without shear"
        return f"film in {self.radial_text}, {', '.join(laws)}, {least}{drag}"


@dataclass(frozen=True)
class Touching(Fit):
    """A wall that is met from outside, with optional friction; for the mate `outside`."""

    wall: ContactLaw = None  # type: ignore[assignment]
    _: KW_ONLY
    friction: FrictionLaw | None = None

    def validate(self) -> None:
        check_law(self, "wall")
        check_law(self, "friction", optional=True)

    def describe(self) -> str:
        return f"touching, {', '.join(type(law).__name__ for law in (self.wall, self.friction) if law is not None)}"


def check_law(part: Part, field: str, *, optional: bool = False, example: str = "") -> None:
    """Refuse what is no law, or a law of another sort, in the field `wall`, `friction`, `liner` or `film`."""
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
        raise GudgeonError(f'{field} {type(value).__name__} is a law, no fit; wrap it: Clearance("0.1 mm", {role}=...)')
    if isinstance(value, LinerLaw):
        raise GudgeonError(f"{field} {type(value).__name__} is a law, no fit; wrap it: Bushing(...)")
    if isinstance(value, FilmLaw):
        raise GudgeonError(f'{field} {type(value).__name__} is a law, no fit; wrap it: Lubricated("0.1 mm", film=...)')
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
