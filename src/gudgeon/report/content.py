"""What is reported of a run, as labels and texts: peaks, contacts, evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gudgeon.draw.channels import motion_names
from gudgeon.model import Ideal, Mechanism
from gudgeon.report.spread import comes_again, is_one_sample, range_text
from gudgeon.report.text import UNITS, grouped, plural, time_text
from gudgeon.results import ContactRecord, Run

__all__ = [
    "begun", "contact_counts", "evidence_items", "loose_joints", "peak_rows", "simulated", "spread_items",
    "start_peaks", "units", "untouched",
]  # fmt: skip

FROM_START = 1.2  # a peak so much larger than all later ones belongs to the start


def headline(run: Run) -> Run:
    """The part of a run whose peaks are reported first: without the first revolution where that one has larger ones.

    Journals mostly start in the middle of their play: the first impact depends on the start more than on the machine.
    """
    if not run.period or run.end.t - run.t[0] < 2.0 * run.period or not run.contacts:
        return run
    late = run.after(float(run.t[0]) + run.period)
    names = motion_names(run)[:6]
    larger = any(abs(run.peak(n).value) > FROM_START * abs(late.peak(n).value) for n in names)
    return late if larger else run


def start_peaks(run: Run, ideal: Run | None) -> list[tuple[str, str]]:
    """The peaks of the first revolution, where they are larger than all later ones."""
    late = headline(run)
    if late is run:
        return []
    words = []
    for name in motion_names(run)[:6]:
        first, peak = abs(run.peak(name).value), abs(late.peak(name).value)
        if first <= FROM_START * peak:
            continue
        was = abs(ideal.peak(name).value) if ideal is not None and name in ideal else 0.0
        unit = UNITS.get(run.channel(name).unit, run.channel(name).unit)
        ratio = f", {first / was:.2f} x" if was > 1e-9 * first else ""
        words.append(f"{name} {grouped(first)} {unit}{ratio}")
    said = "peaks are larger in the first revolution, in which the joints settle"
    return [("start", f"{said}: {'; '.join(words)}")]


def loose_joints(mechanism: Mechanism) -> Iterator[tuple[str, str]]:
    """Joints that are not ideal or have friction, and their fits."""
    for joint in mechanism.joints.values():
        fits = [fit.describe() for fit in joint.fit.values() if fit != Ideal()]
        stop = [f"stop, {type(stop.wall).__name__}" for stop in joint.stops.values()]
        if fits or stop:
            yield joint.name, "; ".join(dict.fromkeys(fits + stop))


def simulated(run: Run) -> str:
    """How long the run is, and how long it took."""
    turns = f"{run.end.t / run.period:.4g} rev, " if run.period else ""
    return f"{turns}{time_text(run.end.t)} in {run.evidence.wall_time:.2g} s of computing"


def peak_rows(run: Run, ideal: Run | None, nearby: Sequence[Run] = ()) -> list[list[str]]:
    """Titles, then largest magnitudes of the channels that matter, over those of the ideal run in the same time: those
    after the first revolution where that one, the start, has larger ones. Behind them when they are, or what says that
    they are no predictions: the range over nearby runs, or "one sample"."""
    part = headline(run)
    if ideal is not None and part is not run:
        ideal = ideal.after(float(part.t[0]))  # beams vibrate from their start too
    rows = [["peaks", "ideal joints", "this run" if part is run else "settled", "ratio", "when"]]
    for name in motion_names(run)[:6]:
        peak, unit = part.peak(name), UNITS.get(run.channel(name).unit, run.channel(name).unit)
        was = abs(ideal.peak(name).value) if ideal is not None and name in ideal else 0.0
        # a joint that carries nothing when it is ideal has no ratio
        known = was > 1e-9 * abs(peak.value)
        rows.append([name, f"{grouped(was)} {unit}" if known else "", f"{grouped(abs(peak.value))} {unit}",
                     f"{abs(peak.value) / was:.2f} x" if known else "", _when(run, part, nearby, name)])  # fmt: skip
    if any(" to " in row[-1] for row in rows):
        rows[0][-1] = "when, or range"
    if ideal is None:
        rows = [[name, value, when] for name, _, value, _, when in rows]
    return rows


def _when(run: Run, part: Run, nearby: Sequence[Run], name: str) -> str:
    """When the peak of a part of a run was, as far as that is a prediction."""
    peak, begin = part.peak(name), None if part is run else float(part.t[0])
    ranged = range_text(lambda each: _largest(each, name, begin), run, nearby)
    if ranged:
        return ranged
    looked_at = nearby or comes_again(part.t, part[name])
    if not looked_at and is_one_sample(peak.time, run.evidence.horizon, run.contacts.column("t_on")):
        return f"one sample, {time_text(peak.time)}"
    return f"{time_text(peak.time)}{contact_at(part, name, peak.time)}"


def _largest(run: Run, name: str, begin: float | None) -> float:
    """The largest magnitude from a time on [s], or of the whole run."""
    part = run if begin is None else run.after(begin)
    return abs(part.peak(name).value)


def spread_items(run: Run, nearby: Sequence[Run]) -> list[tuple[str, str]]:
    """What ranges and samples are, where peaks or shares of the run are any."""
    words = [*(row[-1] for row in peak_rows(run, None, nearby)), *(text for _, text in contact_counts(run, nearby))]
    if any(" to " in text for text in words):
        return [("range", f"over this run and {len(nearby)} more at other tolerances; where they differ the motion is "
                          "chaotic, and this run is one sample of it")]  # fmt: skip
    if any("one sample" in text for text in words):
        known = run.evidence.horizon is not None
        until = "beyond the trust horizon" if known else "after many contacts; --trust says until when it is none"
        return [("one sample", f"of a motion that may be chaotic: {until}")]
    return []


def contact_at(run: Run, name: str, t: float) -> str:
    """ ", contact 9" where that contact was going on at the time: of the joint of the channel where one of it was, else
    the one with the largest force then."""
    going = [r for r in run.contacts if r.t_on <= t and (not r.ended or t <= r.t_off)]
    own = [r for r in going if name.startswith((f"{r.joint}.", f"{r.contact}."))]

    def force(r: ContactRecord) -> float:
        normal = f"{r.contact}.normal"
        return float(np.interp(t, run.t, run[normal])) if normal in run else -abs(r.peak_time - t)

    return f", contact {max(own or going, key=force).number}" if going else ""


def begun(run: Run, record: ContactRecord) -> str:
    """When a contact began [ms]; "before" where that was before this part of the run."""
    return "before" if record.t_on < run.t[0] else f"{record.t_on * 1e3:.5f}"


def untouched(run: Run) -> list[str]:
    """Walls and stops that were never touched."""
    met = {record.contact for record in run.contacts}
    names = [name.removesuffix(".depth") for name in run.channels if name.endswith(".depth")]
    return [name for name in names if name not in met and not run[f"{name}.depth"].max() > 0.0]


def contact_counts(run: Run, nearby: Sequence[Run] = ()) -> Iterator[tuple[str, str]]:
    """How often and how long each joint touched; with the range of the share of time where nearby runs differ."""
    modes = [name.removesuffix(".mode") for name in run.channels if name.endswith(".mode")]
    lasting = [joint for joint in modes if run.touching(joint) > 0.0]
    for joint in dict.fromkeys([*(record.joint for record in run.contacts), *lasting]):
        own = run.contacts.of(joint)
        hits = len(own.impacts)
        # the load on the joint, or a low restitution, holds surfaces together that have met at speed
        text = f"{plural(len(own), 'contact')} ({plural(hits, 'impact') if hits else 'longer than free impacts'})"
        ranged = range_text(lambda each, joint=joint: 100.0 * each.touching(joint), run, nearby, 3)  # type: ignore[misc]
        if ranged:
            ranged = f" ({ranged} in {1 + len(nearby)} runs)"
        elif not nearby and is_one_sample(run.end.t, run.evidence.horizon, run.contacts.column("t_on")):
            ranged = " (one sample)"
        yield joint, f"{text}, touching {100.0 * run.touching(joint):.3g} % of the time{ranged}"


def units(run: Run) -> tuple[str, str]:
    """Units of speeds and forces of the contacts: stops of a rotation have others, and a run may have both."""
    rates = {run.channel(f"{r.contact}.rate").unit for r in run.contacts if f"{r.contact}.rate" in run}
    if len(rates) > 1:
        return "[SI]", "[SI]"
    return ("[rad/s]", "[N m]") if "rad/s" in rates else ("[m/s]", "[N]")


def evidence_items(run: Run) -> Iterator[tuple[str, str]]:
    """The evidence as it prints itself, in labels and texts; references are left to `gudgeon cite`."""
    label = ""
    for line in str(run.evidence).splitlines():
        word, text = line[2:12].strip(), line[13:]
        if text.startswith("trust "):
            word, text = "trust", text.removeprefix("trust").strip()
        label = word or label
        if label != "references":
            yield word, text
