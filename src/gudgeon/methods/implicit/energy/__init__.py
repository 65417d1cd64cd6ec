"""Methods with an energy statement: `energy` conserves it, `decay` never adds any."""
