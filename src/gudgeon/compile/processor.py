"""The processor that machine code is written for: the one that runs, or another that GUDGEON_CPU names.

Processors round alike in every operation, but not every processor has the same operations: with a fused multiply-add
a product is not rounded before it is added. So a result that depends on rounding differs between machines. `make
test-processors` runs the tests with GUDGEON_CPU=x86-64 (no fused operations) and GUDGEON_CPU=haswell (AVX2 and fused
operations) beside the code for the machine itself.

Which products are fused is decided where code is written, from the formula alone (`multiply_add`), and never left to
LLVM, which would decide by what it happens to write in place: so a formula gives the same to the last bit wherever its
code stands.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import Any

VARIABLE = "GUDGEON_CPU"


def chosen() -> str:
    """The processor that was named, or an empty text for the one that runs."""
    return os.environ.get(VARIABLE, "")


CHOSEN = chosen()


@cache
def processor() -> tuple[str, str]:
    """Name and features of the processor, as LLVM knows them."""
    from llvmlite import binding

    if CHOSEN:
        return CHOSEN, ""
    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


PROBE = """define double @probe(double %a, double %b, double %c) {
  %r = call double @llvm.fma.f64(double %a, double %b, double %c)
  ret double %r
}
declare double @llvm.fma.f64(double, double, double)"""


@cache
def fuses() -> bool:
    """Whether the processor has a fused multiply-add: LLVM does not call the C library for one."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    cpu, features = processor()
    machine = binding.Target.from_default_triple().create_target_machine(cpu=cpu, features=features)
    assembly = machine.emit_assembly(binding.parse_assembly(PROBE))
    return re.search(r"(?<![\w.])_?fma\b", assembly) is None


def multiply_add(b: Any, x: Any, y: Any, z: Any, *, fused: bool, flags: tuple[str, ...] = ()) -> Any:
    """x y + z as LLVM code of the builder b, rounded once where it is fused."""
    return b.fma(x, y, z) if fused else b.fadd(b.fmul(x, y, flags=flags), z, flags=flags)
