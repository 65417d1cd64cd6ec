"""From fits to forces: what each fit adds to the equations of a mechanism.

One file, one fit: a module registers how its class of `gudgeon.model.fits` is traced. Every module of this folder is
imported. `Ideal` has none, for it is a constraint.
"""

from gudgeon.assemble.contact.fits.base import TRACERS
from gudgeon.plugins import load_modules

__all__ = ["TRACERS"]

load_modules(__name__, __path__)
