"""From LLVM code to what a machine runs: PTX text for a GPU, machine code for the processor.

llvmlite's LLVM writes PTX, and the driver of the graphics card turns that into machine code: no CUDA toolkit is needed.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding

__all__ = ["TRIPLE", "host", "ptx"]

TRIPLE = "nvptx64-nvidia-cuda"


def _optimised(unit: Any, machine: Any) -> Any:
    options = binding.create_pipeline_tuning_options(speed_level=3)
    options.slp_vectorization = options.loop_vectorization = False
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(unit, passes)
    return unit


def ptx(code: str, capability: tuple[int, int] = (7, 0)) -> str:
    """PTX of LLVM code for GPUs of this compute capability and later ones."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(cpu=f"sm_{capability[0]}{capability[1]}", opt=3)
    unit = binding.parse_assembly(code)
    unit.triple = TRIPLE
    unit.data_layout = str(machine.target_data)
    unit.verify()
    return str(machine.emit_assembly(_optimised(unit, machine)))


def host(code: str, name: str) -> tuple[int, Any]:
    """Address of a function as machine code of this processor, and what must be kept for it to stay."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten(), opt=3
    )
    unit = binding.parse_assembly(code)
    unit.verify()
    engine = binding.create_mcjit_compiler(_optimised(unit, machine), machine)
    engine.finalize_object()
    return int(engine.get_function_address(name)), engine
