"""What a run can report: channels of bodies, joints, contacts and energies, and the powers of the energy ledger.

Channels are written once, for bodies with coordinates of their own; other formulations carry these formulas over.
"""
