"""Forces over a step between two states, for methods with an energy statement.

- Conservative forces follow secant slopes (`graph.passes.secant`): rules per operation make work the change of energy;
  angle steps count as 2 tan(Δθ/2), so that a common rotation has no moment. Dissipative forces are those at one state.
- In space a step rotates a body by Cayley's transform (`kinematics`, `rotation`): body-fixed vectors change by that
  rotation times their mean, so the rules of the plane hold.
- Internal states take the same step, so that what passes between them has one value. A link with modes takes steps of
  its momenta (`modal`).
"""
