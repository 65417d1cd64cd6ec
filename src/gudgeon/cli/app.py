"""The program: commands found by their files, and errors reported in a line.

A command is one file in `commands`; it exists because its file does. The file's docstring is the help of the command,
its `command` is the function that runs it, or a `typer.Typer` with several. Only the file of the command that is run
is imported: lists of commands need the docstrings alone.

Exit codes: 0 done, 1 the run failed, 2 bad input, 130 stopped by Ctrl-C. Results go to stdout, all else to stderr.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import gudgeon
from gudgeon.cli import commands, screen
from gudgeon.cli.options import in_options
from gudgeon.ctrl_c import INTERRUPTED, heed
from gudgeon.quantity import GudgeonError

__all__ = ["app", "load", "main"]

BAD_INPUT = 2

ABOUT = """Multibody dynamics of mechanisms with real joints: clearance, bushings, oil films, stops and friction.

\b
First use:
  gudgeon new press --template slider-crank   write a model file with comments
  gudgeon check press.yaml                    validate it, show what would be computed
  gudgeon run press.yaml --out out/press      run it: summary, results, figures
  gudgeon run schwab2002/hertz                or run a published case

MODEL is a model file or a built-in case (gudgeon list cases). Results go to stdout, messages to stderr. Exit codes:
0 done, 1 the run failed, 2 bad input, 130 stopped by Ctrl-C.
"""


def load(name: str) -> Any:
    """The command of a file, as click knows it."""
    module = importlib.import_module(f"{commands.__name__}.{name}")
    if isinstance(module.command, typer.Typer):
        return typer.main.get_command(module.command)
    single = typer.Typer(rich_markup_mode=None, add_completion=False)
    single.command(name, help=module.__doc__)(module.command)
    return typer.main.get_command(single)


def help_text(file: Path) -> str:
    """The docstring that a command file starts with, read without running the file."""
    text = file.read_text(encoding="utf-8")
    return cleandoc(ast.literal_eval(text[: text.index('"""', 3) + 3]))


class CommandFile(TyperCommand):
    """A command known by its name and its help; its file is imported when it is run or asked for its own help."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return load(self.name or "").make_context(info_name, args, parent, **extra)


class CommandFolder(TyperGroup):
    """All commands that have a file."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for folder in commands.__path__:
            for module in pkgutil.iter_modules([folder]):
                text = help_text(Path(folder) / f"{module.name}.py")
                self.add_command(CommandFile(name=module.name, callback=None, help=text, rich_markup_mode=None))

    def invoke(self, ctx: Any) -> Any:
        with reported_errors(ctx):
            return super().invoke(ctx)


@contextmanager
def reported_errors(ctx: Any) -> Iterator[None]:
    """Mistakes end the program with a line on stderr and an exit code instead of a traceback."""
    screen.prepare()
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader, `head` for instance, has closed the pipe
        screen.discard()
    except GudgeonError as error:
        screen.complain(in_options(str(error), load(ctx.invoked_subcommand)))
        raise typer.Exit(BAD_INPUT) from None
    except OSError as error:
        place = f"{error.filename}: " if error.filename else "output: "
        screen.complain(f"{place}{error.strerror or error}")
        raise typer.Exit(BAD_INPUT) from None
    except KeyboardInterrupt:
        screen.complain("stopped")
        raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(name="gudgeon", cls=CommandFolder, help=ABOUT, rich_markup_mode=None, no_args_is_help=True,
                  add_completion=True, pretty_exceptions_enable=False,
                  context_settings={"help_option_names": ["-h", "--help"]})  # fmt: skip


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"gudgeon {gudgeon.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Options of the program itself; its help is ABOUT."""


def main() -> None:
    """The program `gudgeon`, once it is loaded."""
    heed()
    app(prog_name="gudgeon")
