"""Flexible links: beams of the plane and of space, links with modes, and joints that slide along a beam.

- Beams of space are traced per Gauss point and per pair of nodes (`spatial_kernels`): what is linear in the nodes stays
  linear algebra. Quaternions are interpolated linearly and normalised, which is objective.
- A link with modes is a body with more coordinates (`modal`): its kinetic energy is the formula, mass matrix and
  velocity terms are its derivatives; modes are eliminated before their frame, where their block is constant.
- A joint along a beam has its place as a coordinate (`sliding_joint`): all nodes have weights on a path of continuous
  curvature, so elements change without events. It has no inertia and is eliminated after its rows.
"""
