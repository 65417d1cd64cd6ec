"""What surrounds a program: full disks, closed streams, other locales, clocks that jump, Ctrl-C. A plain sentence, and
nothing half-written under its final name."""

import functools
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import schwab2002
from gudgeon.results import Run
from gudgeon.study import Store
from gudgeon.study.storage import store as stores

MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"
STUDY = MODELS.parent / "studies" / "clearance-friction.yaml"


def program(*words, **options):
    """The program in a process of its own, whose words are read; `closed`: streams that are not there."""
    closed = options.pop("closed", ())
    env = os.environ | options.pop("env", {})
    before = functools.partial(_close, closed, options.pop("limit", None))
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run([sys.executable, "-m", "gudgeon", *map(str, words)], env=env, text=True, check=False,
                          preexec_fn=before, **pipes)  # fmt: skip


def _close(numbers, limit):
    for number in numbers:
        os.close(number)
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def nothing_half(folder):
    """Every file of a run that has its final name is whole."""
    for path in Path(folder).rglob("*"):
        assert "-part" not in path.stem, path
        if path.suffix == ".nc":
            assert Run.from_netcdf(path).complete
        elif path.suffix in (".html", ".svg"):
            assert path.read_text(encoding="utf-8").rstrip().endswith((">",)), path


# -- streams --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "closed", "code"), [
    (["list", "laws"], (1,), 0), (["check", "no-such-model.yaml"], (2,), 2), (["check", "no-such-model.yaml"], (1,), 2),
])  # fmt: skip
def test_closed_streams(words, closed, code):
    """`gudgeon ... >&-`: the words go nowhere, and the exit code says how it went."""
    done = program(*words, closed=closed)
    assert done.returncode == code and "Traceback" not in done.stderr
    assert (done.stderr == "") == (code == 0 or 2 in closed)


def test_streams_that_are_closed_are_not_taken_by_files(tmp_path):
    """What is printed must not come into the file that was opened next."""
    made = program("new", tmp_path / "press", closed=(0, 1, 2))
    assert made.returncode == 0
    gd.Mechanism.from_file(tmp_path / "press.yaml")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_an_output_that_takes_nothing():
    with open("/dev/full", "w") as full:
        done = program("list", "laws", stdout=full)
        assert done.returncode == 2 and done.stderr == "gudgeon: output: No space left on device\n"


# -- the disk -------------------------------------------------------------------------------------------------------


def test_a_file_that_the_disk_does_not_take(tmp_path):
    """What was computed is printed all the same; there is no half file, and an older one stays."""
    words = ("run", MODELS / "pendulum-with-stop.yaml", "--until", "50 ms", "--out", tmp_path / "Ergebnis ä")
    done = program(*words, limit=20_000)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "run.nc cannot be written" in done.stderr and "evidence" in done.stdout
    nothing_half(tmp_path)
    assert not list(tmp_path.rglob("*.nc"))


@pytest.mark.slow
def test_a_page_that_the_disk_does_not_take(tmp_path):
    place = tmp_path / "v.html"
    place.write_text("old")
    words = ("view", MODELS / "pendulum-with-stop.yaml", "--until", "50 ms", "--no-open")
    done = program(*words, "-o", place, limit=20_000)
    assert done.returncode == 2 and done.stderr == f"gudgeon: {place}: File too large\n"
    assert place.read_text() == "old" and list(tmp_path.iterdir()) == [place]


# -- locale and paths -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    """A locale with a decimal comma, made where the system can make it."""
    place = tmp_path_factory.mktemp("locales")
    maker = shutil.which("localedef")
    if maker is None:
        pytest.skip("no localedef here")
    command = [maker, "-i", "de_DE", "-f", "UTF-8", str(place / "de_DE.UTF-8")]
    if subprocess.run(command, capture_output=True, check=False).returncode > 1:
        pytest.skip("no description of the locale de_DE here")
    return {"LOCPATH": str(place), "LC_ALL": "de_DE.UTF-8"}


SPEAKS_GERMAN = """
import locale, sys
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.str(1.5) == "1,5"
from gudgeon.cli import main
main()
"""


