"""Addresses outside: how they are written can be held without a network; whether they answer, `make linkcheck` asks."""

import re
from collections import defaultdict
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from gudgeon.bibliography import WORKS

ROOT = Path(__file__).resolve().parents[2]
MADE = {"gallery", "generated", "_examples", "_build", "bundle"}
FOLDERS = {"docs": ("*.md", "*.py"), "src": ("*.py",), "examples": ("*.py", "*.yaml"), "benchmarks": ("*.py",)}
FILES = [path for path in ROOT.iterdir() if path.suffix in (".md", ".cff", ".toml")] + [
    path
    for folder, kinds in FOLDERS.items()
    for kind in kinds
    for path in (ROOT / folder).rglob(kind)
    if not MADE & set(path.parts)
]
ADDRESS = re.compile(r"https?://[^\s<>\"'`|\]{}]+")
DOI = re.compile(r"10\.\d{4,9}/[-._;()/:A-Za-z0-9]*[A-Za-z0-9)]")
# names of formats, which nobody visits, and what an address of this computer begins with
NAMES = ("http://www.w3.org/", "http://127.0.0.1:", "http://localhost")


def tidy(address):
    """Without what the sentence or the link around it adds."""
    address = address.rstrip(".,;:")
    while address.endswith(")") and address.count(")") > address.count("("):
        address = address[:-1].rstrip(".,;:")
    return address


def addresses():
    found = defaultdict(set)
    for path in FILES:
        for match in ADDRESS.finditer(path.read_text(encoding="utf-8")):
            if not match[0].startswith(NAMES) and match[0] not in ("http://", "https://"):
                found[tidy(match[0])].add(path.relative_to(ROOT).as_posix())
    return dict(found)


FOUND = addresses()


def test_there_are_addresses():
    assert len(FOUND) > 15 and any("README.md" in places for places in FOUND.values())
    assert tidy("https://a.org/b_(c)).") == "https://a.org/b_(c)"


@pytest.mark.parametrize("address", sorted(FOUND))
def test_an_address_is_well_formed(address):
    parts = urlsplit(address)
    assert parts.scheme == "https", f"{address} in {FOUND[address]}"
    assert re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", parts.hostname or ""), address
    assert parts.netloc == parts.hostname and "//" not in parts.path and ".." not in parts.path
    assert parts.path.startswith("/"), f"{address} needs the slash that every server adds"


def test_every_address_has_one_spelling():
    spelled = defaultdict(set)
    for address in FOUND:
        parts = urlsplit(address)
        host = (parts.hostname or "").removeprefix("www.").replace("dx.doi.org", "doi.org")
        spelled[host, parts.path.rstrip("/").lower().removesuffix("/index.html")].add(address)
    assert not [several for several in spelled.values() if len(several) > 1]


def test_files_of_others_are_those_that_were_read():
    """A branch moves on, and its files with it; a version stays."""
    files = [address for address in FOUND if "github.com" in address and re.search(r"/(blob|tree|raw)/", address)]
    assert files
    assert not [address for address in files if not re.search(r"/(blob|tree|raw)/[0-9a-f]{40}/", address)]


@pytest.mark.parametrize("work", [work for work in WORKS.values() if work.doi], ids=lambda work: work.key)
def test_dois_have_their_form(work):
    assert DOI.fullmatch(work.doi)
    assert [other.key for other in WORKS.values() if other.doi == work.doi] == [work.key]


def test_dois_are_those_of_the_bibliography():
    known = {work.doi: work.key for work in WORKS.values() if work.doi}
    for path in FILES:
        if path.name == "bibliography.py":
            continue
        for match in DOI.finditer(path.read_text(encoding="utf-8")):
            assert match[0] in known, f"{path.relative_to(ROOT)}: {match[0]} is in no entry of the bibliography"
            if path.stem in WORKS:
                assert known[match[0]] == path.stem


def test_what_is_said_of_other_programs_has_its_place():
    """The table of the README: a cell links, or is a dash."""
    text = (
        (ROOT / "README.md").read_text(encoding="utf-8").partition("## Beside other programs")[2].partition("\n## ")[0]
    )
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    head, own, *others = rows
    assert own[0] == "gudgeon" and len(others) >= 5
    for row in others:
        assert len(row) == len(head) + 1 == 7
        for cell in row[1:]:
            assert cell == "-" or "](https://" in cell, f"{row[0]}: {cell}"
