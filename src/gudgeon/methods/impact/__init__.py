"""Event-driven hard contact: impacts as velocity jumps, lasting contact as a constraint, Coulomb friction."""
