"""What a stranger gave to Python on the second day: every mistake has its name, its value and a remedy."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.demo import mechanisms
from gudgeon.results import failure


def slider_crank():
    """That of the demo, with ideal joints."""
    return mechanisms()[0]


@pytest.mark.parametrize("wrong", [None, "press.yaml", 3.0])
def test_only_a_mechanism_can_be_run(wrong):
    with pytest.raises(gd.GudgeonError, match=r"no mechanism; give a Mechanism, of a file by Mechanism\.from_file"):
        gd.simulate(wrong, duration=1.0)


def test_nothing_comes_after_the_end_of_a_run():
    run = gd.simulate(slider_crank(), revolutions=1)
    with pytest.raises(gd.GudgeonError, match=r"after: 5 s lies beyond the end of the run at 0\.012 s"):
        run.after(5)
    assert len(run.after(0.012).t) == 1
    assert np.array_equal(run.after("6 ms").t, run.after(0.006).t), "a text carries its unit here too"


def test_a_joint_of_space_in_the_plane_says_so():
    m = slider_crank()
    with pytest.raises(
        gd.GudgeonError, match=r'"spherical" is a joint of space; give Mechanism\(\.\.\., planar=False\)'
    ):
        m.spherical("ball", journal="crank", bearing="rod", at=(0, 0))


def test_two_drives_of_one_motion_are_counted():
    m = slider_crank()
    m.drive("big", speed="10 rpm")
    with pytest.raises(gd.GudgeonError) as caught:
        gd.simulate(m, revolutions=1)
    text = str(caught.value)
    assert 'drives of "main" and "big"' in text and "1 degree of freedom without them" in text
    assert "remove one of these drives" in text


def test_a_joint_too_many_is_named():
    m = slider_crank()
    m.revolute("extra", journal="rod", bearing=m.ground, at=(0.11, 0))
    with pytest.raises(gd.GudgeonError) as caught:
        gd.simulate(m, revolutions=1)
    text = str(caught.value)
    assert 'joint "extra"' in text and "0 degrees of freedom without" in text and "remove a drive or a joint" in text


def test_gravity_is_shown_as_it_is_mostly_meant():
    with pytest.raises(gd.GudgeonError, match=r"for instance \(0\.0, -9\.81\)"):
        gd.Mechanism("m", gravity=9.81)


def test_the_end_of_a_figures_name():
    with pytest.raises(gd.GudgeonError, match=r'must end in "\.svg", "\.png" or "\.pdf"'):
        gd.plot(gd.simulate(slider_crank(), revolutions=0.1), "slider.ax").save("x.docx")


@pytest.mark.slow
def test_a_run_that_is_only_too_long_is_not_called_ill():
    """1e12 revolutions: a million steps make 250 of them, and the last contacts are no accumulation."""
    with pytest.raises(gd.RunStopped) as caught:
        gd.simulate(mechanisms()[1], revolutions=1e12, progress=False)
    found = caught.value.failure
    assert (found.kind, found.joint) == (failure.SLOW, None)
    assert "no part of it is stiff" in found.message
    assert found.remedy.startswith("fewer revolutions")
