"""Contact laws: one file, one law."""

from gudgeon.laws.contact.base import ContactLaw
from gudgeon.laws.contact.contact_table import ContactTable
from gudgeon.laws.contact.dubowsky_freudenstein import DubowskyFreudenstein
from gudgeon.laws.contact.exact_restitution import ExactRestitution
from gudgeon.laws.contact.flores2011 import Flores2011
from gudgeon.laws.contact.gonthier import Gonthier
from gudgeon.laws.contact.hertz import Hertz
from gudgeon.laws.contact.hunt_crossley import HuntCrossley
from gudgeon.laws.contact.johnson_cylinder import JohnsonCylinder
from gudgeon.laws.contact.kelvin_voigt import KelvinVoigt
from gudgeon.laws.contact.lankarani_nikravesh import LankaraniNikravesh
from gudgeon.laws.contact.modified_kelvin_voigt import ModifiedKelvinVoigt
from gudgeon.laws.contact.pereira_cylinder import PereiraCylinder

__all__ = [
    "ContactLaw", "ContactTable", "DubowskyFreudenstein", "ExactRestitution", "Flores2011", "Gonthier",
    "Hertz", "HuntCrossley", "JohnsonCylinder", "KelvinVoigt", "LankaraniNikravesh", "ModifiedKelvinVoigt",
    "PereiraCylinder",
]  # fmt: skip
