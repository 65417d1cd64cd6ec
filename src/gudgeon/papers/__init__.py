"""Published mechanisms, ready to run: one folder per article, each with what the article printed.

    from gudgeon.papers import flores2007
    run = gd.simulate(flores2007.slider_crank("0.5 mm"), revolutions=2)

`gudgeon reproduce all` computes every published claim anew and reports which of them hold.

An article is found because its folder exists; nothing lists it. Its folder is named by its key in the bibliography:

    __init__.py   the article in its docstring (what it is, where it is printed, which ambiguities were resolved and
                  how), its entry `ARTICLE`, and the names that users call
    cases.py      functions that give a mechanism; with `@case(...)` they are built-in cases of the command line
    claims.py     `CLAIMS`: what the article states, and how it is computed; also in every `<part>_claims.py`
    figures.py    `FIGURES`: number, what the figure shows, which runs ours is made of, what draws it

Decisions:

- Nothing is tuned to a published figure. A claim has one of four verdicts, and its note says what was assumed.
- A result is kept under the hash of what computed it: the sources of the rooms that compute, the versions of the
  libraries, the modules of the article and the arguments (`stored`). So no result is ever out of date, and a run that
  was killed continues with what it had.
- Claims are computed by the worker processes of studies (`reproduce`); one claim of every case comes first, since it
  makes the runs that the others of its case read.
"""
