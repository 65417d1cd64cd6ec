"""Figures of studies: maps and lines over what was varied, distributions, influences."""
