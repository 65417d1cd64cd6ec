"""A study gives what single runs give, whoever computes it, and says what went wrong."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from small_study import SICK, always_kills, fails, finished, kills_once, last_speed, patient, same, small, wait_for

import gudgeon as gd
from gudgeon.papers import schwab2002
from gudgeon.quantity import GudgeonError
from gudgeon.study import Store, Study, Table
from gudgeon.study.engines.local import Local


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The small study by one worker."""
    return small(keep=["pin.ex", "pin.mode"]).run(tmp_path_factory.mktemp("whole") / "store", processes=1)


def test_each_run_is_the_run_of_simulate(whole):
    """A mechanism that was described anew, not varied, and assembled by nobody else."""
    assert len(whole) == 40 and (whole.status == "done").all()
    for k in (0, 17, 39):
        gap, bounce = whole["pin.radial_clearance"][k], whole["pin.restitution"][k]
        run = gd.simulate(schwab2002.hertz(float(gap), float(bounce)), revolutions=0.2)
        assert whole["peak pin.force"][k] == abs(run.peak("pin.force").value)
        assert whole["final slider.vx"][k] == run["slider.vx"][-1]
        assert whole["contacts pin"][k] == pytest.approx(len(run.contacts) / 0.2)
        trace = whole.trace(k)
        assert (trace["time"] == run.t).all() and (trace["pin.ex"] == run["pin.ex"]).all()
        assert (trace["pin.mode"] == run["pin.mode"]).all()


def test_two_processes_and_none_give_the_same(whole, tmp_path):
    two = small(keep=["pin.ex", "pin.mode"]).run(tmp_path / "two", processes=2)
    none = small(keep=["pin.ex", "pin.mode"]).run(tmp_path / "none", processes=0)
    assert same(whole, two) and same(whole, none)
    for k in (3, 30):
        assert (whole.trace(k)["pin.ex"] == two.trace(k)["pin.ex"]).all()


