"""gudgeon run: numbers of the reference cases, settings, changes, files, failures."""

import csv
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from locked_model import LOCKED
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli import app
from gudgeon.cli.running import ideal_twin
from gudgeon.cli.source import find
from gudgeon.methods import methods
from gudgeon.model.run_settings import RunSettings
from gudgeon.papers import schwab2002
from gudgeon.papers.case import all_cases
from gudgeon.report.source import method_name, tolerance

MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"

# cases/planar.md: t_on, speed_on, angle, t_off, speed_off, peak_force
HERTZ = [
    (2.272853256681e-4, 4.385803443874, 3.105270407665, 2.812520998832e-4, -4.116820765523, 47849.0503),
    (6.427046227211e-4, 2.581313864178, 1.895920691610, 6.879048283162e-4, -1.787334574620, 14948.4357),
    (7.423626861981e-4, 1.891316258609, 2.702108260299, 8.104774359205e-4, -2.415885185370, 31521.8488),
]
FOUR_BAR = [(1.563065361012e-4, 2.551632585366, 0.4831599219764, 6.924086466898e-4, -1.519781747712, 300148.280)]
SLIDER_CRANK = [(2.272860320398e-4, 4.385783145280, -3.105151989172, 2.807232580788e-4, -3.911492578723, 45872.275)]
COLUMNS = ("t_on", "speed_on", "angle", "t_off", "speed_off", "peak_force")


