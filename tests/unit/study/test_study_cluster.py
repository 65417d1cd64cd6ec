"""The cluster engine on a dask cluster of this computer, also with workers that die."""

import importlib.util
import os
import signal
import threading

import numpy as np
import pytest
from small_study import SICK, always_kills, finished, patient, same, small, wait_for

import gudgeon as gd
from gudgeon.study import Store

missing = importlib.util.find_spec("distributed") is None


@pytest.fixture(scope="module")
def cluster():
    if missing:
        pytest.skip('dask.distributed is not installed: pip install "gudgeon[cluster]"')
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        yield made


def test_a_cluster_gives_the_same(cluster, tmp_path):
    there = small(keep=["pin.ex"]).run(tmp_path / "s", engine="cluster", address=cluster.scheduler_address)
    here = small(keep=["pin.ex"]).run(tmp_path / "t", processes=0)
    assert same(there, here) and (there.trace(9)["pin.ex"] == here.trace(9)["pin.ex"]).all()
    assert "cluster tcp://" in Store(tmp_path / "s").sessions()[0][1]["engine"]


def test_a_killed_worker_is_survived(cluster, tmp_path):
    study, result = small(measure=["peak pin.force", patient]), []
    address = cluster.scheduler_address
    thread = threading.Thread(
        target=lambda: result.append(study.run(tmp_path / "s", engine="cluster", address=address))
    )
    thread.start()
    wait_for(lambda: finished(tmp_path / "s") or not thread.is_alive())
    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    thread.join(120)
    assert (result[0].status == "done").all()
    assert (result[0]["peak pin.force"] == small().run(tmp_path / "t", processes=0)["peak pin.force"]).all()


@pytest.mark.slow
def test_a_run_that_kills_workers_is_left_out(tmp_path):
    if missing:
        pytest.skip('dask.distributed is not installed: pip install "gudgeon[cluster]"')
    import dask
    from distributed import LocalCluster

    axes = {"pin.radial_clearance": ["0.05 mm", "0.5 mm"], "pin.restitution": [SICK]}
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as made,
    ):
        study = small(measure=["peak pin.force", always_kills], vary=axes)
        table = study.run(tmp_path / "s", engine="cluster", address=made.scheduler_address)
    assert list(table.status) == ["crashed", "done"]
    assert "killed its workers" in table.messages[0] and np.isfinite(table["peak pin.force"][1])


@pytest.mark.skipif(missing, reason="dask.distributed is not installed")
def test_an_address_where_nobody_is(tmp_path, monkeypatch):
    from gudgeon.study.engines.cluster import Cluster

    monkeypatch.setattr(Cluster, "patience", "1s")
    with pytest.raises(gd.GudgeonError, match="no dask scheduler answers"):
        small().run(tmp_path / "s", engine="cluster", address="tcp://127.0.0.1:9")
