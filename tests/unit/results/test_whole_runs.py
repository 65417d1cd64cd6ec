"""Runs read back from their files, whole."""

from __future__ import annotations

import numpy as np
import pytest
from bouncing import loose_run

import gudgeon as gd
from gudgeon.papers import flores2006, schwab2002
from gudgeon.results import Run

pytest.importorskip("xarray")


def same(a: Run, b: Run) -> None:
    assert a.channels == b.channels and (a.t == b.t).all()
    for name in a.channels:
        assert (a[name] == b[name]).all() and a.channel(name) == b.channel(name)
    assert str(a.contacts) == str(b.contacts) and len(a.contacts) == len(b.contacts)
    assert a.impacts == b.impacts
    assert a.evidence == b.evidence and str(a.evidence) == str(b.evidence)
    assert (a.period, a.complete, a.end.t) == (b.period, b.complete, b.end.t)
    assert (a.end.y == b.end.y).all() and (a.end.m == b.end.m).all()


@pytest.mark.parametrize("make", [
    loose_run,
    lambda: gd.simulate(flores2006.four_bar(), duration=0.05, rtol=1e-7, progress=False),
    lambda: gd.simulate(schwab2002.impact(), revolutions=0.2, method="impact", rtol=1e-9, progress=False),
], ids=["plane", "space", "impacts"])  # fmt: skip
def test_a_run_read_back_is_the_same(make, tmp_path):
    run = make()
    run.to_netcdf(tmp_path / "run.nc")
    same(run, Run.from_netcdf(tmp_path))
    same(run, Run.from_netcdf(tmp_path / "run.nc"))


def test_a_run_read_back_goes_on(tmp_path):
    mechanism = schwab2002.hertz()
    first = gd.simulate(mechanism, revolutions=0.1, rtol=1e-10, progress=False)
    there = gd.simulate(mechanism, revolutions=0.1, rtol=1e-10, resume=first, progress=False)
    again = Run.from_netcdf(first.to_netcdf(tmp_path / "first.nc"))
    back = gd.simulate(again.mechanism, revolutions=0.1, rtol=1e-10, resume=again, progress=False)
    assert back["pin.ex"][-1] == there["pin.ex"][-1]


def test_a_mechanism_that_no_file_can_hold_has_to_be_given(tmp_path):
    mechanism = gd.Mechanism("pushed")
    block = mechanism.body("block", mass=1.0, inertia=0.1, at=(0.0, 0.0))
    mechanism.translational("guide", journal=block, bearing=mechanism.ground, at=(0.0, 0.0), axis=(1.0, 0.0))
    mechanism.force(block, (lambda t: gd.sin(t), 0.0))
    run = gd.simulate(mechanism, duration=0.1, progress=False)
    path = run.to_netcdf(tmp_path / "own.nc")
    with pytest.raises(gd.GudgeonError, match="give mechanism="):
        Run.from_netcdf(path)
    same(run, Run.from_netcdf(path, mechanism=mechanism))


def test_files_that_are_no_run(tmp_path):
    (tmp_path / "a.nc").write_text("no netCDF")
    with pytest.raises(gd.GudgeonError, match="no run file of gudgeon"):
        Run.from_netcdf(tmp_path / "a.nc")
    with pytest.raises(gd.GudgeonError, match="no run file"):
        Run.from_netcdf(tmp_path / "b.nc")


def test_channels_are_numbers(tmp_path):
    run = loose_run()
    again = Run.from_netcdf(run.to_netcdf(tmp_path / "run.nc"))
    assert again["pin.force"].dtype == np.float64
    assert again.touching("pin") == run.touching("pin")
