"""Contacts, films and elastic blocks: as forces, as events with one-sided constraints, or as multipliers.

- What branches on the state is opaque: a law is called by address, and only where its guards (mode, depth) are
  positive, so laws see depth > 0 and never test for it.
- Norms stay differentiable at zero by adding 1e-300 m² under the root: no branch, no special case for a centred pin.
- Hard walls by events are masked constraints (`events`): the force of a lasting contact is solved for in the graph,
  times its mode, so that nothing is compiled when contacts open or close. By multipliers they are masked rows of the
  residual form (`multipliers`).
- Surfaces without a gap never part: no onset, first-touch speed 0.
- A film acts midway between the centres, where the relative velocity of the bodies is the squeeze and sweep that feed
  it, so that its power is never positive; `shear=False` acts at the journal's centre, as articles do. Below the minimum
  film its thickness saturates smoothly and the wall takes over. In space it is shared evenly by the strips of a sleeve.
- What a search finds (the angle of a sleeve's touch) is opaque and held; its rate follows from the formula that it
  makes zero (`Equations.follow`).
- A slip of space has no sign; sticking has one equation per component of the slip.
- The forces of an elastic block are the gradient of its energy.
"""
