"""Linear systems inside kernels: LU factors of small dense matrices and of sparse ones.

Kernels own no memory, so factors, right-hand sides and scratch lie in records and arrays that Python made. Dense
factors exchange rows. Sparse ones do not: their pattern and their order of elimination are found once, at assembly
(assemble.solve.ordering), and every step then only fills in numbers.
"""
