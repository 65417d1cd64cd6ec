"""The figures that the articles describe, drawn from our runs: one module per article, one entry per figure."""
