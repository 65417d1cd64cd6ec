"""What is known of redundant constraints where a mechanism starts: which reactions are not unique, and what to free.

The self-stresses are the null space of Jᵀ, found here in numbers, at the start and in another position: a component of
a reaction that no self-stress has in either is unique.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gudgeon.assemble.report.channels import Channel
from gudgeon.assemble.report.reactions import row_wrenches
from gudgeon.assemble.solve.start import Kinematics, Start
from gudgeon.assemble.trace.trace import Trace
from gudgeon.assemble.tree.outputs import numbers
from gudgeon.compile.graph.passes.transfer import Transfer
from gudgeon.model import Mechanism
from gudgeon.quantity import in_words

LEAST_NORM = "not unique: least-norm of what is possible"
ONE_SET = "not unique: redundant constraints carry nothing here"

PART = 1e-6  # of a self-stress: so much is no rounding
PAIRS = 400  # pairs of releases that are tried at most
# what a joint can become that holds less: rows that go, by the end of their labels
RELEASES = {
    "spherical": (("revolute", "cylindrical"), ("tilt_h", "tilt_t")),
    "cylindrical": (("revolute",), ("axial",)),
    "sliding": (("translational",), ("angle",)),
}


@dataclass(frozen=True)
class Redundancy:
    """`joints` have reactions that are not unique: how many of their constraints the others could do without, and which
    components of force and moment are not unique. `remedy` says what to free, "" where that is not known; `note` is
    what reports say of these channels."""

    count: int
    joints: Mapping[str, int]
    components: Mapping[str, tuple[bool, ...]]
    remedy: str = ""
    note: str = LEAST_NORM
    length: float | None = None  # [m] that moments are divided by in the norm

    def __str__(self) -> str:
        many = f"{self.count} redundant constraint{'' if self.count == 1 else 's'}"
        what = f"{many}: reactions of {in_words(self.joints)} are {self.note}"
        return what if self.length is None else f"{what} (moments over {self.length:.3g} m)"

    def marked(self, channel: Channel) -> Channel:
        """The channel with the note in its label, where it is a reaction that is not unique."""
        joint, _, name = channel.name.rpartition(".")
        parts = self.components.get(joint)
        if parts is None or not any(parts[k] for k in _parts_of(name, len(parts))):
            return channel
        return replace(channel, label=f"{channel.label} ({self.note})")


def marked(channels: Mapping[Channel, Any], redundancy: Redundancy | None) -> dict[Channel, Any]:
    """Channels with what is said of those that are not unique."""
    return {c if redundancy is None else redundancy.marked(c): x for c, x in channels.items()}


def _parts_of(name: str, parts: int) -> Sequence[int]:
    """Components of force and moment that a channel of a joint is made of."""
    axes = 2 if parts == 3 else 3
    single = dict(zip(("fx", "fy", "fz")[:axes], range(axes), strict=True)) | {"mx": 3, "my": 4, "mz": 5}
    several = {"force": range(axes), "moment": range(axes, parts)}
    return several.get(name) or ((single[name],) if name in single else ())


def redundancy_of(trace: Trace, start: Start, size: float) -> Redundancy | None:
    """Of a trace in the coordinates of its bodies; None where no constraint is redundant."""
    if not start.redundant:
        return None
    kinematics = Kinematics(trace)
    owners = [c.owner for c in trace.equations.constraints]
    rows = {name: [k for k, owner in enumerate(owners) if owner == name] for name in trace.mechanism.joints}
    count, still = len(start.redundant), np.zeros(len(start.v))
    stresses, parts = np.zeros((0, 0)), dict[str, np.ndarray]()
    for q in (start.q,) if start.elsewhere is None else (start.elsewhere, start.q):
        jacobian = kinematics.scaled(kinematics.rows(q, still)[2], size)
        lengths = np.linalg.norm(jacobian, axis=1)
        stresses = np.linalg.svd(jacobian / lengths[:, None])[0][:, -count:]
        here = numbers(trace, q, still)
        wrenches = {name: _by_joint(trace, name, here, stresses[own] / lengths[own, None], size)
                    for name, own in rows.items()}  # fmt: skip
        basis = np.linalg.qr(np.vstack(list(wrenches.values())))[1]
        for name, wrench in wrenches.items():
            seen = np.linalg.norm(np.linalg.lstsq(basis.T, wrench.T, rcond=None)[0], axis=0)
            parts[name] = np.maximum(parts.get(name, 0.0), seen)
    joints = {name: _rank(stresses[own]) for name, own in rows.items()}
    taking_part = {name: tuple(bool(x) for x in parts[name] > PART) for name in rows if joints[name]}
    return Redundancy(
        count, {name: k for name, k in joints.items() if k}, taking_part,
        _remedy(trace.mechanism, [c.name for c in trace.equations.constraints], rows, joints, stresses), length=size,
    )  # fmt: skip


def around(mechanism: Mechanism, constraints: Sequence[Any], redundant: Iterable[int]) -> Redundancy | None:
    """Of a mechanism too large to look closer: every joint that is connected with a redundant row by bodies that
    move."""
    owners = {constraints[r].owner for r in redundant}
    if not owners:
        return None
    bodies: set[str] = set()
    joints: dict[str, Any] = {}
    grown = True
    while grown:
        grown = False
        for name, joint in mechanism.joints.items():
            ends = {joint.journal, joint.bearing} & set(mechanism.bodies)
            if name not in joints and (name in owners or ends & bodies):
                joints[name], grown = joint, True
                bodies |= ends
    count = {name: sum(constraints[r].owner == name for r in redundant) for name in joints}
    width = 3 if mechanism.planar else 6
    return Redundancy(sum(count.values()), count, dict.fromkeys(joints, (True,) * width), note=ONE_SET)


def _by_joint(trace: Trace, name: str, here: Transfer, stresses: np.ndarray, size: float) -> np.ndarray:
    """Force, and moment over the size, of each self-stress at a joint: (component, self-stress)."""
    wrenches = [[float(here(x).data) for x in wrench] for wrench in row_wrenches(trace, name)]
    width, axes = (3, 2) if trace.mechanism.planar else (6, 3)
    per_row = np.array(wrenches).reshape(-1, width).T
    per_row[axes:] /= size
    return per_row @ stresses[: per_row.shape[1]]


def _rank(stresses: np.ndarray) -> int:
    return int(np.sum(np.linalg.svd(stresses, compute_uv=False) > PART)) if stresses.size else 0


# Rows Q that go take rank(N_Q) of the redundancy with them, N being the self-stresses; the other |Q| - rank(N_Q) would
# be freedoms.
def _remedy(mechanism: Mechanism, labels: Sequence[str], rows: Mapping[str, Sequence[int]], joints: Mapping[str, int],
            stresses: np.ndarray) -> str:  # fmt: skip
    """What to free, so that no constraint is redundant and nothing can move that could not."""
    count = stresses.shape[1]
    options: list[tuple[str, str, list[int]]] = []
    for name, own in rows.items():
        joint = mechanism.joints[name]
        moved = name in mechanism.driven or joint.stops
        for kind, (kinds, ends) in RELEASES.items():
            if moved and kind == "spherical":  # it has no angle of its own
                continue
            gone = [k for k in own if labels[k].endswith(ends)]
            if joint.kind.name in kinds and gone and _rank(stresses[gone]) == len(gone):
                options.append((name, kind, gone))
    few = itertools.islice(itertools.combinations(options, 2), PAIRS)
    for chosen in [*((x,) for x in options), *few]:
        every = [k for *_, gone in chosen for k in gone]
        different = len({name for name, *_ in chosen}) == len(chosen)
        if different and len(every) == count and _rank(stresses[every]) == count:
            changes = " and ".join(f'"{name}" {kind}' for name, kind, _ in chosen)
            return f"statically determinate with {changes}"
    loosened: list[str] = []
    left = stresses
    while left.shape[1]:
        ranks = {name: _rank(left[list(rows[name])]) for name in joints if name not in loosened}
        best = max(ranks, key=lambda name: ranks[name], default="")
        if not best or not ranks[best]:
            return ""
        loosened.append(best)
        # the self-stresses without this joint
        _, values, turned = np.linalg.svd(left[list(rows[best])])
        left = left @ turned[int(np.sum(values > PART)) :].T
    names = in_words(loosened)
    return f"statically determinate with a Clearance or a Bushing in {names}"
