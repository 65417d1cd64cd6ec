"""What measures ask of many motions at once, and how they are answered from what a card keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.analysis.measure import (
    Contacts,
    Final,
    Highest,
    Lowest,
    MeanPeak,
    Measure,
    Peak,
    RegimeOf,
    Rms,
    Touching,
)  # fmt: skip
from gudgeon.analysis.motion import LEAST
from gudgeon.analysis.statistic import means_of
from gudgeon.batch.program import Wanted
from gudgeon.quantity import GudgeonError
from gudgeon.study.job import is_own, measure_names

__all__ = ["ANSWERS", "Seen", "check_measures", "wanted"]

Answer = dict[str, np.ndarray]


@dataclass(frozen=True)
class Seen:
    """What was kept of some motions: outcomes of the march, channels by their order, spans [s] and periods of each."""

    out: Any
    wanted: Wanted
    system: Any
    span: np.ndarray
    turns: np.ndarray

    def ends(self, channel: str) -> tuple[np.ndarray, np.ndarray]:
        """Largest and smallest value in each turn (turn, trajectory)."""
        k = 2 * self.wanted.extremes.index(channel)
        return self.out["extremes"][:, k], self.out["extremes"][:, k + 1]

    def sizes(self, channel: str) -> np.ndarray:
        """Largest magnitude in each turn."""
        high, low = self.ends(channel)
        return np.maximum(np.abs(high), np.abs(low))


def _peak(measure: Any, seen: Seen) -> Answer:
    return {measure.names[0]: seen.sizes(measure.channel).max(axis=0)}


def _mean_peak(measure: Any, seen: Seen) -> Answer:
    return dict(zip(measure.names, means_of(seen.sizes(measure.channel)), strict=True))


def _rms(measure: Any, seen: Seen) -> Answer:
    return {measure.names[0]: np.sqrt(seen.out.results[f"square {measure.channel}"] / seen.span)}


def _highest(measure: Any, seen: Seen) -> Answer:
    return {measure.names[0]: seen.ends(measure.channel)[0].max(axis=0)}


def _lowest(measure: Any, seen: Seen) -> Answer:
    return {measure.names[0]: seen.ends(measure.channel)[1].min(axis=0)}


def _final(measure: Any, seen: Seen) -> Answer:
    return {measure.names[0]: seen.out["strobe"][-1, seen.wanted.strobe.index(measure.channel)]}


def _touching(measure: Any, seen: Seen) -> Answer:
    found = seen.out.results.get(f"touched {measure.joint}", np.zeros_like(seen.span))
    return {measure.names[0]: found / seen.span}


def _contacts(measure: Any, seen: Seen) -> Answer:
    own = [c.index for c in seen.system.event_contacts if c.joint == measure.joint]
    begun = sum((seen.out.results[f"onsets {k}"] for k in own), np.zeros_like(seen.span))
    return {measure.names[0]: begun / seen.turns}


# a regime is asked of more than one march: see motions
ANSWERS: dict[type[Measure], Callable[[Any, Seen], Answer]] = {
    Peak: _peak, MeanPeak: _mean_peak, Rms: _rms, Highest: _highest, Lowest: _lowest, Final: _final,
    Touching: _touching, Contacts: _contacts,
}  # fmt: skip
EXTREMES = (Peak, MeanPeak, Highest, Lowest)


def wanted(measures: Sequence[Any], system: Any) -> Wanted:
    """What a card has to keep for these measures."""

    def channels(*kinds: type[Measure]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(m.channel for m in measures if type(m) in kinds))

    regime = any(type(m) is RegimeOf for m in measures)
    states = tuple(range(system.positions)) if regime else ()
    return Wanted(channels(*EXTREMES), channels(Rms), channels(Final), states)


def check_measures(engine: str, measures: Sequence[Any], turns: int | None) -> None:
    """Refuse what such an engine cannot measure."""
    for measure in measures:
        name = measure_names(measure)[0]
        if type(measure) not in (*ANSWERS, RegimeOf):
            kind = "does runs of its own" if is_own(measure) else "is a function of Python that needs the whole run"
            known: list[type[Measure]] = [*ANSWERS, RegimeOf]
            words = ", ".join(sorted(m.word for m in known))
            raise GudgeonError(
                f'engine "{engine}": measure "{name}" {kind}; use engine="local", or one of the measures {words}'
            )
        if turns is None and type(measure) in (RegimeOf, MeanPeak):
            raise GudgeonError(f'measure "{name}" is asked of a settled motion; give the study transient= and turns=')
        if turns is not None and turns < LEAST and type(measure) is RegimeOf:
            raise GudgeonError(f"turns={turns}: a regime needs {LEAST} or more periods")
