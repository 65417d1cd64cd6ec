"""Accelerations from the traced equations: elimination, order of rows, Jacobian, constant states, consistent start."""
