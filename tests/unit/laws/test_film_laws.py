"""Closed forms of films: the published bearing, quadrature of the half films, limits, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from gudgeon.laws import FilmLaw, Moes, Ocvirk, Pair, PinkusSternlicht, ReynoldsTable, Sommerfeld
from gudgeon.quantity import GudgeonError

PIN = Pair(bearing_radius=0.010, journal_radius=0.0095, length=0.020, name="pin")
RATIOS = (0.0, 1e-9, 0.1, 0.5, 0.9, 0.99)
ANGLES = (0.0, 0.4, 0.5 * math.pi, 2.0, 2.9, math.pi, -1.0)


def block(law, pair=PIN):
    return list(law.pack(pair).values())


def forces(law, ratio, angle, p):
    """Radial and tangential force on the journal at unit speed."""
    arguments = (ratio, math.cos(angle), math.sin(angle), p)
    return np.array([law.radial(*arguments), law.tangential(*arguments)])


# -- Schwab, Meijaard, Meijers 2002, Fig 3: journal turns at 163.62 rad/s in a fixed sleeve, quasi-static ------

FIG3 = [
    (0.1, 0.313542552, 95.832026), (0.3, 1.077087269, 107.411596), (0.5, 2.409882257, 118.869218),
    (0.7, 5.751700608, 130.745207), (0.8, 10.16473987, 137.603128), (0.9, 23.63985661, 146.936308),
    (0.95, 50.34089105, 154.686152), (0.98, 129.4192162, 162.927500), (0.99, 260.5549281, 167.619079),
    (0.999, 2616.932124, 175.986658),
]  # fmt: skip


def turning(law, ratio, p):
    sweep = -0.5 * ratio * p[0] * 163.62
    radial, tangential = law.radial(ratio, 0.0, sweep, p), law.tangential(ratio, 0.0, sweep, p)
    return math.hypot(radial, tangential), math.degrees(math.atan2(tangential, radial))


@pytest.mark.parametrize(("ratio", "force", "angle"), FIG3)
def test_quasi_static_bearing(ratio, force, angle):
    found = turning(Moes, ratio, block(Moes("100 cP")))
    assert found[0] == pytest.approx(force, rel=1e-9)
    assert found[1] == pytest.approx(angle, abs=5.1e-7)


@pytest.mark.parametrize(("ratio", "force"), [(0.5, 2.2010686), (0.9, 20.681182), (0.99, 223.8409)])
def test_quasi_static_bearing_with_the_journal_radius(ratio, force):
    """The journal of the article has 9.5 mm, its figure was made with 10 mm; the length stays 20 mm."""
    law = Moes("0.1 Pa s", radius="journal")
    assert turning(Moes, ratio, block(law))[0] == pytest.approx(force, rel=3e-8)


# -- the half films by quadrature ------------------------------------------------------------------------------


def integrated(pressure, centre):
    """-integral of p (cos, sin) over the half circle round `centre`."""
    low, high = centre - 0.5 * math.pi, centre + 0.5 * math.pi
    narrow = [x for x in (0.0, 2.0 * math.pi, -2.0 * math.pi) if low < x < high]
    near = [x + d for x in narrow for d in (-0.2, 0.0, 0.2) if low < x + d < high]
    size = quad(pressure, low, high, limit=400, points=near or None)[0]
    options = {"epsabs": 1e-11 * size, "epsrel": 1e-10, "limit": 400, "points": near or None}
    return np.array([-quad(lambda t, n=n: pressure(t) * n(t), low, high, **options)[0] for n in (np.cos, np.sin)])


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("angle", ANGLES)
def test_short_half_film(ratio, angle):
    p = block(Ocvirk(0.1))
    c, r, length, mu = p

    def pressure(theta):
        # p = 6 mu v (l^2/4 - z^2) cos / h^3, integrated over the length: l^3 mu v cos / h^3
        return mu * length**3 * r * math.cos(theta - angle) / (c * (1.0 - ratio * math.cos(theta))) ** 3

    expected = integrated(pressure, angle)
    assert forces(Ocvirk, ratio, angle, p) == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())
    theta = np.linspace(angle - 0.5 * math.pi, angle + 0.5 * math.pi, 400_001)
    highest = np.max(1.5 * mu * length**2 * np.cos(theta - angle) / (c * (1.0 - ratio * np.cos(theta))) ** 3)
    assert Ocvirk.pressure(ratio, math.cos(angle), math.sin(angle), p) == pytest.approx(highest, rel=1e-7)


def full_film(ratio, angle, theta):
    """Sommerfeld's pressure c^3 / (mu r^2 v), zero level at its two opposite equal points."""
    h = 1.0 - ratio * np.cos(theta)
    a = 1.0 + 0.5 * ratio**2
    return 6.0 * (1.0 + h) / h**2 * (math.cos(angle) * np.cos(theta) + math.sin(angle) * np.sin(theta) / a)


