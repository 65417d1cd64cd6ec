"""Vectors, rotations, axes and tensors of space, on any scalar type: what bodies and mates are written with."""
