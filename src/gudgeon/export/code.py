"""The code of a march: the time loop of a method and the functions of one mechanism, as one piece for any machine."""

from __future__ import annotations

from llvmlite import ir

from gudgeon.assemble import System
from gudgeon.compile.python.unit import PORTABLE, CompilationUnit
from gudgeon.methods.contract import Method, step_kernels
from gudgeon.quantity import GudgeonError

__all__ = ["FIRST", "LOOP", "check", "march_code", "march_unit", "names"]

FIRST, LOOP = "begin_march", "march"
OF_SYSTEM = "system_"  # precedes the names of functions of the mechanism


def check(system: System, method: Method) -> None:
    """Refuses what cannot leave, with the reason."""
    beams = system.mechanism.beams
    if beams:
        raise GudgeonError(
            f'beam "{next(iter(beams))}" cannot be exported: beams take implicit methods, whose equations are not '
            "one piece of code; make it a rigid body, for instance with Mechanism.stiffened()"
        )
    if system.needs.contact != "force law":
        raise GudgeonError(
            f'"{system.mechanism.name}" cannot be exported with {method.title}: its contacts are rigid walls; choose '
            'method="dopri5" or "radau", and walls with a law of force'
        )
    if system.module is None:
        raise GudgeonError(
            f'"{system.mechanism.name}" cannot be exported with {method.title}: its equations are not one piece of '
            'code, since they are in residual form or very many; choose method="dopri5" or "radau"'
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