def test_methods_without_error_control_get_their_step(tmp_path):
    study = small(["highest slider.x"], {"pin.radial_clearance": ["0.2 mm"]}, method="moreau", step="10 us")
    assert list(study.run(tmp_path / "fixed", processes=0).status) == ["done"]
    with pytest.raises(GudgeonError, match="Moreau has no error control: give its step"):
        small(["highest slider.x"], {"pin.radial_clearance": ["0.2 mm"]}, method="moreau").run(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_finished_study_computes_nothing_more(whole):
    before = Store(whole.store).seconds()
    began = time.perf_counter()
    assert same(whole, small(keep=["pin.ex", "pin.mode"]).run(whole.store))
    assert time.perf_counter() - began < 2.0
    assert Store(whole.store).seconds() == before
    assert len(Store(whole.store).sessions()) == 1


def test_provenance_is_in_the_store(whole):
    about = Store(whole.store).about
    assert "slider-crank of Schwab 2002" in about["model"] and about["settings"]["revolutions"] == 0.2
    assert about["seed"] == 0 and about["vary"]["pin.radial_clearance"] == {"logspace": ["0.05 mm", "0.5 mm", 8]}
    versions = Store(whole.store).sessions()[0][1]["versions"]
    assert versions["gudgeon"] == gd.__version__ and {"numpy", "llvmlite", "compiled sources"} <= set(versions)
    again = Study.stored(whole.store)
    assert again.points == small().points and again.columns == small().columns


def test_the_table_is_labelled(whole, tmp_path):
    dataset = whole.to_xarray()
    assert dataset["peak pin.force"].dims == ("pin.radial_clearance", "pin.restitution")
    assert dataset["peak pin.force"].attrs["units"] == "N"
    assert dataset["pin.radial_clearance"].attrs["units"] == "m"
    picked = dataset["peak pin.force"].sel({"pin.restitution": 0.9}).values
    assert (picked == whole["peak pin.force"][whole["pin.restitution"] == 0.9]).all()
    lines = whole.to_csv(tmp_path / "t.csv").read_text().splitlines()
    assert lines[0].startswith("run,pin.radial_clearance [m],pin.restitution,peak pin.force [N],contacts pin")
    assert float(lines[1].split(",")[3]) == whole["peak pin.force"][0] and len(lines) == 41
    import xarray

    with xarray.open_dataset(whole.to_netcdf(tmp_path / "t.nc")) as back:
        assert (back["peak_pin_force"].values == dataset["peak pin.force"].values).all()
    with pytest.raises(gd.GudgeonError, match='did you mean "peak pin'):
        whole["peak pin.forces"]


def test_a_run_that_raises_is_kept_as_failed(tmp_path):
    study = small(measure=["peak pin.force", fails])
    table = study.run(tmp_path / "s", processes=1)
    sick = table["pin.restitution"] == SICK
    assert (table.status[sick] == "failed").all() and (table.status[~sick] == "done").all()
    assert all("ZeroDivisionError: no such thing" in table.messages[k] for k in np.flatnonzero(sick))
    assert np.isnan(table["peak pin.force"][sick]).all() and np.isfinite(table["peak pin.force"][~sick]).all()
    # they stay failed, unless asked for
    assert len(Store(tmp_path / "s").todo()) == 0
    study.run(tmp_path / "s", processes=0, again=True)
    assert len(Store(tmp_path / "s").sessions()) == 2


def test_a_mechanism_that_cannot_be_at_a_point_fails_there_only(tmp_path):
    """The pin of 10 mm radius cannot have 11 mm of play; alone it passes, with this radius it does not."""
    axes = {"pin.radius": ["10 mm", "1 mm"], "pin.radial_clearance": ["0.5 mm", "2 mm"]}
    table = small(vary=axes).run(tmp_path / "s", processes=0)
    assert list(table.status) == ["done", "done", "done", "failed"]
    assert "clearance" in table.messages[3]


def test_a_run_that_kills_its_worker_is_left_out_after_retries(tmp_path):
    table = small(measure=["peak pin.force", always_kills]).run(tmp_path / "s", processes=1)
    (bad,) = np.flatnonzero(table.status != "done")
    assert table.status[bad] == "crashed" and "SIGSEGV" in table.messages[bad] and "3 times" in table.messages[bad]
    assert (table["pin.restitution"][bad], table["pin.radial_clearance"][bad]) == (SICK, 5e-5)
    notes = [text for _, text in Store(tmp_path / "s").notes()]
    assert sum("tried again" in text for text in notes) == 2 and "left out" in notes[-1]
    # a resumption does not try it a fourth time
    began = time.perf_counter()
    assert small(measure=["peak pin.force", always_kills]).run(tmp_path / "s").status[bad] == "crashed"
    assert time.perf_counter() - began < 2.0


def test_a_killed_worker_costs_nothing(whole, tmp_path, monkeypatch):
    monkeypatch.setenv("SMALL_STUDY_FLAG", str(tmp_path / "flag"))
    table = small(measure=["peak pin.force", kills_once]).run(tmp_path / "s", processes=2)
    assert (table.status == "done").all() and (tmp_path / "flag").exists()
    assert "SIGKILL" in Store(tmp_path / "s").notes()[0][1]
    assert (table["peak pin.force"] == whole["peak pin.force"]).all()


@pytest.mark.slow
def test_workers_killed_from_outside(tmp_path):
    """kill -9 on each worker that is found at work."""
    import multiprocessing
    import signal

    study = small(measure=["peak pin.force", patient])
    result = []
    thread = threading.Thread(target=lambda: result.append(study.run(tmp_path / "s", processes=2)))
    thread.start()
    for killed in range(2):
        wait_for(lambda: finished(tmp_path / "s") > 8 * killed or not thread.is_alive())  # noqa: B023
        wait_for(multiprocessing.active_children)
        os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)
    thread.join(120)
    assert (result[0].status == "done").all()
    assert len(Store(tmp_path / "s").notes()) >= 1
    assert multiprocessing.active_children() == []


