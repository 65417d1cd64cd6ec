"""The design desk on machines whose answers are known: a measure that is a formula of the clearances takes the place of
runs, so that shares, indices, allowed clearances and the cheapest fits can be computed in another way."""

import itertools
import math

import numpy as np
import pytest
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.analysis.statistics.percentiles import percentiles_of
from gudgeon.analysis.statistics.sobol_indices import paired_indices
from gudgeon.analysis.tolerance import influences
from gudgeon.analysis.tolerance.distribution import PLACES, quantile, sample
from gudgeon.cli import app
from gudgeon.desk import beside, tolerance
from gudgeon.desk.checks import TRIES, needed
from gudgeon.desk.costs import read_costs
from gudgeon.desk.figures import figures
from gudgeon.desk.surface import ResponseSurface
from gudgeon.desk.survey import Survey
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.report.design.page import design_page
from gudgeon.report.design.sections import answer_dict, sections
from gudgeon.report.json_text import json_text
from gudgeon.study import Table, iso, uniform
from gudgeon.study.points.design import points

WALL = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)
FORCE = "peak pin.force"
WEIGHTS = {"big": 2e6, "pin": 1e6}  # N per metre of clearance
NOISE = 0.06  # standard deviation of the logarithm: chaos


def slider_crank(big="20 H8/f8", pin="20 H8/f8"):
    m = gd.Mechanism("press")
    crank = m.body("crank", mass=0.3, inertia=1e-5, at=(0.025, 0.0))
    rod = m.body("rod", mass=0.2, inertia=1e-4, at=(0.11, 0.0))
    slider = m.body("slider", mass=0.1, inertia=1e-4, at=(0.17, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    for name, body, other, x, fit in (("big", crank, rod, 0.05, big), ("pin", rod, slider, 0.17, pin)):
        m.revolute(name, journal=body, bearing=other, at=(x, 0.0), radius=0.01, fit=gd.Clearance(iso=fit, wall=WALL))
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.17, 0.0), axis=(1, 0))
    m.drive("main", speed="600 rpm")
    return m


def force(rows, seed=None):
    """The formula: 100 N and what clearances add, times noise."""
    noise = np.zeros(len(rows)) if seed is None else NOISE * np.random.default_rng(seed).standard_normal(len(rows))
    return (100.0 + rows[:, 0] * WEIGHTS["big"] + rows[:, 1] * WEIGHTS["pin"]) * np.exp(noise)


@pytest.fixture
def formula(monkeypatch):
    """Runs that are not marched."""
    def run(self, name, rows):
        self.runs += len(rows)
        many = len(rows)
        seed = sum(map(ord, name)) + self.seed
        columns = dict(zip(self.axes, rows.T, strict=True)) | {FORCE: force(rows, seed)}
        return Table(name, list(self.axes), [FORCE], columns, {FORCE: "N"}, np.arange(many), np.full(many, "done"),
                     [""] * many)  # fmt: skip

    monkeypatch.setattr(Survey, "run", run)


def machines(fits, count=200_000, wear=0.0):
    """Clearances of many machines."""
    rng, m = np.random.default_rng(9), slider_crank()
    return np.column_stack([iso(text, wear).quantile(m, f"{joint}.radial_clearance", rng.random(count))
                            for joint, text in zip(WEIGHTS, fits, strict=True)])  # fmt: skip


def share(fits, limit, **options):
    rows = machines(fits, **options)
    return float(np.mean(force(rows, 5) <= limit))


def test_shares_percentiles_and_indices_are_those_of_the_formula(formula):
    answer = gd.tolerance(slider_crank(), [FORCE], limits={FORCE: "190 N"}, samples=10_000, confidence=0.999)
    spread, rows = answer[FORCE], machines(("20 H8/f8", "20 H8/f8"))
    for part in spread.percentiles:
        assert part.low <= np.quantile(force(rows, 5), part.share) <= part.high
    assert answer.kept.low <= share(("20 H8/f8", "20 H8/f8"), 190.0) <= answer.kept.high
    whole = force(rows, 5).var()
    smooth = math.exp(0.5 * NOISE**2)
    chaos = (force(rows) ** 2).mean() * (math.exp(2 * NOISE**2) - math.exp(NOISE**2)) / whole
    found = spread.influence
    assert found.noise.low <= chaos <= found.noise.high
    for k, (joint, weight) in enumerate(WEIGHTS.items()):
        alone = (weight * smooth) ** 2 * rows[:, k].var() / whole
        assert found[joint].first.low <= alone <= found[joint].first.high
        assert found[joint].total.low <= alone <= found[joint].total.high
    # a quarter of the pairs has intervals twice as wide
    few, many = (answer[FORCE].convergence[k].totals["big"] for k in (1, 3))
    assert 1.4 < (few.high - few.low) / (many.high - many.low) < 2.9


