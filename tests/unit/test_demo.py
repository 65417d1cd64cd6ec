"""The demo says what it found, writes its files, and never shows a traceback."""

import csv
import re

import pytest

from gudgeon import GudgeonError, demo


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Exit code, output and folder of one whole demo."""
    import contextlib
    import io

    folder, out = tmp_path_factory.mktemp("demo") / "new", io.StringIO()
    with contextlib.redirect_stdout(out):
        code = demo.main(["--out", str(folder)])
    return code, out.getvalue(), folder


def test_report(told):
    code, text, _ = told
    assert code == 0
    lines = text.splitlines()
    assert lines[0] == demo.DOING
    assert max(map(len, lines[:-2])) <= 100
    # the dead centre of the ideal slider-crank: r w^2 (1 + r/l) = 19419.4 m/s²
    assert re.search(r"slider \|a\| max +19 419 m/s² +\d+ \d+ m/s² +\d+\.\d times +\d+\.\d\d ms, contact \d+", text)
    for word in ("ideal", "real", "amplification", "touching", "unexplained", "trust:", "written"):
        assert word in text


def test_files(told):
    _, text, folder = told
    files = {*demo.FIGURES, "run.nc", "contacts.csv"}
    assert {path.name for path in folder.iterdir()} == files
    assert all(name in text for name in files)
    with (folder / "contacts.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert f"{len(rows)}, of them" in text
    assert float(rows[0]["speed_on"]) == pytest.approx(4.38578, rel=1e-5)


def raising(error):
    def compute():
        raise error

    return compute


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (GudgeonError("no such thing"), 1, "gudgeon demo: no such thing"),
        (KeyboardInterrupt(), 130, "gudgeon demo: stopped"),
    ],
)
def test_ends_cleanly(monkeypatch, capsys, tmp_path, error, code, words):
    monkeypatch.setattr(demo, "compute", raising(error))
    assert demo.main(["--out", str(tmp_path)]) == code
    assert words in capsys.readouterr().err


def test_folder_that_cannot_be_written(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    assert demo.main(["--out", str(tmp_path / "file")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_help(capsys):
    with pytest.raises(SystemExit) as end:
        demo.main(["--help"])
    assert end.value.code == 0
    assert "--out DIR" in capsys.readouterr().out
