"""The Reynolds solver against both closed limits, its own finer grids and a published table; the table against it."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from gudgeon.laws import Moes, Ocvirk, Pair, ReynoldsTable, Sommerfeld
from gudgeon.laws.film import reynolds_table
from gudgeon.laws.film.compare import deviations, table
from gudgeon.laws.film.reynolds import Bearing, reynolds
from gudgeon.quantity import GudgeonError


def vector(film):
    return np.array([film.radial, film.tangential])


def off(found, expected):
    """Per cent."""
    return 100.0 * np.linalg.norm(vector(found) - vector(expected)) / np.linalg.norm(vector(expected))


# -- the solver ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("slenderness", "ratios", "force", "peak"), [
    (0.01, (0.1, 0.5, 0.9), 0.15, 0.2), (0.01, (0.99,), 1.3, 1.8),
    (0.1, (0.1,), 0.5, 0.6), (0.1, (0.5,), 1.1, 1.9), (0.1, (0.9,), 7.0, 14.5),
])  # fmt: skip
def test_short_bearings_tend_to_ocvirk(slenderness, ratios, force, peak):
    """At 0.1 diameters the short theory itself is 7 per cent off at ratio 0.9: the film is thinner than it is short."""
    rows = deviations([Ocvirk(0.1)], slenderness, ratios)
    assert max(row.force for row in rows) < force
    assert max(abs(row.peak) for row in rows) < peak


@pytest.mark.parametrize("ratio", [0.1, 0.5, 0.9, 0.99])
def test_long_bearings_tend_to_sommerfeld_where_negative_pressure_is_dropped(ratio):
    row = deviations([Sommerfeld(0.1)], 500.0, [ratio], [90.0], "guembel")[0]
    assert row.force < 0.2 and abs(row.peak) < 0.2 and abs(row.angle) < 0.02


@pytest.mark.parametrize(("ratio", "force"), [(0.1, 21.5), (0.5, 4.5), (0.9, 4.5), (0.99, 2.0)])
def test_five_diameters_and_an_approach(ratio, force):
    """The condition of Reynolds lets the film reach further than half a turn, most of all in the centre."""
    row = deviations([Sommerfeld(0.1)], 5.0, [ratio], [0.0])[0]
    assert force - 1.0 < row.force < force


def test_a_long_bearing_in_the_centre_fills_the_whole_ring():
    """P'' = -12 cos with P = P' = 0 at the rupture gives P = 12 (1 + cos): W = 6 pi, twice the half film."""
    assert reynolds(0.0, 0.3, 500.0).along == pytest.approx(6.0 * math.pi, rel=4e-3)
    assert reynolds(0.0, 0.3, 500.0).peak == pytest.approx(24.0, rel=1e-3)