def test_a_second_start_is_refused(tmp_path):
    study = small(measure=["peak pin.force", patient])
    thread = threading.Thread(target=lambda: study.run(tmp_path / "s", processes=1))
    thread.start()
    wait_for(lambda: (tmp_path / "s" / "study.db").exists() or not thread.is_alive())
    with pytest.raises(gd.GudgeonError, match=f"being computed by process {os.getpid()} on"):
        small(measure=["peak pin.force", patient]).run(tmp_path / "s")
    # reading is allowed
    assert Table.read(tmp_path / "s").status.size == 40
    thread.join()


def test_another_study_is_refused(whole):
    for other, words in (
        (small(keep=["pin.ex", "pin.mode"], revolutions=0.3), "settings"),
        (small(), "keep"),
        (small(measure=["peak pin.force"], keep=["pin.ex", "pin.mode"]), "measure"),
        (small(vary={"pin.restitution": [0.5]}, keep=["pin.ex", "pin.mode"]), "vary"),
    ):
        with pytest.raises(gd.GudgeonError, match=f"holds another study: it differs in .*{words}"):
            other.run(whole.store)


def test_mistakes_are_told_before_anything_is_computed(tmp_path):
    for study, options, words in (
        (small(measure=["peak pin.forces"]), {}, 'channel "pin.forces" is not known; did you mean "pin.force'),
        (small(measure=["touching pine"]), {}, 'joint "pine" is not known; did you mean "pin"'),
        (small(keep=["pin.exx"]), {}, 'keep: channel "pin.exx"'),
        (small(), {"engine": "cluster"}, "needs the address"),
        (small(), {"processes": -1}, "processes -1"),
        (small(), {"shard": "3/2"}, "is not a valid part"),
        (small(measure=[lambda run: 1.0]), {"processes": 1}, "cannot be sent to a worker"),
    ):
        with pytest.raises(gd.GudgeonError, match=words):
            study.run(tmp_path / "s", **options)


def test_a_mechanism_that_nobody_else_can_have(tmp_path):
    """A function inside a function: no file and no other process can have it, this process can."""
    crank = schwab2002.ideal()
    crank.force("slider", (lambda t: 3.0 * t, 0.0))
    study = gd.Study(crank, {"rod.mass": [0.1, 0.2]}, ["peak slider.ax"], duration="1 ms")
    with pytest.raises(gd.GudgeonError, match="cannot be sent to a worker process"):
        study.run(tmp_path / "s", processes=1)
    table = study.run(tmp_path / "s", processes=0)
    assert table["peak slider.ax"][0] == abs(
        gd.simulate(crank.vary("rod.mass", 0.1), duration="1 ms").peak("slider.ax").value
    )


def test_a_regime_needs_a_settled_motion(tmp_path):
    with pytest.raises(gd.GudgeonError, match="period= goes with turns="):
        small(period="1 ms")
    with pytest.raises(gd.GudgeonError, match="after= does not go with turns="):
        small(revolutions=None, turns=2, after="1 ms")
    with pytest.raises(gd.GudgeonError, match="give turns and transient"):
        small(measure=["regime"], vary={"pin.restitution": [0.9]}).run(tmp_path / "s", processes=0)


def test_regimes_of_a_settled_motion(tmp_path):
    """What `gudgeon.analysis` says of one mechanism is what a study says of it, whatever is measured beside."""
    from gudgeon.analysis import observe

    axes, settings = {"pin.radial_clearance": ["0.5 mm"]}, {"transient": 5, "turns": 40, "rtol": 1e-9}
    study = small(measure=["regime", "mean peak pin.force", last_speed], vary=axes, revolutions=None, **settings)
    table = study.run(tmp_path / "s", processes=0)
    assert list(table.status) == ["done"], table.messages
    expected = observe(schwab2002.hertz("0.5 mm"), ["regime", "mean peak pin.force"], **settings)
    numbers = {name for name in expected if name.startswith("mean peak")}  # extremes are searched for to 1e-6
    for name in numbers:
        assert table[name][0] == pytest.approx(expected[name], rel=1e-6 if name.endswith("force") else 1e-4)
    assert {name: table[name][0] for name in expected.keys() - numbers} == {
        name: value for name, value in expected.items() if name not in numbers}  # fmt: skip
    assert table["exponent"][0] > 5.0 * table["exponent error"][0] and table["k01"][0] > 0.9  # as in chaos
    assert np.isfinite(table["last_speed"][0])


