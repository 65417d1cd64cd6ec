"""Nonsmooth time stepping: fixed steps, contacts act by impulses over a step (Moreau 1988, Jean 1999).

moreau    the method: which contacts act in a step, and the time loop
memory    the record of the method
flight    motion without contacts, over a step or half of one
impulses  the impulses of a step, and those that take contacts out of walls
notes     what a step did, as events

Decisions
- Impulses act in the middle of a step at the places where the contacts are, so that momenta and the energy ledger pass
  through them to the last digits. A shift of positions would lose angular momentum: contacts that have sunk in are
  moved out by a second impulse and the same back at the end of the step.
- Rebounds within a few steps cannot be distinguished from rest; a contact that acted lately gets no restitution and
  counts as lasting.
"""