def test_allowed_clearances_are_proved_and_nearly_the_largest(formula):
    answer = gd.tolerance(slider_crank(), limits={FORCE: "210 N"}, samples=10_000)
    rng = np.random.default_rng(3)
    for k, each in enumerate(answer.allowed):
        rows = machines(("20 H8/f8", "20 H8/f8"))[:50_000]

        def at(size, k=k, rows=rows):
            rows[:, k] = size
            return float(np.mean(force(rows, rng.integers(1000)) <= 210.0))

        assert each.value is not None and each.kept.low >= 0.94
        # to prove 95 % with 500 runs, 97.7 % must keep the limit
        assert at(each.value) >= 0.95 and at(1.4 * each.value) < 0.95


def test_the_cheapest_set_of_fits_keeps_the_limit_and_no_much_cheaper_one_does(formula):
    answer = gd.tolerance(slider_crank(), limits={FORCE: "180 N"}, samples=10_000)
    costs = read_costs()
    every = [f"20 {text}" for text in costs.fits]

    def cost(fits):
        return sum(costs.of(iso_fit(text)) for text in fits)

    chosen = tuple(answer.cheapest.fits[joint] for joint in WEIGHTS)
    assert share(chosen, 180.0) >= 0.95 and answer.cheapest.cost == pytest.approx(cost(chosen))
    assert answer.cheapest.cost < answer.drawn.cost or share(("20 H8/f8", "20 H8/f8"), 180.0) < 0.95
    # one with as much room as the test needs would have been found
    best = min(cost(fits) for fits in itertools.product(every, repeat=2) if share(fits, 180.0, count=20_000) >= 0.985)
    assert answer.cheapest.cost <= best + 1e-9
    # the joint that weighs most is the one to tighten
    assert answer.tightening[0].joint == "big" and answer.tightening[0].after == "20 H7/f7"
    gain = share(("20 H7/f7", "20 H8/f8"), 180.0) - share(("20 H8/f8", "20 H8/f8"), 180.0)
    assert answer.tightening[0].change == pytest.approx(gain, abs=0.03)


def test_wear_and_limits_that_nothing_keeps(formula):
    worn = gd.tolerance(slider_crank(), limits={FORCE: "190 N"}, samples=2000, wear={"pin": "20 um"})
    joints = {joint.joint: joint for joint in worn.joints}
    assert joints["pin"].largest == pytest.approx(iso_fit("20 H8/f8").maximum + 20e-6) and joints["big"].wear == 0.0
    new = gd.tolerance(slider_crank(), limits={FORCE: "190 N"}, samples=2000)
    found = beside(new, worn, ("new", "worn"))
    assert found.measures[0].exceeds.low > 0.5 and "worn has the larger value" in str(found)
    # 20 N more of about 180
    change = found.measures[0].differences[0]
    assert change.low <= 20.0 <= change.high
    none = gd.tolerance(slider_crank(), limits={FORCE: "90 N"}, samples=1000)
    assert none.kept.hits == 0 and none.cheapest is None and all(each.value is None for each in none.allowed)


def test_fits_may_be_limits_or_distributions_and_other_numbers_scatter(formula):
    fits = {"pin": ("10 um", "30 um"), "big": iso("20 H7/f7")}
    answer = tolerance(slider_crank(), [FORCE], fits=fits, scatter={"rod.mass": uniform("0.19 kg", "0.21 kg")},
                       limits={FORCE: "190 N"}, samples=2000)  # fmt: skip
    joints = {joint.joint: joint for joint in answer.joints}
    assert (joints["pin"].least, joints["pin"].largest) == pytest.approx((1e-5, 3e-5), rel=1e-6)
    assert joints["pin"].choices == () and joints["big"].text == "20 H7/f7"
    assert answer.cheapest.fits["pin"] == "10 to 30 µm"
    mass = answer[FORCE].influence["rod.mass"]
    assert mass.total.low <= 0.0 <= mass.total.high


