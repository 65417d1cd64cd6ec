"""Damage to model and study files: each kind takes a sound text and chance, and gives what a user, an editor or a disk
may make of it.

A piece of damage is bytes, the line it stands on (0: anywhere), and whether it must be refused.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gudgeon.cli import templates
from gudgeon.model.files.layout import SECTIONS
from gudgeon.model.files.source import FileLeaf, FileNode, FileRow, FileTable, compose

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


@dataclass(frozen=True)
class Source:
    """A shipped file, and where its nodes stand."""

    name: str
    text: str
    study: bool


@dataclass(frozen=True)
class Damage:
    """What became of a file. `line`: the only one that is touched; `refused`: whether it must not pass."""

    data: bytes
    line: int = 0
    refused: bool = False
    key: str = ""  # the key that was misspelt


def sources() -> list[Source]:
    """Every model, template and study that is shipped."""
    models = sorted((EXAMPLES / "models").glob("*.yaml"))
    studies = sorted((EXAMPLES / "studies").glob("*.yaml"))
    found = [Source(path.name, path.read_text(encoding="utf-8"), False) for path in models]
    names = templates.descriptions()
    found += [Source(f"template {name}", templates.text(name).replace("NAME", "part"), False) for name in names]
    return found + [Source(path.name, path.read_text(encoding="utf-8"), True) for path in studies]


@dataclass(frozen=True)
class Place:
    """A key, its value, and how it is reached."""

    path: tuple[str, ...]
    key: FileLeaf
    value: FileNode

    @property
    def named(self) -> bool:
        """Whether the key is the name of a part, which is free."""
        return len(self.path) == 2 and self.path[0] in {*SECTIONS, "materials", "vary", "set"}


def places(text: str) -> list[Place]:
    """Every key of a text."""
    found: list[Place] = []

    def walk(node: FileNode | None, path: tuple[str, ...]) -> None:
        if isinstance(node, FileTable):
            for key, value in node.entries:
                found.append(Place((*path, key.text), key, value))
                walk(value, (*path, key.text))
        elif isinstance(node, FileRow):
            for item in node.items:
                walk(item, path)

    walk(compose(text, []), ())
    return found


def leaves(text: str) -> list[tuple[tuple[str, ...], FileLeaf]]:
    """Every single value of a text, those of lists too."""
    found = []
    for place in places(text):
        items = place.value.items if isinstance(place.value, FileRow) else [place.value]
        found += [(place.path, item) for item in items if isinstance(item, FileLeaf)]
    return found


def put(text: str, node: FileNode, new: str) -> str:
    """The text with a node on one line replaced."""
    lines = text.split("\n")
    line = lines[node.line - 1]
    lines[node.line - 1] = line[: node.column - 1] + new + line[node.column - 1 + node.width :]
    return "\n".join(lines)


def block(text: str, place: Place) -> tuple[int, int] | None:
    """First line and the line behind a key that stands alone in its lines; None where it is inside braces."""
    lines = text.split("\n")
    row, indent = place.key.line - 1, place.key.column - 1
    if lines[row][:indent].strip():
        return None
    end = row + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    while end > row + 1 and not lines[end - 1].strip():
        end -= 1
    return row, end


# -- kinds ----------------------------------------------------------------------------------------------------------

Kind = Callable[[Source, random.Random], Damage]
NUMBERS = [
    ".nan", ".inf", "-.inf", "nan", "inf", "1e400", "-1e400", "1e308", "-1e308", "1e-320", "0", "-0.0", "-1", "1e200",
    "9" * 60, "1e-200", "-3.7e5", "0x1F", "1_000", "1,5", "1.2.3", "--3", "1e", "٣", "１２", "1 e3", "½", "∞",
]  # fmt: skip
OTHER_TYPES = ["true", "~", "''", '""', "{}", "[]", "[1, 2]", "{a: 1}", "[[1]]", "word", "2026-11-19", "[~]",
               "{~: ~}", "[0, 0, 0, 0]", "{law: Hertz}", "'1 mm", "!!float 3", "!!python/object:os.system {}", "*no",
               "&a 1", "|", ">", "%", "@x", "`x`", "\\", "__import__('os')", "exec", "1; 2"]  # fmt: skip
UNITS = ["5 furlong", "5 mmm", "3 kg^3", "1 Pa s^7", "2 mm^-9", "4 °", "5 K", "-3 W", "7 N/", "7 /s", "3 mm mm mm",
         "2 µ", "5 kN*", "1 m^1e9", "1 m^999999999999", "3 " + "m" * 500, "5 1/1/1/s", "6 %", "1 m²²",
         "1 ㎜"]  # fmt: skip
FORMULAS = ["9**9**9*t", "t**t**t", "sin(t", "t.__class__", "a.b.c", "exp(exp(exp(t)))", "1/0*t", "t/0", "lambda: t",
            "[t for t in t]", "(" * 300 + "t" + ")" * 300, "-" * 500 + "t", "t if t else t", "f(t)", "max(t)",
            "sqrt(-1)*t", "log(0)+t", "1e999*t", "t" + "+t" * 2000, "t" + "*t" * 2000, "open('x')", "t;t", "x+t",
            "0*t", "t and t"]  # fmt: skip
JUNK = ["\t", "{", "}", "[", "]", ":", "- ", "? ", "&a ", "*a", "!x ", "'", '"', "#", "%", "@", "`", ",", "\n", "\r",
        "\x00", "\x85", "\u2028", "\ufeff", "é", "日本", "\U0001f600", "---\n", "...\n", "<<: ", "\u202e", "\u200b",
        "\u00a0", "\x1b[31m", "\x07"]  # fmt: skip


def misspelt_key(source: Source, chance: random.Random) -> Damage:
    """A letter is missing, doubled, exchanged, or the case is wrong."""
    own = [place for place in places(source.text) if not place.named and len(place.key.text) > 2]
    place = chance.choice(own)
    word, at = place.key.text, chance.randrange(len(place.key.text) - 1)
    start, end = word[:at], word[at + 2 :]
    others = [
        word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], start + word[at + 1] + word[at] + end,
        word.title(), word + "s", word.replace("_", "-"), word.replace("_", ""), f" {word} ".strip() + "\u200b",
    ]  # fmt: skip
    wrong = chance.choice(others)
    # names of fits and laws are read whatever their case
    return Damage(put(source.text, place.key, wrong).encode(), place.key.line, wrong.lower() != word.lower(), word)


def strange_key(source: Source, chance: random.Random) -> Damage:
    """A key that nothing has, beside others."""
    place = chance.choice([place for place in places(source.text) if block(source.text, place) and not place.named])
    lines, indent = source.text.split("\n"), place.key.column - 1
    row = place.key.line - 1
    strange = chance.choice(["colour: red", "comment: x", "Mass: 1", "friction_coefficient: 0.3", "<<: {a: 1}",
                             "1: 2", "~: ~", "true: false", "? [a, b]\n: 1", "'': 1", "x y z: 1"])  # fmt: skip
    lines.insert(row, "\n".join(" " * indent + part for part in strange.split("\n")))
    refused = not (len(place.path) == 2 and place.path[0] in ("vary", "set"))
    return Damage("\n".join(lines).encode(), row + 1, refused)


def deleted_key(source: Source, chance: random.Random) -> Damage:
    """A key and all below it are gone."""
    place = chance.choice([place for place in places(source.text) if block(source.text, place)])
    lines = source.text.split("\n")
    first, end = block(source.text, place) or (0, 0)
    return Damage("\n".join(lines[:first] + lines[end:]).encode())


def doubled_key(source: Source, chance: random.Random) -> Damage:
    """A key and all below it come twice."""
    place = chance.choice([place for place in places(source.text) if block(source.text, place)])
    lines = source.text.split("\n")
    first, end = block(source.text, place) or (0, 0)
    return Damage("\n".join(lines[:end] + lines[first:end] + lines[end:]).encode(), end + 1, True)


def moved_key(source: Source, chance: random.Random) -> Damage:
    """A key and all below it stand somewhere else, or a level deeper or higher."""
    place = chance.choice([place for place in places(source.text) if block(source.text, place)])
    lines = source.text.split("\n")
    first, end = block(source.text, place) or (0, 0)
    taken, rest = lines[first:end], lines[:first] + lines[end:]
    if chance.random() < 0.5:
        shift = chance.choice([-2, -1, 1, 2, 4])
        blanks = [len(row) - len(row.lstrip()) for row in taken]
        moved = [" " * max(0, blank + shift) + row.lstrip() for blank, row in zip(blanks, taken, strict=True)]
        return Damage("\n".join(lines[:first] + moved + lines[end:]).encode())
    at = chance.randrange(len(rest) + 1)
    return Damage("\n".join(rest[:at] + taken + rest[at:]).encode())


def other(pool: list[str]) -> Kind:
    """One value is another."""

    def kind(source: Source, chance: random.Random) -> Damage:
        _, leaf = chance.choice(leaves(source.text))
        return Damage(put(source.text, leaf, chance.choice(pool)).encode(), leaf.line)

    return kind


def wrong_unit(source: Source, chance: random.Random) -> Damage:
    """A unit that does not exist or does not fit."""
    numbers = [leaf for _, leaf in leaves(source.text) if re.match(r"[-+]?[\d.]", leaf.text)]
    leaf = chance.choice(numbers)
    return Damage(put(source.text, leaf, chance.choice(UNITS)).encode(), leaf.line)


def scaled(source: Source, chance: random.Random) -> Damage:
    """A number is a million times as large, tiny, or negative."""
    numbers = [leaf for _, leaf in leaves(source.text) if re.match(r"[-+]?(\d+\.?\d*|\.\d+)(?![\w.])", leaf.text)]
    leaf = chance.choice(numbers)  # another line may be what does not fit now
    factor = chance.choice([1e6, 1e-6, -1.0, 1e15, 1e-15, 1e3, 0.0])
    match = re.match(r"[-+]?(\d+\.?\d*|\.\d+)", leaf.text)
    assert match is not None
    return Damage(put(source.text, leaf, f"{float(match[0]) * factor:g}{leaf.text[match.end():]}").encode())


def swapped_values(source: Source, chance: random.Random) -> Damage:
    """Two values have changed places."""
    text = source.text
    both = sorted(chance.sample(leaves(text), 2), key=lambda item: (item[1].line, item[1].column))
    (_, one), (_, two) = both
    if one.line == two.line and one.column + one.width > two.column:
        return Damage(text.encode())
    first, second = (text.split("\n")[x.line - 1][x.column - 1 : x.column - 1 + x.width] for x in (one, two))
    return Damage(put(put(text, two, first), one, second).encode())


def swapped_names(source: Source, chance: random.Random) -> Damage:
    """Two names of parts have changed places, or one is now the other."""
    names = [place.key for place in places(source.text) if place.named]
    if len(names) < 2:
        return Damage(source.text.encode())
    one, two = chance.sample(names, 2)
    if chance.random() < 0.5:
        return Damage(put(source.text, one, two.text).encode())
    text = re.sub(rf"\b{re.escape(one.text)}\b", "\x01", source.text)
    text = re.sub(rf"\b{re.escape(two.text)}\b", one.text, text).replace("\x01", two.text)
    return Damage(text.encode())


def strange_name(source: Source, chance: random.Random) -> Damage:
    """A part has a name that may mean something else."""
    names = [place.key for place in places(source.text) if place.named]
    if not names:
        return Damage(source.text.encode())
    strange = chance.choice([
        "ground", "t", "time", "energy", "a.b", "a b", "''", "ä", "<script>", "../x", "x/y", "null", "1", "1.5", "true",
        "-", "__class__", "sin", "pi", "a" * 300, "\u202eabc", "run", "name",
    ])  # fmt: skip
    return Damage(put(source.text, chance.choice(names), f'"{strange}"' if "'" not in strange else strange).encode())


def circle(source: Source, chance: random.Random) -> Damage:
    """A body is borne by itself, a joint holds what holds it, a formula reads itself."""
    names = ("journal", "bearing", "body", "body_i", "body_j", "reaction", "joint", "model")
    refs = [(path, leaf) for path, leaf in leaves(source.text) if path[-1] in names]
    if not refs:
        return Damage(source.text.encode())
    path, leaf = chance.choice(refs)
    options = [other.text for _, other in refs] + ["ground", path[1] if len(path) > 1 else "x", "nobody"]
    return Damage(put(source.text, leaf, chance.choice(options)).encode())


def anchors(source: Source, chance: random.Random) -> Damage:
    """Aliases: harmless, cyclic, unknown, or a bomb."""
    count = chance.choice([3, 30, 200])
    bombs = [
        "x: &x [*x]\n",
        "a0: &a0 [1]\n" + "".join(f"a{k + 1}: &a{k + 1} [{', '.join([f'*a{k}'] * 9)}]\n" for k in range(count)),
        "m: &m {" + ", ".join(f"q{k}: 1" for k in range(count)) + "}\n" + "".join(f"n{k}: *m\n" for k in range(count)),
        "x: *nobody\n", "x: &x 1\ny: *x\n", "<<: &x {name: b}\n", "[" * count + "]" * count + ": 1\n",
        "x: " + "[" * count + "]" * count + "\n", "x: " + "{a: " * count + "1" + "}" * count + "\n",
    ]  # fmt: skip
    bomb = chance.choice(bombs)
    where = chance.randrange(3)
    if where == 0:
        return Damage((bomb + source.text).encode(), refused=True)
    if where == 1:
        return Damage((source.text + "\n" + bomb).encode(), refused=True)
    sections = [place for place in places(source.text) if len(place.path) == 2 and block(source.text, place)]
    if not sections:
        return Damage((source.text + "\n" + bomb).encode(), refused=True)
    place = chance.choice(sections)
    lines, indent = source.text.split("\n"), " " * (place.key.column - 1)
    lines[place.key.line - 1 : place.key.line - 1] = [indent + row for row in bomb.rstrip("\n").split("\n")]
    return Damage("\n".join(lines).encode(), refused="x: &x 1" not in bomb)


def alias_of_a_part(source: Source, chance: random.Random) -> Damage:
    """Many names for one part that is wrong, or right."""
    own = [place for place in places(source.text) if place.named and isinstance(place.value, FileTable)
           and block(source.text, place) and place.path[0] in SECTIONS]  # fmt: skip
    if not own:
        return anchors(source, chance)
    place, lines = chance.choice(own), source.text.split("\n")
    first, end = block(source.text, place) or (0, 0)
    row = lines[first]
    after = place.key.column - 1 + place.key.width + 1
    lines[first] = f"{row[:after]} &part{row[after:]}"
    indent = " " * (place.key.column - 1)
    copies = [f"{indent}copy{k}: *part" for k in range(chance.choice([1, 2, 12]))]
    if chance.random() < 0.5:
        lines[first] = lines[first].replace("{", "{" + ", ".join(f"q{k}: 1" for k in range(300)) + ", ", 1)
    return Damage("\n".join(lines[:end] + copies + lines[end:]).encode())


def truncated(source: Source, chance: random.Random) -> Damage:
    data = source.text.encode()
    return Damage(data[: chance.randrange(len(data))])


def flipped(source: Source, chance: random.Random) -> Damage:
    """Bits of the disk."""
    data = bytearray(source.text.encode())
    for _ in range(chance.choice([1, 1, 2, 5, 40])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return Damage(bytes(data))


def encoded(source: Source, chance: random.Random) -> Damage:
    """Another encoding, other ends of lines."""
    text = source.text
    umlauts = text.replace("name: ", "name: Stößel ")
    made = [
        text.encode("utf-16"), text.encode("utf-16-le"), text.encode("utf-32"), text.encode("utf-8-sig"),
        text.replace("\n", "\r\n").encode(), text.replace("\n", "\r").encode(), text.replace("\n", "\u2028").encode(),
        umlauts.encode("latin-1", "replace"), umlauts.encode(),
        text.replace("\n", "\u0085").encode(), text.replace(" ", "\u00a0").encode(), text.replace(":", "：").encode(),
        text.replace("-", "−").encode(), text.replace("'", "’").replace('"', "”").encode(), b"", b"\n" * 50,
        b"\xff\xfe", b"\x00" * 1000, text.encode().replace(b"\n", b"\n\xc3", 1), bytes(range(256)),
        text.encode("cp037"),
    ]  # fmt: skip
    return Damage(chance.choice(made))


def junk(source: Source, chance: random.Random) -> Damage:
    """Strange characters anywhere."""
    text = source.text
    for _ in range(chance.choice([1, 1, 2, 4])):
        piece, at = chance.choice(JUNK), chance.randrange(len(text) + 1)
        text = text[:at] + piece + text[at + chance.choice([0, 0, 1, 3]) :]
    return Damage(text.encode())


def lines_lost(source: Source, chance: random.Random) -> Damage:
    """Lines deleted, exchanged, indented otherwise."""
    lines = source.text.split("\n")
    for _ in range(chance.randint(1, 3)):
        row, two = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(4)
        if kind == 0 and len(lines) > 1:
            del lines[row]
        elif kind == 1:
            lines[row], lines[two] = lines[two], lines[row]
        elif kind == 2:
            lines[row] = " " * chance.randrange(7) + lines[row].lstrip()
        else:
            lines.insert(two, lines[row])
    return Damage("\n".join(lines).encode())


def mixed(source: Source, chance: random.Random) -> Damage:
    """A piece of another file in this one."""
    found = [place for place in places(source.text) if block(source.text, place)]
    another = chance.choice([x for x in ALL if x is not source])
    place, lines = chance.choice(found), source.text.split("\n")
    donor = chance.choice([x for x in places(another.text) if block(another.text, x)])
    first, end = block(another.text, donor) or (0, 0)
    indent = place.key.column - donor.key.column
    piece = [(" " * indent + row) if indent > 0 else row[-indent:] for row in another.text.split("\n")[first:end]]
    at, stop = block(source.text, place) or (0, 0)
    stop = stop if chance.random() < 0.7 else at
    return Damage("\n".join(lines[:at] + piece + lines[stop:]).encode())


ALL = sources()
KINDS: dict[str, Kind] = {
    "misspelt key": misspelt_key, "strange key": strange_key, "deleted key": deleted_key, "doubled key": doubled_key,
    "moved key": moved_key, "other number": other(NUMBERS), "other type": other(OTHER_TYPES),
    "formula": other(FORMULAS), "wrong unit": wrong_unit, "scaled number": scaled,
    "swapped values": swapped_values, "swapped names": swapped_names,
    "strange name": strange_name, "circle": circle, "anchors": anchors, "alias of a part": alias_of_a_part,
    "truncated": truncated, "flipped bits": flipped, "encoding": encoded, "junk": junk, "lines": lines_lost,
    "piece of another file": mixed,
}  # fmt: skip


def damaged(seed: int) -> tuple[Source, str, Damage]:
    """The damage of a seed: each kind in turn, to a file by chance."""
    chance = random.Random(seed)
    name = list(KINDS)[seed % len(KINDS)]
    source = chance.choice(ALL)
    return source, name, KINDS[name](source, chance)
