"""What every fit answers: how the surfaces of a mate meet.

A fit is a row of layers from the centre outwards: a free gap, a liner, a hard wall. A class registers by being
defined, so that model files, the schema, the command line and the docs know it. What a fit turns into when a mechanism
is assembled stands in `gudgeon.assemble.contact`, in a file of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, cast

from gudgeon.laws import ContactLaw, FilmLaw, FrictionLaw, LinerLaw
from gudgeon.model.fits.iso286 import Limit, clearance_of, iso_fit
from gudgeon.model.names import shown
from gudgeon.model.values import size_text
from gudgeon.quantity import GudgeonError, Part, in_words
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.laws import Pair
    from gudgeon.model.parts.joint import Joint

__all__ = ["Fit", "FitNumber", "Fits", "Loose", "check_fit", "check_law"]

_EXAMPLES: dict[str, tuple[type, str]] = {
    "wall": (ContactLaw, "LankaraniNikravesh(STEEL, restitution=0.9)"),
    "friction": (FrictionLaw, "ModifiedCoulomb(0.03)"),
    "liner": (LinerLaw, 'LinearLiner(stiffness="1e7 N/m", damping="1e3 N s/m")'),
    "film": (FilmLaw, 'Moes(viscosity="400 cP")'),
    "conical": (LinerLaw, "LinearLiner(stiffness=50, damping=0.1)"),
}
# the laws of a fit whose numbers can be varied, and which numbers; None: every one
_VARIED: dict[str, tuple[str, ...] | None] = {
    "film": None,
    "wall": ("restitution", "stiffness", "exponent"),
    "liner": ("stiffness", "damping"),
    "friction": ("coefficient",),
}


class FitNumber(NamedTuple):
    """A number of a fit that can be varied: its name, its value [SI], and the fit with another value."""

    name: str
    value: float
    changed: Callable[[Any], Fit]


class Fit(Part, ABC):
    """How a mate is enforced. A subclass registers under its own name."""

    registry: ClassVar[dict[str, type[Fit]]] = {}
    ideal: ClassVar[bool] = False  # the mate is a constraint
    loose: ClassVar[bool] = False  # the journal can move in a gap
    filmed: ClassVar[bool] = False  # a film fills the gap
    reserved: ClassVar[bool] = False  # for mates alone that name it among those they take
    for_all_mates: ClassVar[bool] = True  # one fit may serve all mates of a joint
    needed: ClassVar[tuple[str, ...]] = ()  # fields that must be given although they have a default

    def __init_subclass__(cls, *, abstract: bool = False, **options: Any) -> None:
        super().__init_subclass__(**options)
        if not abstract:
            Fit.registry[cls.__name__] = cls

    @abstractmethod
    def describe(self) -> str:
        """One line for a summary."""

    @property
    def layer(self) -> float:
        """Thickness of the liner [m] between the gap, or the centre, and the wall."""
        return 0.0

    def gap(self, mate: type[Mate]) -> float:
        """Free play on each side of the centred mate: [m], where it turns [rad]."""
        return float(getattr(self, mate.clearance, None) or 0.0)

    def check(self, joint: Joint, mate: type[Mate]) -> None:
        """Refuse what this fit cannot be on this mate of a joint."""

    # -- numbers that can be varied -----------------------------------------------------------------------

    def numbers(self, mate: type[Mate], pair: Pair) -> list[FitNumber]:
        """The fit's own numbers, then those of its laws."""
        numbers = [FitNumber(name, value, self._changer(name)) for name, value in self.own_numbers(mate).items()]
        for role, names in _VARIED.items():
            numbers += self._law_numbers(role, names, pair)
        return numbers

    def own_numbers(self, mate: type[Mate]) -> dict[str, float]:
        """Name -> value [SI] of the fit's own numbers on this mate."""
        own = [item.name for item in fields(cast(Any, self))]
        other = {"radial_clearance", "angular_clearance"} - {mate.clearance}
        values = {name: getattr(self, name) for name in own if name not in other}
        return {name: value for name, value in values.items() if isinstance(value, float)}

    def _changer(self, field: str) -> Callable[[Any], Fit]:
        return lambda value: replace(cast(Any, self), **{field: value})

    def _law_numbers(self, role: str, names: tuple[str, ...] | None, pair: Pair) -> list[FitNumber]:
        law: Any = getattr(self, role, None)
        if law is None:
            return []
        packed: dict[str, float] = law.pack(pair)
        prefix = "liner_" if role == "liner" and getattr(self, "wall", None) is not None else ""
        numbers = []
        for item in fields(law):
            # a stiffness from material and radii is a number too, once packed
            value = getattr(law, item.name)
            value = packed.get(item.name) if value is None else value
            if (names is None or item.name in names) and isinstance(value, float):

                def changed(new: Any, field: str = item.name) -> Fit:
                    other: Fit = replace(cast(Any, self), **{role: replace(law, **{field: new})})
                    return other

                name = "friction" if role == "friction" else prefix + item.name
                numbers.append(FitNumber(name, value, changed))
        return numbers


class Loose(Fit, abstract=True):
    """A fit with a gap, which may come from ISO 286."""

    loose: ClassVar[bool] = True
    iso_key: ClassVar[str] = ""  # a key by which a model file tells this fit from others with an ISO name
    iso_words: ClassVar[str] = ""
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
        """Bring the name of the ISO fit into its usual form, and take its mean clearance where none is given."""
        if self.iso is None:
            return
        fit = iso_fit(self.iso)
        if self.radial_clearance is None:
            object.__setattr__(self, "radial_clearance", clearance_of(fit))
        object.__setattr__(self, "iso", fit.text)

    def check_bore(self, joint: Joint, mate: type[Mate]) -> None:
        """Compare the nominal size of an ISO fit with the bore, or the guide, that it is on."""
        size = joint.radius if mate.round else joint.width if "width" in mate.sizes else None
        if self.iso is None or size is None:
            return
        fit, what = iso_fit(self.iso), "radius" if mate.round else "width"
        if not fit.matches(size if mate.round else size / 2):
            nominal = 2e3 * size if mate.round else 1e3 * size
            own = fit.nominal / 2 if mate.round else fit.nominal
            raise GudgeonError(
                f"{what} {size_text(size)} does not belong to ISO {fit.text}, whose nominal size is "
                f"{fit.nominal * 1e3:g} mm; write {what} {size_text(own)}, or the fit "
                f'"{nominal:g} {fit.hole}/{fit.shaft}"'
            )

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
        wanted = next((name for name in Fit.registry if name.lower() == value.lower()), None)
        example = "Ideal()" if wanted == "Ideal" else f"{wanted}(...)" if wanted else 'Clearance("0.1 mm", wall=...)'
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
