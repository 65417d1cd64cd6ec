"""A mechanism as it is drawn: bodies, joints and springs of a run at any time, play and bending magnified; sketches.

The page of the viewer takes the same bodies, joints and magnified poses.
"""
