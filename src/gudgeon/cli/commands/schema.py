"""Print the JSON Schema of model files, for editors.

\b
Example:
  gudgeon schema > gudgeon.schema.json
  gudgeon schema --study > gudgeon-study.schema.json
"""

from __future__ import annotations

import json
from typing import Annotated

import typer

from gudgeon.model import files
from gudgeon.study import schema as of_studies

__all__ = ["command"]


def command(
    study: Annotated[bool, typer.Option("--study", help="Print that of study files.")] = False,
) -> None:
    if study:
        print(json.dumps(of_studies(), indent=2, ensure_ascii=False))
        return
    print(json.dumps(files.schema(), indent=2, ensure_ascii=False))
