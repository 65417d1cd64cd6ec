"""Mechanism -> System: equations of motion as a graph, a consistent start, machine code."""

from gudgeon.assemble.channels import LEDGER, Channel
from gudgeon.assemble.contacts import Contact
from gudgeon.assemble.films import Film
from gudgeon.assemble.motors import SUPPLIED
from gudgeon.assemble.system import Baumgarte, System, assemble
from gudgeon.graph.llvm import call_address

__all__ = ["LEDGER", "SUPPLIED", "Baumgarte", "Channel", "Contact", "Film", "System", "assemble", "call_address"]
