"""A model whose run must fail, for the tests of the command line."""

# a four-bar whose crank is too long to turn
LOCKED = """
name: locked
bodies:
  crank: {mass: 1, inertia: 0.01, at: [0, 0.15]}
  coupler: {mass: 1, inertia: 0.01, at: [0.15, 0.25]}
  rocker: {mass: 1, inertia: 0.01, at: [0.3, 0.1]}
joints:
  main: {kind: revolute, journal: crank, bearing: ground, at: [0, 0]}
  a: {kind: revolute, journal: crank, bearing: coupler, at: [0, 0.3]}
  b: {kind: revolute, journal: coupler, bearing: rocker, at: [0.3, 0.2]}
  pivot: {kind: revolute, journal: rocker, bearing: ground, at: [0.3, 0]}
drives:
  main: {speed: 300 rpm}
run: {revolutions: 1}
"""
