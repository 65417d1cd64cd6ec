"""Contact laws: depth, rate and first-touch rate to a normal force.

One file, one law: a law registers because its module lies here. It states its reference, its validity and `examples`,
which the conformance tests try.
"""

from gudgeon.laws.contact.base import ContactLaw
from gudgeon.plugins import load_modules

__all__ = ["ContactLaw"]

load_modules(__name__, __path__)
