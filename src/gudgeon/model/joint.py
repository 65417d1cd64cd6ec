"""A joint: two bodies, a point and an axis on each, sizes, and a fit for each of its mates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gudgeon.laws import ContactLaw, Pair
from gudgeon.model.body import Point
from gudgeon.model.fits import Bushing, Clearance, Fit, Fits, Ideal, Lubricated, Touching, check_fit
from gudgeon.model.kinds import KINDS, UNITS, JointKind, kind_of
from gudgeon.model.names import GROUND, Named, shown, unknown
from gudgeon.model.stop import Stop
from gudgeon.model.values import size_text
from gudgeon.quantity import GudgeonError, Length, in_words, vector

__all__ = ["CLEARANCE_OF", "Joint"]

# which number of a Clearance is the gap of each mate, and which sizes describe the mate
CLEARANCE_OF = {"pin": "radial_clearance", "slot": "radial_clearance", "key": "angular_clearance",
                "outside": "radial_clearance", "groove": "radial_clearance"}  # fmt: skip
_SIZES = {"pin": ("radius", "length"), "slot": ("width", "length"), "key": (),
          "outside": ("radius", "journal_radius", "length"), "groove": ("width",)}  # fmt: skip
FLAT = ("slot", "groove")  # mates along an axis, in a guide of some width


@dataclass(frozen=True)
class Joint(Named):
    """A joint between a body with the journal (pin, slider) and a body with the bearing (bore, guide).

    Points body-fixed [m]; `axis` the sliding direction, a unit vector in the world in the described position,
    None for kinds that do not slide. `radius` [m] is that of the bore, `width` [m] that of the guide, so that
    the journal is smaller by the clearance on each side; `length` [m] is that of the pin or of the slider. Where two
    round bodies touch from outside, the points are their centres, and `journal_radius` [m] is that of the journal.
    """

    word: ClassVar[str] = "joint"
    dimensions: ClassVar[int] = 2
    kinds: ClassVar[Mapping[str, JointKind]] = KINDS
    clearances: ClassVar[Mapping[str, str]] = CLEARANCE_OF
    round_mates: ClassVar[tuple[str, ...]] = ("pin",)  # with a radius
    filmed: ClassVar[tuple[str, ...]] = ("pin",)  # that can carry a film
    sizes_of: ClassVar[Mapping[str, tuple[str, ...]]] = _SIZES

    name: str
    kind: JointKind
    journal: str
    bearing: str
    journal_point: Point
    bearing_point: Point
    axis: Point | None = None
    radius: Length | None = None
    length: Length | None = None
    width: Length | None = None
    fit: Mapping[str, Fit] = Fits({})
    stop: Stop | None = None
    journal_radius: Length | None = None

    def validate(self) -> None:
        object.__setattr__(self, "kind", kind_of(self.kind, self.kinds))
        for name in ("journal_point", "bearing_point"):
            object.__setattr__(self, name, vector(getattr(self, name), "m", name, self.dimensions))
        object.__setattr__(self, "axis", self._read_axis())
        object.__setattr__(self, "fit", self._read_fit(self.fit))
        if self.journal == self.bearing == GROUND:
            raise GudgeonError("journal and bearing are both ground; one of them must be a body")
        if self.journal == self.bearing:
            raise GudgeonError(f'journal and bearing are both body "{self.journal}"; join two different bodies')
        self._check_sizes()
        for mate, fit in self.fit.items():
            self._check_mate(mate, fit)
        self._check_stop()

    def gap(self, mate: str) -> float:
        """Free play on each side of the centred mate: [m], for a key [rad]."""
        return float(getattr(self.fit[mate], self.clearances.get(mate, "radial_clearance"), None) or 0.0)

    @property
    def stops(self) -> dict[str, Stop]:
        """Stops by the direction they limit."""
        return {} if self.stop is None or self.kind.free is None else {self.kind.free: self.stop}

    def pair(self, mate: str) -> Pair:
        """The sizes [m] that the law of the mate's wall may know; what the joint does not have is None."""
        if mate == "outside":
            return Pair(self.radius, self.journal_radius, self.length, self.name, external=True)
        fit = self.fit[mate]
        length = None if mate == "key" else self.length
        if mate != "pin" or self.radius is None:
            return Pair(length=length, name=self.name)
        layer = getattr(fit, "liner_thickness", None) or getattr(fit, "thickness", None) or 0.0
        return Pair(self.radius + layer, self.radius - self.gap(mate), length, self.name)

    def _read_axis(self) -> Point | None:
        slides = any(mate in FLAT for mate in self.kind.mates)
        if self.axis is None:
            if slides:
                raise GudgeonError("axis is missing; give the sliding direction, for instance axis=(1, 0)")
            return None
        if not slides:
            raise GudgeonError(f"axis {self.axis!r}: a {self.kind.name} joint does not slide; leave axis out")
        x, y = vector(self.axis, "", "axis")
        size = math.hypot(x, y)
        if not 0.0 < size < math.inf:
            raise GudgeonError(f"axis {self.axis!r} has no direction; give for instance axis=(1, 0)")
        return (x / size, y / size)

    def _read_fit(self, fit: Any) -> Fits:
        mates = self.kind.mates
        if not isinstance(fit, Mapping):
            check_fit(fit)
            if isinstance(fit, Bushing) and len(mates) > 1:
                # a rubber bush of space has a stiffness in each direction, which is what a mount is for
                mount = "; or use mount(...) with Elastic, which has a stiffness in each direction"
                raise GudgeonError(
                    f"fit Bushing: the mates {in_words(mates)} have different units; "
                    f'give a dict, for instance fit={{"{mates[0]}": Bushing(...)}}, where mates left out are ideal'
                    f"{mount if self.dimensions == 3 else ''}"
                )
            return Fits(dict.fromkeys(mates, fit))
        for mate in fit:
            if mate not in mates:
                raise unknown(f"mate in fit of a {self.kind.name} joint:", str(mate), mates)
        return Fits({mate: check_fit(fit.get(mate, Ideal()), f'fit of mate "{mate}"') for mate in mates})

    def _check_sizes(self) -> None:
        used = {size for mate in self.kind.mates for size in self.sizes_of.get(mate, ())}
        own = ("journal_length", "pitch") if self.dimensions == 3 else ()
        for size in ("radius", "length", "width", "journal_radius", *own):
            value = getattr(self, size)
            if value is not None and size not in used:
                raise GudgeonError(
                    f"{size} {value:g}: a {self.kind.name} joint has none; it takes {in_words(sorted(used))}"
                )

    def _check_outside(self, fit: Fit) -> None:
        """Two round bodies that touch from outside need their radii and a law."""
        if not isinstance(fit, Touching):
            raise GudgeonError(
                f"fit {type(fit).__name__}: bodies that touch from outside are held by nothing but their wall; give "
                "fit=Touching(wall=...)"
            )
        missing = [size for size in ("radius", "journal_radius") if getattr(self, size) is None]
        if missing:
            raise GudgeonError(f'{missing[0]} is missing; give it for both bodies, for instance {missing[0]}="1 cm"')

    def _check_mate(self, mate: str, fit: Fit) -> None:
        if mate == "outside":
            self._check_outside(fit)
        elif not isinstance(fit, Ideal | Clearance | Bushing | Lubricated):
            raise GudgeonError(f'fit {type(fit).__name__} on mate "{mate}": give a Clearance or a Bushing there')
        if isinstance(fit, Clearance):
            self._check_clearance(mate, fit)
        if isinstance(fit, Lubricated):
            self._check_film(mate, fit)
        if isinstance(fit, Bushing) and fit.conical is not None:
            raise GudgeonError("conical: joints of the plane do not tilt; leave it out")
        if mate == "key" and getattr(fit, "thickness", None) is not None:
            raise GudgeonError('mate "key" turns, so a wall after a thickness [m] has no meaning; leave wall out')
        if mate == "slot" and not isinstance(fit, Ideal) and (self.length is None or self.width is None):
            raise GudgeonError(
                f'a {type(fit).__name__} on mate "slot" needs the slider length and the guide width; '
                'give length=, width=, for instance "100 mm", "50 mm"'
            )
        if mate == "groove" and not isinstance(fit, Ideal) and self.width is None:
            raise GudgeonError(f'a {type(fit).__name__} on mate "groove" needs the width of the groove; give width=')
        self._check_wall(mate, fit)

    def _check_wall(self, mate: str, fit: Fit) -> None:
        """Try the numbers of the wall."""
        wall = getattr(fit, "wall", None)
        if wall is not None and (mate in self.round_mates or mate == "outside"):
            wall.pack(self.pair(mate))
        elif wall is not None:
            _pack_flat(wall, self.pair(mate), f'mate "{mate}"')

    def _check_clearance(self, mate: str, fit: Clearance) -> None:
        field = self.clearances.get(mate, "radial_clearance")
        gap = getattr(fit, field)
        if gap is None:
            raise GudgeonError(
                f'Clearance has no {field} for mate "{mate}"; give {field}=, or a dict of fits with "{mate}": Ideal()'
            )
        if fit.angular_clearance is not None and "key" not in self.kind.mates:
            play = f"angular_clearance {fit.angular_clearance:g}"
            raise GudgeonError(f"{play}: a {self.kind.name} joint has no key; leave it out")
        if mate == "key":
            if fit.liner is not None:
                raise GudgeonError('mate "key" turns, so a liner thickness [m] has no meaning; leave liner out')
            return
        self._check_room(mate, gap)
        if mate in self.round_mates and fit.friction is not None and self.radius is None:
            raise GudgeonError('friction needs the bearing radius; give radius=, for instance "10 mm"')

    def _check_film(self, mate: str, fit: Lubricated) -> None:
        if mate not in self.filmed:
            rest = [other for other in self.kind.mates if other in self.filmed]
            remedy = "give a Clearance or a Bushing there"
            if rest:
                remedy = f'give a dict of fits with "{rest[0]}": Lubricated(...) alone'
            raise GudgeonError(f'fit Lubricated on mate "{mate}": a film needs a round journal in a bore; {remedy}')
        if mate not in fit.film.mates:
            fitting = [name for name, law in type(fit.film).registry.items() if mate in getattr(law, "mates", ())]
            raise GudgeonError(
                f'film {type(fit.film).__name__} on mate "{mate}": it is made for {in_words(fit.film.mates)}; '
                f"choose from {in_words(fitting)}"
            )
        self._check_room(mate, fit.radial_clearance)
        fit.film.pack(self.pair(mate))

    def _check_room(self, mate: str, gap: float) -> None:
        """Refuse a clearance that is not smaller than the bore or the guide."""
        slot = mate in FLAT
        if not slot and mate not in self.round_mates:
            return
        room, what = (self.width, "guide width") if slot else (self.radius, "bearing radius")
        room = room / 2 if room is not None and slot else room
        if room is not None and gap >= room:
            which = f"half the {what}" if slot else what
            remedy = f'did you mean "{gap:g} mm"?' if gap / 1000 < room else "give a smaller clearance"
            raise GudgeonError(
                f"{self.clearances[mate]} {size_text(gap)} is not smaller than {which} {size_text(room)}; {remedy}"
            )

    def _check_stop(self) -> None:
        if self.stop is None:
            return
        if not isinstance(self.stop, Stop):
            raise GudgeonError(f"stop {shown(self.stop)} is no stop; write Stop(lower=..., upper=..., wall=...)")
        if self.kind.free is None:
            raise GudgeonError(f"stop: a {self.kind.name} joint leaves nothing free; leave the stop out")
        self._check_stop_wall(self.stop, self.kind.free)

    def _check_stop_wall(self, stop: Stop, direction: str) -> None:
        """Compare the units of a stop with the direction it limits, and try its wall."""
        unit = UNITS[direction]
        if stop.unit is not None and stop.unit != unit:
            raise GudgeonError(
                f"stop limits are in [{stop.unit}], but a {self.kind.name} joint is free in "
                f"{direction}: give them in [{unit}]"
            )
        _pack_flat(stop.wall, Pair(name=self.name), "the stop")


def _pack_flat(wall: ContactLaw, pair: Pair, where: str) -> None:
    """Try the wall's numbers where no radii meet."""
    try:
        wall.pack(pair)
    except GudgeonError as error:
        law, reason = type(wall).__name__, str(error).removeprefix(f"{pair.title}: ")
        if getattr(wall, "stiffness", 0.0) is None:
            reason = f"no radii meet there; write {law}(..., stiffness=...)"
        raise GudgeonError(f"{law} on {where}: {reason}") from None
