"""Contact loss of loose pins on the page of `gudgeon tolerance`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gudgeon.analysis.contact_loss import contact_loss
from gudgeon.analysis.contact_loss.ideal_load import loose_pins
from gudgeon.cli import screen
from gudgeon.quantity import GudgeonError
from gudgeon.report.text import time_text

if TYPE_CHECKING:
    from rich.table import Table

    from gudgeon.analysis.contact_loss import ContactLoss, JointLoss
    from gudgeon.model import Mechanism

__all__ = ["as_list", "described", "found"]


def found(mechanism: Mechanism, period: float | None) -> ContactLoss | str | None:
    """The verdicts, why there are none, or None where no planar pin is loose."""
    if not loose_pins(mechanism):
        return None
    try:
        return contact_loss(mechanism) if period is None else contact_loss(mechanism, duration=2.0 * period)
    except GudgeonError as error:
        return str(error)


def described(result: ContactLoss | str | None) -> list[str | Table]:
    """A table of the pins and what it means."""
    if result is None:
        return []
    lines: list[str | Table] = ["", screen.title("contact loss, from the motion with ideal joints")]
    if isinstance(result, str):
        return [*lines, screen.item("none", result)]
    table = screen.table("pin", "contact", ">first at", ">clearance [mm]", ">kept up to [mm]", ">N",
                         ">γ'/R [rad/(N s)]")  # fmt: skip
    for joint in result.joints:
        verdict = ("kept" if joint.lost is None else "lost") + ("" if joint.sure else ", near the border")
        at = "" if joint.lost is None else _place(joint, joint.lost)
        table.add_row(joint.joint, verdict, at, f"{1e3 * joint.clearance:.4g}", _allowed(joint.largest_clearance),
                      f"{joint.number:.3g}", f"{joint.rate_by_force:.3g}")  # fmt: skip
    return [
        *lines, table, "",
        screen.item("meaning", "lost: the journal cannot stay at the wall while the load turns; one pin loose at a "
                               "time, rigid walls, no friction, seated where the load turns least; the cycle begins "
                               "as described. N = m c γ'² / R: m mass at the joint, γ' rate of the load's direction, "
                               "R its size"),
    ]  # fmt: skip


def _place(joint: JointLoss, time: float) -> str:
    return time_text(time) if joint.cycle is None else f"{360.0 * joint.of_cycle(time):.1f}° of the cycle"


def _allowed(clearance: float) -> str:
    if math.isinf(clearance):
        return "any"
    return f"{1e3 * clearance:.3g}" if clearance else "none"


def as_list(result: ContactLoss | str | None) -> list[dict[str, Any]] | str:
    """Everything with all digits, in SI units; why there is nothing."""
    if result is None or isinstance(result, str):
        return result or []
    return [
        {
            "joint": joint.joint, "clearance": joint.clearance, "kept": joint.kept, "sure": joint.sure,
            "lost": joint.lost, "begin": joint.begin, "cycle": joint.cycle,
            "largest_clearance": None if math.isinf(joint.largest_clearance) else joint.largest_clearance,
            "number": joint.number, "worst": joint.worst, "reaction": joint.reaction, "turning": joint.turning,
            "mass": joint.mass, "rate_by_force": joint.rate_by_force,
        }
        for joint in result.joints
    ]  # fmt: skip
