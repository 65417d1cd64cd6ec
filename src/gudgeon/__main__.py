"""python -m gudgeon: the command line."""

from gudgeon.cli import main

if __name__ == "__main__":
    main()
