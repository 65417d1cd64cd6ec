"""Accelerations from the equations: mass matrix, constraints, elimination, projection, Jacobian, constant states.

- Index 1 with projection, weighted by the masses, one factorisation for positions and velocities.
- Redundant rows are found at the start and left out, without effect on the motion; of the reactions that are then not
  unique those of least norm are reported (`report.reactions`). The other rows are eliminated in a fixed order, fewest
  state-dependent entries first, which is then searched for fewer operations (`row_order`).
- The Jacobian needs no derivative of the factorisation: with accelerations and multipliers held, the changes of the
  residuals are solved with the factors of the equations.
- What never changes is not integrated (`reduce`): the largest set of states that keep their values, proved by
  fingerprints modulo a prime; what the proof depends on is checked when a run starts.
"""
