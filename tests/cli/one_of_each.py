"""Cases that stand for all: of the flexible crank-sliders only two."""

from gudgeon.cli.cases import CASES

ONE_OF_EACH = [
    name for name in CASES if not name.startswith("bauchau2002") or name in ("bauchau2002/A2", "bauchau2002/A4")
]
