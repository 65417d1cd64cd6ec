"""The program: its commands, and what happens when one of them cannot do what it is asked.

Exit codes: 0 done, 1 the run failed, 2 bad input, 130 stopped by Ctrl-C. Results go to stdout, all else to stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from gudgeon.cli import screen
from gudgeon.cli.commands import (
    bifurcate,
    check,
    cite,
    compare,
    equilibrium,
    list,
    modes,
    new,
    regime,
    report,
    reproduce,
    routes,
    run,
    schema,
    show,
    study,
    view,
    warmup,
)

__all__ = ["app", "main"]

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130

ABOUT = """Multibody dynamics of mechanisms with real joints: clearance, bushings, stops and friction.

\b
First use:
  gudgeon new press --template slider-crank   write a model file with comments
  gudgeon check press.yaml                    what it is, what would be computed
  gudgeon run press.yaml --out out/press      run it: summary, results, figures
  gudgeon run schwab2002/hertz                or run a published case

MODEL is a model file or a built-in case (gudgeon list cases). Results go to stdout, messages to stderr. Exit codes:
0 done, 1 the run failed, 2 bad input, 130 stopped by Ctrl-C.
"""

app = typer.Typer(name="gudgeon", help=ABOUT, rich_markup_mode=None, no_args_is_help=True, add_completion=True,
                  pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]})  # fmt: skip


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with mistakes told in a line instead of a traceback."""

    @wraps(command)
    def careful(*arguments: Any, **options: Any) -> None:
        from gudgeon.quantity import GudgeonError

        screen.prepare()
        try:
            command(*arguments, **options)
            sys.stdout.flush()
        except BrokenPipeError:
            # the reader, `head` for instance, has seen enough
            screen.discard()
        except GudgeonError as error:
            screen.complain(str(error))
            raise typer.Exit(BAD_INPUT) from None
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            screen.complain(f"{place}{error.strerror or error}")
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            screen.complain("stopped")
            raise typer.Exit(INTERRUPTED) from None

    return careful


def show_version(wanted: bool) -> None:
    if wanted:
        import gudgeon

        print(f"gudgeon {gudgeon.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Options of the program itself; its help is ABOUT."""


for name, function in (
    ("new", new.new), ("check", check.check), ("run", run.run), ("compare", compare.compare),
    ("view", view.view), ("report", report.report),
    ("regime", regime.regime), ("bifurcate", bifurcate.bifurcate), ("routes", routes.routes),
    ("equilibrium", equilibrium.equilibrium), ("modes", modes.modes),
    ("reproduce", reproduce.reproduce),
    ("list", list.list_things), ("show", show.show), ("cite", cite.cite), ("schema", schema.schema),
    ("warmup", warmup.warmup),
):  # fmt: skip
    app.command(name)(guarded(function))

studies = typer.Typer(help=study.ABOUT, rich_markup_mode=None, no_args_is_help=True)
for name, function in study.COMMANDS.items():
    studies.command(name)(guarded(function))
app.add_typer(studies, name="study")


def main() -> None:
    """Entry of the program `gudgeon`."""
    app(prog_name="gudgeon")
