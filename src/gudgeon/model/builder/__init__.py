"""Making a mechanism: what the user adds, changes and prints."""
