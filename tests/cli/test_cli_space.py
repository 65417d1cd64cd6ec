"""Cases of space at the command line."""

import pytest
from typer.testing import CliRunner

from gudgeon.cli import app
from gudgeon.model.files import load
from gudgeon.papers.case import all_cases

SPACE = [name for name in all_cases() if name.startswith(("ambrosio2018/", "flores2006/"))]


def gudgeon_(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.mark.parametrize("name", SPACE)
def test_a_case_of_space_runs_and_its_model_comes_back(name, tmp_path):
    done = gudgeon_("run", name, "--until", "40 ms", "--out", tmp_path)
    assert done.exit_code == 0, done.output
    assert "unexplained" in done.output
    assert {"run.nc", "contacts.csv", "model.yaml", "overview.svg", "energy.svg", "report.html"} <= {
        path.name for path in tmp_path.iterdir()
    }
    again = load(tmp_path / "model.yaml")
    assert repr(again.mechanism.joints) == repr(all_cases()[name].mechanism().joints)
    assert again.run.duration == pytest.approx(0.04)
    assert gudgeon_("check", tmp_path / "model.yaml").exit_code == 0
    cited = gudgeon_("cite", name)
    assert cited.exit_code == 0 and name.split("/")[0] in cited.output


def test_a_ball_is_drawn_and_stops_are_told(tmp_path):
    done = gudgeon_("run", "flores2006/four_bar", "--until", "40 ms", "--out", tmp_path)
    assert "orbit.svg" in done.output and "ball.orbit.yz" in (tmp_path / "orbit.svg").read_text()
    told = gudgeon_("run", "ambrosio2018/triple_pendulum", "--until", "10 ms").output
    assert told.count("stop, LankaraniNikravesh") == 2
