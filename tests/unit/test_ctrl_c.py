"""Ctrl-C: the program ends wherever it is; in Python it is a KeyboardInterrupt. No number is wrong by it."""

import functools
import os
import signal
import subprocess
import sys

import pytest

import gudgeon as gd
from gudgeon.methods.march import driver
from gudgeon.papers import schwab2002
from gudgeon.study import Store

HEED = functools.partial(signal.signal, signal.SIGINT, signal.default_int_handler)
AT_IMPORT = """
import os, signal, sys

class Finder:
    def find_spec(self, name, *_):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.argv[1:] = ["check", "schwab2002/hertz"]
from gudgeon.__main__ import main
main()
"""
IN_A_FINALISER = """
import os, signal, sys
from pathlib import Path
from gudgeon.ctrl_c import heed, told
from gudgeon.written import draft

class Lost:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(1000))

heed()
with told("what to do next"), draft(Path(sys.argv[1])) as part:
    part.write_text("half")
    Lost()
    part.write_text("whole")
"""


def python(code, *words, preexec=HEED):
    return subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=False,
                          preexec_fn=preexec)  # fmt: skip


@pytest.mark.parametrize("name", ["gudgeon.cli", "numpy", "typer", "llvmlite"])
def test_while_python_imports(name):
    """`import` is the worst place for an exception: 17 of 48 instants ended in a traceback."""
    done = python(AT_IMPORT.format(name=name))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gudgeon: stopped\n")


def test_in_a_finaliser_with_a_file_begun(tmp_path):
    """Where Python would swallow the exception, with a line of its own; the half file goes."""
    done = python(IN_A_FINALISER, tmp_path / "a.txt")
    assert (done.returncode, done.stderr) == (130, "what to do next\ngudgeon: stopped\n")
    assert not list(tmp_path.iterdir())


def test_a_job_in_the_background_goes_on():
    ignore = functools.partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    code = AT_IMPORT.format(name="gudgeon.assemble")
    assert python(code, preexec=ignore).returncode == 0


def test_the_program_begins_without_imports():
    """So that there is hardly an instant before it heeds Ctrl-C."""
    loaded = python("import sys; import gudgeon.__main__; print(*sys.modules)").stdout.split()
    own = {name for name in loaded if name.startswith("gudgeon")}
    assert own == {"gudgeon", *(f"gudgeon.{name}" for name in ("__main__", "ctrl_c", "plugins", "written"))}
    assert not {"numpy", "typer", "llvmlite"} & set(loaded)


def interrupted_at_row_block(monkeypatch, number):
    """Ctrl-C while a march hands over that block of rows."""
    blocks, original = [], driver.run

    def run(*arguments, on_rows, **options):
        def receive(rows):
            blocks.append(len(rows))
            if len(blocks) == number:
                os.kill(os.getpid(), signal.SIGINT)
            on_rows(rows)

        return original(*arguments, on_rows=receive, **options)

    monkeypatch.setattr(driver, "run", run)


@pytest.fixture
def heeded():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_march_for_an_extreme_is_whole_or_none(monkeypatch, heeded):
    """A part of it would give a smaller peak; asked again, the peak is right."""
    settings = {"revolutions": 3, "output": 1e-3, "channels": ["pin.force"]}
    peak = gd.simulate(schwab2002.hertz(), **settings).peak("pin.force").value
    run = gd.simulate(schwab2002.hertz(), **settings)
    with monkeypatch.context() as patch:
        interrupted_at_row_block(patch, 2)
        with pytest.raises(KeyboardInterrupt):
            run.peak("pin.force")
    assert run.peak("pin.force").value == peak


def test_a_study_keeps_no_interrupted_run(monkeypatch, heeded, tmp_path):
    study = gd.Study(schwab2002.hertz(), {"pin.restitution": [0.8, 0.9]}, ["peak pin.force"], revolutions=3)
    with monkeypatch.context() as patch:
        interrupted_at_row_block(patch, 1)
        with pytest.raises(KeyboardInterrupt):
            study.run(tmp_path / "s", processes=0, progress=False)
    assert Store(tmp_path / "s").counts()["todo"] == 2


def test_a_loop_of_short_runs_can_be_ended(monkeypatch, heeded):
    """Each is one block of rows, so that Ctrl-C comes when its run is done."""
    interrupted_at_row_block(monkeypatch, 1)
    with pytest.raises(KeyboardInterrupt):
        gd.simulate(schwab2002.hertz(), revolutions=0.01)


def test_windows_are_whole_or_none(monkeypatch, heeded):
    interrupted_at_row_block(monkeypatch, 2)
    with pytest.raises(KeyboardInterrupt):
        gd.analysis.sample_windows(schwab2002.hertz(), ["pin.force"], transient=1, windows=2)
