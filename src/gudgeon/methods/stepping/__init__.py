"""Nonsmooth time stepping: impulses over fixed steps (Moreau, Jean)."""
