"""Measures: what is kept of one mechanism, each some named numbers or words.

    observe(mechanism, [Peak("pin.force"), named("regime")], transient=100, turns=200)
    -> {"peak pin.force": 28112.4, "regime": "chaotic", "period": 0.0, "confidence": 0.99, "exponent": 5.3, ...}

All measures of one call share one motion: the transient is marched once, and so is what follows. Every value is a plain
float or str, so a table, a file or another process can hold it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

from gudgeon.quantity import GudgeonError, closest

if TYPE_CHECKING:
    from gudgeon.analysis.motion import Motion
    from gudgeon.model import Mechanism

__all__ = [
    "MEASURES", "Contacts", "Final", "Highest", "Lowest", "MeanPeak", "Measure", "Peak", "RegimeOf", "Rms", "Touching",
    "named", "observe",
]  # fmt: skip

Value = float | str


@dataclass(frozen=True)
class Measure(ABC):
    """A question to a settled motion. `names` are the keys of the answer, in order; `channels` what it reads."""

    word: ClassVar[str]
    settled: ClassVar[bool] = False  # it needs periods of a settled motion, one run from the start will not do

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

    def measure(self, mechanism: Mechanism, **settings: Any) -> dict[str, Value]:
        """The answer for a mechanism; settings as in `Motion`."""
        return observe(mechanism, [self], **settings)


def observe(mechanism: Mechanism, measures: Sequence[Measure | str], **settings: Any) -> dict[str, Value]:
    """All measures of one mechanism from one motion; settings: transient, turns, rtol, method, period, seed."""
    from gudgeon.analysis.motion import Motion

    chosen = [named(measure) if isinstance(measure, str) else measure for measure in measures]
    channels = dict.fromkeys(name for measure in chosen for name in measure.channels)
    motion = Motion(mechanism, channels=tuple(channels), **settings)
    found: dict[str, Value] = {}
    for measure in chosen:
        found |= measure.take(motion)
    return found


@dataclass(frozen=True)
class _OfChannel(Measure, ABC):
    """A measure of one channel."""

    channel: str

    @property
    def names(self) -> tuple[str, ...]:
        return (f"{self.word} {self.channel}",)

    @property
    def channels(self) -> tuple[str, ...]:
        return (self.channel,)


@dataclass(frozen=True)
class Peak(_OfChannel):
    """Largest magnitude of a channel over the motion."""

    word = "peak"

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: abs(motion.run.peak(self.channel).value)}


@dataclass(frozen=True)
class MeanPeak(_OfChannel):
    """Largest magnitude in each period, its mean and standard error: what a chaotic motion has instead of a peak."""

    word = "mean peak"
    settled = True

    @property
    def names(self) -> tuple[str, ...]:
        return (f"mean peak {self.channel}", f"mean peak {self.channel} error")

    def take(self, motion: Motion) -> dict[str, Value]:
        mean = motion.mean_peak(self.channel)
        return {self.names[0]: mean.value, self.names[1]: mean.error}


@dataclass(frozen=True)
class Rms(_OfChannel):
    """Root mean square of a channel over time."""

    word = "rms"

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: motion.rms(self.channel)}


@dataclass(frozen=True)
class Highest(_OfChannel):
    """Largest value of a channel, with its sign."""

    word = "highest"

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: motion.run.maximum(self.channel)}


@dataclass(frozen=True)
class Lowest(_OfChannel):
    """Smallest value of a channel, with its sign."""

    word = "lowest"

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: motion.run.minimum(self.channel)}


@dataclass(frozen=True)
class Final(_OfChannel):
    """Value of a channel at the end."""

    word = "final"

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: float(motion.run[self.channel][-1])}


@dataclass(frozen=True)
class Touching(Measure):
    """Share of the time in which a joint touches."""

    word = "touching"
    joint: str

    @property
    def names(self) -> tuple[str, ...]:
        return (f"touching {self.joint}",)

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: motion.run.touching(self.joint)}


@dataclass(frozen=True)
class Contacts(Measure):
    """Contacts of a joint that begin, per period."""

    word = "contacts"
    joint: str

    @property
    def names(self) -> tuple[str, ...]:
        return (f"contacts {self.joint}",)

    def take(self, motion: Motion) -> dict[str, Value]:
        begun = sum(record.t_on > motion.run.t[0] for record in motion.run.contacts.of(self.joint))
        return {self.names[0]: float(begun) / motion.turns}


@dataclass(frozen=True)
class RegimeOf(Measure):
    """Label of the motion and the numbers behind it, see `regime`."""

    word = "regime"
    settled = True

    @property
    def names(self) -> tuple[str, ...]:
        return ("regime", "period", "confidence", "exponent", "exponent error", "residual", "k01", "horizon")

    def take(self, motion: Motion) -> dict[str, Value]:
        return motion.regime.numbers()


MEASURES: dict[str, type[Measure]] = {
    m.word: m for m in (Peak, MeanPeak, Rms, Highest, Lowest, Final, Touching, Contacts, RegimeOf)
}


def named(text: str) -> Measure:
    """The measure that a text names: "regime", "peak pin.force", "mean peak slider.ax", "touching pin"."""
    words = text.split()
    for count in (2, 1):
        word, rest = " ".join(words[:count]), words[count:]
        if word in MEASURES:
            sort = MEASURES[word]
            wanted = [field.name for field in fields(sort)]
            if len(rest) == len(wanted):
                return sort(*rest)
            shape = " ".join([word, *(name.upper() for name in wanted)])
            raise GudgeonError(f'measure "{text}": write "{shape}"')
    likely = closest(words[0] if words else "", MEASURES)
    hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(MEASURES)}"
    raise GudgeonError(f'measure "{text}" is not known; {hint}')
