"""Figures of the design desk: errors of position over the cycle and along a path, and clearances that are allowed."""
