"""Large mechanisms: one kernel per kind of part, run in a loop, and a sparse factorisation.

The formulas are those of the unrolled form: a part of the mechanism with the bodies it acts on is traced as a mechanism
of its own (`excerpt`), parts with equal formulas are one kind (`sketch`), and each kind is traced once (`kind`).
"""