def test_sobol_indices_of_the_static_error_are_those_of_the_closed_form():
    """The worst case is linear in the clearances: S_k = (|S_k| deviation_k)^2 / sum. From 1,000 exact assemblies, and
    from 100,000 by the influences."""
    m = slider_crank()
    known = influences(m, ["slider.x"], instants=12)
    sizes = known.sizes("slider.x")[2]
    axes = {"big.radial_clearance": uniform("10 um", "50 um"), "pin.radial_clearance": uniform("10 um", "30 um")}
    parts = (sizes * np.array([40e-6, 20e-6])) ** 2
    exact = dict(zip(("big", "pin"), parts / parts.sum(), strict=True))
    ideal = known.values[2]
    found = []
    for sets in (200, 20_000):
        rows = np.array(points(m, axes, "saltelli", sets, 1))
        values = rows @ sizes
        if sets == 200:
            for k, row in enumerate(rows):
                at = known.with_clearances(dict(zip(("big", "pin"), map(float, row), strict=True)))
                values[k] = abs(float((at.assembled(2, at.worst_deviations(2, "slider.x")) - ideal)[0]))
        found.append(paired_indices(("big", "pin"), values.reshape(sets, -1)))
    for few, many in zip(found[0].parts, found[1].parts, strict=True):
        for one, two in ((few.first, many.first), (few.total, many.total)):
            assert one.low <= exact[few.name] <= one.high and one.low <= two.value <= one.high
            assert two.low - 1e-3 <= exact[few.name] <= two.high + 1e-3  # twins: a hundredth of the ranges
    assert found[1].noise.value < 2e-3


@pytest.mark.parametrize("place", PLACES)
def test_percentiles_of_a_study_are_those_of_the_exact_distribution(place):
    """Errors of 1,500 machines, each assembled exactly with its journals somewhere, within the binomial error (99.9 %,
    as there are twelve intervals): T2's arcsine and semicircle."""
    m = slider_crank().refit(big=gd.Ideal())
    known = influences(m, ["slider.x"], instants=12).with_clearances({"pin": 1e-6})
    rng, ideal = np.random.default_rng(4), known.values[1]
    errors = [float((known.assembled(1, 1e-6 * e) - ideal)[0]) for e in sample(rng, 1500, 2, place)]
    sizes = known.sizes("slider.x")[1] * known.clearances
    for part in percentiles_of(np.abs(errors), (0.05, 0.25, 0.5, 0.75, 0.95, 0.99), 0.999):
        exact = quantile(sizes.tolist(), [2], part.share, place)
        assert part.low * (1 - 1e-4) <= exact <= part.high * (1 + 1e-4)


def test_positions_alone_are_answered_in_closed_form():
    answer = gd.tolerance(slider_crank(), limits={"slider.x": "60 um"})
    error = answer["slider.x"]
    assert answer.runs == 0 and error.worst == pytest.approx(2 * 43e-6 / math.sqrt(1 - (5 / 12) ** 2), rel=1e-5)
    at = answer.static.influences.at(error.time)
    for each in answer.allowed:
        other = {"big": "pin", "pin": "big"}[each.joint]
        sizes = at.with_clearances({each.joint: each.value, other: 43e-6})
        amplitudes = (sizes.sizes("slider.x")[0] * sizes.clearances).tolist()
        assert quantile(amplitudes, [2, 2], 0.95) == pytest.approx(60e-6, rel=1e-6)
    # the cheapest of all 81 sets, by the distribution of each
    costs = read_costs()

    def kept(fits):
        amplitudes = [iso_fit(f"20 {text}").maximum / math.sqrt(1 - (5 / 12) ** 2) for text in fits]
        return quantile(amplitudes, [2, 2], 0.95) <= 60e-6

    best = min(sum(costs.of(iso_fit(f"20 {text}")) for text in fits)
               for fits in itertools.product(costs.fits, repeat=2) if kept(fits))  # fmt: skip
    assert answer.cheapest.cost == pytest.approx(best)


def test_what_a_check_needs_succeeds_four_times_in_five():
    from scipy.stats import binom

    from gudgeon.analysis.statistics.proportion import proportion

    for asked, count in ((0.95, 200), (0.95, 1000), (0.8, 150)):
        true, doubt = needed(asked, count, 0.95), 0.05 / TRIES
        hits = next(k for k in range(count + 1) if proportion(k, count, 1.0 - doubt, sides=1).low >= asked)
        assert binom.sf(hits - 1, count, true) == pytest.approx(0.8, abs=1e-6)
    assert needed(0.95, 20, 0.95) == 1.0


