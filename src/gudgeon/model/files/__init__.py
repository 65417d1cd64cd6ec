"""Model files: a mechanism as YAML, read with every mistake at its place, written so that it comes back the same."""

from gudgeon.model.files.errors import ModelFileError, Problem
from gudgeon.model.files.formula import Formula
from gudgeon.model.files.reader import ModelFile, load, loads
from gudgeon.model.files.schema import schema
from gudgeon.model.files.writer import dump
from gudgeon.model.run_settings import RunSettings

__all__ = ["Formula", "ModelFile", "ModelFileError", "Problem", "RunSettings", "dump", "load", "loads", "schema"]
