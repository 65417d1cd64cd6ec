"""What every mate answers, in the plane and in space: how two surfaces hold each other, as formulas of position.

A mate never knows a force law. It gives

  rows      what an ideal fit keeps at zero
  touches   where the surfaces can meet: opening (what grows as they close in on each other; depth = opening - gap)
            and slip (relative velocity of the surfaces along the touch: signed in the plane, components in space)
  offsets   what a bushing pulls back to zero: one vector per liner
  film      where a film can fill the gap: how its surfaces move, and what its forces do work on
  slidings  where the surfaces of an ideal fit slide under load, for friction from the reaction of the joint
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

Number = Any  # float or Scalar

# keeps the norm of a vector differentiable at zero without a branch: 1e-150 m is far below rounding of any length
TINY_SQUARE = 1e-300


@dataclass(frozen=True)
class Touch:
    """One place where two surfaces can touch.

    `slip` [m/s] is one signed number in the plane. In space it is a tuple of components whose root of the sum of
    squares is the speed of sliding s; friction of magnitude F(s) has the component F(s) slip_k / s along each.

    `rate` [m/s], where given, is the opening's rate as a formula linear in the velocities: the speed at which both
    bodies' points at the contact part along the normal. Its derivative by the velocities is the opening's gradient, in
    fewer operations: the forces of a sleeve of 10 strips take 2,202 of them instead of 7,809. Where it is not along the
    normal but along a longer or shorter vector, `along` is the factor that makes it so.

    `turning` [rad/s], where the components of the slip are those of axes that do not turn with the touch: the angular
    velocity with which a vector that lies in the touch is carried along (the bristles of a friction law).

    `held`, where the opening comes from a search: what was found, and the formula that it makes zero. Its rate follows
    from both.
    """

    label: str
    opening: Number
    slip: Number | tuple[Number, ...]
    normal: Any  # unit vector from bearing to journal, the way the opening grows
    rate: Number | None = None
    turning: Any = None  # vector
    held: tuple[Number, Number] | None = None
    along: Number = 1.0


@dataclass(frozen=True)
class Sizes:
    """Sizes of a joint as scalars [m]; those that a contact pair does not use may be zero.

    `journal_radius` is given where round bodies touch from outside; in a bore the journal is smaller by the gap.
    `strips` is the number of circles that stand for a sleeve, or of points around a flat. `profile` gives the
    deviation of the bearing's radius from `radius` at each of them. A `short` sleeve's journal ends inside the bearing:
    `length` is then the journal's. `reach` [-] is the part of the length over which the forces of a film lie.
    """

    radius: Number = 0.0
    length: Number = 0.0
    width: Number = 0.0
    gap: Number = 0.0
    strips: Any = 1  # whole number
    profile: Any = ()  # tuple of numbers
    short: Any = False  # truth value
    reach: Number = 1.0
    journal_radius: Number = 0.0


@dataclass(frozen=True)
class Sliding:
    """One place where surfaces without play slide on each other under the reaction of their joint.

    `slip` [m/s] is the velocity of the journal's surface on the bearing's by components, each with the `way` it goes,
    "rotation" or "translation", and for a rotation its `arm` [m]. `load` gives the components [N] of the force that
    presses the surfaces together from force and moment on the journal about its point; their root of the sum of squares
    is the normal force. Both have no part along the slip, so that friction changes the load by the motion alone.
    """

    label: str
    slip: tuple[Number, ...]
    ways: tuple[str, ...]
    load: Callable[[Any, Any], tuple[Number, ...]]
    arm: Number = 0.0


class MateChannel(NamedTuple):
    """A number that a run reports: its unit, words for it, and its formula."""

    unit: str
    words: str
    value: Number


@dataclass(frozen=True)
class FilmGap:
    """The gap of a journal in a bore, as a film sees it, by scalars: offset |e| [m] of the centres; squeeze and sweep
    [m/s], the velocity of the surfaces that the film is fed with, along e and across it; spin [rad/s] of the journal
    against the bearing. `midway` and `at_journal` are the relative velocities of the bodies, along e and across, at the
    points where the film's force may act: a force along them has exactly their power.

    `normal` and `across` are the unit vectors along e and across it. In space a film is several of these, one for each
    strip, and `slide` [m/s] is the velocity of the journal along the axis.

    Of a ball `across` is where the velocity points, so that sweep is never negative; `midway` and `at_journal` have
    then the three world components, spin is about e, and `swivel` [rad/s] has the components of the whole rotation.

    At the ends of a sleeve that a film fills as a whole, `normal` and `across` are the same at both and not those of e,
    whose components [m] along them are then in `apart`."""

    offset: Number
    squeeze: Number
    sweep: Number
    spin: Number
    midway: tuple[Number, ...]
    at_journal: tuple[Number, ...]
    normal: Any
    across: Any
    slide: Number | None = None
    swivel: tuple[Number, ...] = ()
    apart: tuple[Number, ...] = ()


def is_given(size: Number) -> bool:
    """Whether a joint has a size: of one that it has not, `Sizes` has the number zero."""
    return not isinstance(size, float) or size != 0.0


class Mate(ABC):
    """A contact pair: one pair of surfaces of a joint that can touch, the journal's on place i, the bearing's on place
    j.

    A class is registered when it is defined with a name, in the registry of its base: `Mate` for the plane,
    `SpatialMate` for space. Its properties are the class attributes below.
    """

    registry: ClassVar[dict[str, type[Mate]]] = {}
    name: ClassVar[str]
    # what it is
    round: ClassVar[bool] = False  # a round journal in a bore or socket of the joint's `radius`
    external: ClassVar[bool] = False  # round bodies that touch from outside: nothing but a wall holds them
    axial: ClassVar[bool] = False  # it has a direction: the joint needs an axis
    angular: ClassVar[bool] = False  # the gap is an angle
    angular_offsets: ClassVar[tuple[str, ...]] = ()  # offsets that are angles, where only some are
    clearance: ClassVar[str] = "radial_clearance"  # the field of a fit that is its gap; follows from `angular`
    # which sizes of a joint describe it, which it cannot do without, with a fit that is not ideal, with a wall
    sizes: ClassVar[tuple[str, ...]] = ()
    required: ClassVar[tuple[str, ...]] = ()
    fit_needs: ClassVar[tuple[str, ...]] = ()
    wall_needs: ClassVar[tuple[str, ...]] = ()
    # what it takes
    film_shape: ClassVar[str] = ""  # of its gap, "cylinder" or "sphere", where a film can fill it
    takes: ClassVar[tuple[str, ...]] = ()  # the only fits, where it does not take all that are not reserved
    takes_words: ClassVar[str] = ""  # why, and what to give instead
    rubs: ClassVar[bool] = True  # its surfaces can have friction
    slides: ClassVar[bool] = False  # friction of an ideal fit follows from the reaction, see `slidings`
    slide_needs: ClassVar[tuple[str, ...]] = ()  # which sizes that needs
    strips: ClassVar[int] = 0  # where several touches share one law (the joint's `strips`): the least number of them
    counts_turns: ClassVar[bool] = False  # its formulas count the turns of the joint
    keeps_parallel: ClassVar[bool] = False  # its rows hold the axes of both sides parallel
    couples: ClassVar[bool] = True  # it can carry a moment about the joint's point

    def __init_subclass__(cls) -> None:
        cls.clearance = "angular_clearance" if cls.angular else "radial_clearance"
        if "name" in cls.__dict__:
            cls.registry[cls.name] = cls

    @staticmethod
    @abstractmethod
    def rows(i: Any, j: Any) -> dict[str, Number]:
        """Constraint rows by label, zero when the surfaces coincide."""

    @staticmethod
    @abstractmethod
    def touches(i: Any, j: Any, sizes: Sizes) -> list[Touch]:
        """Places where the surfaces can meet."""

    @staticmethod
    def film(i: Any, j: Any, sizes: Sizes) -> list[FilmGap]:
        """The gap that a film fills, by strips; only round journals in a bore or socket have one."""
        raise NotImplementedError

    @classmethod
    def ends(cls, i: Any, j: Any, sizes: Sizes) -> list[FilmGap]:
        """The gap that a film fills as a whole: front and rear end where the journal can tilt, else that of `film`."""
        return cls.film(i, j, sizes)

    @staticmethod
    def slidings(i: Any, j: Any, sizes: Sizes, ways: Sequence[str]) -> list[Sliding]:
        """Where surfaces without play slide under the reaction of the joint; `ways` are the directions in which the
        joint is free, "rotation" and "translation"."""
        return []

    @staticmethod
    def measures(i: Any, j: Any) -> dict[str, MateChannel]:
        """What a run reports of the journal's place in the bearing, by the last part of the channel's name; of a round
        mate with play `offset`, the distance of both centres, also by its share of the clearance."""
        return {}

    @staticmethod
    @abstractmethod
    def offsets(i: Any, j: Any, sizes: Sizes) -> dict[str, Any]:
        """Deviations a bushing resists, by label; tuples of components."""


class SpatialMate(Mate):
    """A mate of space."""

    registry: ClassVar[dict[str, type[Mate]]] = {}
    axial: ClassVar[bool] = True
