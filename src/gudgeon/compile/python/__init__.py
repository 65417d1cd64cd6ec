"""Plain Python functions, read and written as LLVM code: for a processor, or as PTX for an NVIDIA card."""
