"""Write a model file with comments, ready to run and to edit.

\b
Examples:
  gudgeon new press
  gudgeon new gate --template pendulum
  gudgeon new --list
"""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from gudgeon.cli import screen, templates
from gudgeon.cli.sketch import LEGEND, sketch
from gudgeon.model.files import loads
from gudgeon.quantity import GudgeonError
from gudgeon.written import write_text

__all__ = ["command"]


def show_templates(wanted: bool) -> None:
    """Every template with a sketch."""
    if not wanted:
        return
    table = screen.table("", "*")
    for name, words in templates.descriptions().items():
        drawn = "\n".join(sketch(loads(templates.text(name)).mechanism))
        table.add_row(f"{drawn}\n", f"{name}\n{words}\n")
    screen.show(table)
    print(f"{LEGEND}; next: gudgeon new NAME --template TEMPLATE")
    raise typer.Exit


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the file, with or without .yaml.")],
    template: Annotated[
        str, typer.Option("--template", "-t", metavar="NAME", help=f"One of: {', '.join(templates.descriptions())}.")
    ] = "slider-crank",
    list_all: Annotated[
        bool,
        typer.Option("--list", help="Show every template with a sketch.", callback=show_templates, is_eager=True),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    text = templates.text(template)
    path = Path(name) if name.endswith((".yaml", ".yml")) else Path(f"{name}.yaml")
    if path.exists() and not force:
        raise GudgeonError(f'"{path}" exists; choose another name, or --force to overwrite it')
    if not path.parent.is_dir():
        raise GudgeonError(f'"{path}": there is no folder "{path.parent}"')
    if not path.stem.isprintable() or set(path.stem) & set('"\\'):
        raise GudgeonError(f'"{path}": choose a name without quotes, backslashes and control characters')
    write_text(path, text.replace("NAME", path.stem))
    print(path)
    screen.say(f"written from the template {template}; next: gudgeon check {quote(str(path))}")
