"""Event-driven motion with hard contacts: impacts as velocity jumps, lasting contact as a constraint, Coulomb friction.

method           the method: what an event does, and the time loop
events           when modes of contacts end, located on the step
contacts         hard contacts of a system: their record, and what its compiled functions say of them
collision        the laws of an impact, shared with time stepping and with implicit methods
scalar_friction  sliding and sticking where the slip is one number
vector_friction sliding and sticking where the slip is a vector

Decisions
- Impacts have Newton's restitution, as articles print it, and Coulomb's friction, for all closed contacts at once. Of
  the restitution as much is taken as brings no energy (collision.py).
- What lasts is a constraint, masked by its mode in equations that are compiled once (assemble/contact/events.py), and
  released when its force vanishes. Nothing is penalised, and nothing is compiled when contacts open or close.
- Impulses of an impact, forces of contacts that rest together and impulses of time stepping are one complementarity
  problem (methods/complementarity).
- Infinitely many bounces in finite time are ended by one impact without rebound once what is left of them is brief
  (`capture`) or lower than rounding. So is rocking between contacts, each of which lifts the other when it strikes: no
  impulses that only push end it, so contacts are then held by impulses of either sign (`end_rocking`).
"""
