"""Lubricated: a gap filled by a film, with an optional hard wall behind it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from gudgeon.laws import ContactLaw, FilmLaw, FrictionLaw
from gudgeon.model.fits.base import Loose, check_law
from gudgeon.model.names import shown
from gudgeon.model.values import size_text
from gudgeon.quantity import SI, GudgeonError, Length, Unit, in_words
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.model.parts.joint import Joint

__all__ = ["Lubricated"]

Gap = Annotated[SI, Unit("m", above=0.0, remedy="use Ideal() for a contact pair without play", example="0.1 mm")]

# left out, it comes from the ISO fit; a fit that exists has one, so that type checkers see a number
if TYPE_CHECKING:
    GapOrIso: TypeAlias = Any
else:
    GapOrIso = Gap | None

LEAST_FILM = 0.01  # of the clearance: where a film hands over to its wall unless minimum_film is given


@dataclass(frozen=True)
class Lubricated(Loose):
    """A gap filled by an oil film, with an optional hard wall.

    For the contact pair `pin` in the plane, in space for `sleeve` and `ball`. The film of a sleeve is divided into
    strips, so that it also resists tilt (the law `Misaligned` computes it as a whole). The law of a ball is `Sphere`.

    radial_clearance [m] as in Clearance; `iso` too. With shear=True the film also exerts its friction torque: its force
    acts midway between the centres and its shear resists the relative rotation, so that it never adds energy. With
    shear=False this torque is left out and the force acts at the journal's centre, as in most articles.

    A `wall` carries load where the film is thinner than minimum_film [m], by default 1 % of the clearance (a usual
    estimate is three times the roughness of both surfaces). The film thickness used in the film law then stays above
    half of minimum_film. Friction acts at the wall. Without a wall, a run stops where the film cannot carry the load.
    """

    filmed: ClassVar[bool] = True
    needed: ClassVar[tuple[str, ...]] = ("film",)
    iso_key: ClassVar[str] = "film"
    iso_words: ClassVar[str] = "A film in the gap of an ISO 286 fit."

    radial_clearance: GapOrIso = None
    _: KW_ONLY
    film: FilmLaw = None  # type: ignore[assignment]
    wall: ContactLaw | None = None
    minimum_film: Length | None = None
    friction: FrictionLaw | None = None
    shear: bool = True
    iso: str | None = None

    def validate(self) -> None:
        self.check_iso()
        if self.radial_clearance is None:
            raise GudgeonError('Lubricated: no clearance given; write for instance Lubricated("0.1 mm", film=...)')
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

    def own_numbers(self, mate: type[Mate]) -> dict[str, float]:
        # the film thickness at which the wall touches is a number too where the clearance gives it
        least = {} if self.least_film is None else {"minimum_film": self.least_film}
        return {**super().own_numbers(mate), **least}

    def check(self, joint: Joint, mate: type[Mate]) -> None:
        if not mate.film_shape:
            rest = [name for name, other in joint.own_mates.items() if other.film_shape]
            remedy = "give a Clearance or a Bushing there"
            if rest:
                remedy = f'give a dict of fits with "{rest[0]}": Lubricated(...) alone'
            raise GudgeonError(
                f'fit Lubricated on contact pair "{mate.name}": a film needs a round journal in a bore; {remedy}'
            )
        if mate.film_shape != self.film.shape:
            made_for = [name for name, other in joint.mates.items() if other.film_shape == self.film.shape]
            fitting = [name for name, law in FilmLaw.registry.items() if getattr(law, "shape", "") == mate.film_shape]
            raise GudgeonError(
                f'film {type(self.film).__name__} on contact pair "{mate.name}": it is made for {in_words(made_for)}; '
                f"choose from {in_words(fitting)}"
            )
        self.check_bore(joint, mate)
        joint.check_room(mate, self.radial_clearance)
        self.film.pack(joint.pair(mate.name))
        if len(getattr(joint, "profile", ())):
            raise GudgeonError("profile: a film has one clearance along the whole bore; leave profile out")

    def describe(self) -> str:
        laws = [type(law).__name__ for law in (self.film, self.wall, self.friction) if law is not None]
        least = "no wall" if self.least_film is None else f"wall below {size_text(self.least_film)}"
        drag = "" if self.shear else ", without shear"
        return f"film in {self.radial_text}, {', '.join(laws)}, {least}{drag}"
