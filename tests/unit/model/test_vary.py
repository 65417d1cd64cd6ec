"""A changed mechanism is a new one."""

import pytest
from crank_model import HARD, LN, slider_crank

from gudgeon.laws import LinearLiner, ModifiedCoulomb, Moes
from gudgeon.model import Bushing, Clearance, Elastic, Ideal, Lubricated, Mechanism, Touching
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


def spatial():
    m = Mechanism("space", planar=False)
    m.body("rod", mass=1, inertia=(1, 1.2, 1.3, 0.1, 0, 0), at=(0, 0, 0), spin=(1, 2, 3))
    m.body("disk", mass=1, inertia=(1, 1, 1.5), at=(1, 0, 0))
    stiffness = [[4.0 if a == b else 0.5 if {a, b} == {2, 5} else 0.0 for a in range(6)] for b in range(6)]
    m.mount("disc", journal="rod", bearing="ground", at=(0, 0, 0), fit=Elastic(stiffness))
    m.screw("lead", journal="disk", bearing="rod", at=(1, 0, 0), axis=(1, 0, 0), pitch="2 mm")
    m.contact("bump", journal="disk", bearing="ground", journal_point=(0, 0, 0), bearing_point=(5, 0, 0),
              journal_radius=0.1, radius=0.2, fit=Touching(HARD, friction=ModifiedCoulomb(0.1)))  # fmt: skip
    return m


@pytest.mark.parametrize(
    ("path", "value", "si"),
    [
        ("rod.inertia.xx", "1.1 kg m^2", 1.1),
        ("rod.inertia.xy", 0.05, 0.05),
        ("rod.spin.z", "60 rpm", 6.283185307179586),
        ("disk.inertia.zz", 1.9, 1.9),
        ("disk.velocity.y", "2 m/s", 2.0),
        ("disc.stiffness.z", "5 N/m", 5.0),
        ("disc.stiffness.z.rz", 0.7, 0.7),
        ("disc.damping.ry", 0.1, 0.1),
        ("lead.pitch", "-1 mm", -1e-3),
        ("bump.journal_radius", "5 mm", 5e-3),
        ("bump.stiffness", 2e9, 2e9),
        ("bump.friction", 0.2, 0.2),
    ],
)
def test_vary_one_number_of_space(path, value, si):
    m = spatial()
    before, after = m.parameters, m.vary(path, value).parameters
    assert after[path] == pytest.approx(si)
    assert {key for key in after if after[key] != before[key]} == {path}


@pytest.mark.parametrize(
    ("path", "value", "fragments"),
    [
        ("disk.inertia", 1, ["disk.inertia", "possible", '"disk.inertia.xx", "disk.inertia.yy", "disk.inertia.zz"']),
        ("disk.inertia.xy", 1, ["disk.inertia.xy", "did you mean", '"disk.inertia.yy"']),
        ("disk.inertia.zz", 3, ["disk.inertia.zz", "greater than the sum", "check units"]),
        ("rod.spin.w", 3, ["rod.spin.w", '"rod.spin.x", "rod.spin.y" and "rod.spin.z"']),
        ("disc.stiffness.z.rz", 5, ["stiffness[2][5] 5", "too large", "below 4"]),
        ("disc.stiffness.x.rz", 1, ["disc.stiffness.x.rz", "did you mean"]),
        ("disk.spin.z", "1 m", ["disk.spin.z", "1 m", "rad/s"]),
    ],
)
def test_vary_explains_what_it_refuses_in_space(path, value, fragments):
    with pytest.raises(GudgeonError) as caught:
        spatial().vary(path, value)
    for fragment in fragments:
        assert fragment in str(caught.value)


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
