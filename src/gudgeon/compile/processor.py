"""The processor that machine code is written for: the one that runs, or another that GUDGEON_CPU names.

Processors round alike in every operation, but not every processor has the same operations: with a fused multiply-add
a product is not rounded before it is added. So a result that depends on rounding differs between machines. `make
test-processors` runs the tests with GUDGEON_CPU=x86-64 (no fused operations) and GUDGEON_CPU=haswell (AVX2 and fused
operations) beside the code for the machine itself.
"""

from __future__ import annotations

import os

VARIABLE = "GUDGEON_CPU"


def chosen() -> str:
    """The processor that was named, or an empty text for the one that runs."""
    return os.environ.get(VARIABLE, "")


CHOSEN = chosen()


def processor() -> tuple[str, str]:
    """Name and features of the processor, as LLVM knows them."""
    from llvmlite import binding

    if CHOSEN:
        return CHOSEN, ""
    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
