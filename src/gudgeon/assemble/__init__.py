"""Mechanism -> System: equations of motion as a graph, a consistent start, machine code."""

from gudgeon.assemble.channels import Channel
from gudgeon.assemble.contacts import Contact
from gudgeon.assemble.system import Baumgarte, System, assemble, call_address

__all__ = ["Baumgarte", "Channel", "Contact", "System", "assemble", "call_address"]
