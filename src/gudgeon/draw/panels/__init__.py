"""Kinds of figures of a run: one file each, found because it exists.

A file holds a subclass of `Panel`: `matches` says which names select it, `offered` which names it adds beside the
channels of a run. `HistoryPanel` draws every other name.
"""
