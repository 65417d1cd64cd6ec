"""gudgeon schema: what a model file may say, for editors."""

from __future__ import annotations

__all__ = ["schema"]


def schema() -> None:
    """Print the JSON Schema of model files, for editors.

    \b
    Example:
      gudgeon schema > gudgeon.schema.json
    """
    import json

    from gudgeon.model import files

    print(json.dumps(files.schema(), indent=2, ensure_ascii=False))
