"""From Python to machine code. `graph`: formulas of a mechanism as symbols, differentiated and written as straight-line
code. `python`: the compiler of plain Python functions, which writes laws, kernels and time loops as LLVM code for
processors and graphics cards. `native`: what other rooms use of it: kernels, typed records, opaque scalar functions
with their derivatives, and the cache on disk.

Decisions:

- There is one compiler, and it is ours. It reads the little Python that laws and kernels are written in (see
  docs/theory/compiler.md), needs LLVM (llvmlite) alone, compiles a method in one to two seconds where Numba took 20 to
  100, and writes the same source for processors and cards.
- Fused multiply-add is allowed, another order of operations is not: results do not depend on the width of vectors.
- Functions of `math` are our own (`python/mathematics.py`), so that they are the same on every machine.
- Compiled code is found again by a hash of what made it. Nothing is compiled by importing a module.
"""
