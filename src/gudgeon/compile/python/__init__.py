"""The compiler of plain Python functions: read by `ast`, written as LLVM code, for a processor or as PTX for a card.

source        a function as a tree, and the objects behind its names
values        what it computes with: numbers of the running code, arrays, records; all else is known while compiling
reader        statements, expressions, calls, arithmetic: one function, or one written where it is called
unit          functions together as one piece of LLVM code
mathematics   functions of `math` in plain arithmetic
target        from LLVM code to machine code or PTX, through the cache

What other rooms use is loaded with its module when it is first used: kernels and laws that were compiled before need
no compiler.
"""

from typing import TYPE_CHECKING

from gudgeon.plugins import loaded_on_use

__all__ = ["CompilationUnit", "compiled", "host", "load"]

if TYPE_CHECKING:
    from gudgeon.compile.python.target import compiled, host, load
    from gudgeon.compile.python.unit import CompilationUnit
else:
    __getattr__ = loaded_on_use(
        __name__,
        {
            "CompilationUnit": "gudgeon.compile.python.unit",
            "compiled": "gudgeon.compile.python.target",
            "host": "gudgeon.compile.python.target",
            "load": "gudgeon.compile.python.target",
        },
    )
