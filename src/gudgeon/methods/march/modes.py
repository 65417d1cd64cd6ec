"""Modes and latches of contacts in the memory m of a march (assemble/contact/memory.py says where they are)."""

from __future__ import annotations

from gudgeon.assemble.contact.memory import LATCH, MODE, PER_CONTACT
from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.march.memory import March


@kernel
def touches(w: March, contact: int) -> bool:
    """Whether a contact is in its mode of touching, or lasts at a hard wall."""
    return w.m[PER_CONTACT * contact + MODE] > 0.0


@kernel
def mode_sign(w: March, contact: int) -> float:
    """1 or -1: the depth of a contact times this is positive while its mode lasts."""
    return 1.0 if touches(w, contact) else -1.0


@kernel
def set_touching(w: March, contact: int) -> int:
    w.m[PER_CONTACT * contact + MODE] = 1.0
    return 0


@kernel
def set_free(w: March, contact: int) -> int:
    w.m[PER_CONTACT * contact + MODE] = 0.0
    return 0


@kernel
def latch(w: March, contact: int) -> float:
    """The number beside the mode, such as the speed of first touch."""
    return w.m[PER_CONTACT * contact + LATCH]


@kernel
def set_latch(w: March, contact: int, value: float) -> int:
    w.m[PER_CONTACT * contact + LATCH] = value
    return 0
