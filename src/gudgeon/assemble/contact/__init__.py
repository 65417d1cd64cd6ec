"""Contacts, films and elastic blocks: as forces, as events with one-sided constraints, or as multipliers."""
