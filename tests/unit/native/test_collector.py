"""The collector of garbage rests while code is built, and is afterwards as it was."""

from __future__ import annotations

import gc

import pytest

import gudgeon as gd
from gudgeon.assemble import assemble, build
from gudgeon.compile.collector import collector_paused


@pytest.fixture(autouse=True)
def enabled():
    gc.enable()
    yield
    gc.enable()


def test_pauses_lie_within_each_other_and_end_by_errors():
    with collector_paused():
        with pytest.raises(ValueError, match="within"), collector_paused():
            raise ValueError("within")
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_was_disabled_stays_so():
    gc.disable()
    with collector_paused():
        pass
    assert not gc.isenabled()


def test_it_rests_while_a_mechanism_is_assembled(monkeypatch):
    seen, absolute = [], build.ASSEMBLERS["absolute"]

    def watched(*arguments):
        seen.append(gc.isenabled())
        return absolute(*arguments)

    monkeypatch.setitem(build.ASSEMBLERS, "absolute", watched)
    m = gd.Mechanism("ball", gravity=(0.0, -9.81))
    m.body("ball", mass=1.0, inertia=1e-3, at=(0.0, 0.0))
    assemble(m)
    assert seen == [False] and gc.isenabled()
