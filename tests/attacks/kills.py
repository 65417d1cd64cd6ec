"""kill -9 at random instants: of studies on each engine, of `run --out`, of compiling.

python tests/attacks/kills.py KIND [count] [seed]; KIND: processes, threads, cluster, alone, run, compile

Nothing that was finished is lost, nothing that is computed twice is different, what stands under a final name is whole,
and the next run goes on.
"""

from __future__ import annotations

import collections
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import numpy as np

import gudgeon as gd
from gudgeon.papers import schwab2002
from gudgeon.results import Run
from gudgeon.study import Store, Study, Table

try:
    from distributed import LocalCluster
except ImportError:
    LocalCluster = None

MODEL = Path(__file__).resolve().parents[2] / "examples" / "models" / "slider-crank.yaml"
ENGINES = {"processes": {"engine": "local", "processes": 2}, "threads": {"engine": "threads", "processes": 2},
           "cluster": {"engine": "cluster"}, "alone": {"processes": 0}}  # fmt: skip
CLIP = re.compile(rb"\bp[0-9a-f]{10}\b")
SCHEDULER = "GUDGEON_TEST_SCHEDULER"  # of the cluster, for the programs that are killed
ENDED, KILLED = "came to its end", "killed"

Counts = collections.Counter[str]


def study(keep: tuple[str, ...]) -> gd.Study:
    """Some hundred runs of some ten milliseconds."""
    gaps = gd.logspace("0.05 mm", "0.5 mm", 24)
    return gd.Study(schwab2002.hertz(), {"pin.radial_clearance": gaps, "pin.restitution": [0.7, 0.8, 0.9, 0.95, 1.0]},
                    ["peak pin.force", "contacts pin", "final slider.vx"], keep=keep, revolutions=0.5)  # fmt: skip


def compute(engine: str, folder: Path) -> Table:
    keep = () if engine == "threads" else ("pin.ex",)
    where = {"address": os.environ[SCHEDULER]} if engine == "cluster" else {}
    return study(keep).run(folder, progress=False, **ENGINES[engine], **where)


# -- a program and its end ------------------------------------------------------------------------------------------


