"""A mechanism on symbols: coordinates, parameters, joints, drives and loads as graphs of position formulas.

- A trace is built in phases; each gives a part that does not change any more. Parameters, states and equations are the
  only accumulators, and `States` is the only allocator of places in y.
- The order of tracing is the order of the code. Contacts before drives are 11 % faster in the plane; in space driven
  angles come first, since turns are counted by them (`phase_order`).
- A space answers what the trace asks (`plane`, `space`); nothing else branches on it.
- Spatial joints that neither tilt nor shift use shorter rows, a third fewer operations. Where rows are redundant they
  keep those of their mates, since with short rows the dependent row can change on the way (Bricard: energy 2e-6 against
  1e-9).
- A rotor is a soft row: its inertia belongs to no body, so it is one more row with 1/J on the diagonal.
- A start needs the constraints alone: a trace that is not `complete` has nothing else.
"""