@pytest.mark.slow
def test_a_decimal_comma_in_paths_with_umlauts(german, tmp_path):
    """Read, compiled, run and written as ever, to the last digit."""
    folder = tmp_path / "Größen und Maße"
    folder.mkdir()
    model = folder / "Schubkurbel ö.yaml"
    shutil.copy(MODELS / "pendulum-with-stop.yaml", model)
    words = ["run", str(model), "--until", "0.5 s", "--json"]
    done = subprocess.run([sys.executable, "-c", SPEAKS_GERMAN, *words, "--out", str(folder / "aus gabe")],
                          env=os.environ | german, capture_output=True, text=True, check=True)  # fmt: skip
    plain = program(*words)
    one, two = json.loads(done.stdout), json.loads(plain.stdout)
    assert one["contacts"] == two["contacts"] and one["contacts"]
    table = np.genfromtxt(folder / "aus gabe" / "contacts.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert table.dtype["t_on"].kind == "f"
    nothing_half(folder)


# -- the clock and others in the same store -------------------------------------------------------------------------


def small():
    gaps = gd.logspace("0.05 mm", "0.5 mm", 8)
    return gd.Study(schwab2002.hertz(), {"pin.radial_clearance": gaps}, ["peak pin.force"], revolutions=0.1)


def test_a_clock_that_jumps_backwards(tmp_path, monkeypatch):
    """Sessions and notes keep their order, and resuming does not ask what time it is."""
    years = iter(range(2040, 1990, -1))
    monkeypatch.setattr(stores.time, "strftime", lambda form: f"{next(years)}-01-01 00:00:00")
    monkeypatch.setattr(time, "time", lambda: 0.0)
    folder = tmp_path / "s"
    first = small().run(folder, processes=0, shard=None)
    with Store(folder, write=True) as store:
        store._db.execute("UPDATE runs SET status = 'todo', result = NULL WHERE id > 3")
    again = small().run(folder, processes=0)
    assert (again["peak pin.force"] == first["peak pin.force"]).all()
    moments = [moment for moment, _ in Store(folder).sessions()]
    assert len(moments) == 2 and moments[0] > moments[1]


def test_two_programs_in_one_store(tmp_path):
    """The second one says who computes, and nothing is computed twice or lost."""
    folder = tmp_path / "s"
    store = Store.create(folder, {"name": "x"}, [(1.0,)])
    try:
        with pytest.raises(gd.GudgeonError, match=f"is being computed by process {os.getpid()} on .*wait for it"):
            Store(folder, write=True)
    finally:
        store.close()


# -- Ctrl-C ---------------------------------------------------------------------------------------------------------

HEED = functools.partial(signal.signal, signal.SIGINT, signal.default_int_handler)
BEGUN = """
import sys
from gudgeon.__main__ import main
from gudgeon.ctrl_c import heed
heed()
print("begun", file=sys.stderr, flush=True)
main()
"""
INTERRUPTED = {
    "run": (["run", MODELS / "slider-crank.yaml", "-r", "20", "--out", "OUT/run"], 8.0),
    "report": (["report", MODELS / "slider-crank.yaml", "-r", "3", "--no-trust", "-o", "OUT/r.html"], 5.0),
    "view": (["view", MODELS / "slider-crank.yaml", "-r", "3", "--no-open", "-o", "OUT/v.html"], 3.0),
    "processes": (["study", "run", STUDY, "--store", "OUT/s", "--engine", "local"], 8.0),
    "threads": (["study", "run", STUDY, "--store", "OUT/t", "--engine", "threads"], 8.0),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", INTERRUPTED)
def test_ctrl_c_at_random_instants(name, tmp_path):
    """From the first import on: a sentence and the exit code 130, or the run was faster. Every other time Ctrl-C comes
    again a moment later."""
    chance, (words, most) = random.Random(7), INTERRUPTED[name]
    for k in range(25):
        folder = tmp_path / f"{k // 3}"
        command = [str(word).replace("OUT", str(folder)) for word in words]
        process = subprocess.Popen([sys.executable, "-c", BEGUN, *command], stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.PIPE, start_new_session=True, preexec_fn=HEED)  # fmt: skip
        assert process.stderr.readline() == "begun\n"
        time.sleep(chance.uniform(0.0, most))
        for again in range(1 + k % 2):
            time.sleep(again * chance.uniform(0.0, 1.0))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        assert process.returncode in (0, 130), said
        assert "Traceback" not in said and "Exception ignored" not in said, said
        assert process.returncode == 0 or "stopped" in said or "interrupted" in said, said
        if folder.exists():
            for path in folder.rglob("*"):
                assert "-part" not in path.stem, path
