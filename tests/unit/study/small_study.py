"""A study of some ten milliseconds per run, and measures that misbehave; also run as a program that tests kill."""

import os
import signal
import sys
import time
from pathlib import Path

import gudgeon as gd
from gudgeon.papers import schwab2002
from gudgeon.study import Store

CLEARANCES = gd.logspace("0.05 mm", "0.5 mm", 8)
RESTITUTIONS = [0.7, 0.8, 0.9, 0.95, 1.0]
SICK = 0.8  # restitution at which some measures misbehave


def small(measure=("peak pin.force", "contacts pin", "final slider.vx"), vary=None, **options):
    axes = {"pin.radial_clearance": CLEARANCES, "pin.restitution": RESTITUTIONS} if vary is None else vary
    options = {"revolutions": 0.2, **options}
    return gd.Study(schwab2002.hertz(), vary=axes, measure=list(measure), **options)


def restitution(run):
    return run.mechanism.parameters["pin.restitution"]


def patient(run):
    """Long enough to be caught at work."""
    time.sleep(0.03)
    return run.t[-1]


def last_speed(run):
    return run["slider.vx"][-1]


def fails(run):
    if restitution(run) == SICK:
        raise ZeroDivisionError("no such thing")
    return 1.0


def always_kills(run):
    if restitution(run) == SICK and run.mechanism.parameters["pin.radial_clearance"] < 6e-5:
        os.kill(os.getpid(), signal.SIGSEGV)
    return 1.0


def kills_once(run):
    """The first time anybody comes here; SMALL_STUDY_FLAG names a file that remembers."""
    flag = Path(os.environ["SMALL_STUDY_FLAG"])
    if restitution(run) == SICK and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 1.0


def wait_for(condition, seconds=60.0):
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.01)


def finished(folder):
    """Runs that a store has."""
    return Store(folder).counts()["done"] if (folder / "study.db").exists() else 0


def same(table, other):
    """Whether two tables agree to the last bit."""
    return all((table[name] == other[name]).all() for name in table.columns) and (table.status == other.status).all()


if __name__ == "__main__":
    small(measure=["peak pin.force", patient], keep=["pin.ex"]).run(sys.argv[1], processes=2)
