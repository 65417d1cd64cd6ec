"""A program of its own for one case, and what it found: nothing here knows of gudgeon."""
