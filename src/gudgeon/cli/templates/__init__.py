"""Model files to start from: one YAML file with comments each, known because the file exists.

NAME stands for the name of the model; the comment that begins with it says what the template is.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from gudgeon.quantity import GudgeonError, closest

__all__ = ["descriptions", "text"]

FOLDER = files("gudgeon.cli.templates")


@cache
def descriptions() -> dict[str, str]:
    """Template -> what it is."""
    names = sorted(path.name.removesuffix(".yaml") for path in FOLDER.iterdir() if path.name.endswith(".yaml"))
    return {name: _description(text(name)) for name in names}


def _description(content: str) -> str:
    """The comment "# NAME: ..." up to the next empty one."""
    lines = re.search(r"^# NAME: (.*\n(?:# .*\n)*)", content, re.MULTILINE)
    assert lines is not None
    return " ".join(line.removeprefix("# ") for line in lines[1].splitlines()).removesuffix(".")


def text(name: str) -> str:
    """The text of a template."""
    path = FOLDER.joinpath(f"{name}.yaml")
    if not path.is_file():
        likely = closest(name, descriptions())
        hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(descriptions())}"
        raise GudgeonError(f'template "{name}" is not known; {hint}')
    return path.read_text(encoding="utf-8")
