"""Answers of the design desk, for the terminal, a page and JSON: fits and what they do, two designs, optima."""
