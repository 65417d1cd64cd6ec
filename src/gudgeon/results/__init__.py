"""What came out: runs, contacts, evidence, files."""

from gudgeon.results.contacts import ContactRecord, ContactTable
from gudgeon.results.evidence import Evidence
from gudgeon.results.run import Peak, Run

__all__ = ["ContactRecord", "ContactTable", "Evidence", "Peak", "Run"]
