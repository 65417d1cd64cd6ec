"""Cylinder laws, Kelvin-Voigt laws and tables."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

from gudgeon.laws import (
    STEEL,
    ContactTable,
    DubowskyFreudenstein,
    JohnsonCylinder,
    KelvinVoigt,
    ModifiedKelvinVoigt,
    Pair,
    PereiraCylinder,
)
from gudgeon.quantity import GudgeonError

MODULUS = 207e9 / (2 * (1 - 0.3**2))
TABLE = ((0.0, 1e-5, 3e-5, 6e-5), (0.0, 100.0, 500.0, 2000.0))


def pin(clearance, length=0.010):
    return Pair(bearing_radius=0.010, journal_radius=0.010 - clearance, length=length, name="pin")


def force(law, depth, rate=0.0, rate0=1.0, pair=None):
    return law.force(depth, rate, rate0, list(law.pack(pair or pin(0.5e-3)).values()))


# -- Pereira


@pytest.mark.parametrize(
    ("gap", "depth", "expected"),
    [(0.1e-3, 1e-7, 30.89125605), (0.1e-3, 1e-6, 504.36012312), (0.1e-3, 1e-5, 8234.66463666),
     (0.5e-3, 1e-7, 29.46583414), (0.5e-3, 1e-6, 428.44091107), (0.5e-3, 1e-5, 6229.64255509)],
)  # fmt: skip
def test_pereira_internal(gap, depth, expected):
    law = PereiraCylinder(STEEL, restitution=0.9)
    assert force(law, depth, pair=pin(gap)) == pytest.approx(expected, rel=1e-8)


def test_pereira_external_strips_and_bracket():
    # by hand, in mm and N/mm^2: dR = 10 + 10, L = 10, depth 0.01
    pair = Pair(0.010, 0.010, 0.010, "rollers")
    expected = (0.39 * 20 + 0.85) * 10 * MODULUS * 1e-6 / (4 * 20) * 0.01**1.094
    law = PereiraCylinder(restitution=0.0, contact="external", strips=4)
    assert force(law, 1e-5, pair=pair) == pytest.approx(expected)
    assert force(law, 1e-5, 1.0, pair=pair) == pytest.approx(1.75 * expected)


def test_pereira_branches_meet():
    law = PereiraCylinder(restitution=1.0)
    below, above = law.pack(pin(0.349539e-3)), law.pack(pin(0.349541e-3))
    assert below["exponent"] == pytest.approx(above["exponent"], rel=1e-6)


@pytest.mark.parametrize("gap", [0.004e-3, 10.1e-3])
def test_pereira_refuses_clearance_out_of_range(gap):
    pair = Pair(0.030, 0.030 - gap, 0.01, "pin")
    with pytest.raises(GudgeonError, match=r'joint "pin": PereiraCylinder .*0.005 to 10 mm.*JohnsonCylinder'):
        PereiraCylinder(restitution=0.9).pack(pair)


def test_pereira_warns_where_its_fit_is_poor():
    law = PereiraCylinder(restitution=0.9)
    assert law.warnings(pin(0.5e-3), 1e-5, 0.01, 5e3) == []
    assert len(law.warnings(pin(5e-3), 1e-5, 1.0, 5.0)) == 3


@pytest.mark.parametrize("law", [PereiraCylinder(restitution=1.0), JohnsonCylinder(), DubowskyFreudenstein()])
def test_cylinder_needs_sizes(law):
    with pytest.raises(GudgeonError, match=r'joint "pin": \w+ needs the radii and the length'):
        law.pack(Pair(0.01, 0.0095, None, "pin"))
    with pytest.raises(GudgeonError, match=r'joint "pin": \w+ needs a clearance'):
        PereiraCylinder(restitution=1.0).pack(Pair(0.01, 0.01, 0.01, "pin"))


# -- implicit laws


@given(st.floats(1e-12, 0.5))
def test_johnson_satisfies_its_relation(part):
    gap, length = 0.5e-3, 0.010
    depth = part * gap
    q = force(JohnsonCylinder(STEEL), depth) / length
    relation = q / (math.pi * MODULUS) * (math.log(4 * math.pi * MODULUS * gap / q) - 1)
    assert relation == pytest.approx(depth, rel=1e-12)


@given(st.floats(1e-14, 0.99))
def test_dubowsky_satisfies_its_relation(part):
    k1, k2 = 2e-9, 4e6
    depth = part * k1 * k2 / math.e
    f = force(DubowskyFreudenstein(compliance=k1, force_scale=k2), depth)
    assert f < k2 / math.e
    assert k1 * f * (math.log(k2) - math.log(f)) == pytest.approx(depth, rel=1e-12)


def test_dubowsky_constants_from_material():
    block = DubowskyFreudenstein(STEEL).pack(pin(0.5e-3, 0.02))
    sigma = 2 * (1 - 0.3**2) / (math.pi * 207e9)
    assert block["compliance"] == pytest.approx(sigma / 0.02)
    assert block["force_scale"] == pytest.approx(math.e * 0.02**3 * 0.5e-3 / (0.01 * 0.0095 * sigma))


def test_implicit_law_continues_on_its_tangent():
    law = DubowskyFreudenstein(compliance=1.0, force_scale=math.e)
    edge = 0.9 * (1 - math.log(0.9))
    assert force(law, edge) == pytest.approx(0.9)
    assert force(law, edge * (1 - 1e-9)) == pytest.approx(0.9)
    assert force(law, edge + 1.0) - 0.9 == pytest.approx(1 / math.log(10 / 9))
    assert law.warnings(pin(1e-3), 0.9 * edge, 0.0, 1.0) == []
    assert "followed the tangent" in law.warnings(pin(1e-3), edge + 0.1, 0.0, 2.0)[0]


def test_dubowsky_needs_both_constants():
    with pytest.raises(GudgeonError, match=r"compliance 1.0 and force_scale None belong together"):
        DubowskyFreudenstein(compliance=1.0)


# -- Kelvin-Voigt


def test_kelvin_voigt():
    law = KelvinVoigt("1 kN/mm", 100.0)
    assert force(law, 1e-3, 2.0) == pytest.approx(1200.0)
    assert force(law, 1e-3, -20.0) == 0.0
    assert force(KelvinVoigt(1e6, 100.0, clip=False), 1e-3, -20.0) == pytest.approx(-1000.0)
    assert law.warnings(pin(1e-3), 1e-3, 0.1, 1000.0) == []
    assert "100 N at zero depth, 10%" in law.warnings(pin(1e-3), 1e-3, 1.0, 990.0)[0]


@pytest.mark.parametrize(
    ("rate", "expected"),
    [(-0.2, 1.0), (0.0, 1.0), (0.01, 3.772), (0.025, 16.46875), (0.05, 50.5), (0.075, 84.53125), (0.1, 100)],
)
def test_modified_kelvin_voigt(rate, expected):
    law = ModifiedKelvinVoigt(1e5, 0.01, 0.1)
    assert force(law, 1e-3, rate) == pytest.approx(expected)
    assert law.requested_restitution == 0.1
    assert len(law.warnings(pin(1e-3), 1e-3, 0.1, 1.0)) == 1


# -- tables


def test_linear_table():
    law = ContactTable(*TABLE)
    assert [force(law, x) for x in (0.5e-5, 2e-5, 3e-5, 4.5e-5)] == pytest.approx([50, 300, 500, 1250])
    assert force(law, 7e-5) == pytest.approx(2500.0)
    assert law.warnings(pin(1e-3), 6e-5, 1.0, 1.0) == []
    assert "beyond the last point" in law.warnings(pin(1e-3), 7e-5, 1.0, 1.0)[0]


@given(st.lists(st.tuples(st.floats(0.1, 3.0), st.just(0.0) | st.floats(1e-6, 3.0)), min_size=1, max_size=8))
def test_cubic_table_is_pchip_and_monotone(steps):
    x = np.concatenate([[0.0], np.cumsum([a for a, _ in steps])])
    y = np.concatenate([[0.0], np.cumsum([b for _, b in steps])])
    law = ContactTable(x, y, interpolation="cubic")
    block = list(law.pack(Pair()).values())
    at = np.linspace(0.0, x[-1], 57)
    ours = np.array([law.force(v, 0.0, 1.0, block) for v in at])
    assert ours == pytest.approx(PchipInterpolator(x, y)(at), rel=1e-9, abs=1e-9)
    assert np.all(np.diff(ours) >= -1e-12)


def test_table_accepts_units_and_hysteresis():
    law = ContactTable(("0 mm", "0.01 mm"), (0, "1 kN"), restitution=0.5)
    assert law.depths == (0.0, 1e-5) and law.forces == (0.0, 1000.0)
    assert law.effective_restitution == pytest.approx(0.5)
    assert force(law, 1e-5, 1.0) == pytest.approx(1000.0 * (1 + law.hysteresis))


@pytest.mark.parametrize(
    ("depths", "forces", "words"),
    [
        ((0, 2, 1), (0, 1, 2), "depths[2] 1 does not increase; sort"),
        ((0, 1, 2), (0, 2, 1), "forces[2] 1 is less than the value before"),
        ((0, 1), (0, 1, 2), "depths has 2 values and forces 3"),
        ((1, 2), (0, 1), "put (0, 0) first"),
        ((0,), (0,), "at least two points"),
        (3.0, (0,), "depths 3.0 is no sequence"),
    ],
)
def test_table_refuses(depths, forces, words):
    with pytest.raises(GudgeonError) as caught:
        ContactTable(depths, forces)
    assert words in str(caught.value) and "ContactTable" in str(caught.value)


def test_unknown_options():
    with pytest.raises(GudgeonError, match=r"interpolation 'spline' is unknown; choose from \"linear\""):
        ContactTable(*TABLE, interpolation="spline")
    with pytest.raises(GudgeonError, match="contact 'inside' is unknown"):
        PereiraCylinder(restitution=0.9, contact="inside")
    with pytest.raises(GudgeonError, match=r"strips 2.5 must be a whole number"):
        PereiraCylinder(restitution=0.9, strips=2.5)
