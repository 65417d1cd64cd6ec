"""What other rooms use of the compiler: kernels, typed records, opaque scalar functions and their derivatives, the cache.

Nothing is imported here, so that `import gudgeon` stays quick.
"""