@pytest.mark.parametrize("ratio", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("angle", [0.0, 0.4, 0.5 * math.pi, 2.0])
def test_full_film_solves_the_reynolds_equation(ratio, angle):
    n = 512
    theta = 2.0 * math.pi * np.arange(n) / n
    waves = 1j * np.fft.fftfreq(n, 1.0 / n)
    waves[n // 2] = 0.0
    slope = np.fft.ifft(waves * np.fft.fft(full_film(ratio, angle, theta))).real
    flow = (1.0 - ratio * np.cos(theta)) ** 3 * slope + 12.0 * np.sin(theta - angle)
    assert np.ptp(flow) < 1e-9
    zero = math.atan2(math.sin(angle) / (1.0 + 0.5 * ratio**2), math.cos(angle)) + 0.5 * math.pi
    assert full_film(ratio, angle, np.array([zero, zero + math.pi])) == pytest.approx([0.0, 0.0], abs=1e-13)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("angle", ANGLES)
def test_long_half_film(ratio, angle):
    p = block(Sommerfeld(0.1))
    c, r, length, mu = p
    centre = math.atan2(math.sin(angle) / (1.0 + 0.5 * ratio**2), math.cos(angle))
    expected = mu * length * (r / c) ** 3 * integrated(lambda t: float(full_film(ratio, angle, t)), centre)
    assert forces(Sommerfeld, ratio, angle, p) == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())
    theta = np.linspace(centre - 0.5 * math.pi, centre + 0.5 * math.pi, 400_001)
    highest = mu * r**2 / c**3 * np.max(full_film(ratio, angle, theta))
    for law in (Sommerfeld, PinkusSternlicht):
        assert law.pressure(ratio, math.cos(angle), math.sin(angle), p) == pytest.approx(highest, rel=1e-7)


@pytest.mark.parametrize("law", [Sommerfeld, PinkusSternlicht])
@pytest.mark.parametrize("ratio", [0.01, 0.4, 0.95])
def test_steady_rotation_is_half_sommerfeld(law, ratio):
    p = block(law(0.1))
    spin, scale, a, s2 = 30.0, p[3] * p[2] * p[1] ** 3 / p[0] ** 2, 2.0 + ratio**2, 1.0 - ratio**2
    sweep = -0.5 * spin * ratio * p[0]
    assert law.tangential(ratio, 0.0, sweep, p) == pytest.approx(scale * 6.0 * math.pi * ratio * spin / (a * s2**0.5))
    assert law.radial(ratio, 0.0, sweep, p) == pytest.approx(-scale * 12.0 * ratio**2 * spin / (a * s2))


@pytest.mark.parametrize(("ratio", "leave"), [(0.1, 0.93), (0.5, 1.03), (0.9, 5.37), (0.99, 68.0)])
def test_pinkus_sternlicht_is_fitted(ratio, leave):
    """Its K: up to 13 % above the exact half film for an approach, and a suction close to the wall when it leaves."""
    p = block(PinkusSternlicht(0.1))
    inward = PinkusSternlicht.radial(ratio, 1.0, 0.0, p) / Sommerfeld.radial(ratio, 1.0, 0.0, p)
    outward = PinkusSternlicht.radial(ratio, -1.0, 0.0, p) / Sommerfeld.radial(ratio, -1.0, 0.0, p)
    assert 1.0 <= inward <= 1.14
    assert outward == pytest.approx(leave, rel=0.01)


def test_moes_is_both_in_series_along_and_across_the_velocity():
    ratio, squeeze, sweep = 0.7, 0.3, -0.5
    speed = math.hypot(squeeze, sweep)

    def components(law):
        p = block(law(0.1))
        radial, tangential = law.radial(ratio, squeeze, sweep, p), law.tangential(ratio, squeeze, sweep, p)
        return np.array([radial * squeeze + tangential * sweep, tangential * squeeze - radial * sweep]) / speed

    short, long = components(Ocvirk), components(Sommerfeld)
    assert components(Moes) == pytest.approx(1.0 / (1.0 / short + 1.0 / long), rel=1e-13)


def test_thin_films_keep_their_digits():
    """A leaving journal at 1 - ratio = 1e-9: W_x is a difference of numbers 1e22 times as large in the printed form."""
    for law, limit in ((Ocvirk, 0.5 * 16.0 / 15.0), (Sommerfeld, 4.0)):
        p = block(law(0.1))
        scale = 2.0 * p[3] * p[2] * (p[1] / p[0]) ** 3
        assert law.radial(1.0 - 1e-9, -1.0, 0.0, p) / scale == pytest.approx(limit, rel=1e-6)


def test_shear_of_the_gap():
    p = block(Moes(0.1))
    whole = quad(lambda t: 1.0 / (1.0 - 0.8 * math.cos(t)), 0.0, 2.0 * math.pi, epsrel=1e-12)[0]
    assert Moes.couple(0.8, 0.0, 0.0, p) == pytest.approx(p[3] * p[2] * p[1] ** 3 / p[0] * whole, rel=1e-11)
    assert Moes.couple(0.0, 0.0, 0.0, p) == pytest.approx(2.0 * math.pi * 0.1 * 0.02 * 0.01**3 / 0.0005)


# -- what is refused -------------------------------------------------------------------------------------------


def test_units_and_blocks():
    assert Moes("400 cP").viscosity == pytest.approx(0.4)
    packed = Ocvirk("0.1 Pa s").pack(PIN)
    assert list(packed) == ["clearance", "radius", "length", "viscosity"]
    assert list(packed.values()) == pytest.approx([0.0005, 0.010, 0.020, 0.1])
    assert Ocvirk(0.1, radius="journal").pack(PIN)["radius"] == 0.0095


@pytest.mark.parametrize("value", [0.0, -0.1, "1 Pa", "oil", math.inf])
def test_viscosity_is_checked(value):
    with pytest.raises(GudgeonError, match="Moes: viscosity"):
        Moes(value)


@pytest.mark.parametrize(("pair", "words"), [
    (Pair(0.01, 0.0095, None, "pin"), 'joint "pin": Moes needs the length of the bearing, but it has none'),
    (Pair(0.01, 0.0095, 0.0, "pin"), "but it is 0 m"),
    (Pair(0.01, 0.01, 0.02, "pin"), 'joint "pin": Moes needs a gap for the oil, but the clearance is 0 m; give'),
    (Pair(0.01, 0.011, 0.02, "pin"), "the clearance is -0.001 m"),
    (Pair(None, 0.0095, 0.02, "pin"), 'joint "pin": Moes needs the radii'),
    (Pair(0.01, None, 0.02), "a joint without name: Moes needs the radii"),
])  # fmt: skip
def test_sizes_are_checked(pair, words):
    with pytest.raises(GudgeonError) as refused:
        Moes(0.1).pack(pair)
    assert words in str(refused.value)


def test_choices_are_checked():
    with pytest.raises(GudgeonError, match='Ocvirk: radius \'mean\' is unknown; choose "bearing" or "journal"'):
        Ocvirk(0.1, radius="mean")
    with pytest.raises(GudgeonError, match='cavitation \'jfo\' is unknown; choose from "reynolds" and "guembel"'):
        ReynoldsTable(0.1, cavitation="jfo")
    with pytest.raises(GudgeonError, match=r"lengths of 0\.02 to 20 diameters, not 0\.01; use Ocvirk"):
        ReynoldsTable(0.1).pack(Pair(1.0, 0.999, 0.02))


def test_the_family_leaves_the_film_to_the_law():
    for function in (FilmLaw.radial, FilmLaw.tangential, FilmLaw.pressure):
        with pytest.raises(NotImplementedError):
            function(0.0, 0.0, 0.0, [])


@pytest.mark.parametrize(("law", "good", "bad"), [(Ocvirk, 0.2, 1.0), (Sommerfeld, 5.0, 1.0),
                                                  (PinkusSternlicht, 5.0, 1.0), (Moes, 1.0, 5.0)])  # fmt: skip
def test_a_bearing_of_the_wrong_length_is_told(law, good, bad):
    def said(slenderness):
        return law(0.1).warnings(Pair(0.01, 0.0099, 0.02 * slenderness, "pin"), 0.0, 0.0, 0.0)

    assert said(good) == []
    assert len(said(bad)) == 1 and f'joint "pin" is {bad:.3g} diameters long' in said(bad)[0]
