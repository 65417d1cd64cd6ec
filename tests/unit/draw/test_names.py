"""Names that no figure has, and figures that make no sense, are refused in the user's words."""

import subprocess
import sys

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.cli.templates import text
from gudgeon.draw.channels import motion_names
from gudgeon.model.files import loads


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("slider.axx",), '"slider.axx" is not known; did you mean "slider.ax"?'),
        (("pin.orbti",), 'did you mean "pin.orbit"?'),
        (("sldier.phase",), 'did you mean "slider.phase"?'),
        (("slider.phase.z",), 'did you mean "slider.phase"?'),
        (("pni.hysteresis",), 'did you mean "pin.hysteresis"?'),
        (("enrgy",), 'did you mean "energy"?'),
        (("main.orbit",), 'joint "main" is ideal, its journal stays in the centre'),
        (("guide.orbit",), "a translational joint has no journal that could orbit"),
        (("main.hysteresis",), '"main" has no contact in this part of the run'),
        ((), "a figure needs at least one name"),
        ((3,), "chosen by names"),
    ],
)
def test_refusals(runs, names, words):
    with pytest.raises(gd.GudgeonError) as error:
        gd.plot(runs[1], *names)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("window", "words"),
    [
        ((2e-3, 1e-3), "must come before"),
        (("5 s", "6 s"), "holds no results"),
        (3.0, "must be two times"),
        (("1 mm", "2 mm"), "window"),
    ],
)
def test_windows(runs, window, words):
    with pytest.raises(gd.GudgeonError, match=words):
        gd.plot(runs[1], "slider.ax", window=window)


def test_revolutions_need_something_that_turns(pendulum):
    with pytest.raises(gd.GudgeonError, match="nothing turns at a constant speed"):
        gd.plot(pendulum, "arm.angle", window=(0, "1 rev"))


def test_only_runs_are_drawn(runs):
    with pytest.raises(gd.GudgeonError, match="needs a run"):
        gd.compare(runs[0], "slider.ax")


def test_importing_loads_no_matplotlib():
    code = "import sys, gudgeon, gudgeon.draw; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_acceleration_of_rounding_errors_does_not_lead():
    """The output of two universal joints in series turns as evenly as their input."""
    shaft = loads(text("cardan-shaft").replace("NAME", "shaft")).mechanism
    run = gd.simulate(shaft, duration="1 ms", progress=False)
    assert np.abs(run["output.alphax"]).max() < 1e-6
    first = motion_names(run)[0]
    assert not first.startswith("output.") and np.abs(run[first]).max() > 0.01
