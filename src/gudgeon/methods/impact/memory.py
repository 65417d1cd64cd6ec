"""The record of the event-driven method: that of DOP853, which advances it between events, and what events need."""

from __future__ import annotations

from gudgeon.compile.native.record import Floats, Integers
from gudgeon.methods.explicit.dop853 import Dop853Memory
from gudgeon.methods.impact.contacts import HardContacts


class ImpactMemory(Dop853Memory):
    """What the event-driven method remembers."""

    hard: HardContacts
    capture: float  # bounces that last less than this in all are ended [s]
    located_kind: int  # of the event that was located: NORMAL_EVENT or FRICTION_EVENT (events.py)
    dismissed: Integers  # 1 for each contact and kind of event that does not end its mode in the step just tried
    bounce_time: Floats  # of each contact that was captured: how long its bounces would have gone on [s]
    held: Integers  # 1 for each contact that the end of a rocking motion holds closed
    lasted: Integers  # 1 for each contact that lasted before the impact
