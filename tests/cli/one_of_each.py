"""Cases that stand for all: of the flexible crank-sliders only two."""

from gudgeon.papers.case import all_cases

ONE_OF_EACH = [
    name for name in all_cases() if not name.startswith("bauchau2002") or name in ("bauchau2002/A2", "bauchau2002/A4")
]
