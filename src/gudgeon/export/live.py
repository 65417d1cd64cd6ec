"""`live`: a page that computes. It carries the compiled march of one mechanism, with sliders for its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from gudgeon.draw.mechanism.drawing import Drawing
from gudgeon.draw.mechanism.frames import Frames, flexible
from gudgeon.export.code import check
from gudgeon.export.knobs import Dependence, Knob, depend, read_knobs, usual_knobs
from gudgeon.export.parts import MarchPart, PlayPart
from gudgeon.model import Mechanism
from gudgeon.model.builder.vary import tightened
from gudgeon.model.run_settings import RunFields, RunSettings
from gudgeon.progress import counter
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run
from gudgeon.simulation import prepare
from gudgeon.simulation.prepare import Numerics, Prepared
from gudgeon.view import View, page
from gudgeon.view.numbers import PackedArrays

__all__ = ["check_live", "live", "live_of"]

TURNS = 400  # that the page goes on for a section
EXPECTED = 30  # mechanisms that are assembled for each knob, about

Knobs = Sequence[str] | Mapping[str, Any]


def live(mechanism: Mechanism, settings: RunSettings | None = None, *, knobs: Knobs | None = None,
         frames: int = 2000, progress: bool | None = None, **fields: Unpack[RunFields]) -> View:  # fmt: skip
    """A page that computes the motion again while one moves its sliders, in any browser and without Python.

    settings  a RunSettings; its fields can be given by name, as for `simulate`
    knobs     the numbers with a slider, by their paths as for `vary`: ["pin.radial_clearance", "main.speed"], with a
              range {"pin.radial_clearance": ("0.1 mm", "0.5 mm")}; default: play, speed, restitution, friction, masses
    frames    rows of the recorded run that the page keeps, for browsers that cannot compute
    """
    return live_of(mechanism, RunSettings.read(settings, fields), knobs, frames=frames, progress=progress)


def live_of(mechanism: Mechanism, settings: RunSettings, knobs: Knobs | None = None, *, run: Run | None = None,
            ideal: Run | None = None, frames: int = 2000, channels: list[str] | None = None,
            progress: bool | None = None) -> View:  # fmt: skip
    """The page of a run that may be known; `ideal`: the run of its twin with ideal joints."""
    # what is computed again is the whole motion from its start, with everything that is drawn
    settings = replace(settings, channels=None, trust=False, after=None)
    first, chosen = check_live(mechanism, settings, knobs)
    recorded = first.run(progress) if run is None else run
    # a run that dopri5 could not do in time went on with another method
    settings = replace(settings, method=settings.method or recorded.evidence.method.lower())

    def ready(other: Mechanism) -> Prepared:
        # which states are constant may depend on numbers that happen to be equal
        return prepare(other, settings, Numerics(loop="shared", reduce=False))

    twin = _twin(mechanism, ready)
    if ideal is None and twin is not None:
        ideal = twin.first.run(False)
    computed = _Computed(mechanism, ready, twin, chosen, progress)
    return page(recorded, ideal, frames=frames, channels=channels, computed=computed.described)


def check_live(mechanism: Mechanism, settings: RunSettings, knobs: Knobs | None = None) -> tuple[Prepared, list[Knob]]:
    """The run of a live page, ready to go, and its knobs; refuses what cannot be on such a page."""
    bending = next(iter(flexible(mechanism)), None)
    if bending is not None:
        raise GudgeonError(f'a live page cannot draw how "{bending}" bends; make it rigid with Mechanism.stiffened(), '
                           "or see the recorded run with `gudgeon view`")  # fmt: skip
    first = prepare(mechanism, settings)
    check(first.system, first.method)
    # a settled start depends on all loads at once, which takes too many mechanisms to interpolate by six numbers
    usual = usual_knobs(mechanism, masses=settings.start != "settled")
    return first, read_knobs(mechanism, usual if knobs is None else knobs)


def _twin(mechanism: Mechanism, ready: Callable[[Mechanism], Prepared]) -> MarchPart | None:
    """The march with ideal joints, to compare with; None where there is nothing to compare, or it cannot move."""
    tight = tightened(mechanism)
    if tight is None or not tight.driven:
        return None
    try:
        return MarchPart(tight, ready)
    except GudgeonError:
        return None


class _Computed:
    """What a page computes with, and how it depends on the knobs."""

    def __init__(self, mechanism: Mechanism, ready: Callable[[Mechanism], Prepared], twin: MarchPart | None,
                 knobs: Sequence[Knob], progress: bool | None) -> None:  # fmt: skip
        self.knobs, self.mechanism = knobs, mechanism
        self.march, self.twin = MarchPart(mechanism, ready), twin
        self.play = PlayPart.of(mechanism, sum(len(body.coordinates) for body in mechanism.bodies.values()))
        self.known: dict[Any, tuple[np.ndarray, Any]] = {}
        self.parts = [part for part in (self.march, self.twin, self.play) if part is not None]
        grain = np.concatenate([part.grain for part in self.parts])
        with counter(progress, "mechanisms assembled") as on_count:

            def visit(done: int) -> None:
                if on_count is not None:
                    on_count(done, max(done + 1, EXPECTED * len(knobs)))

            self.dependence: Dependence = depend(mechanism, knobs, self._numbers, grain, visit)

    def _numbers(self, mechanism: Mechanism) -> tuple[np.ndarray, Any]:
        """The numbers of all parts, one behind the other. Ideal joints know nothing of most knobs."""
        tight = tightened(mechanism) or mechanism
        values = tuple(tight.parameters.values())
        pieces, structures = [], []
        for part in self.parts:
            key = (id(part), values)
            if part is self.march:
                found = part.numbers(mechanism)
            elif key in self.known:
                found = self.known[key]
            else:
                found = self.known[key] = part.numbers(tight if part is self.twin else mechanism)
            pieces.append(found[0])
            structures.append(found[1])
        return np.concatenate(pieces), structures

    def described(self, drawing: Drawing, packed: PackedArrays) -> dict[str, Any]:
        """For the page."""
        dependence, begin = self.dependence, 0
        entries: dict[str, Any] = {"ideal": None, "play": None}
        for name, part in (("march", self.march), ("ideal", self.twin), ("play", self.play)):
            if part is not None:
                entries[name] = part.described(packed, dependence, begin)
                begin += len(part.grain)
        frames = drawing.frames
        return {
            **entries,
            "knobs": [{"path": k.path, "unit": k.unit, "value": k.value, "low": k.low, "high": k.high,
                       "log": bool(k.axis.log)} for k in self.knobs],
            "degrees": packed.floats(dependence.degrees.astype(np.int32), "i4"), "terms": len(dependence.degrees),
            "turns": TURNS,
            "poses": [{"channels": [f"{body}.{kind}" for kind in frames.kinds], "turn": _turn(frames, body)}
                      for body in frames.bodies],
            "orbits": drawing.orbits(),
        }  # fmt: skip


def _turn(frames: Frames, body: str) -> list[float] | None:
    """How the axes that a body's pose is recorded in lie in its own."""
    turn = frames.turns.get(body)
    return None if turn is None else [float(x) for x in turn]
