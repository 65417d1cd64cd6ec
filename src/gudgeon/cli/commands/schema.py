"""gudgeon schema: what a model file may say, for editors."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["schema"]


def schema(
    study: Annotated[bool, typer.Option("--study", help="Of study files instead.")] = False,
) -> None:
    """Print the JSON Schema of model files, for editors.

    \b
    Example:
      gudgeon schema > gudgeon.schema.json
      gudgeon schema --study > gudgeon-study.schema.json
    """
    import json

    if study:
        from gudgeon.study import schema as of_studies

        print(json.dumps(of_studies(), indent=2, ensure_ascii=False))
        return
    from gudgeon.model import files

    print(json.dumps(files.schema(), indent=2, ensure_ascii=False))
