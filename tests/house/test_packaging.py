"""What is published: one version in one place, typed, with everything that a run needs."""

import re
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
import yaml

import gudgeon

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_version_stands_in_one_place(wheel):
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    assert message_from_bytes(wheel.read(metadata))["Version"] == gudgeon.__version__
    assert not re.search(r"^version\s*=", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == gudgeon.__version__


def test_the_wheel_is_typed_and_whole(wheel):
    names = set(wheel.namelist())
    assert "gudgeon/py.typed" in names
    tracked = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / "gudgeon").rglob("*")
               if path.is_file() and "__pycache__" not in path.parts}  # fmt: skip
    assert tracked <= names
    (entries,) = (name for name in names if name.endswith("entry_points.txt"))
    assert b"gudgeon = gudgeon.__main__:main" in wheel.read(entries)


USER = """
import gudgeon as gd

m = gd.Mechanism("slider-crank")
crank = m.body("crank", mass="300 g", inertia=1.0e-5, at=(0.025, 0))
m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0), radius="10 mm", length="20 mm")
m.drive("main", speed="5000 rpm")
m.stop("main", lower="-90 deg", wall=gd.KelvinVoigt("1e4 N/m", damping=10))
wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9, stiffness="6e10 N/m^1.5")
fits: list[gd.Ideal | gd.Clearance | gd.Bushing | gd.Lubricated] = [
    gd.Clearance("0.5 mm", wall=wall, friction=gd.ModifiedCoulomb(0.03, v0="1 mm/s")),
    gd.Clearance.from_iso("20 H7/f7", wall=gd.JohnsonCylinder((gd.STEEL, gd.BRONZE), restitution=0.8)),
    gd.Bushing(gd.LinearLiner("2e7 N/m", damping="500 N s/m")),
    gd.Bushing(gd.PolynomialLiner([1e6, "1e9 N/m^2"])),
    gd.Lubricated("50 um", film=gd.Moes("100 cP"), wall=wall, minimum_film="1 um"),
]
for fit in fits:
    run = gd.simulate(m.refit(main=fit), duration="10 ms", rtol=1e-8)
    print(run.evidence, run.maximum("main.torque"), run.contacts[0].peak_force)
table = gd.ContactTable([0, 1e-5], [0, 100.0])
"""


def test_a_users_program_passes_a_type_checker(tmp_path):
    """Texts with units are what a program may write, so a checker must not object; nor may it believe anything."""
    program = tmp_path / "program.py"
    program.write_text(USER)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import gudgeon as gd\ngd.Clearance(radius=1)\ngd.simulate(3)\nreveal_type(gd.simulate)\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", program, wrong]
    environment = {"MYPYPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    found = done.stdout.splitlines()
    assert not [line for line in found if "program.py" in line], done.stdout
    assert sum("wrong.py" in line and "error" in line for line in found) == 2, done.stdout + done.stderr


def test_fields_with_units_accept_texts():
    """A field annotated with float and a unit would make type checkers refuse "0.5 mm"; SI is the word for it."""
    found = [path for path in (ROOT / "src").rglob("*.py")
             if re.search(r"Annotated\[\s*float,\s*Unit\(", path.read_text(encoding="utf-8"))]  # fmt: skip
    assert not found


def test_models_are_described_and_run_where_files_cannot_be_locked():
    """As on Windows, which has no fcntl: what needs no lock does not ask for it."""
    rooms = "gudgeon.cli.commands.show, gudgeon.cli.commands.run, gudgeon.study, gudgeon.papers.stored"
    code = f"import sys; sys.modules['fcntl'] = None; import {rooms}"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