class Lightness:
    """A measure that needs no run at all."""

    names = ("mass", "word")

    def measure(self, mechanism):
        mass = sum(body.mass for body in mechanism.bodies.values())
        return {"mass": mass, "word": "light" if mass < 0.4 else "heavy"}


def test_measures_with_runs_of_their_own(tmp_path):
    study = small(measure=[Lightness()], vary={"rod.mass": [0.1, 0.2]})
    table = study.run(tmp_path / "s", processes=0)
    assert list(table["mass"]) == pytest.approx([0.39, 0.49]) and list(table["word"]) == ["light", "heavy"]
    assert table.to_xarray()["word"].values.tolist() == ["light", "heavy"]
    with pytest.raises(gd.GudgeonError, match="run its script again"):
        Study.stored(tmp_path / "s")


def test_batches_follow_the_pace():
    from gudgeon.study.engines.engine import batch_size

    assert batch_size(1000, 2, 0.0) == 1
    assert batch_size(1000, 2, 0.005) == 100
    assert batch_size(100, 2, 0.005) == 25
    assert batch_size(3, 2, 0.005) == 1
    assert Local().processes >= 1


def test_script_without_a_guard(tmp_path):
    """A study at the top level of a script: workers must not start it again."""
    script = tmp_path / "sweep.py"
    script.write_text(
        "import gudgeon as gd\n"
        "from gudgeon.papers import schwab2002\n"
        "print('once')\n"
        "vary = {'pin.restitution': [0.8, 0.9]}\n"
        "table = gd.Study(schwab2002.hertz(), vary, 'peak pin.force', revolutions=0.1).run('store', processes=1)\n"
        "print(*table.status)\n"
    )
    done = subprocess.run([sys.executable, script.name], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["once", "done done"]
    assert "Traceback" not in done.stderr


def swung():
    """A pendulum that is pushed: nothing turns at constant speed, so that only its maker knows the period."""
    m = gd.Mechanism("pushed", gravity=(0, -9.81))
    arm = m.body("arm", mass=1.0, inertia=0.01, at=(0, -0.2))
    m.revolute("pivot", journal=arm, bearing=m.ground, at=(0, 0))
    m.torsion_spring("damper", "pivot", stiffness=0.0, damping=0.2)
    m.torque(arm, lambda t: 0.3 * gd.sin(3.0 * t))
    return m


@pytest.mark.parametrize(("engine", "workers"), [("local", 0), ("threads", 2)])
def test_a_motion_without_a_turning_drive_has_the_period_that_is_given(tmp_path, engine, workers):
    """Nothing touches here: engines that share out trajectories must watch the channels of such mechanisms too."""
    period, axes = 2 * np.pi / 3.0, {"arm.mass": [1.0, 1.5]}
    study = gd.Study(swung(), axes, ["peak arm.angle"], transient=3, turns=2, period=period, rtol=1e-7)
    found = study.run(tmp_path / engine, engine=engine, processes=workers, progress=False)["peak arm.angle"]
    one = gd.Study(swung(), axes, ["peak arm.angle"], duration=5 * period, after=3 * period, rtol=1e-7)
    other = one.run(tmp_path / "one", processes=0, progress=False)["peak arm.angle"]
    start = gd.Study(swung(), axes, ["peak arm.angle"], duration=5 * period, rtol=1e-7)
    assert found == pytest.approx(other, rel=1e-4)
    assert not np.allclose(start.run(tmp_path / "start", processes=0, progress=False)["peak arm.angle"], other)


def test_devices_refuse_to_leave_out_the_start(tmp_path):
    with pytest.raises(gd.GudgeonError, match="does not support after="):
        small(after="0.1 ms").run(tmp_path / "x", engine="threads", progress=False)
