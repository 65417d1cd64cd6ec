"""One joint by several routes: which are run, what is compared, what is refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.statistics.pulses import HERTZ, mean_square
from gudgeon.papers import flores2010, schwab2002

PERIOD = 2.0 * math.pi / schwab2002.SPEED
FIRST_OFF = 2.812520998832e-4  # end of the first impact on the compliant wall [s], in quadruple precision


@pytest.fixture(scope="module")
def found():
    told = []
    made = gd.routes(schwab2002.hertz(), revolutions=1, windows=3, transient=2, step=PERIOD / 5000,
                     on_route=lambda done, total: told.append((done, total)))  # fmt: skip
    assert told == [(k, 4) for k in (1, 2, 3, 4)]
    return made


def test_dry_routes_are_run_and_the_film_is_not(found):
    assert [route.name for route in found.ran] == ["law", "impact", "moreau"]
    assert found.reference.name == "law" and "film=" in found["film"].refused
    assert found["moreau"].step == pytest.approx(PERIOD / 5000) and found["impact"].step is None
    with pytest.raises(gd.GudgeonError, match='route "rk4" is not known; choose from law, impact, moreau, film'):
        found["rk4"]


def test_hard_walls_meet_at_the_same_place_and_part_there(found):
    law, impact = found["law"].first[0], found["impact"].first[0]
    assert impact.t_on == pytest.approx(law.t_on, abs=1e-11)
    assert impact.speed == pytest.approx(law.speed, rel=1e-7)
    assert impact.t_off == impact.t_on and law.t_off == pytest.approx(FIRST_OFF, rel=1e-6)
    assert impact.peak_force == pytest.approx(44965.72986, rel=1e-6)  # Eq 28 of the article
    pair = found.agreements[0]
    assert (pair.route, pair.reference) == ("impact", "law")
    assert law.t_on < pair.until < law.t_off
    ends = [gd.simulate(schwab2002.hertz(), duration=law.t_off, method=m, rtol=1e-11) for m in ("dopri5", "impact")]
    apart = max(abs(ends[0][c][-1] - ends[1][c][-1]) for c in ("pin.ex", "pin.ey")) / 0.5e-3
    assert pair.after[0] == pytest.approx(apart, rel=0.02)
    assert pair.largest >= pair.after[0] > 0.2


def test_horizons_are_those_of_the_routes(found):
    assert 0.5 * PERIOD < found["law"].horizon < PERIOD
    assert found["moreau"].horizon < found["law"].horizon
    assert found.agreements[1].horizon == found["moreau"].horizon


def test_time_steps_are_late_by_a_step_at_most(found):
    for one, other in zip(found["moreau"].first[:3], found["impact"].first[:3], strict=True):
        assert one.t_on == pytest.approx(other.t_on, abs=3 * found["moreau"].step)
        assert one.peak_force == pytest.approx(other.peak_force, rel=0.1)


def test_statistics_have_errors_and_distances(found):
    for route in found.ran:
        peak = route.statistics["peak pin.force"]
        assert peak.error > 0.0 and 15e3 < peak.value < 60e3
        assert 0.0 <= route.statistics["lasting contact"].value <= route.statistics["contact share"].value <= 1.0
    law, impact = (found[name].statistics["rms main.torque"] for name in ("law", "impact"))
    assert found.distance("impact", "rms main.torque") == pytest.approx(law.distance(impact))
    assert found.units["peak main.torque"] == "Nm" and found.units["impacts"] == "per revolution"
    assert found["impact"].cost.evaluations < found["law"].cost.evaluations
    assert found["moreau"].cost.steps == pytest.approx(5000, abs=1)


def test_report_and_numbers(found):
    text = str(found)
    for words in ("not run: no film was given", "trusted to", "first impacts", "different from law after", "3 windows",
                  "peak pin.force", "cost per revolution", "after the first impact the motions differ"):  # fmt: skip
        assert words in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 120
    numbers = json.loads(json.dumps(found.numbers()))
    assert [route["name"] for route in numbers["routes"]] == ["law", "impact", "moreau", "film"]
    assert numbers["routes"][0]["statistics"]["impacts"].keys() == {"value", "error"}
    assert "run" not in numbers["routes"][0] and numbers["distances"].keys() == {"impact", "moreau"}


def test_a_film_goes_into_the_gap_of_the_same_wall():
    found = gd.routes(schwab2002.hertz(), revolutions=0.2, windows=0, film=gd.Moes("400 cP"), only=("law", "film"))
    fit = found["film"].run.mechanism.joints["pin"].fit["pin"]
    assert isinstance(fit, gd.Lubricated) and fit.film == gd.Moes("400 cP")
    assert fit.wall == schwab2002.hertz().joints["pin"].fit["pin"].wall
    assert found["film"].horizon == pytest.approx(0.2 * PERIOD)
    peaks = [found[name].statistics["peak pin.force"].value for name in ("law", "film")]
    assert peaks[1] < 0.5 * peaks[0] and "no windows were requested" in str(found)


def test_a_film_without_a_wall_leaves_one_route():
    found = gd.routes(schwab2002.film(), revolutions=0.05, windows=0)
    assert [route.name for route in found.ran] == ["film"]
    assert "film without a wall" in found["law"].refused and "film without a wall" in found["impact"].refused


def test_hard_routes_refuse_a_liner():
    liner = gd.LinearLiner(stiffness="1e7 N/m", damping="1e3 N s/m")
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)
    fit = gd.Clearance("0.1 mm", wall=wall, liner=liner, liner_thickness="1 mm")
    found = gd.routes(schwab2002.ideal().refit(pin=fit), revolutions=0.05, windows=0, film=gd.Moes("400 cP"))
    assert [route.name for route in found.ran] == ["law"]
    assert all("liner" in found[name].refused for name in ("impact", "moreau", "film"))


def test_a_film_needs_a_length():
    m = schwab2002.sphere()
    found = gd.routes(m, duration="150 us", windows=0, film=gd.Moes("400 cP"), only=("law", "film"))
    assert "length" in found["film"].refused


def test_without_a_drive_there_are_whole_runs_only():
    found = gd.routes(schwab2002.sphere(), duration="300 us", only=("law", "impact"))
    assert found.windows == 0 and found.period is None and "windows need a drive" in str(found)
    assert math.isnan(found["law"].statistics["peak pin.force"].error)
    assert found.distance("impact", "peak pin.force") is None
    assert found["impact"].statistics["impacts"].value == pytest.approx(1.0 / 300e-6)
    assert found["law"].statistics["contact share"].value > 0.0 == found["impact"].statistics["contact share"].value


def test_a_slot_is_compared_by_its_depths():
    found = gd.routes(flores2010.slider_crank(), duration="10 ms", only=("law", "impact"))
    assert found.joint == "guide" and found["law"].horizon is not None
    pair = found.agreements[0]
    assert pair.horizon is not None and 0.0 <= pair.largest < math.inf


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"joint": "pim"}, 'did you mean "pin"'),
        ({"film": 0.4}, "no film law"),
        ({"only": ("impct",)}, 'did you mean "impact"'),
        ({"revolutions": 1, "duration": 1.0}, "revolutions= where"),
        ({"transient": 0}, "must be positive"),
    ],
)
def test_bad_input_is_refused(options, message):
    with pytest.raises(gd.GudgeonError, match=message):
        gd.routes(schwab2002.hertz(), **options)


def test_ideal_joints_have_one_route():
    with pytest.raises(gd.GudgeonError, match="ideal joints only"):
        gd.routes(schwab2002.ideal())


# -- pulses ---------------------------------------------------------------------------------------------------


def test_shape_of_the_hertz_pulse():
    """By the substitution x = sin(u)^(4/5) both integrals are smooth."""
    u = (np.arange(200_000) + 0.5) * (0.5 * math.pi / 200_000)
    x = np.sin(u) ** 0.8  # dx / sqrt(1 - x^2.5) = 0.8 sin(u)^-0.2 du
    weight = np.sin(u) ** -0.2
    assert pytest.approx(np.sum(x**3 * weight) / np.sum(x**1.5 * weight), rel=1e-6) == HERTZ


def test_an_instant_counts_as_the_pulse_of_the_law():
    """One impact of a sphere: the integral of the squared force by both routes, 5 % between their restitutions."""
    runs = [gd.simulate(schwab2002.sphere(), duration="300 us", method=m, rtol=1e-10) for m in ("dopri5", "impact")]
    compliant, hard = (mean_square(run, "pin.force") for run in runs)
    assert hard == pytest.approx(compliant, rel=0.06)
    assert float(np.trapezoid(runs[1]["pin.force"] ** 2, runs[1].t)) < 1e-9 * hard
