"""Any name of a part can be written and read back: netCDF takes no strokes and dots, and no two names become one."""

import gudgeon as gd
from gudgeon.results import Run
from gudgeon.results.files import netcdf_names

NAMES = ["L/R", "<b>", "pin", "pin_wall", "'", "é\u0301", "-", "+1", "contact", "time", "ピン"]


def test_names_that_netcdf_does_not_take(tmp_path):
    m = gd.Mechanism("names", gravity=(0.0, -9.81))
    for k, name in enumerate(NAMES):
        m.body(name, mass=1.0, inertia=0.1, at=(float(k), 0.0))
    run = gd.simulate(m, duration=0.01, progress=False)
    again = Run.from_netcdf(run.to_netcdf(tmp_path / "run.nc"))
    assert again.channels == run.channels
    assert all((again[channel] == run[channel]).all() for channel in run.channels)


def test_no_two_names_become_one():
    names = ["pin.wall.normal", "pin_wall.normal", "a b", "a.b", "contact_joint"]
    safe = netcdf_names(names, ["contact_joint"])
    assert list(safe) == names and len({*safe.values(), "contact_joint"}) == len(names) + 1
    assert safe["pin.wall.normal"] == "pin_wall_normal"


def test_a_study_of_such_names(tmp_path):
    m = gd.Mechanism("names", gravity=(0.0, -9.81))
    m.body("L/R", mass=1.0, inertia=0.1, at=(0.0, 0.0))
    table = gd.Study(m, {"L/R.mass": [1.0, 2.0]}, ["peak L/R.y"], duration=0.01).run(tmp_path / "s", processes=0)
    assert table.to_netcdf(tmp_path / "table.nc").is_file()
