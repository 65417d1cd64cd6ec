"""The command line: `gudgeon run schwab2002/hertz`. One file per command in `commands`.

Nothing heavy is imported before a command needs it, so that `gudgeon --help` answers at once.
"""

from gudgeon.cli.app import app, main

__all__ = ["app", "main"]
