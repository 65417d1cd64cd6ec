"""gudgeon study: from a file to tables and figures; exit codes; what goes where."""

import csv
import functools
import io
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from typer.testing import CliRunner

from gudgeon.cli import app
from gudgeon.study import Store, Table

STUDY = """\
name: small
model: schwab2002/hertz
vary:
  pin.radial_clearance: {logspace: [0.05 mm, 0.5 mm, 4]}
  pin.restitution: [0.8, 0.9, 1.0]
measure: [peak pin.force, contacts pin]
run: {revolutions: 0.2}
"""


def gudgeon_(*arguments):
    return CliRunner().invoke(app, ["study", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A finished study, by the program itself."""
    place = tmp_path_factory.mktemp("cli")
    (place / "s.yaml").write_text(STUDY)
    command = [sys.executable, "-m", "gudgeon", "study", "run", "s.yaml", "--store", "out", "--processes", "2"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "small · 12 of 12 runs done" in done.stdout and "peak pin.force  least" in done.stdout
    assert re.search(r"12 of 12 runs · .*/s · 0:00 left", done.stderr)
    return place


@pytest.mark.parametrize("command", ["run", "status", "resume", "export", "plot", "judge", "merge"])
def test_every_command_has_an_example(command):
    done = gudgeon_(command, "--help")
    assert done.exit_code == 0 and re.search(rf"Examples?:\n +gudgeon study {command}", done.stdout)
    assert re.search(r"Example:\n +gudgeon study run", gudgeon_("--help").stdout)


def test_judge_says_which_values_keep_a_limit(folder):
    peaks = np.sort(Table.read(folder / "out")["peak pin.force"])
    limit, kept = f"{0.5e-3 * (peaks[6] + peaks[7]):.6f} kN", 7
    done = gudgeon_("judge", folder / "out", f"peak pin.force = {limit}", "contacts pin=1000000")
    assert done.exit_code == 0 and peaks[6] < peaks[7], done.stderr
    text = " ".join(done.stdout.split())
    assert "limits peak pin.force up to" in text and "; contacts pin up to 1e+06" in text
    assert f"{kept} of 12 runs keep all of them" in text and "pin.restitution 0.8, pin.radial_clearance: kept" in text
    page = folder / "judged.html"
    assert CliRunner().invoke(
        app, ["report", str(folder / "out"), "--limit", f"peak pin.force={limit}", "-o", str(page)]
    )
    assert f"<li>{kept} of 12 runs keep it</li>" in page.read_text(encoding="utf-8")
    wrongly = {
        "peak pin.force": "write MEASURE=VALUE", "peak pin.forc=1": 'mean "peak pin.force"?',
        "peak pin.force=1 mm": "expected [N]", "pin.restitution=1": "what was varied",
    }  # fmt: skip
    for limit, words in wrongly.items():
        wrong = gudgeon_("judge", folder / "out", limit)
        assert wrong.exit_code == 2 and words in wrong.stderr


def test_status_and_export(folder):
    text = gudgeon_("status", folder / "out").stdout
    assert "12 of 12 runs done" in text and "2 processes on" in text and "revolutions 0.2" in text
    told = json.loads(gudgeon_("status", folder / "out", "--json").stdout)
    assert (told["done"], told["todo"], told["seed"]) == (12, 0, 0)
    rows = list(csv.DictReader(io.StringIO(gudgeon_("export", folder / "out").stdout)))
    table = Table.read(folder / "out")
    assert [float(row["peak pin.force [N]"]) for row in rows] == list(table["peak pin.force"])
    assert gudgeon_("export", folder / "out", "-o", folder / "t.nc").exit_code == 0
    assert (folder / "t.nc").stat().st_size > 1000
    assert gudgeon_("export", folder / "out", "-o", folder / "t.xls").exit_code == 2


def test_figures(folder):
    for name, options in (
        ("map.svg", []),
        ("lines.png", ["--over", "pin.restitution"]),
        ("marginal.svg", ["--marginal"]),
    ):
        done = gudgeon_("plot", folder / "out", "peak pin.force", *options, "-o", folder / name)
        assert done.exit_code == 0 and (folder / name).stat().st_size > 5000
    done = gudgeon_("plot", folder / "out", "peak pin.farce", "-o", folder / "x.svg")
    assert done.exit_code == 2 and 'did you mean "peak pin.force"' in done.stderr


def test_run_and_resume_of_a_finished_study_compute_nothing(folder):
    before = Store(folder / "out").seconds()
    for arguments in (("run", folder / "s.yaml", "--store", folder / "out"), ("resume", folder / "out")):
        done = gudgeon_(*arguments)
        assert done.exit_code == 0 and "12 of 12 runs done" in done.stdout
    assert Store(folder / "out").seconds() == before


def test_shards(folder):
    for k in (1, 2):
        done = gudgeon_("run", folder / "s.yaml", "-s", folder / "parts", "--shard", f"{k}/2", "-p", 0, "-q")
        assert done.exit_code == 0 and done.stdout == ""
    assert "12 of 12 runs done" in gudgeon_("merge", folder / "parts").stdout
    whole, merged = Table.read(folder / "out"), Table.read(folder / "parts")
    assert (whole["peak pin.force"] == merged["peak pin.force"]).all()


def test_runs_without_result_are_told_by_the_exit_code(folder):
    text = STUDY.replace("pin.restitution: [0.8, 0.9, 1.0]", "pin.radius: [10 mm, 1 mm]")
    (folder / "bad.yaml").write_text(text.replace("0.05 mm, 0.5 mm, 4", "0.05 mm, 2 mm, 2"))
    done = gudgeon_("run", folder / "bad.yaml", "--store", folder / "bad", "-p", 0, "-q")
    table = Table.read(folder / "bad")
    assert done.exit_code == 1 and list(table.status) == ["done", "done", "done", "failed"]
    assert np.isnan(table["peak pin.force"][3])
    status = gudgeon_("status", folder / "bad").stdout
    assert "1 failed" in status and "1 run: " in status


def test_bad_input(folder):
    (folder / "wrong.yaml").write_text(STUDY.replace("pin.restitution", "pin.restitutoin"))
    done = gudgeon_("run", folder / "wrong.yaml", "--store", folder / "w")
    assert done.exit_code == 2 and 'did you mean "pin.restitution"?' in done.stderr and ":5:3:" in done.stderr
    assert not (folder / "w").exists()
    assert gudgeon_("status", folder / "nothing").exit_code == 2
    assert gudgeon_("run", folder / "s.yaml", "--store", folder / "w", "--shard", "5/2").exit_code == 2
    other = gudgeon_("run", folder / "wrong.yaml", "--store", folder / "out")
    assert other.exit_code == 2


def test_ctrl_c_and_resume(folder):
    """Exit code 130, nothing lost, the message says how to go on; the rest by `resume`."""
    (folder / "long.yaml").write_text(STUDY.replace("[0.8, 0.9, 1.0]", "{linspace: [0.8, 1, 30]}"))
    command = [sys.executable, "-m", "gudgeon", "study", "run", "long.yaml", "-s", "long", "-p", "1"]
    # a job in the background inherits that Ctrl-C is ignored
    heed = functools.partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    driver = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True,
                              preexec_fn=heed)  # fmt: skip
    place, deadline = folder / "long", time.monotonic() + 60
    while not ((place / "study.db").exists() and Store(place).counts()["done"]) and time.monotonic() < deadline:
        time.sleep(0.02)
    refused = gudgeon_("resume", place)
    assert refused.exit_code == 1 and f"being computed by process {driver.pid}" in refused.stderr
    os.killpg(driver.pid, signal.SIGINT)
    told = driver.communicate(timeout=30)[1]
    assert driver.returncode == 130 and "go on with `gudgeon study resume long`" in told
    before = {row[0]: row[3] for row in Store(place).rows() if row[2] == "done"}
    assert before
    done = gudgeon_("resume", place, "-q")
    assert done.exit_code == 0
    after = {row[0]: row[3] for row in Store(place).rows()}
    assert len(after) == 120 and all(after[k] == values for k, values in before.items())


def test_without_a_card_the_engine_gpu_says_so(folder, monkeypatch):
    from gudgeon.batch import driver

    monkeypatch.setattr(driver, "LIBRARY", "libcuda.so.of.nobody")
    driver.device.cache_clear()
    done = gudgeon_("run", folder / "s.yaml", "--store", folder / "card", "--engine", "gpu")
    driver.device.cache_clear()
    assert done.exit_code == 2
    assert "no NVIDIA driver here (libcuda.so.of.nobody" in done.stderr and "--engine local" in done.stderr
    assert not (folder / "card").exists()
