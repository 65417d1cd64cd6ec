"""From Python to machine code: symbolic graphs (`graph`), scalar laws and kernels by Numba (`native`), and
a reader of plain Python functions that writes LLVM code for processors and graphics cards (`python`)."""
