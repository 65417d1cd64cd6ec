"""What is compiled by Numba: opaque scalar functions and the time loop. The only room that imports numba.

Nothing is imported here, so that `import gudgeon` stays quick: import the modules themselves.
"""