@pytest.mark.parametrize(("ratio", "direction"), [(0.5, 0.0), (0.9, 0.5 * math.pi), (0.9, 2.4), (0.99, 0.0)])
def test_grids_converge(ratio, direction):
    fine = reynolds(ratio, direction, 1.0, around=384, along=32)
    errors = [off(reynolds(ratio, direction, 1.0, around=n, along=n // 12), fine) for n in (48, 96, 192)]
    assert errors[0] > errors[2] and errors[2] < 0.25
    assert errors[1] < 1.0


# Sommerfeld numbers of Raimondi, Boyd 1958, full journal bearing, steady load. Their film starts at the widest gap,
# ours where it likes: the load hardly differs.
RAIMONDI_BOYD = {
    1.0: ((0.2, 0.631), (0.4, 0.264), (0.6, 0.121), (0.8, 0.0446), (0.9, 0.0188)),
    0.5: ((0.2, 2.03), (0.4, 0.779), (0.6, 0.319), (0.8, 0.0923), (0.9, 0.0313)),
    0.25: ((0.2, 7.57), (0.4, 2.83), (0.6, 1.07), (0.8, 0.261), (0.9, 0.0736)),
}


@pytest.mark.parametrize("slenderness", RAIMONDI_BOYD)
def test_published_sommerfeld_numbers(slenderness):
    for ratio, number in RAIMONDI_BOYD[slenderness]:
        film = reynolds(ratio, -0.5 * math.pi, slenderness)
        # S = mu N / P (r/c)^2, P = F / 2 r l, v_s = epsilon c pi N
        assert 1.0 / (math.pi * ratio * np.linalg.norm(vector(film))) == pytest.approx(number, rel=0.016)
        assert math.radians(90.0) < film.attitude < math.radians(180.0)


@pytest.mark.parametrize("cavitation", ["reynolds", "guembel"])
def test_solution_is_a_film(cavitation):
    bearing = Bearing(0.8, 0.7, cavitation)
    one, other = bearing.solve(2.0), bearing.solve(-2.0)
    assert bearing.pressure.min() == 0.0 < bearing.pressure.max()
    assert vector(other) == pytest.approx([one.radial, -one.tangential], rel=1e-9)
    assert one.along > 0.0 and other.peak == pytest.approx(one.peak, rel=1e-9)
    # the first guess does not matter
    assert vector(reynolds(0.8, 2.0, 0.7, cavitation=cavitation)) == pytest.approx(vector(one), rel=1e-12)


def test_rupture_is_where_slope_and_pressure_end():
    """Reynolds: the pressure goes to zero smoothly; dropping negative pressure leaves a corner."""
    corners = []
    for cavitation in ("reynolds", "guembel"):
        bearing = Bearing(0.6, 1.0, cavitation, 256, 12)
        bearing.solve(-0.5 * math.pi)
        middle = np.append(bearing.pressure[:, 0], bearing.pressure[0, 0])
        slope = np.diff(middle) / np.diff(np.append(bearing.theta, bearing.theta[0] + 2.0 * math.pi))
        ends = (middle[:-1] == 0.0) != (middle[1:] == 0.0)
        corners.append(np.abs(slope[ends]).max() / np.abs(slope).max())
    assert corners[0] < 0.03 < 0.2 < corners[1]


@pytest.mark.parametrize(("arguments", "words"), [
    ((1.0, 1.0), "ratio 1.0 must lie in 0 <= ratio < 1"), ((0.5, 0.0), "slenderness 0.0 must be above 0"),
    ((0.5, 1.0, "jfo"), "cavitation 'jfo' is unknown"), ((0.5, 1.0, "reynolds", 4, 2), "4 x 2 points are too few"),
])  # fmt: skip
def test_refused(arguments, words):
    with pytest.raises(GudgeonError, match=words):
        Bearing(*arguments)


# -- the table -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("slenderness", "cavitation"), [(1.0, "reynolds"), (0.1, "reynolds"), (1.0, "guembel")])
def test_table_stands_for_the_solutions_between_its_nodes(slenderness, cavitation):
    law = ReynoldsTable(0.1, cavitation=cavitation)
    p = list(law.pack(Pair(0.01, 0.00999, 0.02 * slenderness)).values())
    scale = 2.0 * p[3] * p[2] * (p[1] / p[0]) ** 3
    chance, errors = random.Random(7), []
    for _ in range(40):
        ratio, direction = 1.0 - chance.uniform(0.04, 1.0) ** 2, chance.uniform(-math.pi, math.pi)
        film = Bearing(ratio, slenderness, cavitation, reynolds_table.AROUND, reynolds_table.ALONG).solve(direction)
        arguments = (ratio, math.cos(direction), math.sin(direction), p)
        found = np.array([law.radial(*arguments), law.tangential(*arguments)]) / scale
        errors.append(100.0 * np.linalg.norm(found - vector(film)) / np.linalg.norm(vector(film)))
    assert np.median(errors) < 0.05 and max(errors) < 1.0


def test_table_against_a_finer_solution():
    rows = deviations([ReynoldsTable(0.1)], 1.0, (0.0, 0.33, 0.66, 0.93), (0.0, 77.0, 141.0, 180.0))
    assert max(row.force for row in rows) < 0.3 and max(abs(row.peak) for row in rows) < 0.6


def test_moes_against_the_reynolds_equation():
    """The figures its description gives for one diameter."""
    ratios, towards, away = (0.1, 0.5, 0.9, 0.99), (0.0, 45.0, 90.0), (110.0, 135.0, 160.0, 180.0)
    rows = deviations([Moes(0.1)], 1.0, ratios, towards)
    assert 14.0 < max(row.force for row in rows) < 17.0 and max(abs(row.angle) for row in rows) < 7.0
    assert min(row.peak for row in rows) > -27.0 and max(row.peak for row in rows) < 8.0
    rows = deviations([Moes(0.1)], 1.0, ratios, away)
    assert 25.0 < max(row.force for row in rows) < 38.0 and max(abs(row.angle) for row in rows) < 21.0
    assert min(row.peak for row in rows) > -51.0 and max(row.peak for row in rows) < 32.0


def test_comparison_is_printed_by_ratio_and_direction():
    text = table(deviations([Moes(0.1), Ocvirk(0.1)], 1.0, (0.5,), (0.0, 90.0)), "l = 2r").splitlines()
    assert text[0] == "l = 2r" and "Moes" in text[1] and "Ocvirk" in text[1] and len(text) == 5
    assert text[3].split()[:3] == ["0.500", "0", "deg"] and len(text[3].split()) == 3 + 2 * 3


def test_tables_are_kept_beside_the_compiled_code(tmp_path, monkeypatch):
    made = []

    def made_up(slenderness, cavitation):
        made.append(slenderness)
        return np.full((3, reynolds_table.RATIOS, reynolds_table.ANGLES), 0.1 * len(made))

    monkeypatch.setattr(reynolds_table, "directory", lambda: tmp_path)
    monkeypatch.setattr(reynolds_table, "_differences", made_up)
    reynolds_table.film_table.cache_clear()
    try:
        first = reynolds_table.film_table(0.375, "guembel")
        reynolds_table.film_table.cache_clear()
        assert np.array_equal(reynolds_table.film_table(0.375, "guembel"), first)
        assert made == [0.375] and len(list(tmp_path.iterdir())) == 1
        monkeypatch.setattr(reynolds_table, "directory", lambda: None)
        reynolds_table.film_table.cache_clear()
        assert not np.array_equal(reynolds_table.film_table(0.375, "guembel"), first)
    finally:
        reynolds_table.film_table.cache_clear()
