"""Faults that really happen: kill -9 of the driver at any moment, a full disk, damaged files."""

import errno
import functools
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from small_study import finished, patient, same, small, wait_for

import gudgeon as gd
from gudgeon.study import Store, StoreError, Table
from gudgeon.study.storage import disk, store

HERE = Path(__file__).parent
KEEP = ["pin.ex"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An uninterrupted study."""
    return small(keep=KEEP).run(tmp_path_factory.mktemp("faults") / "whole", processes=0)


@pytest.fixture
def copy(whole, tmp_path):
    """A store to damage."""
    return Path(shutil.copytree(whole.store, tmp_path / "copy"))


def values_on_disk(folder):
    return {row[0]: row[3] for row in Store(folder).rows() if row[2] == "done"}


# -- the driver ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_kill_the_driver_at_random_moments(tmp_path):
    """Each time more is there, nothing that was there is lost, and the end is that of an undisturbed study."""
    folder, chance = tmp_path / "s", random.Random(os.getpid())
    kept = {}
    for part in (0, 1, 2):
        driver = subprocess.Popen([sys.executable, str(HERE / "small_study.py"), str(folder)])
        before = finished(folder)
        wait_for(lambda: driver.poll() is not None or finished(folder) > before)  # noqa: B023
        time.sleep(chance.uniform(0.0, 0.3))
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        now = values_on_disk(folder)
        assert len(now) > len(kept) or len(now) == 40, part
        assert all(now[index] == values for index, values in kept.items())
        kept = now
    # the lock fell with its process
    table = small(measure=["peak pin.force", patient], keep=KEEP).run(folder, processes=2)
    calm = small(measure=["peak pin.force", patient], keep=KEEP).run(tmp_path / "calm", processes=0)
    assert same(table, calm)
    for k in (0, 20, 39):
        assert (table.trace(k)["pin.ex"] == calm.trace(k)["pin.ex"]).all()
    assert len(Store(folder).sessions()) >= 2


def test_a_killed_driver_keeps_what_has_arrived_and_takes_its_workers_along(whole, tmp_path):
    folder = tmp_path / "s"
    driver = subprocess.Popen([sys.executable, str(HERE / "small_study.py"), str(folder)])
    wait_for(lambda: driver.poll() is not None or finished(folder))
    workers = [int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit() and parent(p) == driver.pid]
    assert workers
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    wait_for(lambda: not any(alive(pid) for pid in workers), 20.0)
    kept = values_on_disk(folder)
    assert 0 < len(kept) < 40
    # the lock fell with its process; what is there is taken, and the end is that of an undisturbed study
    table = small(measure=["peak pin.force", patient], keep=KEEP).run(folder, processes=0)
    assert len(Store(folder).sessions()) == 2
    assert all(table[name][index] == value for index, values in kept.items() for name, value in values.items())
    assert (table["peak pin.force"] == whole["peak pin.force"]).all()
    assert all((table.trace(k)["pin.ex"] == whole.trace(k)["pin.ex"]).all() for k in (*kept, 39))


def parent(process):
    try:
        return int(process.joinpath("stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError):
        return 0


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_ctrl_c_keeps_what_has_arrived(tmp_path):
    # a job in the background inherits that Ctrl-C is ignored
    heed = functools.partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    driver = subprocess.Popen([sys.executable, str(HERE / "small_study.py"), str(tmp_path / "s")],
                              stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=heed)  # fmt: skip
    wait_for(lambda: driver.poll() is not None or finished(tmp_path / "s"))
    # as a terminal does: to the workers too
    os.killpg(driver.pid, signal.SIGINT)
    assert "KeyboardInterrupt" in driver.communicate(timeout=30)[1]
    states = [row[2] for row in Store(tmp_path / "s").rows()]
    assert "failed" not in states and 0 < states.count("done") < 40


def test_a_creation_that_was_killed_leaves_no_store(tmp_path, monkeypatch):
    def killed(*_):
        raise SystemExit("killed")

    monkeypatch.setattr(store.os, "rename", killed)
    with pytest.raises(SystemExit):
        small().run(tmp_path / "s", processes=0)
    monkeypatch.undo()
    assert not (tmp_path / "s" / "study.db").exists()
    with pytest.raises(gd.GudgeonError, match="holds no study"):
        Table.read(tmp_path / "s")
    assert (small().run(tmp_path / "s", processes=0).status == "done").all()


# -- the disk -----------------------------------------------------------------------------------------------

ON_A_SMALL_DISK = """
import os, sys
sys.path.insert(0, sys.argv[2])
from small_study import same, small
from gudgeon.study import Store, StoreError

def main(disk, processes):
    with open(disk + "/ballast", "wb") as file:
        file.write(bytes(2_700_000))
    study, told = small(keep=["pin.ex", "pin.ey", "pin.force", "slider.ax"]), "the disk was not full"
    try:
        study.run(disk + "/s", processes=processes)
    except StoreError as error:
        told = str(error)
    print(told)
    before = {row[0]: row[3] for row in Store(disk + "/s").rows() if row[2] == "done"}
    assert 0 < len(before) < 40, len(before)
    assert f"{len(before)} of 40 runs are kept" in told
    os.unlink(disk + "/ballast")
    table = study.run(disk + "/s", processes=0)
    assert (table.status == "done").all()
    for index, values in before.items():
        assert all(table[name][index] == value for name, value in values.items())
    assert same(table, study.run(sys.argv[4], processes=0))

if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[3]))
"""


def can_mount(folder):
    if shutil.which("unshare") is None:
        return False
    mount = f"mount -t tmpfs -o size=64k tmpfs {folder}"
    return subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("processes", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_a_full_disk(tmp_path, processes):
    """A tmpfs of 3 MB in a mount namespace of its own, mostly filled: the study stops, and goes on with more room."""
    if not can_mount(tmp_path):
        pytest.skip("no small tmpfs here: `unshare -rm mount` is not permitted; see the test with a failing write")
    script = tmp_path / "script.py"
    script.write_text(ON_A_SMALL_DISK)
    disk_ = tmp_path / "disk"
    disk_.mkdir()
    program = f"{sys.executable} {script} {disk_} {HERE} {processes} {tmp_path}/calm"
    command = f"mount -t tmpfs -o size=3m tmpfs {disk_} && exec {program}"
    done = subprocess.run(["unshare", "-rm", "sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the disk is full" in done.stdout


def test_a_write_that_fails_for_want_of_space(tmp_path, monkeypatch):
    """The same where nothing can be mounted: the fifth synchronisation of a chunk has no space."""
    calls, real = [], disk.os.fsync

    def fsync(file):
        calls.append(file)
        if len(calls) == 5:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file)

    monkeypatch.setattr(disk.os, "fsync", fsync)
    with pytest.raises(StoreError, match=r"the disk is full at .*\n.*2 of 40 runs are kept"):
        small(keep=KEEP).run(tmp_path / "s", processes=0)
    monkeypatch.undo()
    assert list((tmp_path / "s" / "chunks").glob("*.part")) == []
    before = values_on_disk(tmp_path / "s")
    table = small(keep=KEEP).run(tmp_path / "s", processes=0)
    assert len(before) == 2 and (table.status == "done").all()


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "s").write_text("a file")
    with pytest.raises(gd.GudgeonError, match=r"s: (Not a directory|File exists)"):
        small().run(tmp_path / "s", processes=0)


# -- damage -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["flip", "cut", "remove"])
def test_a_damaged_chunk_is_found_and_computed_again(whole, copy, damage, capsys):
    chunk = sorted((copy / "chunks").iterdir())[3]
    data = bytearray(chunk.read_bytes())
    if damage == "flip":
        data[len(data) // 2] ^= 1
        chunk.write_bytes(data)
    elif damage == "cut":
        chunk.write_bytes(data[: len(data) // 2])
    else:
        chunk.unlink()
    index = int(chunk.name.split("-")[0])
    with pytest.raises(StoreError, match="is damaged; `gudgeon study resume"):
        Table.read(copy).trace(index)
    table = small(keep=KEEP).run(copy, processes=0)
    assert f"chunk {chunk.name} is damaged: 1 run will be computed again" in capsys.readouterr().err
    assert same(table, whole)
    assert (table.trace(index)["pin.ex"] == whole.trace(index)["pin.ex"]).all()
    assert "damaged" in Store(copy).notes()[0][1]


def test_a_changed_result_is_found(whole, copy, capsys):
    with sqlite3.connect(copy / "study.db") as db:
        db.execute("UPDATE runs SET result = replace(result, '1', '2') WHERE id = 7")
    table = small(keep=KEEP).run(copy, processes=0)
    assert "a result in study.db is damaged: 1 run will be computed again" in capsys.readouterr().err
    assert same(table, whole)


def test_a_ruined_index_is_told(copy):
    data = bytearray((copy / "study.db").read_bytes())
    data[100:] = np.random.default_rng(0).bytes(len(data) - 100)
    (copy / "study.db").write_bytes(data)
    with pytest.raises(StoreError, match=r"study\.db"):
        small(keep=KEEP).run(copy, processes=0)


def test_a_resumption_with_other_versions_is_told(whole, copy, capsys):
    with sqlite3.connect(copy / "study.db") as db:
        db.execute("UPDATE runs SET status = 'todo' WHERE id = 7")
        db.execute("""UPDATE sessions SET about = replace(about, '"gudgeon": "', '"gudgeon": "0.0.')""")
    table = small(keep=KEEP).run(copy, processes=0)
    assert f"resumed with other versions: gudgeon was 0.0.{gd.__version__}" in capsys.readouterr().err
    assert same(table, whole)


def test_files_of_a_killed_writer_are_cleared(whole, copy):
    (copy / "chunks" / "0000099-abc.npz.part").write_bytes(b"half")
    (copy / "chunks" / "0000099-abc.npz").write_bytes(b"never named")
    assert same(small(keep=KEEP).run(copy, processes=0), whole)
    assert not list((copy / "chunks").glob("0000099*"))
