"""The command line: `gudgeon run schwab2002/hertz`. One file per command in `commands`.

Decisions:

- A command is found by the name of its file and imported when it is run, so that `gudgeon --help` answers at once.
- Commands use public names only; what they write as pages and folders is in `gudgeon.report`.
- Results go to stdout, messages to stderr; `--json` prints one object with all digits.
"""

from gudgeon.cli.app import app, main

__all__ = ["app", "main"]
