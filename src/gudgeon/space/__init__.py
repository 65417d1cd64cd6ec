"""Geometry: vectors, frames, bodies and mates. Formulas of positions on any scalar type, floats or symbols."""
