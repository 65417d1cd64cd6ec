"""Reads parts: their keys by the entries of their class, then the class itself, whose errors find their key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gudgeon.laws import Law, Material
from gudgeon.model.files.layout import (
    FAMILIES,
    Entry,
    entries_of,
    fits_by_word,
    iso_entries,
    iso_fits,
    material_names,
    shape_entries,
)
from gudgeon.model.files.source import FileLeaf, FileNode, FileRow, FileTable
from gudgeon.model.files.values import FAILED, Problems, Values, in_range, sample_of, shown
from gudgeon.model.files.words import ALSO_SAID
from gudgeon.model.fits import Clearance, Fit, Ideal, Loose
from gudgeon.model.fits.stop import Stop
from gudgeon.model.joint_kinds import UNITS
from gudgeon.model.parts import SpatialSection
from gudgeon.model.parts.joint import Joint
from gudgeon.model.parts.section import Section
from gudgeon.quantity import GudgeonError, closest, example_of, in_words

__all__ = ["Keys", "Parts", "same_material"]

# field names that are also everyday words: they name the field only at the start of a message
OF_JOINTS = ("journal", "bearing", "radius", "length", "width", "journal_radius")
_EVERYDAY = {"at", "name", "law", "kind", "fit", "joint", "body", "stop", "wall", "value", "frame", "length", "width",
             "film", "a", "b", "section", "order"}  # fmt: skip
_TITLE = re.compile(
    r"^(?:(?:mechanism|body|beam|joint|(?:drive|motor|controller) of|(?:torsion )?spring|damper|force|torque|material)"
    r' "[^"]*": '
    r"|[A-Z]\w+(?:\.\w+)?: )+"
)


@dataclass
class Keys:
    """The keys of one part as read: values, where they stand, and words of a message that mean them."""

    place: FileNode
    values: dict[str, Any] = field(default_factory=dict)
    spots: dict[str, FileNode] = field(default_factory=dict)
    sound: bool = True

    def fail(self) -> None:
        self.sound = False


class Parts(Values):
    """Reads materials, laws, fits and stops."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self.materials: dict[str, Material] = {}
        self.broken_materials: set[str] = set()
        self.spots: dict[str, FileNode] = {}  # of the part that is being read, with all that is inside it
        self.joint_class: type[Joint] = Joint

    # -- keys -------------------------------------------------------------------------------------------

    def keys(self, node: FileNode, entries: Mapping[str, Entry], title: str, place: FileNode) -> Keys:
        """Read every key of a mapping; unknown and missing ones are problems."""
        keys = Keys(place)
        if not isinstance(node, FileTable):
            if not (isinstance(node, FileLeaf) and node.value is None):
                self.problems.at(node, f"{title} must be a mapping, not {shown(node)}", _keys_hint(entries))
                keys.fail()
                return keys
            node = FileTable(place.line, place.column, place.width)
        meant = set()
        for key, value in node.entries:
            if key.text not in entries:
                meant.add(self.unknown_key(key, entries, title))
                keys.fail()
                continue
            read = self.read(entries[key.text], value)
            keys.spots[key.text] = self.spots[key.text] = value
            keys.values[key.text] = read
            if read is FAILED:
                keys.fail()
        needed = [entry.name for entry in entries.values() if entry.required]
        # a key spelt wrong is not missing too
        missing = [name for name in needed if name not in node.names and name not in meant]
        if missing:
            example = self.example(entries[missing[0]], title)
            hint = f"write for instance {example}" if example else ""
            self.problems.at(place, f"{title} needs {in_words(missing)}", hint)
            keys.fail()
        return keys

    def unknown_key(self, key: FileLeaf, entries: Mapping[str, Entry], title: str) -> str | None:
        """Note it; gives the key that was probably meant."""
        said = ALSO_SAID.get(key.text.lower())
        likely = said if said in entries else closest(key.text, entries)
        hint = f'did you mean "{likely}"?' if likely else _keys_hint(entries)
        if key.text == "joint" and "reaction" in entries:
            hint = "a torque acts on a body: give body, and as reaction the body on the other side of the joint"
        if "radial_clearance" in entries and ("diam" in key.text.lower() or key.text.lower() == "clearance"):
            likely = "radial_clearance"
            hint = f'did you mean "{likely}"? It is half of what bore and journal differ in diameter'
        elif "radius" in entries and "diam" in key.text.lower():
            likely = "radius"
            hint = 'did you mean "radius"? It is half of the diameter'
        elif ":" in key.text and key.text.partition(":")[0].strip() in entries:
            likely, _, value = (text.strip() for text in key.text.partition(":"))
            hint = f"put a space behind the colon: {likely}: {value[:40]}"
        elif key.text in ("torque", "force") and "motion" in entries:
            hint = f"a drive prescribes the motion; write a {key.text} under {key.text}s"
        elif key.text in OF_JOINTS and not likely and '"' not in title and "bearing" not in entries:
            # in a law or a fit; titles of parts have their names in quotes
            hint = f'"{key.text}" is a key of the joint, beside kind and journal; {title} takes {in_words(entries)}'
        elif re.match(r"\d+(\.\d+)?( *[A-Za-zµ°]\S*)?$", key.text):
            hint = f'a comma divides keys here; decimals, as "{key.text}" may be, need a point before them'
        self.problems.at(key, f'unknown key "{key.text[:60]}" in {title}', hint)
        return likely

    def example(self, entry: Entry, title: str = "") -> str:
        # no radii meet at a stop, which a material could give a stiffness
        if (entry.name, title) == ("wall", "stop"):
            return "wall: {law: LankaraniNikravesh, stiffness: 1e8, restitution: 0.5}"
        laws = {"contact": "{law: LankaraniNikravesh, material: steel, restitution: 0.9}",
                "friction": "{law: ModifiedCoulomb, coefficient: 0.03}",
                "liner": "{law: LinearLiner, stiffness: 1e7 N/m, damping: 1e3 N s/m}",
                "film": "{law: Moes, viscosity: 400 cP}"}  # fmt: skip
        lists = {"axes": "{pin.radial_clearance: [0.1 mm, 0.2 mm]}", "measures": "[peak pin.force]",
                 "run": "{revolutions: 2}", "section": "{arm: {mass: 1 kg, ...}}",
                 "beam_section": "{rectangle: {width: 10 mm, height: 30 mm, material: steel}}"}  # fmt: skip
        if entry.kind == "law":
            return f"{entry.name}: {laws[entry.family]}"
        if entry.kind in ("point", "vector"):
            return f"{entry.name}: {sample_of(entry, entry.sizes[0])}"
        if entry.kind == "choice":
            return f"{entry.name}: {entry.choices[0]}"
        if entry.kind == "quantity" and entry.unit is not None:
            turning = f", on a rotation {example_of(entry.unit.rotational)}" if entry.unit.rotational else ""
            return f"{entry.name}: {entry.unit.example}{turning}"
        if entry.kind in ("signal", "signals"):
            first = example_of(entry.units[0])
            rest = ", 0" * (entry.sizes[0] - 1)
            return f"{entry.name}: {first}" if entry.kind == "signal" else f"{entry.name}: [{first}{rest}]"
        if entry.kind == "matrix":
            return f"{entry.name}: [{', '.join(['1e6'] * entry.sizes[0])}]"
        if entry.kind in ("text", "body", "joint"):
            return f"{entry.name}: {self.word_for(entry)}"
        if entry.kind in lists:
            return f"{entry.name}: {lists[entry.kind]}"
        return ""

    def word_for(self, entry: Entry) -> str:
        """A text that a key may have."""
        return {"name": "press", "model": "press.yaml", "iso": '"20 H7/f7"'}.get(entry.name, "word")

    def make(self, keys: Keys, maker: Callable[..., Any], title: str, **extra: Any) -> Any:
        """Call the class; its error goes to the key that it names first, or to the part."""
        if not keys.sound:
            return FAILED
        try:
            return in_range(maker, **keys.values, **extra)
        except GudgeonError as error:
            return self.place(keys, error, title)

    def place(self, keys: Keys, error: GudgeonError, title: str) -> Any:
        text = str(error)
        bare = _TITLE.sub("", text)
        node, start = None, len(bare) + 1
        for name, spot in {**self.spots, **keys.spots}.items():
            match = re.search(rf"(?<![\w.]){re.escape(name)}((?:\[\d+\])*)(?![\w=])", bare)
            if match is None or match.start() >= start or (name in _EVERYDAY and match.start() > 0):
                continue
            start, node = match.start(), spot
            for place in map(int, re.findall(r"\d+", match[1])):
                if isinstance(node, FileRow) and place < len(node.items):
                    node = node.items[place]
        if node is not None:
            return self.problems.error(node, bare)
        return self.problems.error(keys.place, f"{title}: {bare}")

    # -- materials --------------------------------------------------------------------------------------

    def own_materials(self, node: FileNode) -> None:
        """The section `materials`."""
        if not isinstance(node, FileTable):
            self.problems.at(node, f"materials must be a mapping, not {shown(node)}", "write materials: {hard: {...}}")
            return
        for key, value in node.entries:
            if _normal(key.text) in (_normal(name) for name in material_names()):
                self.problems.at(key, f'the material "{key.text}" is one of gudgeon', "choose another name")
            made = self.material(value, key, key.text)
            if made is FAILED:
                self.broken_materials.add(_normal(key.text))
            else:
                self.materials[_normal(key.text)] = made

    def material(self, node: FileNode, place: FileNode, name: str) -> Any:
        self.spots = {}
        keys = self.keys(node, entries_of(Material), f'material "{name}"', place)
        return self.make(keys, Material, f'material "{name}"', name=name)

    def read_material(self, entry: Entry, node: FileNode) -> Any:
        """A name, a mapping, or a list of two for journal and bearing."""
        if not isinstance(node, FileRow):
            return self.one_material(node)
        if len(node.items) != 2:
            hint = "write one material, or [steel, bronze] for journal and bearing"
            return self.problems.at(node, f"material has {len(node.items)} values instead of 2", hint)
        both = [self.one_material(item) for item in node.items]
        return FAILED if FAILED in both else tuple(both)

    def one_material(self, node: FileNode) -> Any:
        if isinstance(node, FileTable):
            named = Entry("name", "text", required=True, words="what it is called")
            saved, self.spots = self.spots, {}
            keys = self.keys(node, {"name": named, **entries_of(Material)}, "material", node)
            made = self.make(keys, Material, "material")
            self.spots = saved
            return made
        if not isinstance(node, FileLeaf) or not isinstance(node.value, str):
            return self.problems.at(node, f"material must be a name or a mapping, not {shown(node)}", "write steel")
        known = {_normal(name): value for name, value in material_names().items()} | self.materials
        word = _normal(node.value)
        if word in self.broken_materials:
            return FAILED
        if word not in known:
            return self.problems.unknown(node, "material", node.value, [m.name for m in known.values()])
        return known[word]

    # -- laws -------------------------------------------------------------------------------------------

    def read_law(self, entry: Entry, node: FileNode) -> Any:
        """{law: Name, ...}, or the name alone."""
        family = FAMILIES[entry.family]
        name = node if isinstance(node, FileLeaf) else node.get("law") if isinstance(node, FileTable) else None
        if not isinstance(name, FileLeaf) or not isinstance(name.value, str):
            return self.no_law(entry, node, name)
        cls = self.law_class(entry, name, family)
        if cls is FAILED:
            return FAILED
        word = Entry("law", "any", required=True)
        body = node if isinstance(node, FileTable) else FileTable(node.line, node.column, node.width, [])
        entries = {"law": word, **entries_of(cls)} if isinstance(node, FileTable) else entries_of(cls)
        keys = self.keys(body, entries, cls.__name__, name)
        keys.values.pop("law", None)
        self.spots[cls.__name__] = name
        return self.make(keys, cls, cls.__name__)

    def no_law(self, entry: Entry, node: FileNode, name: FileNode | None) -> Any:
        """Say where the name of the law is missing, wrong, or under a key spelt wrong."""
        hint = f"write for instance {self.example(entry)}"
        if not isinstance(node, FileTable):
            return self.problems.at(node, f"{entry.name} must be a law, not {shown(node)}", hint)
        if name is not None:
            return self.problems.at(name, f"law must be a name, not {shown(name)}", hint)
        known = {field for cls in FAMILIES[entry.family].registry.values() for field in entries_of(cls)}
        strange = [key for key, _ in node.entries if key.text not in known]
        for key in strange:
            likely = closest(key.text, ["law", *known])
            hint = f'did you mean "{likely}"?' if likely else hint
            self.problems.at(key, f'unknown key "{key.text[:60]}" in {entry.name}, which needs "law"', hint)
        return FAILED if strange else self.problems.at(node, f'{entry.name} needs "law", the name of one', hint)

    def law_class(self, entry: Entry, name: FileLeaf, family: type[Law]) -> Any:
        known = {word.lower(): cls for word, cls in family.registry.items()}
        cls = known.get(name.text.lower())
        if cls is not None:
            return cls
        for word, other in FAMILIES.items():
            if other is not family and name.text.lower() in (n.lower() for n in other.registry):
                message = f'"{name.text}" is a {word} law, but {entry.name} takes a {entry.family} law'
                return self.problems.at(name, message, f"write for instance {self.example(entry)}")
        return self.problems.unknown(name, f"{entry.family} law", name.text, family.registry)

    # -- sections of beams ------------------------------------------------------------------------------

    def read_beam_section(self, entry: Entry, node: FileNode) -> Any:
        """{rectangle: {...}} and other shapes, or the numbers themselves."""
        shapes, cls = shape_entries(), SpatialSection if entry.family == "space" else Section
        if isinstance(node, FileTable) and len(node.entries) == 1 and node.names[0] in shapes:
            key, value = node.entries[0]
            keys = self.keys(value, shapes[key.text], key.text, key)
            return self.make(keys, getattr(cls, key.text), "section")
        if not isinstance(node, FileTable):
            hint = "write section: {rectangle: {width: 10 mm, height: 30 mm, material: steel}}"
            return self.problems.at(node, f"section must be a mapping, not {shown(node)}", hint)
        return self.make(self.keys(node, entries_of(cls), "section", node), cls, "section")

    # -- fits and stops ---------------------------------------------------------------------------------

    def read_stop(self, entry: Entry, node: FileNode) -> Any:
        """One stop, or in space one for each free direction."""
        names = set(node.names) if isinstance(node, FileTable) else set()
        plain = not names or (names & set(entries_of(Stop)) and not names & set(UNITS))
        if self.joint_class.dimensions == 2 or not isinstance(node, FileTable) or plain:
            return self.one_stop(node)
        stops = {}
        for key, value in node.entries:
            if key.text in UNITS:
                stops[key.text] = self.one_stop(value)
                self.spots[f'"{key.text}"'] = key
            else:
                self.unknown_key(key, dict.fromkeys(UNITS, entry), "stop by direction")
                stops[key.text] = FAILED
        return FAILED if any(stop is FAILED for stop in stops.values()) else stops

    def one_stop(self, node: FileNode) -> Any:
        keys = self.keys(node, entries_of(Stop), "stop", node)
        self.spots["stop limits"] = keys.spots.get("lower", keys.spots.get("upper", node))
        return self.make(keys, Stop, "stop")

    def read_fit(self, entry: Entry, node: FileNode) -> Any:
        """One fit for all mates, or a mapping of fits by mate."""
        mates = self.joint_class.mates
        if isinstance(node, FileTable) and any(name in mates for name in node.names):
            fits = {}
            for key, value in node.entries:
                if key.text in mates:
                    fits[key.text] = self.fit(value, key)
                    self.spots[f'"{key.text}"'] = key
                else:
                    self.unknown_key(key, dict.fromkeys(mates, entry), "fit by contact pair")
                    fits[key.text] = FAILED
            return FAILED if any(fit is FAILED for fit in fits.values()) else fits
        return self.fit(node, node)

    def fit(self, node: FileNode, place: FileNode) -> Any:
        fits_known = fits_by_word()
        if isinstance(node, FileLeaf) and isinstance(node.value, str):
            if node.value.lower() == "ideal":
                return Ideal()
            if node.value.lower() in fits_known:
                hint = f"write fit: {{{node.value.lower()}: {{...}}}}"
                return self.problems.at(node, f"a {node.value.lower()} needs its numbers", hint)
            return self.problems.unknown(node, "fit", node.value, fits_known)
        if not isinstance(node, FileTable):
            hint = "write fit: ideal, or fit: {clearance: {...}}"
            return self.problems.at(node, f"a fit must be a word or a mapping, not {shown(node)}", hint)
        if "iso" in node.names:
            loose = next(cls for cls in reversed(iso_fits()) if cls.iso_key in ("", *node.names))
            return self.iso_fit(loose, node, place)
        if len(node.entries) == 1 and node.names[0].lower() in fits_known:
            key, value = node.entries[0]
            return self.named_fit(fits_known[key.text.lower()], key, value)
        return self.no_fit(node, place, fits_known)

    def iso_fit(self, loose: type[Loose], node: FileTable, place: FileNode) -> Any:
        """A fit of this class by its ISO name."""
        keys = self.keys(node, iso_entries(loose), "ISO fit", place)
        text = keys.values.pop("iso", None)
        self.spots["ISO fit"] = keys.spots.get("iso", place)
        return self.make(keys, lambda **fields: loose.from_iso(text, **fields), "ISO fit")

    def named_fit(self, cls: type[Fit], key: FileLeaf, value: FileNode) -> Any:
        given = set(value.names) if isinstance(value, FileTable) else set()
        if isinstance(value, FileTable) and issubclass(cls, Loose) and given & {"iso", "radial_clearance"} == {"iso"}:
            return self.iso_fit(cls, value, key)
        keys = self.keys(value, entries_of(cls), cls.__name__, key)
        self.spots[cls.__name__] = key
        gaps = {"radial_clearance", "angular_clearance"}
        known = isinstance(value, FileTable) and set(value.names) <= set(entries_of(cls))
        if cls is Clearance and isinstance(value, FileTable) and known and not gaps & set(value.names):
            hint = 'or write fit: {iso: "20 H7/f7", wall: ...}'
            return self.problems.at(key, "Clearance needs radial_clearance, for instance 0.1 mm", hint)
        return self.make(keys, cls, cls.__name__)

    def no_fit(self, node: FileTable, place: FileNode, fits_known: Mapping[str, type[Fit]]) -> Any:
        words = [*fits_known, "iso", *self.joint_class.mates]
        inside = {name for cls in iso_fits() for name in iso_entries(cls)} - {"iso"}
        strange = [key for key, _ in node.entries if key.text not in inside]
        if len(strange) == 1 < len(node.entries) and closest(strange[0].text, words) == "iso":
            # only the first of its keys is spelt wrong
            return self.problems.unknown(strange[0], "fit", strange[0].text, ["iso"])
        if not node.entries:
            return self.problems.at(node, "the fit is empty", f"choose from {in_words(words)}")
        if all(name.lower() in fits_known for name in node.names):
            return self.problems.at(node.entries[1][0], "a contact pair has one fit",
                                    "drop one, or give a fit for each contact pair")  # fmt: skip
        for word, cls in fits_known.items():
            if all(name in entries_of(cls) for name in node.names):
                hint = f"put it under its fit: fit: {{{word}: {{{node.names[0]}: ...}}}}"
                return self.problems.at(node.entries[0][0], f'"{node.names[0]}" stands directly under fit', hint)
        for key, _ in node.entries:
            if key.text.lower() not in words:
                self.problems.unknown(key, "fit", key.text, [*fits_known, "iso"])
        if all(name.lower() in words for name in node.names):
            self.problems.at(node.entries[1][0], "a contact pair has one fit",
                             "drop one, or give a fit for each contact pair")  # fmt: skip
        return FAILED


def _keys_hint(entries: Mapping[str, Entry]) -> str:
    return f"it takes {in_words(entries)}" if entries else "it takes no keys"


def same_material(one: str, other: str) -> bool:
    """Whether a file would take both names for one material."""
    return _normal(one) == _normal(other)


def _normal(name: str) -> str:
    """cast_iron, cast-iron and Cast Iron are one name."""
    return re.sub(r"[\s_-]+", " ", name.strip().lower())
