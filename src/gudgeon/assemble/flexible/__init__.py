"""Flexible links: geometrically exact beams, links with bending modes, joints that slide along a beam."""
