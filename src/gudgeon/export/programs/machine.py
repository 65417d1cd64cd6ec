"""A march as one object file: code, the memory it starts from, and a table of what is where.

The object has one symbol that is seen outside, the table, `gudgeon_model` in c/gudgeon.h. All of its entries have 8
bytes: integers, numbers and addresses, in the order of `ENTRIES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Unpack

import numpy as np
from llvmlite import ir

from gudgeon.assemble import System
from gudgeon.compile.python import target
from gudgeon.export.code import FIRST, LOOP, OF_SYSTEM, check, march_unit, refuse_parts
from gudgeon.export.image import MarchImage, image_of
from gudgeon.export.programs.inputs import Given, inputs_of, opened, parameters_of
from gudgeon.export.programs.slopes import SLOPES, with_slopes
from gudgeon.methods.contract import Method
from gudgeon.methods.march import loop as time_loop
from gudgeon.methods.march.columns import HEADER
from gudgeon.methods.march.memory import GAP_COLUMNS
from gudgeon.methods.march.scales import SHARE
from gudgeon.model import Mechanism
from gudgeon.model.run_settings import RunFields, RunSettings, period_of
from gudgeon.simulation.prepare import Numerics, Prepared, prepare

__all__ = ["ENTRIES", "ExportedMechanism", "machine_of", "object_file"]

VERSION = 1  # of the table
SWITCH = "switch_modes"
TAPE, EVENTS = 8, 16  # rows: nothing but events is recorded, and those are read at once
TURNS, DURATION = 2.0, 1.0  # of a run where the settings do not say
NEVER = 1e300  # [s] spacing of rows
BYTE, LONG = ir.IntType(8), ir.IntType(64)
POINTER = BYTE.as_pointer()
# fields of the record of a march, and arrays of it, that are read or written from outside
FIELDS = ("t", "h", "t_end", "h_max", "rtol", "size", "project_every", "projectable", "located", "steps", "rejected",
          "evaluations", "rows_recorded", "events_recorded", "budget")  # fmt: skip
ARRAYS = ("y", "p", "m", "atol", "gap", "peak_force", "correction", "events")
COUNTS = ("version", "size", "states", "controlled", "positions", "velocities", "rows", "contacts", "memory",
          "gap_columns", "event_columns", "parameters", "inputs", "outputs", "settable", "slopes_known")  # fmt: skip
TABLES = ("image", "pointers", "functions", "input_places", "setting_places")
FUNCTIONS = ("begin", "march", "switch_modes", "rhs", "gaps", "project", "channels", "prepare", "slopes")
TOLERANCES = ("tolerance", "absolute")
ENTRIES = (*COUNTS, *(f"at_{x}" for x in (*FIELDS, *ARRAYS)), "pointer_count", "function_count", *TOLERANCES, *TABLES,
           *FUNCTIONS)  # fmt: skip


@dataclass(frozen=True)
class ExportedMechanism:
    """A mechanism that is ready to leave: what is given to it, what it reports, and its march."""

    mechanism: Mechanism
    prepared: Prepared
    inputs: Sequence[Given]
    parameters: Sequence[Given]

    @property
    def name(self) -> str:
        return self.mechanism.name

    @property
    def system(self) -> System:
        return self.prepared.system

    @property
    def method(self) -> Method:
        return self.prepared.method

    @property
    def differentiable(self) -> bool:
        """Whether there are derivatives along directions."""
        return SLOPES in self.system.module.functions

    @cached_property
    def image(self) -> MarchImage:
        return image_of(replace(self.prepared, spacing=NEVER), tape=TAPE, events=EVENTS)

    def code(self, symbol: str) -> str:
        """LLVM code with the table under this name."""
        unit = march_unit(self.system, self.method)
        unit.export(time_loop.switch_modes.py_func, SWITCH)
        module = unit.module
        for function in module.functions:
            if function.blocks:
                function.linkage = "internal"
        known = {f.name: f for f in module.functions}

        def place(function: str) -> ir.Constant:
            return known[function].bitcast(POINTER) if function in known else ir.Constant(POINTER, None)

        image, s = self.image, self.system
        counts = (VERSION, len(image.data), s.states, s.controlled, s.positions, s.velocities, s.rows, s.events,
                  s.memory, GAP_COLUMNS, HEADER + s.states + s.memory, s.module.parameters, len(self.inputs),
                  len(s.channels), len(self.parameters), int(self.differentiable))  # fmt: skip
        offsets = [image.fields[x] for x in FIELDS] + [image.arrays.get(x, 0) for x in ARRAYS]
        linked = [x for where, name in image.functions.items() for x in (where, place(name))]
        tables = (
            _integers(module, "image", np.frombuffer(image.data, np.int64)),
            _integers(module, "pointers", image.pointers), _mixed(module, "functions", linked),
            _places(module, "input_places", self.inputs), _places(module, "setting_places", self.parameters),
        )  # fmt: skip
        names = (FIRST, LOOP, SWITCH, *(f"{OF_SYSTEM}{x}" for x in FUNCTIONS[3:]))
        whole: list[ir.Constant] = [ir.Constant(LONG, int(x)) for x in counts]
        whole += [ir.Constant(LONG, x) for x in (*offsets, len(image.pointers), len(image.functions))]
        whole += [ir.Constant(ir.DoubleType(), x) for x in (self.method.rtol, SHARE)]
        whole += [*tables, *map(place, names)]
        assert len(whole) == len(ENTRIES)
        table = ir.Constant.literal_struct(whole)
        held = ir.GlobalVariable(module, table.type, symbol)
        held.global_constant, held.initializer = True, table
        # seen by what is linked with it, not by the rest of a process that loads a shared library
        return str(module).replace(f'@"{symbol}" = constant', f'@"{symbol}" = hidden constant')


def object_file(code: str, triple: str, *, effort: int = 2) -> bytes:
    """The object file of such code for a machine; from the cache where it was made before."""

    def make() -> bytes:
        return target.object_for(code, triple, effort=effort)

    return target.remembered("export", f"{triple} {effort} {code}", "o", make)


def machine_of(mechanism: Mechanism, settings: RunSettings | None = None, also: Sequence[str] = (),
               **fields: Unpack[RunFields]) -> ExportedMechanism:  # fmt: skip
    """A mechanism that is ready to leave; refused with the reason where it cannot. `also`: formulas of time that become
    inputs."""
    chosen = replace(RunSettings.read(settings, fields), output=None, after=None, trust=False)
    if chosen.duration is None and chosen.revolutions is None:
        turns = period_of(mechanism) is not None
        chosen = replace(chosen, revolutions=TURNS) if turns else replace(chosen, duration=DURATION)
    free = opened(mechanism, also)
    refuse_parts(mechanism)
    span = chosen.span(mechanism)
    prepared = prepare(free.mechanism, replace(chosen, duration=span, revolutions=None), Numerics(loop="shared"))
    system = prepared.system
    check(system, prepared.method)
    inputs, parameters = inputs_of(free, system), parameters_of(free, system)
    names = [channel.name for channel in system.channels]
    places = [names.index(name) for name in prepared.channels]
    system = with_slopes(system, [x.places[0] for x in inputs], [x.start for x in inputs], places)
    return ExportedMechanism(mechanism, replace(prepared, system=system), inputs, parameters)


def _integers(module: ir.Module, name: str, values: Sequence[int] | np.ndarray) -> ir.Constant:
    return _mixed(module, name, [int(x) for x in values])


def _places(module: ir.Module, name: str, given: Sequence[Given]) -> ir.Constant:
    """For each number how many places it has, then these."""
    return _integers(module, name, [x for one in given for x in (len(one.places), *one.places)])


def _mixed(module: ir.Module, name: str, values: Sequence[int | ir.Constant]) -> ir.Constant:
    """Integers and addresses one after the other."""
    if not values:
        return ir.Constant(POINTER, None)
    entries = [x if isinstance(x, ir.Constant) else ir.Constant(LONG, x) for x in values]
    whole = ir.Constant.literal_struct(entries)
    held = ir.GlobalVariable(module, whole.type, name)
    held.linkage, held.global_constant, held.initializer = "internal", True, whole
    return held.bitcast(POINTER)
