"""The compiler of plain Python functions: read by `ast`, written as LLVM code, for a processor or as PTX for a card.

    source        a function as a tree, and the objects behind its names
    values        what it computes with: numbers of the running code, arrays, records; all else is known while compiling
    reader        statements, expressions, calls, arithmetic: one function, or one written where it is called
    unit          functions together as one piece of LLVM code
    mathematics   functions of `math` in plain arithmetic
    target        from LLVM code to machine code or PTX, through the cache
"""
