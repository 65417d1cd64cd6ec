"""What other rooms use of the compiler: kernels, typed records, scalar laws and their derivatives, the cache.

Nothing is imported here, so that `import gudgeon` stays quick.
"""
