"""A clearance of 0: surfaces that touch as soon as the journal leaves the middle, and never part."""

import numpy as np
import pytest

import gudgeon as gd

MASS, K = 2.0, 1e6
DEEPEST = (2.5 * MASS * 9.81 / K) ** (2 / 3)  # m g d = 2/5 K d^2.5


def hung(planar, **fit):
    """A body that starts at rest in the middle of its pin or ball, and falls."""
    m = gd.Mechanism("hung", planar=planar, gravity=(0, -9.81) if planar else (0, 0, -9.81))
    at = (0, 0) if planar else (0, 0, 0)
    body = m.body("body", mass=MASS, inertia=0.01 if planar else (0.01,) * 3, at=at)
    hold = m.revolute if planar else m.spherical
    wall = gd.Hertz(stiffness=K)
    hold("pin", journal=body, bearing=m.ground, at=at, radius=0.01, fit=gd.Clearance(0, wall=wall, **fit))
    return m


@pytest.mark.parametrize("planar", [True, False])
def test_a_body_hung_without_play_swings_on_the_spring_of_its_contact(planar):
    run = gd.simulate(hung(planar), duration=0.5, output=1e-4, rtol=1e-9)
    assert len(run.contacts) == 0
    assert run["pin.depth"].max() == pytest.approx(DEEPEST, rel=1e-6)
    assert run["pin.normal"] == pytest.approx(K * run["pin.offset"] ** 1.5, rel=1e-12)
    assert run.evidence.balance < 1e-8  # of 28 mJ; the kink at the middle is not located
    assert "pin.eccentricity" not in run.channels


def test_impacts_as_instants_have_no_room_without_play():
    with pytest.raises(gd.GudgeonError, match=r'joint "pin": impacts as events need a clearance above 0; .* Ideal\(\)'):
        gd.simulate(hung(True), duration=0.1, method="impact")


def test_a_liner_without_a_gap_is_a_bushing_with_a_wall():
    liner = gd.LinearLiner(stiffness=1e5, damping=20.0)
    loose = hung(True, liner=liner, liner_thickness="0.1 mm")
    lined = loose.refit(pin=gd.Bushing(liner, wall=gd.Hertz(stiffness=K), thickness="0.1 mm"))
    runs = [gd.simulate(m, duration=0.05, output=1e-3, rtol=1e-10) for m in (loose, lined)]
    assert runs[0]["body.y"].min() < -1e-4  # beyond the liner
    assert runs[0]["body.y"] == pytest.approx(runs[1]["body.y"], abs=1e-11)
    assert np.ptp(runs[0]["body.y"]) > 1e-4