def test_a_surface_finds_a_polynomial_and_says_how_well_it_predicts():
    rng = np.random.default_rng(2)
    x = rng.uniform(-1, 1, (500, 3))
    mean = 0.3 * x[:, 0] - 0.2 * x[:, 1] ** 2 + 0.1 * x[:, 0] * x[:, 2] - 0.4
    surface = ResponseSurface(x, np.exp(mean + 0.05 * rng.standard_normal(500)))
    assert surface.degree == 2 and surface.mean(x) == pytest.approx(mean, abs=0.03)
    assert surface.explained == pytest.approx(1 - 0.05**2 / np.var(mean + 0.0), abs=0.03)
    at = np.array([[0.9, 0.1, 0.5]])
    exact = 0.3 * 0.9 - 0.2 * 0.01 + 0.1 * 0.45 - 0.4
    from statistics import NormalDist

    assert surface.kept(at)[0] == pytest.approx(NormalDist(0, 0.05).cdf(-exact), abs=0.04)
    with pytest.raises(gd.GudgeonError, match="too few"):
        ResponseSurface(x[:8], np.ones(8))


@pytest.mark.parametrize(("options", "words"), [
    ({"fits": {"pinn": "20 H7/f7"}}, 'did you mean "pin"'),
    ({"fits": {"pin": "16 H7/f7"}}, 'write "20 H7/f7"'),
    ({"fits": {"pin": "20 H7/h6"}}, "no clearance at all"),
    ({"fits": {"pin": ("30 um", "10 um")}}, "must be less"),
    ({"fits": {"pin": 3}}, "is no fit"),
    ({"wear": "-3 um"}, "must not be negative"),
    ({"wear": "3 kg"}, "wear"),
    ({"samples": 10}, "at least 500"),
    ({"share": 95}, "between 0 and 1"),
    ({"scatter": {"pin.radial_clearance": uniform("1 um", "2 um")}}, "give it in fits"),
    ({"scatter": {"rod.mass": [1.0, 2.0]}}, "is no distribution"),
    ({"limits": {FORCE: "5 kg"}}, "limit"),
    ({"limits": {FORCE: "0 N"}}, "must be positive"),
    ({"costs": {"grades": {7: -1}}}, "IT7"),
    ({"costs": {"fits": ["H7/h6"]}}, "no clearance at all"),
    ({"costs": {"prices": 1}}, 'unknown key "prices"'),
    ({"costs": "no-such.yaml"}, "no-such.yaml"),
    ({"speed": 3}, "no setting of a run"),
])  # fmt: skip
def test_what_cannot_be_is_refused(formula, options, words):
    with pytest.raises(gd.GudgeonError, match=words):
        gd.tolerance(slider_crank(), [FORCE], **options)


def test_everything_is_on_the_page_and_in_json(formula, tmp_path):
    asked = {FORCE: "190 N", "slider.x": "60 um"}
    options = {"points": {"tool": ("rod", (0.17, 0.02))}, "samples": 2000, "limits": asked}
    answer = gd.tolerance(slider_crank(), **options)
    words = "\n".join(" ".join([part.title, *(cell for row in part.rows for cell in row), *(t for _, t in part.items)])
                      for part in sections(answer))  # fmt: skip
    for text in ("20 H8/f8", "worst case", "machines of this drawing keep the limit", "chaos", "cheapest: cost",
                 "first: 20 H7/f7 instead of 20 H8/f8", "95 % of all machines with 95 % confidence"):  # fmt: skip
        assert text in words, text
    drawn = dict(figures(answer))
    assert len(drawn) == 5 and any("tool" in name for name in drawn)
    for k, figure in enumerate(drawn.values()):
        assert figure.save(tmp_path / f"{k}.svg").stat().st_size > 5000
    other = gd.tolerance(slider_crank(pin="20 H7/f7"), **options)
    page = design_page([answer, other], beside(answer, other, ("drawn", "tight")))
    assert page.count("<img") == 11 and "Two designs beside each other" in page and "src=\"http" not in page
    whole = json_text(answer_dict(answer))
    assert '"cheapest"' in whole and "NaN" not in whole


def test_a_real_survey_from_the_command_line_and_again_from_its_store(tmp_path):
    """The one here that marches: a hundredth of a turn."""
    model = slider_crank().to_file(tmp_path / "press.yaml")
    asked = ["tolerance", str(model), "--limit", f"{FORCE}=500 N", "--samples", "500", "-r", "0.01", "--json",
             "--store", str(tmp_path / "runs"), "--quiet", "--report", str(tmp_path / "page.html")]  # fmt: skip
    first = CliRunner().invoke(app, asked)
    assert first.exit_code == 0, first.stderr
    again = CliRunner().invoke(app, asked)
    assert again.stdout == first.stdout and '"runs": ' in first.stdout
    assert "The answer" in (tmp_path / "page.html").read_text(encoding="utf-8")