def gudgeon(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def numbers(*arguments):
    done = gudgeon(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("case", "table"),
    [("schwab2002/hertz", HERTZ), ("flores2007/four_bar", FOUR_BAR), ("flores2007/slider_crank", SLIDER_CRANK)],
)
def test_contacts_of_the_reference_cases(case, table):
    contacts = numbers("run", case, "--revolutions", 0.5, "--rtol", 1e-12)["contacts"]
    for found, wanted in zip(contacts, table, strict=False):
        assert abs(found["t_on"] - wanted[0]) < 1e-9
        for name, value in zip(COLUMNS, wanted, strict=True):
            assert math.isclose(found[name], value, rel_tol=1e-6), name


def test_sphere_and_ideal():
    (contact,) = numbers("run", "schwab2002/sphere", "--rtol", 1e-12)["contacts"]
    assert math.isclose(contact["speed_off"], -4.76753022571, rel_tol=1e-9)
    assert math.isclose(contact["peak_force"], 51234.584684, rel_tol=1e-8)
    assert math.isclose(contact["energy_lost"], 0.164622527153, rel_tol=1e-8)
    ax = numbers("run", "schwab2002/ideal", "-r", 1)["extremes"]["slider.ax"]
    assert math.isclose(ax["min"], -19419.45133, rel_tol=1e-6) and math.isclose(ax["max"], 9695.90106, rel_tol=1e-6)


def test_json_is_that_of_python():
    found = numbers("run", "schwab2002/hertz", "-r", 0.2)
    run = gd.simulate(schwab2002.hertz(), revolutions=0.2)
    assert list(found) == ["case", "settings", "contacts", "extremes", "final", "evidence"]
    assert found["case"] == "schwab2002/hertz"
    assert found["final"] == {name: float(run[name][-1]) for name in run.channels}
    names = ["number", "joint", "contact", "t_on", "speed_on", "angle", "t_off", "speed_off", "peak_force",
             "energy_lost"]  # fmt: skip
    assert [list(contact) for contact in found["contacts"]] == [names] * len(run.contacts)
    assert [contact["t_on"] for contact in found["contacts"]] == [record.t_on for record in run.contacts]
    extreme = found["extremes"]["slider.ax"]
    assert list(extreme) == ["min", "t_min", "max", "t_max", "rms"]
    assert extreme["min"] == run.minimum("slider.ax") and extreme["min"] < extreme["rms"] < -extreme["min"]
    assert found["evidence"]["complete"] and found["evidence"]["rtol"] == found["settings"]["rtol"] == 1e-9


def test_tolerances_are_those_of_the_methods():
    """A method without error control has none."""
    m = schwab2002.ideal()
    usual = {name: tolerance(m, RunSettings(method=name)) for name in methods()}
    assert usual["dopri5"] == 1e-9 and usual["rk4"] is None and usual["moreau"] is None
    assert tolerance(m, RunSettings(method="rk4", rtol=1e-5)) == 1e-5


def test_no_method_is_named_unless_somebody_names_one():
    """`simulate` takes radau for films that are too stiff for dopri5, if it is left to choose."""
    strut, rod = (find(str(MODELS / f"{name}.yaml")) for name in ("macpherson-strut", "flexible-rod"))
    assert strut.settings.method is None and method_name(strut.mechanism, strut.settings) == "dopri5"
    assert rod.settings.method is None and method_name(rod.mechanism, rod.settings) == "alpha"
    assert method_name(rod.mechanism, RunSettings(method="Radau")) == "radau"


def test_the_start_can_be_left_out(tmp_path):
    """The peaks of the first quarter are gone, the evidence is that of the whole run, not of its end."""
    whole, late = (numbers("run", "schwab2002/hertz", "-r", 1, *more) for more in ([], ["--after", "3 ms"]))
    run = gd.simulate(schwab2002.hertz(), revolutions=1, after="3 ms")
    assert late["extremes"]["slider.ax"]["t_min"] >= 3e-3 > whole["extremes"]["slider.ax"]["t_min"]
    assert late["evidence"]["evaluations"] == whole["evidence"]["evaluations"]
    assert [c["t_on"] for c in late["contacts"]] == [r.t_on for r in run.contacts] and run.t[0] >= 3e-3
    assert gudgeon("run", "schwab2002/hertz", "-r", 0.5, "--after", "1 ms", "-o", tmp_path).exit_code == 0
    assert "the first 1 ms left out" in (tmp_path / "report.html").read_text(encoding="utf-8")
    refused = gudgeon("run", "schwab2002/hertz", "-r", 0.5, "--after", "1 s")
    assert refused.exit_code == 2 and "within the run" in refused.stderr


def test_mounts_stay_elastic_in_the_ideal_twin():
    """Rigid, two of them would lock the arm of a suspension, and the ideal run would be that of nothing."""
    source = find(str(MODELS / "macpherson-strut.yaml"))
    ideal = ideal_twin(source, replace(source.settings, duration=0.02, after=None, output=1e-3))
    fits = {name: joint.fit for name, joint in ideal.mechanism.joints.items()}
    assert isinstance(fits["front"]["block"], gd.Elastic) and isinstance(fits["ball"]["ball"], gd.Ideal)
    assert abs(ideal["arm.z"] - ideal["arm.z"][0]).max() > 1e-6
    # nothing to compare where mounts are all there is
    assert ideal_twin(find(str(MODELS / "double-wishbone.yaml")), source.settings) is None


def test_a_film_says_its_shares():
    found = numbers("run", "schwab2002/film", "-r", 0.3, "--set", "pin.viscosity=0.2")
    (film,) = found["evidence"]["films"]
    assert (film["joint"], film["law"], film["full"], film["mixed"]) == ("pin", "Moes", 1.0, 0.0)
    assert film["thinnest"] == pytest.approx(found["extremes"]["pin.film_thickness"]["min"], rel=1e-6)
    assert film["time"] == pytest.approx(found["extremes"]["pin.film_thickness"]["t_min"], rel=1e-3)
    assert found["evidence"]["energy"]["film"] > 1.0
    shown = gudgeon("run", "schwab2002/film", "-r", 0.3, "--set", "pin.viscosity=0.2").stdout
    assert "pin: full film 100 % of the time, mixed 0 %" in " ".join(shown.split())


def test_a_film_that_gives_way_is_explained_in_words_of_the_file():
    done = gudgeon("run", "schwab2002/film", "-r", 0.3, "--set", "pin.viscosity=1e-12 Pa s", "--quiet")
    assert done.exit_code == 1
    assert 'joint "pin" (film, Moes): eccentricity 1 - ' in done.stderr
    assert "try: `wall` and `minimum_film` in the fit, or a larger viscosity" in " ".join(done.stderr.split())


def test_what_is_no_number_is_null():
    contacts = numbers("run", "flores2010/slider_crank", "--until", "3 ms")["contacts"]
    assert contacts[0]["angle"] is None
    assert numbers("run", "schwab2002/hertz", "--until", "0.25 ms")["contacts"][-1]["t_off"] is None


def test_rms_is_over_time():
    found = numbers("run", "schwab2002/ideal", "-r", 1)["extremes"]["crank.x"]
    assert math.isclose(found["rms"], 0.025 / math.sqrt(2), rel_tol=1e-5)


def test_changes_of_numbers_and_of_fields():
    plain = numbers("run", "schwab2002/hertz", "--until", "0.3 ms")
    wider = numbers("run", "schwab2002/hertz", "--until", "0.3 ms", "--set", "pin.radial_clearance=0.1 mm",
                    "--set", "main.speed = 600")  # fmt: skip
    assert wider["contacts"][0]["t_on"] < 0.5 * plain["contacts"][0]["t_on"]
    assert wider["settings"]["set"] == ["pin.radial_clearance=0.1 mm", "main.speed = 600"]
    falling = numbers("run", "schwab2002/hertz", "--until", "0.3 ms", "--set", "gravity=[0, -9.81]")
    assert falling["contacts"] and falling["contacts"][0]["t_on"] != plain["contacts"][0]["t_on"]
    law = numbers("run", "schwab2002/hertz", "--until", "0.3 ms", "--set", "pin.fit.clearance.wall.law=Gonthier")
    assert law["contacts"][0]["speed_off"] > plain["contacts"][0]["speed_off"]


@pytest.mark.parametrize("method", [["dopri5"], ["rk4", "--step", "0.2 us"]])
def test_methods(method):
    found = numbers("run", "schwab2002/hertz", "--until", "0.3 ms", "--rtol", "1e-9", "--method", *method)
    assert math.isclose(found["contacts"][0]["speed_on"], HERTZ[0][1], rel_tol=1e-6)


def test_summary_says_what_matters():
    text = gudgeon("run", "schwab2002/hertz", "-r", 1, "--trust").stdout
    for words in ("clearance 0.5 mm", "ideal joints", "ratio", "contacts (", "unexplained", "trust", "gudgeon cite"):
        assert words in text
    assert gudgeon("run", "schwab2002/hertz", "-r", 0.1, "--quiet").output == ""


def test_out_writes_everything(tmp_path):
    folder = tmp_path / "deep" / "out"
    done = gudgeon("run", "schwab2002/hertz", "-r", 0.5, "--out", folder, "--set", "pin.restitution=0.8")
    assert done.exit_code == 0
    names = {path.name for path in folder.iterdir()}
    assert {"run.nc", "contacts.csv", "model.yaml", "overview.svg", "orbit.svg", "energy.svg"} <= names
    with (folder / "contacts.csv").open(encoding="utf-8") as file:
        assert abs(float(next(csv.DictReader(file))["t_on"]) - HERTZ[0][0]) < 1e-9
    again = numbers("run", folder / "model.yaml")
    assert again["settings"]["revolutions"] == 0.5 and again["settings"]["rtol"] == 1e-9
    ours = numbers("run", "schwab2002/hertz", "-r", 0.5, "--set", "pin.restitution=0.8")
    assert again["contacts"] == ours["contacts"]


def test_file_settings_and_options_over_them(tmp_path):
    path = tmp_path / "ideal.yaml"
    settings = "run: {duration: 1 ms, rtol: 1e-8, channels: [slider.ax], output: 0.1 ms}\n"
    path.write_text(gudgeon_model("schwab2002/hertz") + settings, encoding="utf-8")
    found = numbers("run", path)
    assert found["settings"]["rtol"] == 1e-8 and found["evidence"]["t_end"] == pytest.approx(1e-3)
    assert "slider.ax" in found["final"] and "slider.x" not in found["final"]
    assert numbers("run", path, "-r", 0.05)["settings"]["duration"] is None
    assert gudgeon("run", path, "--out", tmp_path / "out").exit_code == 0


def gudgeon_model(case):
    from gudgeon.model.files import dump

    return dump(all_cases()[case].mechanism())


def test_a_run_that_fails_keeps_what_it_has(tmp_path):
    path = tmp_path / "locked.yaml"
    path.write_text(LOCKED, encoding="utf-8")
    done = gudgeon("run", path, "--out", tmp_path / "out", "--quiet")
    assert done.exit_code == 1
    assert "stopped at" in done.stderr and "results are kept in" in done.stderr
    assert ".run" not in done.stderr
    assert done.stdout == "" and (tmp_path / "out" / "run.nc").exists()
    told = gudgeon("run", path, "--json")
    assert told.exit_code == 1
    evidence = json.loads(told.stdout)["evidence"]
    assert not evidence["complete"] and "stopped at" in evidence["stopped"]


def test_ctrl_c_keeps_what_was_computed(tmp_path, monkeypatch):
    from gudgeon.methods.march import driver as runner

    marches = []

    def interrupted(*arguments, on_rows, **options):
        def rows(block):
            on_rows(block)
            marches.append(len(block))
            if len(marches) == 3:
                raise KeyboardInterrupt

        return original(*arguments, on_rows=rows, **options)

    original = runner.run
    monkeypatch.setattr(runner, "run", interrupted)
    done = gudgeon("run", "schwab2002/hertz", "-r", 50, "--out", tmp_path)
    assert done.exit_code == 130
    assert "INCOMPLETE" in done.stdout and "interrupted at" in done.stderr
    assert (tmp_path / "run.nc").exists()
