"""Open trees in joint coordinates; what a run reports comes from the same mechanism in absolute coordinates.

Loose joints cut the loops of most mechanisms. A body of a tree has the coordinates of the joint that carries it, a
driven coordinate is a function of time; joints that close a loop keep their rows. Names and formulas of channels exist
once, for bodies in absolute coordinates (`outputs`).
"""
