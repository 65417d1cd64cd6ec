"""From LLVM code to what a machine runs: PTX text for a GPU, machine code for the processor.

llvmlite's LLVM writes PTX, and the driver of the graphics card turns that into machine code: no CUDA toolkit is needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import llvmlite
from llvmlite import binding

from gudgeon.compile.native import cache
from gudgeon.compile.processor import processor

__all__ = ["TRIPLE", "compiled", "host", "is_compiled", "load", "object_for", "ptx", "remembered"]

TRIPLE = "nvptx64-nvidia-cuda"
MACHINE = "machine"  # the folder of object files


def _optimised(unit: Any, machine: Any, *, vectors: bool, level: int = 3) -> Any:
    options = binding.create_pipeline_tuning_options(speed_level=level)
    options.slp_vectorization, options.loop_vectorization = vectors, False
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
    return str(machine.emit_assembly(_optimised(unit, machine, vectors=False)))


def object_code(text: str, *, effort: int = 3, passes: bool = True) -> bytes:
    """LLVM code as an object file for this processor. effort: 0 to 3; 1 takes less than half of the time of 3 and gives
    code that is nearly as fast. Code that leaves LLVM nothing to improve needs no passes, only a choice of
    instructions."""
    unit = binding.parse_assembly(text)
    unit.verify()
    machine = _machine(effort)
    return bytes(machine.emit_object(_optimised(unit, machine, vectors=effort == 3, level=effort) if passes else unit))


def object_for(text: str, triple: str, *, cpu: str = "", features: str = "", effort: int = 2,
               shared: bool = True) -> bytes:  # fmt: skip
    """LLVM code as an object file for another machine. shared: it can be part of a shared library."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=effort, reloc="pic" if shared else "static"
    )
    unit = binding.parse_assembly(text)
    unit.triple = triple
    unit.data_layout = str(machine.target_data)
    unit.verify()
    return bytes(machine.emit_object(_optimised(unit, machine, vectors=False, level=effort)))


def compiled(what: str, text: Callable[[], str], *, effort: int = 3, passes: bool = True) -> bytes:
    """The object file of `what`; where it was compiled before it comes from the cache, and its text is not made."""
    return remembered(MACHINE, _for_processor(what), "o", lambda: object_code(text(), effort=effort, passes=passes))


def is_compiled(what: str) -> bool:
    """Whether the object file of `what` is in the cache."""
    path = _path(MACHINE, _for_processor(what), "o")
    return path is not None and path.exists()


def _for_processor(what: str) -> str:
    cpu, features = processor()
    return f"{cpu} {features} {what}"


def _path(folder: str, what: str, ending: str) -> Path | None:
    place = cache.directory()
    key = hashlib.sha256(f"{llvmlite.__version__} {what}".encode()).hexdigest()[:24]
    return None if place is None else place / folder / f"{key}.{ending}"


def remembered(folder: str, what: str, ending: str, make: Callable[[], bytes]) -> bytes:
    """What `make` makes, from the cache where it was made before. `what` says all that it depends on beside the sources
    of gudgeon."""
    path = _path(folder, what, ending)
    found = None if path is None else cache.read(path)
    if found is None:
        found = make()
        if path is not None:
            cache.keep(path, found)
    return found


def load(code: bytes, names: Sequence[str]) -> tuple[dict[str, int], Any]:
    """Addresses of functions of an object file, and what must be kept for them to stay."""
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _machine())
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    addresses = {name: int(engine.get_function_address(name)) for name in names}
    assert all(addresses.values()), f"not in the code: {[name for name in names if not addresses[name]]}"
    return addresses, engine


def host(code: str, name: str) -> tuple[int, Any]:
    """Address of a function of LLVM code on this processor, and what must be kept for it to stay. Code that was
    compiled before comes from the cache."""
    addresses, engine = load(compiled(code, lambda: code), [name])
    return addresses[name], engine


def _machine(effort: int = 3) -> Any:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    cpu, features = processor()
    return binding.Target.from_default_triple().create_target_machine(cpu=cpu, features=features, opt=effort, jit=True)
