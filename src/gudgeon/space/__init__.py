"""Geometry: vectors, frames, bodies and mates. Formulas of positions on any scalar type, floats or symbols.

A mate is a pair of surfaces of a joint: a pin in a bore, a key in its slot.

Decisions:

- Only positions are written here. Velocities, Jacobians and generalised forces are derivatives of the graph.
- Formulas have no branches. Norms stay differentiable at zero by 1e-300 m² under the root, so that a centred pin is no
  special case; what has kinks is cut into pieces over a step (`pieces`).
- A search, as for the place where a sleeve is closest to its bore, is an opaque function whose result is held: the
  opening is an extremum, so that its first derivative is exact all the same. For second derivatives the rate of what is
  found follows from the formula that the search makes zero.
- A film is described midway between the centres of journal and bore, see `laws`. A film of a sleeve in space is made of
  the planar film at several places along the axis; a film of a ball is one gap with vectors.
- Nodes of beams in space have quaternions, interpolated linearly and normalised, which is objective: strains do not
  change where the whole beam is turned.
- Equations use the principal axes of a body, pictures its own.
"""
