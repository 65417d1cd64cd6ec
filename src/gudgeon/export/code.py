"""The code of a march: the time loop of a method and the functions of one mechanism, as one piece for any machine."""

from __future__ import annotations

from llvmlite import ir

from gudgeon.assemble import System
from gudgeon.compile.python.unit import PORTABLE, CompilationUnit
from gudgeon.methods.contract import Method, step_kernels
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError

__all__ = ["FIRST", "LOOP", "check", "march_code", "march_unit", "names", "refuse_parts"]

FIRST, LOOP = "begin_march", "march"
OF_SYSTEM = "system_"  # precedes the names of functions of the mechanism


def refuse_parts(mechanism: Mechanism) -> None:
    """Refuses parts whose equations no method takes that can leave."""
    for beam in mechanism.beams.values():
        raise GudgeonError(
            f'beam "{beam.name}" cannot be exported: beams have equations in residual form, which only run in Python; '
            "a link with a few bending modes (modal_link) can be exported in its place"
        )


def check(system: System, method: Method) -> None:
    """Refuses what cannot leave, with the reason."""
    refuse_parts(system.mechanism)
    if system.needs.form != "acceleration":
        raise GudgeonError(
            f'"{system.mechanism.name}" cannot be exported with {method.title}: it takes equations in residual form, '
            'which are not one piece of code; choose method="dopri5" or "radau"'
        )
    if system.needs.hard_walls:
        raise GudgeonError(
            f'"{system.mechanism.name}" cannot be exported with {method.title}: it treats walls as rigid by code that '
            'is compiled apart; give them a force law and choose method="dopri5" or "radau"'
        )
    if system.module is None:
        raise GudgeonError(
            f'"{system.mechanism.name}" cannot be exported: with {len(system.mechanism.bodies)} bodies its equations '
            "are loops over parts and not one piece of code; export a part of the mechanism"
        )


def names(system: System) -> list[str]:
    """The functions of the mechanism, f(t, y, p, m, out), as they are called in the code."""
    return [f"{OF_SYSTEM}{name}" for name in system.module.functions]


def march_code(system: System, method: Method) -> str:
    """LLVM code with the functions `FIRST` and `LOOP`, which take the address of the record of a march, and those of
    the mechanism."""
    return str(march_unit(system, method).module)


def march_unit(system: System, method: Method) -> CompilationUnit:
    """The same, to which more can be added."""
    check(system, method)
    unit = CompilationUnit(instead=step_kernels(method), platform=PORTABLE)
    kind = type(method)
    unit.export(kind.first.py_func, FIRST)
    unit.export(kind.march.py_func, LOOP)
    for name, function in system.module.functions.items():
        written: ir.Function = unit.system(function, f"{OF_SYSTEM}{name}", in_place=False).function
        written.linkage = ""
    return unit
