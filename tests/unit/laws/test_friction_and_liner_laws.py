"""Friction and liner laws at hand-computable points."""

import math

import pytest

from gudgeon.laws import (
    LinearLiner,
    LinerTable,
    LuGre,
    ModifiedCoulomb,
    Pair,
    PolynomialLiner,
    SmoothCoulomb,
    Stribeck,
)
from gudgeon.quantity import GudgeonError


def block(law):
    return list(law.pack(Pair()).values())


def friction(law, slip, normal=1000.0, state=0.0):
    return law.force(slip, normal, state, block(law))


@pytest.mark.parametrize(
    ("slip", "expected"),
    [(0.0, 0.0), (1e-3, 0.0), (5.5e-3, -15.0), (-5.5e-3, 15.0), (1e-2, -30.0), (-4.0, 30.0)],
)
def test_modified_coulomb(slip, expected):
    assert friction(ModifiedCoulomb(0.03), slip) == pytest.approx(expected)


def test_smooth_coulomb_and_stribeck():
    assert friction(SmoothCoulomb(0.1, v0=0.01), 0.01) == pytest.approx(-100.0 * math.tanh(1.0))
    law = Stribeck(0.1, static_coefficient=0.3, stribeck_speed=1.0, viscous=0.05)
    level = 0.1 + 0.2 * math.exp(-1.0)
    assert friction(law, 1.0) == pytest.approx(-1000.0 * (level + 0.05))


def test_lugre_steady_and_at_rest():
    law = LuGre(0.1, static_coefficient=0.2, stribeck_speed=0.01, stiffness=1e4, damping=0.3, viscous=0.02)
    p = block(law)
    # at steady slip the bristles stand still and the force is the Stribeck curve
    z = 0.1 / 1e4
    assert law.state_rate(2.0, 1.0, z, p) == pytest.approx(0.0, abs=1e-12)
    assert friction(law, 2.0, state=z) == pytest.approx(-1000.0 * (0.1 + 0.02 * 2.0))
    # at rest a bent bristle holds, its state does not creep
    assert law.state_rate(0.0, 1.0, 1e-6, p) == 0.0
    assert friction(law, 0.0, state=1e-6) == pytest.approx(-10.0)
    # unbent, z' = v
    assert friction(law, 1e-3) == pytest.approx(-1000.0 * (0.3 + 0.02) * 1e-3)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ModifiedCoulomb(-0.1), "ModifiedCoulomb: coefficient -0.1 must be at least 0"),
        (lambda: ModifiedCoulomb(0.1, v0="1 m/s"), "v1 0.01 m/s must be greater than v0 1 m/s"),
        (lambda: SmoothCoulomb(0.1, v0=0.0), "SmoothCoulomb: v0 0.0 must be greater than 0"),
        (lambda: Stribeck(0.3, static_coefficient=0.2), "static_coefficient 0.2 must be at least"),
        (lambda: LuGre(0.0, static_coefficient=0.2), "LuGre: coefficient 0.0 must be greater than 0"),
        (lambda: LinearLiner(-1.0), "LinearLiner: stiffness -1.0 must be greater than 0"),
        (lambda: LinearLiner(1.0, "3 N/m"), 'LinearLiner: damping "3 N/m" has the wrong dimension'),
        (lambda: PolynomialLiner(()), "PolynomialLiner: coefficients () is no sequence"),
        (lambda: PolynomialLiner((0.0, 1.0)), "coefficients[0] 0.0 must be above 0"),
        (lambda: PolynomialLiner((1.0, "1 N/m")), 'coefficients[1] "1 N/m" has the wrong dimension'),
        (lambda: LinerTable((0, 1, 2), (0, 0, 1)), "LinerTable: forces[1] 0 must be above 0"),
        (lambda: LinerTable((0, 1, 2), (0, 2, 1)), "LinerTable: forces[2] 1 is less"),
    ],
)
def test_refused(make, words):
    with pytest.raises(GudgeonError) as caught:
        make()
    assert words in str(caught.value)


def test_liners():
    law = LinearLiner("1 kN/mm", 50.0)
    assert law.force(1e-3, 2.0, block(law)) == pytest.approx(1100.0)
    law = PolynomialLiner((1.0, 2.0, 3.0), 10.0)
    assert law.force(2.0, 0.5, block(law)) == pytest.approx(2 + 8 + 24 + 5)
    law = LinerTable((0.0, 1.0, 3.0), (0.0, 10.0, 50.0), 4.0)
    assert law.force(2.0, 0.5, block(law)) == pytest.approx(32.0)


def test_liner_warnings():
    softening = PolynomialLiner((1.0, -0.4))
    assert softening.warnings(Pair(), 1.0, 0.0, 1.0) == []
    assert "force falls" in softening.warnings(Pair(), 2.0, 0.0, 1.0)[0]
    table = LinerTable((0.0, 1.0), (0.0, 10.0))
    assert table.warnings(Pair(), 1.0, 0.0, 1.0) == []
    assert "last point 1 m" in table.warnings(Pair(), 2.0, 0.0, 1.0)[0]
