"""Model files: a mechanism as YAML, read with every mistake at its place, written so that it comes back the same.

Reader and writer make and take mechanisms, and a mechanism reads and writes itself by them, so they are loaded on use.
"""

from typing import TYPE_CHECKING

from gudgeon.model.files.errors import ModelFileError, Problem
from gudgeon.model.formula import Formula
from gudgeon.plugins import loaded_on_use

__all__ = ["Formula", "ModelFile", "ModelFileError", "Problem", "RunSettings", "dump", "load", "loads", "schema"]

if TYPE_CHECKING:
    from gudgeon.model.files.json_schema import schema
    from gudgeon.model.files.reader import ModelFile, load, loads
    from gudgeon.model.files.writer import dump
    from gudgeon.model.run_settings import RunSettings
else:
    __getattr__ = loaded_on_use(
        __name__,
        {
            "ModelFile": "gudgeon.model.files.reader",
            "RunSettings": "gudgeon.model.run_settings",
            "dump": "gudgeon.model.files.writer",
            "load": "gudgeon.model.files.reader",
            "loads": "gudgeon.model.files.reader",
            "schema": "gudgeon.model.files.json_schema",
        },
    )
