"""What is compiled by Numba: scalar laws and kernels. The only room that imports it.

The processor is chosen before Numba is loaded. Nothing else is imported here, so that `import gudgeon` stays quick.
"""

from gudgeon.compile import processor as _processor  # noqa: F401
