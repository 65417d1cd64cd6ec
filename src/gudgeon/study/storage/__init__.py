"""The store of a study: an index in SQLite, chunks of traces, and who computed it when.

The driver of a study is the only writer. Workers send each outcome at once, so that a death costs one known run; a
chunk is synchronised and renamed before the index names it. Every run depends on its point alone, so that order,
engine and interruption do not change a bit of the results.
"""
