"""Pages, messages and `--help` use the words of textbooks; other words are explained in docs/glossary.md."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "gudgeon"
# made from the sources; papers quote their articles
MADE = {"generated", "gallery", "_examples", "_build", "papers"}
LISTS = {"laws.md", "mates.md", "methods.md", "references.md"}
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"] + [
    path
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if not MADE & set(path.parts) and path.name not in {"glossary.md", *LISTS} and path.parent.parent.name != "theory"
]
# a word of the code or a phrase that is not English, and what to write; code between backquotes is free
PRIVATE = {
    r"\bmarch(es|ed|ing)?\b": "time integration, integrates",
    r"\bmates?\b": "contact pair",
    r"\bstands? on\b": "depends on",
    r"\bsquare to\b": "perpendicular to",
    r"\b(is|are|was|were|be) told\b": "reported",
    r"\bunless asked\b|\basked for\b|\basked of\b": "given, requested",
    r"\bfirst-touch rate\b|\bspeed of (the )?first touch\b": "first-touch speed",
    r"\bimpacts? as (an )?instants?\b": "impacts as events",
    r"\bright as far as\b": "say what is valid, and where",
    r"\bruns? away\b": "diverges, is unstable",
    r"\bto the last digit\b": "to rounding",
    r"\bthe rows?\b": "constraint equation, recorded time, line of a table",
}


def prose(text: str) -> str:
    """A page without its code, links and formulas."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]*`|\]\([^)]*\)|\$[^$]*\$", "", text)


def texts(path: Path) -> list[tuple[int, str]]:
    """Literal texts of three words or more in a module, without docstrings; the help of a command is its docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    if path.parent == SOURCES / "cli" / "commands":
        docstrings -= {id(tree.body[0].value)}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [(node.lineno, node.value) for node in strings if id(node) not in docstrings and len(node.value.split()) > 2]


def private(text: str) -> list[str]:
    return [f"{match[0]!r}: write {better}" for word, better in PRIVATE.items() if (match := re.search(word, text))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pages_have_no_private_words(path):
    assert not private(prose(path.read_text(encoding="utf-8")))


def test_messages_have_no_private_words():
    problems = [
        f"{path.relative_to(SOURCES)}:{line}: {words}"
        for path in sorted(SOURCES.rglob("*.py"))
        if "papers" not in path.parts
        for line, text in texts(path)
        if (words := private(text))
    ]
    assert not problems, "\n".join(problems)


def test_a_private_word_is_found():
    assert private("the film is marched") and private("a fit for each mate") and not private("the film decays")
    assert prose("words `mate` and\n```python\nmarch()\n```\nmore").split() == ["words", "and", "more"]
