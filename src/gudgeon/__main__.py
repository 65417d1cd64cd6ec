"""python -m gudgeon, and the program `gudgeon`: the command line, which heeds Ctrl-C from its first import on."""

from importlib import import_module

from gudgeon.ctrl_c import heed


def main() -> None:
    """Entry of the program."""
    heed()
    import_module("gudgeon.cli").main()


if __name__ == "__main__":
    main()
