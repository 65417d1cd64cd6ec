"""Fits: how the surfaces of a mate meet, and what stops a joint at its ends.

One file, one fit: it holds the data, what the fit refuses on a mate, and the numbers that can be varied. Every module
of this folder is imported, so that a new file is known everywhere: in model files, in the schema, as `gudgeon.<Name>`.
`Ideal` becomes a constraint; `Clearance` starts with a gap, `Bushing` with the liner; `Lubricated` fills the gap with a
film; `Touching` has a wall alone, met from outside; `Elastic` holds all six motions of two bodies at once.
"""

from gudgeon.model.fits.base import Fit, FitNumber, Fits, Loose, check_fit, check_law
from gudgeon.model.fits.bushing import Bushing
from gudgeon.model.fits.clearance import Clearance
from gudgeon.model.fits.elastic import Elastic
from gudgeon.model.fits.ideal import Ideal
from gudgeon.model.fits.lubricated import Lubricated
from gudgeon.model.fits.stop import Stop
from gudgeon.model.fits.touching import Touching
from gudgeon.plugins import load_modules

__all__ = ["Bushing", "Clearance", "Elastic", "Fit", "FitNumber", "Fits", "Ideal", "Loose", "Lubricated", "Stop",
           "Touching", "check_fit", "check_law"]  # fmt: skip

load_modules(__name__, __path__)
