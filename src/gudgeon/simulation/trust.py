"""The trust horizon: until when a run and a tighter twin of it agree in the loose joints."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.assemble import System
from gudgeon.methods.march import driver
from gudgeon.results.recorder import Recorder
from gudgeon.results.run import Run

if TYPE_CHECKING:
    from gudgeon.simulation.prepare import Prepared

__all__ = ["horizon", "plays", "twin_of"]


def plays(system: System) -> dict[str, float]:
    """Channels that say where in its play a loose joint is, each with that play [m], for a key [rad]: the offset of a
    journal, the depths of other contacts."""
    known = {channel.name for channel in system.channels}
    play_of: dict[str, float] = {}
    loose = [(c.joint, c.name, c.gap) for c in system.event_contacts if c.kind == "wall" and c.gap > 0.0]
    for joint, name, play in [*loose, *((film.joint, film.joint, film.clearance) for film in system.films)]:
        offset = [name for name in (f"{joint}.{axis}" for axis in ("ex", "ey", "ez")) if name in known]
        mates = system.mechanism.joints[joint].own_mates.values()
        journal = offset and not any(mate.angular or "width" in mate.sizes for mate in mates)
        play_of |= dict.fromkeys(offset if journal else [f"{name}.depth"], play)
    return play_of


def horizon(prepared: Prepared, run: Run, share: float) -> tuple[str, float | None]:
    """How long a tighter twin of the run stays with it, in the loose joints, relative to their clearance [s]."""
    system, method, start, span = prepared.system, prepared.method, prepared.start, prepared.span
    if not run.complete:
        return "not known: the run did not reach its end", None
    names = plays(system)
    if not names:
        return "", None
    motions: list[list[np.ndarray]] = []
    twin, words = twin_of(method)
    for one in (method, twin):
        recorder = Recorder(system, list(names))
        tape = driver.run(system, one, start.t, start.t + span, y=start.y, m=start.m, output=span / 4000,
                          on_rows=recorder.add, loop=prepared.loop, whole=False)  # fmt: skip
        if tape.interrupted:
            return "not known: the comparison was ended by Ctrl-C", None
        if not tape.complete:
            return "not known: the comparison run did not reach the end", None
        motions.append([recorder.column(name) / play for name, play in names.items()])
        t = recorder.time
    n = min(len(x) for motion in motions for x in motion)
    apart = np.max([np.abs(a[:n] - b[:n]) for a, b in zip(*motions, strict=True)], axis=0) > share
    percent = f"{100 * share:g} % of the clearance"
    if not apart.any():
        return f"this run and a second one with {words} agree to {percent} to the end", start.t + span
    first = float(t[int(np.argmax(apart))])
    turns = f" ({(first - start.t) / run.period:.2f} revolutions)" if run.period else ""
    return f"to {percent} until {first * 1e3:.4g} ms{turns}; later values are statistics, not predictions", first


def twin_of(method: Any) -> tuple[Any, str]:
    """The same method with less error: ten times tighter, or half the step."""
    if not method.adaptive:
        return replace(method, step=method.step / 2), "half the step"
    rtol = max(method.rtol / 10, 1e-14)
    return replace(method, rtol=rtol), f"rtol {rtol:.0e}"
