"""Two grades of machine code: one that is compiled at once, and one that runs fast.

LLVM's quickest choice of instructions and registers takes a fifth of the time of its usual one and gives code that
takes up to twice as long to run, with results that are equal to the last bit. Most mechanisms march for some
milliseconds, for which the quick grade is the better one. So it comes first, and who calls it says how long it ran
(`used`): once that is what the fast grade takes to compile, it is compiled and takes the place of the quick one. Nobody
waits for more than about twice what the better choice would have taken.

The addresses that are given out are those of entries, which jump to the function that a slot in memory holds; so
whoever keeps an address has the fast grade as soon as there is one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from llvmlite import binding, ir

from gudgeon.compile.processor import processor

__all__ = ["machine_code", "used", "waits"]

QUICK, FAST = 0, 1  # beyond 1 LLVM schedules instructions once more after it has chosen registers, in a time that grows
# with the square of a block: of a mechanism with beams that was half of the time, and the code is no faster
COST = 0.8e-6  # [s] what the fast grade takes to compile, for a character of its text
LONGEST = 4_000_000  # characters: what is longer keeps too many values on the stack when it is compiled quickly

_alive: list[Any] = []  # machine code lives as long as its engine
_quick: dict[int, QuickCode] = {}  # by the address of each entry


class QuickCode:
    """Functions of a unit of which the fast grade does not exist yet: its text, and the places of the slots that hold
    the addresses of its functions, by name."""

    def __init__(self, text: str, slots: dict[str, int]) -> None:
        self.text, self.slots, self.seconds = text, slots, 0.0

    def replace(self) -> None:
        """Compile the fast grade and let it take the place of the quick one."""
        for name, address in _functions(_engine(self.text, FAST), self.slots).items():
            ctypes.c_uint64.from_address(self.slots[name]).value = address


def machine_code(unit: ir.Module, names: Sequence[str]) -> dict[str, int]:
    """Addresses of the functions of an LLVM unit."""
    text = str(unit)
    if len(text) > LONGEST:
        return _functions(_engine(text, FAST), names)
    engine = _engine("\n".join([text, *(_entry(unit, name) for name in names)]), QUICK)
    code = QuickCode(text, {name: engine.get_global_value_address(f"{name}.slot") for name in names})
    entries = {name: engine.get_function_address(f"{name}.entry") for name in names}
    _quick.update(dict.fromkeys(entries.values(), code))
    return entries


def used(addresses: Iterable[int], seconds: float) -> None:
    """Say that functions ran for so long, those behind the addresses together."""
    for code in {_quick[a]: None for a in addresses if a in _quick}:
        code.seconds += seconds
        if code.seconds > COST * len(code.text):
            code.replace()
            for address in [a for a, other in _quick.items() if other is code]:
                del _quick[address]


def waits(addresses: Iterable[int]) -> bool:
    """Whether the fast grade of any of these functions does not exist yet."""
    return any(address in _quick for address in addresses)


def _entry(unit: ir.Module, name: str) -> str:
    """A slot with the address of a function, and a function that jumps there."""
    function = unit.get_global(name)
    slot = ir.GlobalVariable(unit, function.type, f"{name}.slot")
    slot.initializer = function
    entry = ir.Function(unit, function.function_type, f"{name}.entry")
    b = ir.IRBuilder(entry.append_basic_block("entry"))
    b.call(b.load(slot), entry.args, tail="musttail")
    b.ret_void()
    return f"{slot}\n{entry}"


def _engine(text: str, grade: int) -> Any:
    """An engine with the machine code of a unit, given as text."""
    machine = _compiler(*processor(), grade)
    unit = binding.parse_assembly(text)
    if grade == FAST:
        passes = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=3))
        passes.getModulePassManager().run(unit, passes)
    code = machine.emit_object(unit)
    # an engine keeps what it is given as long as it lives: the machine code alone, not the text of it that LLVM has
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _machine(*processor(), grade))
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _alive.append(engine)
    return engine


def _machine(cpu: str, features: str, grade: int) -> Any:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.Target.from_default_triple().create_target_machine(cpu=cpu, features=features, opt=grade, jit=True)


# what compiles is one for all units: it keeps tables of the processor, half a megabyte, that an engine has no use for
_compiler = cache(_machine)


def _functions(engine: Any, names: Iterable[str]) -> dict[str, int]:
    return {name: engine.get_function_address(name) for name in names}