def started(*words: str | Path, cache: Path | None = None) -> subprocess.Popen[bytes]:
    """A program in a session of its own, so that its workers can be told from others."""
    env = os.environ | ({} if cache is None else {"GUDGEON_CACHE": str(cache)})
    return subprocess.Popen([sys.executable, *map(str, words)], env=env, start_new_session=True,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip


def ended(process: subprocess.Popen[bytes], after: float, number: int) -> str:
    """Kill it after so long: every other time with its workers. Says whether it was faster."""
    try:
        process.wait(timeout=after)
    except subprocess.TimeoutExpired:
        if number % 2:
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()
        return KILLED
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.returncode == 0, said
    return ENDED


def seconds(start: Callable[[], subprocess.Popen[bytes]]) -> float:
    """What the undisturbed program takes."""
    began = time.monotonic()
    process = start()
    said = process.communicate()[1].decode()
    assert process.returncode == 0, said
    return time.monotonic() - began


def kept(folder: Path) -> dict[int, object]:
    if not (folder / "study.db").exists():
        return {}
    with Store(folder) as store:
        return {row[0]: row[3] for row in store.rows() if row[2] == "done"}


# -- kinds ----------------------------------------------------------------------------------------------------------


def kill_studies(engine: str, count: int, chance: random.Random, place: Path, counts: Counts) -> None:
    calm = compute(engine, place / "calm")
    folder, number, before = place / "s", 0, {}
    whole = seconds(lambda: started(__file__, "--study", engine, place / "once"))
    for k in range(count):
        how = ended(started(__file__, "--study", engine, folder), chance.uniform(0.1, 1.1) * whole, k)
        counts[how] += 1
        now = kept(folder)
        lost = [index for index, values in before.items() if now.get(index) != values]
        assert not lost, f"kill {k}: runs {lost} are lost or changed"
        before = now
        if how == ENDED or len(now) == len(calm):
            agree(Table.read(folder) if how == ENDED else compute(engine, folder), calm)
            counts["studies finished and compared"] += 1
            number, before = number + 1, {}
            folder = place / f"s{number}"
    agree(compute(engine, folder), calm)
    counts["studies finished and compared"] += 1


def agree(table: Table, calm: Table) -> None:
    """To the last bit, with their traces."""
    assert (table.status == "done").all()
    for name in calm.columns:
        assert (table[name] == calm[name]).all(), name
    for k in range(0, len(calm), 17) if Study.stored(calm.store).keep else ():
        assert (table.trace(k)["pin.ex"] == calm.trace(k)["pin.ex"]).all()


def kill_runs(count: int, chance: random.Random, place: Path, counts: Counts) -> None:
    """Of `run --out`, always into the same folder."""
    calm, folder = place / "calm", place / "out ä"

    def start(out: Path) -> subprocess.Popen[bytes]:
        return started("-m", "gudgeon", "run", MODEL, "-r", "1", "--trust", "--out", out, "--quiet")

    start(calm).communicate()
    whole = seconds(lambda: start(place / "once"))
    for k in range(count):
        if k % 7 == 0:
            shutil.rmtree(folder, ignore_errors=True)
        # most of the time goes into computing, the files come last
        counts[ended(start(folder), chance.uniform(0.3, 1.05) * whole, k)] += 1
        counts["files found whole"] += whole_files(folder, calm)
    start(folder).communicate()
    assert whole_files(folder, calm) == len(list(calm.iterdir()))


def whole_files(folder: Path, calm: Path) -> int:
    """How many files are there, each the same as without a kill."""
    found = 0
    for path in folder.iterdir() if folder.is_dir() else ():
        if "-part" in path.stem:
            continue
        other = calm / path.name
        if path.suffix == ".nc":
            one, two = Run.from_netcdf(path), Run.from_netcdf(other)
            assert (one.t == two.t).all() and all((one[c] == two[c]).all() for c in two.channels)
            np.testing.assert_equal(one.contacts.column("peak_force"), two.contacts.column("peak_force"))
        elif path.suffix == ".html":
            assert path.read_text(encoding="utf-8").endswith("</html>\n")
        else:
            # Matplotlib does not always name a clipping path alike
            one, two = (CLIP.sub(b"", file.read_bytes()) for file in (path, other))
            assert one == two, path
            if path.suffix == ".svg":
                ElementTree.parse(path)
        found += 1
    return found


def kill_compiling(count: int, chance: random.Random, place: Path, counts: Counts) -> None:
    """Of a first run: what is half compiled is compiled again, and gives the same numbers."""
    cache = place / "cache"

    def start(out: Path, where: Path) -> subprocess.Popen[bytes]:
        return started(__file__, "--first", out, cache=where)

    whole = seconds(lambda: start(place / "calm.npy", place / "calm"))
    calm = np.load(place / "calm.npy")
    for k in range(count):
        how = ended(start(place / "one.npy", cache), chance.uniform(0.1, 1.0) * whole, k)
        counts[how] += 1
        if how == ENDED or k % 5 == 4:
            started(__file__, "--first", place / "one.npy", cache=cache).communicate()
            assert np.array_equal(np.load(place / "one.npy"), calm)
            counts["caches used and compared"] += 1
            shutil.rmtree(cache)


def first_run(path: Path) -> None:
    m = schwab2002.hertz()
    runs = [gd.simulate(m, revolutions=0.3, method=method, progress=False) for method in ("dopri5", "radau")]
    np.save(path, np.concatenate([np.concatenate([run["pin.ex"], run["slider.x"]]) for run in runs]))


def campaign(kind: str, count: int, seed: int, counts: Counts) -> None:
    """So many kills of a kind, counted; an AssertionError says what was lost."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="gudgeon-kills-") as name:
        if kind == "cluster":
            # the cluster goes on when a driver is killed, and has to forget what it was asked for
            with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
                os.environ[SCHEDULER] = cluster.scheduler_address
                kill_studies(kind, count, chance, Path(name), counts)
        elif kind in ENGINES:
            kill_studies(kind, count, chance, Path(name), counts)
        else:
            {"run": kill_runs, "compile": kill_compiling}[kind](count, chance, Path(name), counts)


def main() -> None:
    if sys.argv[1] == "--study":
        compute(sys.argv[2], Path(sys.argv[3]))
    elif sys.argv[1] == "--first":
        first_run(Path(sys.argv[2]))
    else:
        count, seed = (int(x) for x in [*sys.argv[2:], *["100", "1"][len(sys.argv) - 2 :]])
        counts: Counts = collections.Counter()
        try:
            campaign(sys.argv[1], count, seed, counts)
        finally:
            # also after Ctrl-C
            print(f"{sys.argv[1]}: " + ", ".join(f"{words} {number}" for words, number in counts.items()), flush=True)


if __name__ == "__main__":
    main()
