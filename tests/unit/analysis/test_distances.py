"""What states count in a distance is the same wherever exponents are computed."""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.motions.flow import Flow, Ruler
from gudgeon.batch.inputs import EXTRA, described, place_of
from gudgeon.batch.kinds import Twins
from gudgeon.batch.program import Wanted
from gudgeon.methods.explicit.dopri5 import Dopri5
from gudgeon.papers import flores2006
from gudgeon.study.engines.gpu.exponents import Parting


class Numbers:
    """Stands for the code that is written: numbers at once."""

    def binary(self, op: str, a: float, b: float) -> float:
        return {"Div": operator.truediv, "Mult": operator.mul}[op](a, b)


def test_bristles_in_space_count_alike_in_every_engine():
    """A touch in space has a bristle for each component of its slip, and each is a length."""
    base = flores2006.four_bar("0.5 mm")
    fit = replace(base.joints["ball"].fit["ball"], friction=gd.LuGre(0.05, static_coefficient=0.08))
    flow = Flow.of(base.refit(ball=fit), period=0.1)
    system, length = flow.system, 5e-4
    bristles = [contact.state + k for contact in system.contacts for k in range(contact.states)]
    assert len(bristles) > 1
    ruler = Ruler(flow, flow.start, length)
    assert (ruler.weights[bristles] > 0.0).all()
    time = flow.period / (2.0 * np.pi)
    inputs, _ = described(system, rtol=1e-9, period=flow.period, longest=1e-3, length=length)
    extra = {name: inputs[place_of(system, name)] for name in EXTRA}
    compiled = Twins(system, inputs, (), Wanted(), Dopri5())._unit_lengths(Numbers(), extra)
    assert compiled == pytest.approx(ruler.weights[: system.controlled])
    parting = Parting.__new__(Parting)
    parting.system = system
    many = parting.arms(*(np.array([x]) for x in (length, system.size, time)))
    assert many[:, 0] == pytest.approx(ruler.weights[: system.controlled])
