"""`Measure`: what a measure is, and the measures that a text names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from gudgeon.analysis.motions.motion import Motion
from gudgeon.assemble import System
from gudgeon.batch.program import Wanted
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError, closest

__all__ = ["ChannelMeasure", "JointMeasure", "ManyMotions", "Measure", "Value", "named", "observe"]

Value = float | str
Columns = dict[str, Any]  # values of many motions by name, one for each


@dataclass(frozen=True)
class ManyMotions:
    """What was kept of many motions that were marched at once: outcomes of the march, what was wanted of it, the
    system, spans [s] and periods of each; `regimes` judges all of them by twins."""

    outcomes: Any
    wanted: Wanted
    system: System
    span: np.ndarray
    turns: np.ndarray
    regimes: Callable[[], Columns]

    def extremes(self, channel: str) -> tuple[np.ndarray, np.ndarray]:
        """Largest and smallest value in each turn (turn, trajectory)."""
        k = 2 * self.wanted.extremes.index(channel)
        return self.outcomes["extremes"][:, k], self.outcomes["extremes"][:, k + 1]

    def magnitudes(self, channel: str) -> np.ndarray:
        """Largest magnitude in each turn."""
        high, low = self.extremes(channel)
        return np.maximum(np.abs(high), np.abs(low))


@dataclass(frozen=True)
class Measure(ABC):
    """A question to a motion. `names` are the keys of the answer, in order; `channels` what it reads."""

    registry: ClassVar[dict[str, type[Measure]]] = {}
    word: ClassVar[str]
    settled: ClassVar[bool] = False  # it needs periods of a settled motion, one run from the start will not do
    least_turns: ClassVar[int] = 1  # periods that it needs
    twins: ClassVar[bool] = False  # it needs twins of the motion
    one_sample: ClassVar[bool] = False  # of a chaotic motion it is one of many, without an error of its own

    def __init_subclass__(cls) -> None:
        if "word" in cls.__dict__:
            Measure.registry[cls.word] = cls

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Keys of what `take` gives, known before anything is computed."""

    @property
    def channels(self) -> tuple[str, ...]:
        """Channels of the run that it needs."""
        return ()

    @abstractmethod
    def take(self, motion: Motion) -> dict[str, Value]:
        """The answer for one motion."""

    def keeps(self, system: System) -> Wanted:
        """What is to be kept of each of many motions, besides what contacts do and the state at the end."""
        return Wanted()

    @property
    def for_many(self) -> bool:
        """Whether it can be had of many motions at once."""
        return type(self).of_many is not Measure.of_many

    def of_many(self, motions: ManyMotions) -> Columns:
        """The answers for many motions; a measure without this needs the whole run of each."""
        raise NotImplementedError

    def measure(self, mechanism: Mechanism, **settings: Any) -> dict[str, Value]:
        """The answer for a mechanism; settings as in `Motion`."""
        return observe(mechanism, [self], **settings)


@dataclass(frozen=True)
class ChannelMeasure(Measure, ABC):
    """A measure of one channel."""

    channel: str

    @property
    def names(self) -> tuple[str, ...]:
        return (f"{self.word} {self.channel}",)

    @property
    def channels(self) -> tuple[str, ...]:
        return (self.channel,)


@dataclass(frozen=True)
class JointMeasure(Measure, ABC):
    """A measure of one joint."""

    joint: str

    @property
    def names(self) -> tuple[str, ...]:
        return (f"{self.word} {self.joint}",)


def observe(mechanism: Mechanism, measures: Sequence[Measure | str], **settings: Any) -> dict[str, Value]:
    """All measures of one mechanism from one motion; settings: transient, turns, rtol, method, period, seed."""
    chosen = [named(measure) if isinstance(measure, str) else measure for measure in measures]
    channels = dict.fromkeys(name for measure in chosen for name in measure.channels)
    motion = Motion(mechanism, channels=tuple(channels), **settings)
    values: dict[str, Value] = {}
    for measure in chosen:
        values |= measure.take(motion)
    return values


def named(text: str) -> Measure:
    """The measure that a text names: "regime", "peak pin.force", "mean peak slider.ax", "touching pin"."""
    words, known = text.split(), Measure.registry
    for count in (2, 1):
        word, rest = " ".join(words[:count]), words[count:]
        if word in known:
            cls = known[word]
            wanted = [field.name for field in fields(cls)]
            if len(rest) == len(wanted):
                return cls(*rest)
            shape = " ".join([word, *(name.upper() for name in wanted)])
            raise GudgeonError(f'measure "{text}": write "{shape}"')
    likely = closest(words[0] if words else "", known)
    hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(sorted(known))}"
    raise GudgeonError(f'measure "{text}" is not known; {hint}')
