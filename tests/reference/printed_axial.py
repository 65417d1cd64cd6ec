"""The axial forces of a loose shoulder as Ambrosio and Pombo 2018 print them: at two points, which leaves a couple."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.contact import contacts
from gudgeon.space.mate import Touch
from gudgeon.space.spatial.shoulder import Shoulder


@dataclass(frozen=True)
class PublishedAxial(Touch):
    """A shoulder whose force does not act along what its depth measures (Eqs 20 to 24)."""

    push: Any = None


def print_axial_forces(monkeypatch) -> None:
    """From here on the force on the journal acts at its own point; its depth is measured along the journal's axis."""

    def published(i, j, sizes):
        travel, push = Shoulder.travel(i, j), i.approach(j, i.point, i.b)
        return [PublishedAxial(name, sign * travel, (push,), i.b * sign, push=sign * push)
                for name, sign in (("front", 1.0), ("rear", -1.0))]  # fmt: skip

    own = contacts.touch_gradient

    def gradient(equations, touch):
        return equations.velocity_gradient(touch.push) if isinstance(touch, PublishedAxial) else own(equations, touch)

    monkeypatch.setattr(Shoulder, "touches", staticmethod(published))
    monkeypatch.setattr(contacts, "touch_gradient", gradient)
