"""What came out: runs, contacts, evidence, files."""

from gudgeon.results.contacts import ContactRecord, ContactRecords
from gudgeon.results.evidence import Evidence
from gudgeon.results.extremes import Peak
from gudgeon.results.run import Run

__all__ = ["ContactRecord", "ContactRecords", "Evidence", "Peak", "Run"]
