"""gudgeon cite: references of everything that a model or a run uses, as BibTeX."""

from __future__ import annotations

import re
from typing import Annotated

import typer

__all__ = ["cite", "entries"]

_YEAR = re.compile(r"^(?P<who>[^\d;]*?),? ?(?P<year>(?:18|19|20)\d\d)\b")


def cite(
    model: Annotated[str, typer.Argument(metavar="MODEL|RUN", help="A model file, a built-in case or a run.nc.")],
) -> None:
    """Print BibTeX entries of what a model or a run uses.

    Laws, method and, for a built-in case, the article. An entry has the fields that the reference text of
    `gudgeon show` gives, and the text itself as note; annote says what it was used for.

    \b
    Examples:
      gudgeon cite schwab2002/hertz > references.bib
      gudgeon cite out/press/run.nc
    """
    print("\n\n".join(entries(references(model))))


def references(model: str) -> dict[str, list[str]]:
    """Reference text -> what it was used for."""
    from gudgeon.cli.source import is_run

    found: dict[str, list[str]] = {}
    if is_run(model):
        from gudgeon.cli.saved import read

        pairs = [(text, name) for name, _, text in (line.partition(": ") for line in read(model).references)]
    else:
        pairs = of_model(model)
    for text, name in pairs:
        for source in (piece.strip() for piece in text.split(";")):
            users = found.setdefault(source, [])
            if name not in users:
                users.append(name)
    return found


def of_model(model: str) -> list[tuple[str, str]]:
    """(reference, what uses it) of a model file or a built-in case."""
    from gudgeon.cli.cases import CASES
    from gudgeon.cli.laws import used
    from gudgeon.cli.methods import METHODS, described
    from gudgeon.cli.source import find

    source = find(model)
    pairs = [(law.reference, type(law).__name__) for law in used(source.mechanism)]
    method = source.settings.method.lower()
    if method in METHODS:
        pairs.append((described(method).reference, described(method).title))
    if model in CASES:
        pairs.insert(0, (CASES[model].article.replace(";", ","), f"case {model}"))
    return pairs


def entries(references: dict[str, list[str]]) -> list[str]:
    """One @misc entry per reference. Nothing is said that its text does not say."""
    keys: dict[str, int] = {}
    made = []
    for text, users in references.items():
        match = _YEAR.match(text)
        who = match["who"] if match else ""
        fields = {}
        if match and who:
            fields["author"] = authors(who)
        if match:
            fields["year"] = match["year"]
        fields["note"] = latex(text)
        fields["annote"] = latex(f"used by gudgeon for: {', '.join(users)}")
        stem = re.sub(r"\W", "", re.split(r"[ ,]", who)[0]).lower() if who else re.sub(r"\W", "", users[0]).lower()
        key = f"{stem}{match['year'] if match else ''}"
        keys[key] = keys.get(key, 0) + 1
        key += "" if keys[key] == 1 else "abcdefghijklmnopqrstuvwxyz"[keys[key] - 1]
        body = ",\n".join(f"  {name:<6} = {{{value}}}" for name, value in fields.items())
        made.append(f"@misc{{{key},\n{body}\n}}")
    return made


def authors(who: str) -> str:
    """ "Lankarani, Nikravesh" as BibTeX wants it: names joined by "and"."""
    others = who.endswith(" et al.")
    names = [name.strip() for name in re.split(r",| and ", who.removesuffix(" et al.")) if name.strip()]
    return latex(" and ".join([*names, "others"] if others else names))


def latex(text: str) -> str:
    """Characters that BibTeX would take for commands."""
    return re.sub(r"([&%$#_])", r"\\\1", text)
