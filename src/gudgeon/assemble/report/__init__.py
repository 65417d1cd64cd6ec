"""What a run reports: named channels with units, and the energy ledger."""
