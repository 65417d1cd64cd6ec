"""A first look at gudgeon: python -m gudgeon.demo

The slider-crank of Flores et al. (2007), run once with ideal joints and once with half a millimetre of
play in the pin between rod and slider. Prints what the play does to accelerations, torque and forces,
and writes figures, results and the table of contacts.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from textwrap import wrap

from gudgeon.ctrl_c import heed
from gudgeon.draw import compare
from gudgeon.laws import STEEL, LankaraniNikravesh, ModifiedCoulomb
from gudgeon.model import Clearance, Mechanism
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run
from gudgeon.results.contacts import FIELDS
from gudgeon.simulation import simulate
from gudgeon.written import draft

__all__ = ["compute", "main", "mechanisms", "report", "write"]

WIDTH = 100
REVOLUTIONS = 2
DOING = "gudgeon demo: a slider-crank at 5000 rpm, with ideal joints and with 0.5 mm of play in the pin ..."

# file -> names of its figure
FIGURES = {
    "overview.svg": ("slider.vx", "slider.ax", "main.torque", "pin.orbit"),
    "orbit.svg": ("pin.orbit",),
    "contact.svg": ("pin.force", "pin.normal"),
    "hysteresis.svg": ("pin.hysteresis",),
    "phase.svg": ("slider.phase",),
    "energy.svg": ("energy",),
}

# label, channel, unit, digits
ROWS = (
    ("slider |a| max", "slider.ax", "m/s²", 0),
    ("main |torque| max", "main.torque", "N m", 1),
    ("pin force max", "pin.force", "N", 0),
)


def mechanisms() -> tuple[Mechanism, Mechanism]:
    """The slider-crank of Flores et al. 2007, ideal and with the loose pin."""
    m = Mechanism("slider-crank")
    crank = m.body("crank", mass=0.300, inertia=1.0e-5, at=(0.025, 0))
    rod = m.body("rod", mass=0.210, inertia=2.5e-4, at=(0.110, 0))
    slider = m.body("slider", mass=0.140, inertia=1.0e-4, at=(0.170, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(0.05, 0))
    m.revolute("pin", journal=rod, bearing=slider, at=(0.17, 0), radius="10 mm", length="20 mm")
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.17, 0), axis=(1, 0))
    m.drive("main", speed="5000 rpm")
    wall = LankaraniNikravesh(STEEL, restitution=0.9)
    return m, m.refit(pin=Clearance(0.5e-3, wall=wall, friction=ModifiedCoulomb(0.03)))


def compute() -> tuple[Run, Run]:
    """Both runs, two revolutions each; the loose one says how far it can be trusted."""
    ideal, loose = mechanisms()
    runs = simulate(ideal, revolutions=REVOLUTIONS), simulate(loose, revolutions=REVOLUTIONS, trust=True)
    if not all(run.complete for run in runs):
        # a run that Ctrl-C ended keeps its results, but this report needs all of them
        raise KeyboardInterrupt
    return runs


def write(ideal: Run, real: Run, folder: Path) -> list[Path]:
    """Figures, results and contacts into a folder."""
    files = [compare(ideal, real, *names).save(folder / file) for file, names in FIGURES.items()]
    files.append(real.to_netcdf(folder / "run.nc"))
    files.append(folder / "contacts.csv")
    with draft(files[-1]) as part, part.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, FIELDS)
        table.writeheader()
        table.writerows(asdict(record) for record in real.contacts)
    return files


def report(ideal: Run, real: Run, files: Sequence[Path]) -> str:
    """What a person wants to know, in lines of at most 100 columns."""
    wall = ideal.evidence.wall_time + real.evidence.wall_time
    lines = [
        "slider-crank · pin: clearance 0.5 mm, Lankarani-Nikravesh, restitution 0.9, friction 0.03",
        f"{REVOLUTIONS} revolutions, {real.end.t * 1e3:.1f} ms, two runs simulated in {wall:.2f} s",
        "",
        *_table(ideal, real),
        "",
        *_evidence(real),
    ]
    if files:
        folder = f"{files[0].parent}/"
        names = "  ".join(path.name for path in files)
        lines += _item("written", f"{folder}  {names}")
    return "\n".join(lines)


def _table(ideal: Run, real: Run) -> Iterator[str]:
    assert ideal.period is not None
    later = real.after(ideal.period)
    yield f"  {'':<17}{'ideal':>12}{'real':>14}{'amplification':>15}   {'when':<22}{'2nd revolution':>15}"
    for label, channel, unit, digits in ROWS:
        was, now, then = (run.peak(channel) for run in (ideal, real, later))
        values = [f"{grouped(abs(peak.value), digits)} {unit}" for peak in (was, now, then)]
        when = f"{now.time * 1e3:.2f} ms{_contact_at(real, now.time)}"
        ratio = f"{abs(now.value / was.value):.1f} times"
        yield f"  {label:<17}{values[0]:>12}{values[1]:>14}{ratio:>15}   {when:<22}{values[2]:>15}"
    hits, share = len(real.contacts.impacts), 100 * real.touching("pin")
    count = f"{len(real.contacts)}, of them {hits} impacts"
    yield f"  {'pin contacts':<18}{count}; touching {share:.0f} % of the time"


def _contact_at(run: Run, t: float) -> str:
    for number, record in enumerate(run.contacts.of("pin"), 1):
        if record.t_on <= t and (not record.ended or t <= record.t_off):
            return f", contact {number}"
    return ""


def _evidence(run: Run) -> Iterator[str]:
    """The evidence as it prints itself, folded to the width."""
    for line in str(run.evidence).splitlines():
        yield from _item(line[2:12].strip(), line[13:].replace("trust      ", "trust: "))


def _item(label: str, text: str) -> list[str]:
    return wrap(f"  {label:<11}{text}", WIDTH, subsequent_indent=" " * 13, break_on_hyphens=False)


def grouped(value: float, digits: int = 0) -> str:
    """19 419: thousands apart from five digits on."""
    text = f"{value:,.{digits}f}"
    return text.replace(",", " " if value >= 1e4 else "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; 0 when all is well, 1 after a mistake, 130 after Ctrl-C."""
    about = (__doc__ or "").split("\n\n")[-1]
    parser = argparse.ArgumentParser(prog="python -m gudgeon.demo", description=about)
    parser.add_argument("--out", metavar="DIR", default="out/slider-crank", help="folder for the files (%(default)s)")
    folder = Path(parser.parse_args(arguments).out)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # a terminal without ² should show a question mark, not a traceback
            stream.reconfigure(errors="replace")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        print(DOING, flush=True)
        ideal, real = compute()
        files = write(ideal, real, folder)
        print("\n" + report(ideal, real, files))
    except GudgeonError as error:
        print(f"gudgeon demo: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # the reader, `head` for instance, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"gudgeon demo: {folder} cannot be written: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ngudgeon demo: stopped", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    heed("gudgeon demo: stopped")
    sys.exit(main())
