"""Mechanism -> System: equations of motion as a graph, a consistent start, machine code."""

from gudgeon.assemble.build import assemble
from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.contact.films import Film
from gudgeon.assemble.needs import ContactTreatment, Needs
from gudgeon.assemble.report.channels import LEDGER, Channel
from gudgeon.assemble.system import Baumgarte, System
from gudgeon.assemble.trace.motors import SUPPLIED
from gudgeon.compile.graph.llvm import call_address

__all__ = ["LEDGER", "SUPPLIED", "Baumgarte", "Channel", "Contact", "ContactTreatment", "Film", "Needs", "System",
           "assemble", "call_address"]  # fmt: skip
