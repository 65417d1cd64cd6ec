"""What came out: runs, contacts, evidence, files."""

from gudgeon.results.contacts import ContactRecord, ContactTable
from gudgeon.results.evidence import Evidence
from gudgeon.results.extremes import Peak
from gudgeon.results.run import Run

__all__ = ["ContactRecord", "ContactTable", "Evidence", "Peak", "Run"]
