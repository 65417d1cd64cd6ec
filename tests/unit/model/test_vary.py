"""A changed mechanism is a new one."""

import pytest
from crank_model import HARD, LN, slider_crank

from gudgeon.laws import LinearLiner, ModifiedCoulomb, Moes
from gudgeon.model import Bushing, Clearance, Ideal, Lubricated
from gudgeon.quantity import GudgeonError

LOOSE = Clearance("0.5 mm", wall=LN, friction=ModifiedCoulomb(0.03))


def test_refit_leaves_the_old_mechanism_alone():
    m = slider_crank()
    before = dict(m.joints)
    loose = m.refit(pin=LOOSE, big=Bushing(LinearLiner(stiffness=1e7, damping=0)))
    assert dict(m.joints) == before and loose.joints["pin"].fit["pin"] == LOOSE
    assert loose.joints["main"] is m.joints["main"]
    loose.body("extra", mass=1, inertia=1, at=(0, 0))
    loose.stop("guide", upper=0.1, wall=HARD)
    assert "extra" not in m.bodies and m.joints["guide"].stop is None


def test_refit_with_a_dict_changes_only_its_mates():
    m = slider_crank()
    key = Clearance(angular_clearance="1 deg", wall=HARD)
    m.rigid("weld", journal="crank", bearing="slider", at=(0, 0), fit={"key": key})
    other = m.refit(weld={"pin": Clearance("1 mm", wall=HARD)})
    assert other.joints["weld"].fit["key"] == key
    assert m.joints["weld"].fit["pin"] == Ideal()


@pytest.mark.parametrize(
    ("path", "value", "si"),
    [
        ("pin.radial_clearance", "0.1 mm", 1e-4),
        ("pin.friction", 0.1, 0.1),
        ("pin.restitution", 0.5, 0.5),
        ("pin.stiffness", 1e9, 1e9),
        ("pin.radius", "12 mm", 0.012),
        ("crank.mass", "1 kg", 1.0),
        ("rod.inertia", 1e-3, 1e-3),
        ("main.speed", "-10 rad/s", -10.0),
    ],
)
def test_vary_changes_one_number(path, value, si):
    loose = slider_crank().refit(pin=LOOSE)
    before = loose.parameters
    other = loose.vary(path, value)
    after = other.parameters
    assert loose.parameters == before
    assert after[path] == pytest.approx(si)
    # a stiffness from material follows the radii
    changed = {key for key in after if after[key] != before[key]}
    assert changed | {"pin.stiffness"} == {path, "pin.stiffness"}


def test_vary_a_bushing_and_two_mates():
    m = slider_crank().refit(pin=Bushing(LinearLiner(stiffness=1e7, damping=3.0)))
    assert m.vary("pin.damping", 4).parameters["pin.damping"] == 4.0
    both = Clearance("0.1 mm", angular_clearance=0.01, wall=HARD)
    m.rigid("weld", journal="crank", bearing="slider", at=(0, 0), fit=both)
    other = m.vary("weld.key.stiffness", 5e8)
    assert other.parameters["weld.pin.stiffness"] == 1e9 and other.parameters["weld.key.stiffness"] == 5e8


@pytest.mark.parametrize(
    ("path", "value", "si"),
    [
        ("pin.viscosity", "30 cP", 0.03),
        ("pin.radial_clearance", "0.1 mm", 1e-4),
        ("pin.minimum_film", "2 um", 2e-6),
        ("pin.restitution", 0.5, 0.5),
        ("pin.friction", 0.1, 0.1),
        ("pin.length", "12 mm", 0.012),
    ],
)
def test_vary_a_film(path, value, si):
    oil = Lubricated("0.5 mm", film=Moes("0.4 Pa s"), wall=LN, friction=ModifiedCoulomb(0.03))
    m = slider_crank().refit(pin=oil)
    assert m.parameters["pin.minimum_film"] == pytest.approx(5e-6)
    other = m.vary(path, value)
    assert other.parameters[path] == pytest.approx(si)
    changed = {key for key in other.parameters if other.parameters[key] != m.parameters[key]}
    # what follows from the clearance unless it is said
    follows = {"pin.stiffness", "pin.minimum_film"} if path == "pin.radial_clearance" else set()
    assert changed == {path, *follows}


@pytest.mark.parametrize(
    ("path", "value", "fragments"),
    [
        ("pin.radial_clearence", 1, ["pin.radial_clearence", "did you mean", "pin.radial_clearance"]),
        ("pim.radius", 1, ["pim", "did you mean", '"pin"']),
        ("big.friction", 0.1, ["big", "no friction law", "refit"]),
        ("loose.friction", 0.1, ["loose", "no friction law", "friction=ModifiedCoulomb"]),
        ("big.stiffness", 1, ["big", "ideal", "refit"]),
        ("pin.radial_clearance", 0.5, ["pin", "0.5 m", "10 mm", 'did you mean "0.5 mm"']),
        ("pin.restitution", 2, ["pin.restitution", "2", "at most 1"]),
        ("main.speed", "1 m/s", ["main", "m/s", "[rad/s]"]),
        ("crank.mass", -1, ["crank", "mass", "-1", "greater than 0"]),
        ("crank.colour", 1, ["crank.colour", "possible", '"crank.mass"']),
    ],
)
def test_vary_explains_what_it_refuses(path, value, fragments):
    m = slider_crank().refit(pin=LOOSE)
    m.revolute("loose", journal="rod", bearing="ground", at=(0, 0), fit=Clearance("1 mm", wall=HARD))
    with pytest.raises(GudgeonError) as caught:
        m.vary(path, value)
    for fragment in fragments:
        assert fragment in str(caught.value)
