"""Runs on disk: netCDF through xarray, CSV through the csv module."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from bouncing import loose_run, sphere_run

import gudgeon as gd
from gudgeon.papers import schwab2002

xarray = pytest.importorskip("xarray")


def test_a_dataset_has_units_labels_and_contacts():
    run = loose_run()
    data = run.to_xarray()
    assert data["time"].attrs["units"] == "s"
    assert data["slider_ax"].attrs.items() >= {
        "units": "m/s^2", "long_name": "acceleration", "channel": "slider.ax", "lowest": run.minimum("slider.ax"),
    }.items()  # fmt: skip
    assert set(data.data_vars) >= {name.replace(".", "_") for name in run.channels}
    assert data.sizes["contact"] == len(run.contacts)


def test_netcdf_opens_in_xarray_with_everything(tmp_path):
    run = loose_run()
    path = run.to_netcdf(tmp_path / "deep" / "run.nc")
    assert [p.name for p in path.parent.iterdir()] == ["run.nc"]  # no half-written file beside it
    with xarray.open_dataset(path) as data:
        assert data["pin_force"].attrs["units"] == "N"
        assert data["pin_force"].attrs["channel"] == "pin.force"
        assert (data["pin_force"].values == run["pin.force"]).all()
        assert (data["time"].values == run.t).all()
        assert (data["contact_t_on"].values == run.contacts.column("t_on")).all()
        assert list(data["contact_joint"].values) == ["pin"] * len(run.contacts)
        assert list(data["contact_kind"].values) == [r.kind for r in run.contacts]
        assert data.attrs["complete"] == 1
        assert data.attrs["title"] == run.name
        assert data.attrs["energy_balance"] == run.evidence.balance
        assert "Lankarani" in data.attrs["references"]


def test_netcdf_of_a_run_without_contacts(tmp_path):
    run = gd.simulate(schwab2002.ideal(), duration=1e-4)
    with xarray.open_dataset(run.to_netcdf(str(tmp_path / "ideal.nc"))) as data:
        assert (data["slider_x"].values == run["slider.x"]).all()
        assert data.sizes.get("contact", 0) == 0


def test_csv_has_a_header_of_names_and_units_and_the_contacts_beside_it(tmp_path):
    run = sphere_run()
    path = run.to_csv(tmp_path / "sphere.csv")
    with path.open() as file:
        header, *rows = csv.reader(file)
    assert header[0] == "time [s]"
    assert header[1:] == [f"{name} [{run.channel(name).unit}]" for name in run.channels]
    table = np.array(rows, dtype=float)
    assert table.shape == (len(run.t), 1 + len(run.channels))
    assert table[:, 0] == pytest.approx(run.t, rel=1e-11)
    k = header.index("pin.force [N]")
    assert table[:, k] == pytest.approx(run["pin.force"], rel=1e-11)
    with (tmp_path / "sphere_contacts.csv").open() as file:
        (record,) = csv.DictReader(file)
    assert record["joint"] == "pin"
    assert float(record["peak_force"]) == run.contacts[0].peak_force
    assert list(record)[:6] == ["joint", "contact", "t_on", "speed_on", "angle", "t_off"]
