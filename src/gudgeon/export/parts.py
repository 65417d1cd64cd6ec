"""What a browser computes of one mechanism: marches, and what play adds to a pose.

A part is a module, a block of memory, and the numbers in it that follow from the knobs. All parts of a page take their
numbers from one `Dependence`; each has a section of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gudgeon.assemble import System
from gudgeon.compile.python.unit import PORTABLE, CompilationUnit
from gudgeon.draw.mechanism.frames import motion_channels
from gudgeon.draw.mechanism.magnified import ENOUGH, REPEATED, rigid_and_tight
from gudgeon.export.code import FIRST, LOOP, OF_SYSTEM, march_code, names
from gudgeon.export.image import image_of
from gudgeon.export.knobs import Dependence
from gudgeon.export.webassembly import module_of
from gudgeon.methods.march import columns
from gudgeon.model import Mechanism
from gudgeon.simulation import plays
from gudgeon.simulation.prepare import Prepared
from gudgeon.simulation.trust import twin_of
from gudgeon.view.numbers import PackedArrays

__all__ = ["MarchPart", "PlayPart"]

TAPE, EVENTS = 1024, 256  # rows that are recorded until the page empties them
WORD = 8  # bytes
SETTLED = 1e2  # times the error of other numbers is far below what a settled start is: it depends on all loads at once
# fields of the record of a march that a page reads or writes
FIELDS = ("t", "t_end", "output_step", "budget", "steps", "rejected", "rows_recorded", "events_recorded")
ARRAYS = ("y", "p", "m", "tape", "events", "peak_force", "peak_time")


class MarchPart:
    """The march of a mechanism. `prepared` makes a run of a mechanism ready to go."""

    def __init__(self, mechanism: Mechanism, prepared: Callable[[Mechanism], Prepared]) -> None:
        self._prepare = prepared
        self.first = prepared(mechanism)
        self.code = march_code(self.system, self.first.method)
        self.image = image_of(self.first, tape=TAPE, events=EVENTS)
        self.places = np.array(list(self.image.numbers), dtype=int)
        sizes = _sizes(self.first)
        self.grain = np.array([*self.image.numbers.values(), *np.zeros(len(sizes))])
        if not np.array_equal(self.first.start.y, self.system.y0):
            begin = self.image.arrays["y"] // WORD
            states = (self.places >= begin) & (self.places < begin + self.system.states)
            self.grain[: len(states)][states] *= SETTLED

    @property
    def system(self) -> System:
        return self.first.system

    def numbers(self, mechanism: Mechanism) -> tuple[np.ndarray, Any]:
        """What the march of a mechanism starts with, its sizes, and what must be equal for equal equations."""
        prepared = self._prepare(mechanism)
        image = image_of(prepared, tape=TAPE, events=EVENTS)
        same = prepared.system.module.key == self.system.module.key and image.has_structure_of(self.image)
        return np.concatenate([image.words[self.places], _sizes(prepared)]), same

    def described(self, packed: PackedArrays, dependence: Dependence, begin: int) -> dict[str, Any]:
        """For the page; the numbers of this part are those from `begin` on."""
        every, system, image = [FIRST, LOOP, *names(self.system)], self.system, self.image
        module = module_of(self.code, every)
        return {
            "code": packed.floats(np.frombuffer(module.code, np.uint8), "u1"), "constants": module.constants,
            "names": every, "data": packed.floats(np.frombuffer(image.data, np.uint8), "u1"),
            "pointers": image.pointers, "functions": [[at, every.index(name)] for at, name in image.functions.items()],
            **_section(packed, dependence, begin, self.places),
            "sizes": self._sizes(packed, dependence, begin + len(self.places)),
            "fields": {name: image.fields[name] for name in FIELDS},
            "arrays": {name: image.arrays[name] for name in ARRAYS if name in image.arrays}, "derived": image.derived,
            "states": system.states, "contact_memory": system.memory, "tape": TAPE,
            "header": columns.HEADER, "joints": [contact.joint for contact in system.event_contacts],
            "channels": [{"name": c.name, "unit": c.unit, "label": c.label} for c in system.channels],
            "twin": self._twin(),
        }  # fmt: skip

    def _sizes(self, packed: PackedArrays, dependence: Dependence, begin: int) -> dict[str, Any]:
        """The period, play of joints, and that of channels that tell where in it a joint is."""
        places = np.arange(len(_sizes(self.first)))
        base = packed.floats(dependence.base[begin + places], "f8")
        return {"joints": list(self.system.mechanism.joints), "channels": list(plays(self.system)), "base": base,
                **_section(packed, dependence, begin, places)}  # fmt: skip

    def _twin(self) -> dict[str, Any]:
        """What a march of less error starts with instead: factors of numbers, and other integers."""
        image = image_of(replace(self.first, method=twin_of(self.first.method)[0]), tape=TAPE, events=EVENTS)
        mine, its = (np.frombuffer(x.data, np.int64) for x in (self.image, image))
        other = np.flatnonzero(mine != its).tolist()
        factors = [[k, float(image.words[k] / self.image.words[k])] for k in other if k in self.image.numbers]
        return {"factors": factors, "integers": [[k, int(its[k])] for k in other if k not in self.image.numbers]}


class PlayPart:
    """What play adds to a pose, as `draw.mechanism.magnified` has it: a projection onto the rigid mechanism with ideal
    joints. None where there is none that has the coordinates of all bodies."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.grain = np.zeros(system.module.parameters)
        unit = CompilationUnit(platform=PORTABLE)
        for name in ("project", "prepare"):
            made = unit.system(system.module.functions[name], f"{OF_SYSTEM}{name}", in_place=False).function
            made.linkage = ""
        self.code = str(unit.module)

    @classmethod
    def of(cls, mechanism: Mechanism, coordinates: int) -> PlayPart | None:
        """coordinates: how many the bodies have."""
        system = rigid_and_tight(mechanism)
        whole = system is not None and system.module is not None and system.positions == coordinates
        return cls(system) if whole and system is not None else None

    def numbers(self, mechanism: Mechanism) -> tuple[np.ndarray, Any]:
        """Parameters, and what must be equal for equal equations."""
        system = rigid_and_tight(mechanism)
        if system is None:
            return np.full(len(self.grain), np.nan), False
        return system.p[: len(self.grain)].copy(), system.module.key == self.system.module.key

    def described(self, packed: PackedArrays, dependence: Dependence, begin: int) -> dict[str, Any]:
        """For the page. The block of memory is p, y, m and the correction."""
        system, every = self.system, [f"{OF_SYSTEM}{name}" for name in ("project", "prepare")]
        module = module_of(self.code, every)
        sizes = {"p": len(system.p), "y": system.states, "m": system.memory,
                 "out": system.positions + system.velocities + 2 * system.rows}  # fmt: skip
        starts = np.cumsum([0, *sizes.values()]) * WORD
        block = np.zeros(int(starts[-1]) // WORD)
        block[: len(self.grain)] = system.p[: len(self.grain)]
        places = np.arange(len(self.grain))
        inside = [name.removesuffix(".motion") for name in system.layout.internal]
        motions = motion_channels(system.mechanism)
        first = system.positions + system.velocities
        return {
            "code": packed.floats(np.frombuffer(module.code, np.uint8), "u1"), "constants": module.constants,
            "names": every, "data": packed.floats(np.frombuffer(block.tobytes(), np.uint8), "u1"),
            "pointers": [], "functions": [], **_section(packed, dependence, begin, places),
            "arrays": {name: int(at) for name, at in zip(sizes, starts, strict=False)},
            "derived": WORD * len(self.grain), "positions": system.positions, "repeated": REPEATED, "enough": ENOUGH,
            "driven": [[first + k, motions[name]] for k, name in enumerate(inside) if name in motions],
        }  # fmt: skip


def _sizes(prepared: Prepared) -> np.ndarray:
    joints = prepared.system.mechanism.joints.values()
    gaps = [max((joint.gap(mate) for mate in joint.round_mates), default=0.0) for joint in joints]
    return np.array([prepared.period or 0.0, *gaps, *plays(prepared.system).values()])


def _section(packed: PackedArrays, dependence: Dependence, begin: int, places: np.ndarray) -> dict[str, Any]:
    """The numbers of a part that change: which words of its memory, and the coefficients (term, word)."""
    mine = (dependence.places >= begin) & (dependence.places < begin + len(places))
    words = places[dependence.places[mine] - begin]
    return {"words": packed.floats(words.astype(np.int32), "i4"),
            "coefficients": packed.floats(dependence.coefficients[:, mine], "f8")}  # fmt: skip
