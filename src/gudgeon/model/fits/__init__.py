"""Fits: how the surfaces of a mate meet, and what stops a joint at its ends."""

from gudgeon.model.fits.base import (
    Bushing,
    Clearance,
    Fit,
    Fits,
    Ideal,
    Layers,
    Loose,
    Lubricated,
    Touching,
    check_fit,
    check_law,
)
from gudgeon.model.fits.elastic import Elastic
from gudgeon.model.fits.stop import Stop

__all__ = ["Bushing", "Clearance", "Elastic", "Fit", "Fits", "Ideal", "Layers", "Loose", "Lubricated", "Stop",
           "Touching", "check_fit", "check_law"]  # fmt: skip
