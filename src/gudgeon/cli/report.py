"""The summary at the end of a run, in lines that fit the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gudgeon.cli.screen import grouped, item, title
from gudgeon.draw.telling import motion_names
from gudgeon.papers.case import find_case

if TYPE_CHECKING:
    from gudgeon.cli.source import Source
    from gudgeon.results import Run

__all__ = [
    "contact_counts",
    "evidence_items",
    "parts",
    "peak_rows",
    "report",
    "settled",
    "simulated",
    "time_text",
    "units",
]

UNITS = {"m/s^2": "m/s²", "rad/s^2": "rad/s²", "Nm": "N m"}
FROM_START = 1.2  # a peak so much larger than all later ones belongs to the start
SHOWN = 8  # contacts in the summary


def report(source: Source, run: Run, ideal: Run | None, files: Sequence[Path]) -> str:
    """What a person wants to know about a run."""
    lines = [*head(source, run), "", *peaks(run, ideal)]
    lines += [item(label, text) for label, text in (*settled(run, ideal), *revolution(source, run))]
    if run.contacts:
        lines += ["", *contacts(run)]
    elif told := [item(joint, text) for joint, text in contact_counts(run)]:
        lines += ["", *told]
    if never := untouched(run):
        lines += ["", item("untouched", ", ".join(never))]
    lines += ["", *evidence(run)]
    lines += [item("references", f"gudgeon cite {source.name}")]
    if files:
        lines += [item("written", f"{files[0].parent}/  " + "  ".join(path.name for path in files))]
    return "\n".join(lines)


def settled(run: Run, ideal: Run | None) -> list[tuple[str, str]]:
    """The peaks without the first revolution, where that one has larger ones: journals begin in the middle of their
    play, and how hard they first meet the wall says more about the start than about the machine."""
    if not run.period or run.end.t - run.t[0] < 2.0 * run.period or not run.contacts:
        return []
    late = run.after(float(run.t[0]) + run.period)
    said = []
    for name in motion_names(run)[:6]:
        first, peak = abs(run.peak(name).value), abs(late.peak(name).value)
        if first <= FROM_START * peak:
            continue
        was = abs(ideal.peak(name).value) if ideal is not None and name in ideal else 0.0
        unit = UNITS.get(run.channel(name).unit, run.channel(name).unit)
        ratio = f", {peak / was:.2f} x" if was > 1e-9 * first else ""
        said.append(f"{name} {grouped(peak)} {unit}{ratio}")
    return [("later", f"without the first revolution, which is the start: {'; '.join(said)}")] if said else []


def revolution(source: Source, run: Run) -> list[tuple[str, str]]:
    """What the article of a built-in case gives for one revolution, where it does."""
    case = find_case(source.name)
    return [] if case is None or case.results is None else list(case.results(run).items())


def head(source: Source, run: Run) -> Iterator[str]:
    """Name, fits and length of the run."""
    yield title(run.name if run.complete else f"{run.name} · INCOMPLETE")
    for label, text in parts(source):
        yield item(label, text)
    yield item("simulated", simulated(run))


def parts(source: Source) -> Iterator[tuple[str, str]]:
    """Joints that are not ideal, and their fits."""
    from gudgeon.model import Ideal

    for joint in source.mechanism.joints.values():
        fits = [fit.describe() for fit in joint.fit.values() if not isinstance(fit, Ideal)]
        stop = [f"stop, {type(stop.wall).__name__}" for stop in joint.stops.values()]
        if fits or stop:
            yield joint.name, "; ".join(dict.fromkeys(fits + stop))


def simulated(run: Run) -> str:
    """How long the run is, and how long it took."""
    turns = f"{run.end.t / run.period:.4g} rev, " if run.period else ""
    return f"{turns}{time_text(run.end.t)} in {run.evidence.wall_time:.2g} s of computing"


def peaks(run: Run, ideal: Run | None) -> Iterator[str]:
    """The table of peaks, its columns below each other."""
    rows = peak_rows(run, ideal)
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        first, *middle = [cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in
                          enumerate(zip(row[:-1], widths[:-1], strict=True))]  # fmt: skip
        yield "  " + "   ".join([first, *middle, row[-1]])


def peak_rows(run: Run, ideal: Run | None) -> list[list[str]]:
    """Titles, then largest magnitudes of the channels that matter, over those of the ideal run."""
    rows = [["peaks", "ideal joints", "this run", "ratio", "when"]]
    for name in motion_names(run)[:6]:
        peak, unit = run.peak(name), UNITS.get(run.channel(name).unit, run.channel(name).unit)
        when = f"{time_text(peak.time)}{contact_at(run, peak.time)}"
        was = abs(ideal.peak(name).value) if ideal is not None and name in ideal else 0.0
        # a joint that carries nothing when it is ideal has no ratio
        known = was > 1e-9 * abs(peak.value)
        rows.append([name, f"{grouped(was)} {unit}" if known else "", f"{grouped(abs(peak.value))} {unit}",
                     f"{abs(peak.value) / was:.2f} x" if known else "", when])  # fmt: skip
    if ideal is None:
        rows = [[name, value, when] for name, _, value, _, when in rows]
    return rows


def contact_at(run: Run, t: float) -> str:
    """ ", contact 9" where that contact was going on at the time."""
    for number, record in enumerate(run.contacts, 1):
        if record.t_on <= t and (not record.ended or t <= record.t_off):
            return f", contact {number}"
    return ""


def contacts(run: Run) -> Iterator[str]:
    """How often and how long the joints touched, and the first contacts."""
    for joint, text in contact_counts(run):
        yield item(joint, text)
    speed, force = units(run)
    single = len({r.joint for r in run.contacts}) == 1
    names = [r.contact.removeprefix(f"{r.joint}.") if single else r.contact for r in run.contacts[:SHOWN]]
    names = [name.replace(".stop.", ".") for name in names]  # the page is 80 columns wide
    width = max(map(len, names))
    yield (
        f"  {'':>3} {'':<{width}} {'on [ms]':>10} {'v ' + speed:>9} {'off [ms]':>10} {'v ' + speed:>9} "
        f"{'peak ' + force:>10} {'lost [J]':>9}"
    )
    for number, (name, r) in enumerate(zip(names, run.contacts, strict=False), 1):
        off, back = (f"{r.t_off * 1e3:.5f}", f"{r.speed_off:.4f}") if r.ended else ("to the end", "")
        yield (
            f"  {number:>3} {name:<{width}} {r.t_on * 1e3:>10.5f} {r.speed_on:>9.4f} {off:>10} {back:>9} "
            f"{grouped(r.peak_force):>10} {r.energy_lost:>9.3g}"
        )
    left = len(run.contacts) - SHOWN
    if left > 0:
        yield f"  {'...':>3} and {left} more (--json and --out have all of them)"


def untouched(run: Run) -> list[str]:
    """Walls and stops that nothing met."""
    met = {record.contact for record in run.contacts}
    names = [name.removesuffix(".depth") for name in run.channels if name.endswith(".depth")]
    return [name for name in names if name not in met and not run[f"{name}.depth"].max() > 0.0]


def contact_counts(run: Run) -> Iterator[tuple[str, str]]:
    """How often and how long each joint touched."""
    modes = [name.removesuffix(".mode") for name in run.channels if name.endswith(".mode")]
    lasting = [joint for joint in modes if run.touching(joint) > 0.0]
    for joint in dict.fromkeys([*(record.joint for record in run.contacts), *lasting]):
        own = run.contacts.of(joint)
        text = f"{count(len(own), 'contact')} ({count(len(own.impacts), 'impact')})"
        yield joint, f"{text}, touching {100.0 * run.touching(joint):.3g} % of the time"


def units(run: Run) -> tuple[str, str]:
    """Of speeds and forces in the table: stops of a rotation have others, and a table may have both."""
    rates = {run.channel(f"{r.contact}.rate").unit for r in run.contacts if f"{r.contact}.rate" in run}
    if len(rates) > 1:
        return "[SI]", "[SI]"
    return ("[rad/s]", "[N m]") if "rad/s" in rates else ("[m/s]", "[N]")


def evidence(run: Run) -> Iterator[str]:
    """The evidence, folded to the page."""
    for label, text in evidence_items(run):
        yield item(label, text)


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


def count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def time_text(t: float) -> str:
    """Seconds for people."""
    if t >= 1.0:
        return f"{t:.5g} s"
    return f"{t * 1e3:.4g} ms" if t >= 1e-3 else f"{t * 1e6:.4g} µs"
