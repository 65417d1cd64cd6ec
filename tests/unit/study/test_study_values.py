"""Values, distributions and designs: what a study gives to its paths."""

import math

import numpy as np
import pytest
from scipy import stats
from small_study import small

import gudgeon as gd
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.papers import schwab2002
from gudgeon.study import iso, normal, uniform
from gudgeon.study.points.design import points
from gudgeon.study.points.values import read_axis

LOOSE = schwab2002.hertz()
GAP = "pin.radial_clearance"


def values(given, path=GAP):
    return read_axis(path, given).values(LOOSE, path)


def quantiles(given, u, path=GAP):
    return read_axis(path, given).draw(LOOSE, path, np.asarray(u))


def test_spaces_and_lists_are_in_si():
    assert values(gd.linspace("0.1 mm", "0.5 mm", 5)) == pytest.approx([1e-4, 2e-4, 3e-4, 4e-4, 5e-4], rel=1e-14)
    assert values(gd.logspace(1e-5, "1 mm", 3)) == pytest.approx([1e-5, 1e-4, 1e-3], rel=1e-14)
    assert values(["100 um", 2e-4, "0.03 cm"]) == pytest.approx([1e-4, 2e-4, 3e-4], rel=1e-14)
    assert values(np.array([1e-4, 2e-4])) == [1e-4, 2e-4]
    assert values(["50 %", 1], "pin.restitution") == [0.5, 1.0]
    assert values(gd.linspace("3000 rpm", "6000 rpm", 2), "main.speed") == pytest.approx([100 * math.pi, 200 * math.pi])


def test_a_value_that_is_listed_often_is_tried_once(monkeypatch):
    import gudgeon.study.points.values as room

    tried = []
    real = room.put
    monkeypatch.setattr(room, "put", lambda *given: tried.append(given[-1]) or real(*given))
    assert values(["0.1 mm", 2e-4] * 500) == pytest.approx([1e-4, 2e-4] * 500)
    assert tried == ["0.1 mm", 2e-4]


def test_any_field_of_the_file_can_be_varied():
    laws = ["LankaraniNikravesh", "Flores2011"]
    study = small(vary={"pin.fit.clearance.wall.law": laws, "gravity": [[0, 0], [0, -9.81]]})
    assert study.points[-1] == ("Flores2011", [0, -9.81])
    changed = study.job.at(study.points[-1])
    assert type(changed.joints["pin"].fit["pin"].wall).__name__ == "Flores2011"
    assert changed.gravity == (0.0, -9.81)


def test_distributions_have_their_quantiles():
    u = [0.01, 0.3, 0.5, 0.99]
    expected = stats.norm(0.145, 0.002).ppf(u)
    assert quantiles(normal("145 g", "2 g"), u, "rod.mass") == pytest.approx(expected, rel=1e-12)
    assert quantiles(uniform("0.1 mm", "0.3 mm"), u) == pytest.approx([1.02e-4, 1.6e-4, 2e-4, 2.98e-4], rel=1e-12)
    # a list is drawn from, each value as likely
    assert quantiles([1e-4, 2e-4], [0.1, 0.49, 0.51, 1.0]) == [1e-4, 1e-4, 2e-4, 2e-4]


def test_an_iso_fit_is_a_distribution():
    """H7 has 21 um at 20 mm, f7 the same: the clearance is 10 to 31 um, its deviation 21 sqrt(2) / 12 um."""
    fit = iso_fit("20 H7/f7")
    drawn = np.array(quantiles("20 H7/f7", (np.arange(4000) + 0.5) / 4000))
    assert fit.minimum < drawn.min() < drawn.max() < fit.maximum
    assert drawn.mean() == pytest.approx(20.5e-6, rel=1e-6)
    # cutting at 4.24 deviations takes nothing that is seen
    assert drawn.std() == pytest.approx(21e-6 * math.sqrt(2) / 12, rel=2e-3)
    assert quantiles(iso("20 H7/f7"), [0.5]) == pytest.approx([20.5e-6], rel=1e-9)


@pytest.mark.parametrize(
    "given, path, words",
    [
        (gd.linspace("0.1 kg", "0.5 kg", 5), GAP, "wrong dimension"),
        (gd.logspace(0.0, 0.1, 5), "pin.restitution", "must both be positive"),
        ([1e-4, "2 kg"], GAP, "wrong dimension"),
        ([1e-4, -1e-4], GAP, "at least 0"),
        ([1e-4], "pin.radial_clearence", 'did you mean "pin.radial_clearance"'),
        ([0.1], "pin.friction", "has no friction law"),
        ([0.1], "big.radial_clearance", "is ideal"),
    ],
)
def test_wrong_values_are_refused_with_their_path(given, path, words):
    with pytest.raises(gd.GudgeonError, match="vary") as error:
        small(vary={path: given})
    assert words in str(error.value) and path in str(error.value)


def test_wrong_kinds_are_refused():
    for make, words in (
        (lambda: gd.linspace(0, 1, 0), "whole number from 1"),
        (lambda: gd.linspace(0, 1, 2.5), "whole number"),
        (lambda: small(vary={GAP: []}), "empty"),
        (lambda: small(vary={GAP: 3}), "no list of values"),
        (lambda: small(vary={}), "what changes"),
        (lambda: iso("20 H7/p6"), "interference fit"),
        (lambda: small(vary={GAP: normal("0.1 mm", "2 g")}, samples=3), "wrong dimension"),
        (lambda: small(vary={GAP: normal("0.1 mm", "0.01 mm")}), "samples"),
        (lambda: small(vary={GAP: normal("0.1 mm", "0.01 mm")}, design="grid"), "distribution"),
        (lambda: small(design="gird"), 'did you mean "grid"'),
        (lambda: small(design="grid", samples=5), "takes no samples"),
        (lambda: small(design="list"), "as many values"),
        (lambda: small(measure=["peek pin.force"]), 'did you mean "peak"'),
        (lambda: small(measure=["peak pin.force", "peak pin.force"]), "twice"),
        (lambda: small(measure=[3.0]), "neither"),
        (lambda: small(duration="1 ms"), "exactly one"),
        (lambda: small(revolutions=-1.0), "must be positive"),
        (lambda: small(seed=-1), "seed"),
    ):
        with pytest.raises(gd.GudgeonError, match=words):
            make()


def test_designs():
    axes = {GAP: read_axis(GAP, [1e-4, 2e-4, 3e-4]), "pin.restitution": read_axis("pin.restitution", [0.5, 0.6, 0.7])}
    grid = points(LOOSE, axes, "grid", None, 0)
    assert len(grid) == 9 and grid[1] == (1e-4, 0.6) and grid[3] == (2e-4, 0.5)
    assert points(LOOSE, axes, "list", None, 0) == [(1e-4, 0.5), (2e-4, 0.6), (3e-4, 0.7)]


@pytest.mark.parametrize("design", ["latin", "sobol", "random"])
def test_samples_fill_the_space_and_follow_the_seed(design):
    axes = {GAP: uniform(1e-4, 2e-4), "pin.restitution": uniform(0.5, 1.0)}
    one, two = (small(vary=axes, design=design, samples=64, seed=seed).points for seed in (1, 2))
    assert one == small(vary=axes, design=design, samples=64, seed=1).points
    assert one != two and len(one) == 64
    for column, low, high in zip(zip(*one, strict=True), (1e-4, 0.5), (2e-4, 1.0), strict=True):
        counts = np.histogram(column, 8, (low, high))[0]
        assert counts.sum() == 64
        if design != "random":
            # as even as can be: a net of 2^6 points has 8 in each eighth
            assert (counts == 8).all()
