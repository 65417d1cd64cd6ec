"""Hard walls of implicit methods: contacts as one-sided constraints with multipliers.

While a contact is held it is a constraint like those of joints, masked by its mode (assemble.contact.multipliers), so
that every step is smooth; the time loop locates its onset and its release as those of other contacts. At an onset the
velocities jump: `impulses.py` has the impulses of all contacts that are closed, by the laws of `impact`, `impacts.py`
what they do to the motion and which contacts are held behind them.

Impacts act on velocities along the constraints. What steps leave across them is no speed of approach; its energy goes
to a contact that leaves.
"""
