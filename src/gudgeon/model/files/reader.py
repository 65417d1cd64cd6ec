"""Reads a whole model file: sections in the order that parts need each other, all problems at once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gudgeon.model.builder.mechanism import Mechanism
from gudgeon.model.builder.space_types import PLANE, SPACE
from gudgeon.model.files.errors import ModelFileError
from gudgeon.model.files.layout import (
    BY_JOINT,
    PLACES,
    SECTIONS,
    SPATIAL_SECTIONS,
    Entry,
    run_entries,
    section_entries,
    top_entries,
)
from gudgeon.model.files.parts import Keys, Parts
from gudgeon.model.files.source import FileLeaf, FileNode, FileRow, FileTable, compose, place_of
from gudgeon.model.files.values import FAILED, Problems, shown
from gudgeon.model.joint_kinds import ALSO_CALLED, MISSING
from gudgeon.model.names import GROUND, check_name
from gudgeon.model.parts import SpatialSection
from gudgeon.model.parts.section import Section
from gudgeon.model.run_settings import RunSettings
from gudgeon.model.signals import check_signal, signals_of
from gudgeon.quantity import GudgeonError, closest, in_words

__all__ = ["ModelFile", "RunSettings", "load", "loads", "parse", "read_text"]

_EMPTY = ("there is no model in this file", "a model begins with name: and bodies:")


@dataclass(frozen=True)
class ModelFile:
    """A mechanism and its run settings, as a file describes them; path is None for a text."""

    mechanism: Mechanism
    run: RunSettings
    path: Path | None = None


def load(path: str | Path) -> ModelFile:
    """Read a model file; ModelFileError shows everything that is wrong with it. No code is executed."""
    place = Path(path)
    model = loads(read_text(place), str(place))
    return ModelFile(model.mechanism, model.run, place)


def loads(text: str, name: str = "<text>") -> ModelFile:
    """The same from a text; `name` stands in messages."""
    model: ModelFile = parse(text, name, lambda problems, root: _ModelReader(problems).file(root), *_EMPTY)
    return model


def read_text(place: Path) -> str:
    """The text of a file of ours, which must be UTF-8."""
    try:
        data = place.read_bytes()
    except (OSError, ValueError) as error:
        raise _unreadable(place, error) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text, problems = data.decode("utf-8-sig", errors="replace"), Problems()
        line, column = place_of(text, len(data[: error.start].decode("utf-8-sig", errors="replace")))
        problems.at(FileNode(line, column, 1), "the file is not UTF-8 here", "save it as UTF-8")
        raise ModelFileError(str(place), text, problems) from None


def parse(text: str, name: str, read: Callable[[Problems, FileNode], Any], empty: str, hint: str) -> Any:
    """What `read` makes of the root of a text; all problems together are the error."""
    problems = Problems()
    root = compose(text, problems)
    result, first = None, list(problems)
    if root is not None:
        result = read(problems, root)
    elif not problems:
        problems.at(FileNode(1, 1, 1), empty, hint)
    if problems or result is None:
        # what is no YAML is reported once, not again by whoever cannot use it
        places = {(problem.line, problem.column) for problem in first}
        later = [problem for problem in problems[len(first) :] if (problem.line, problem.column) not in places]
        raise ModelFileError(name, text, [*first, *later])
    return result


def _unreadable(path: Path, error: Exception) -> GudgeonError:
    reason = getattr(error, "strerror", None) or str(error)
    near = []
    if isinstance(error, FileNotFoundError) and path.parent.is_dir():
        near = [other.name for other in path.parent.glob("*.y*ml")]
    likely = closest(path.name, near)
    hint = f'; did you mean "{path.with_name(likely)}"?' if likely else ""
    return GudgeonError(f"{path}: {reason.lower()}{hint}")


def _as_meant(root: FileTable, entries: Mapping[str, Entry]) -> FileTable:
    """What a file says under the keys that are probably meant: parts of a section spelt wrong are known."""
    given, read = set(root.names), FileTable(root.line, root.column, root.width)
    for key, value in root.entries:
        meant = closest(key.text, set(entries) - given) if key.text not in entries else None
        if meant is not None:
            key, given = replace(key, text=meant), given | {meant}
        read.entries.append((key, value))
    return read


def _coordinates(part: Any) -> list[float]:
    points = (getattr(part, name, ()) for name in ("journal_point", "bearing_point", "point_i", "point_j", "point"))
    return [number for point in points for number in point or ()]


class _ModelReader(Parts):
    """One file."""

    def file(self, root: FileNode) -> ModelFile | None:
        if not isinstance(root, FileTable):
            self.problems.at(root, f"a model file is a mapping, not {shown(root)}", "begin with name: ...")
            return None
        self.first = root.entries[0][0] if root.entries else root
        self.root = _as_meant(root, top_entries() | top_entries(False))
        if root.get("vary") is not None and root.get("bodies") is None:
            self.problems.at(
                self.first, "a model file has bodies", "this is a study: gudgeon study run FILE --store DIR"
            )
            return None
        self.word = ""
        materials = self.root.get("materials")
        if materials is not None and not (isinstance(materials, FileLeaf) and materials.value is None):
            self.own_materials(materials)
        self.taken: dict[str, FileLeaf] = {}
        self.broken: set[str] = set()
        self.misnamed: set[str] = set()
        self.body_names = [name for section in ("bodies", "modal_links", "beams") for name in self.names_in(section)]
        self.joint_names = self.names_in("joints")
        self.planar = getattr(self.root.get("planar"), "value", True) is not False
        self.types = PLANE if self.planar else SPACE
        self.joint_class = self.types.joint
        self.mechanism = Mechanism("unnamed", planar=self.planar)
        self.spots = {}
        keys = self.keys(root, top_entries(self.planar), "a model file", self.first)
        heads = ("name", "planar", "gravity", "start")
        values = {k: v for k, v in keys.values.items() if k in heads and v is not FAILED}
        named = {"name": "unnamed", "planar": self.planar, **values}
        made = self.make(Keys(self.first, named), Mechanism, "mechanism")
        self.mechanism = self.mechanism if made is FAILED else made
        self.placed: dict[tuple[str, str], dict[str, FileNode]] = {}
        for section in SECTIONS if self.planar else SPATIAL_SECTIONS:
            self.section(section)
        self.formulas()
        if not self.problems and not self.mechanism.bodies and not self.mechanism.beams:
            self.problems.at(self.first, "the model has no bodies", "write bodies: {arm: {mass: 1 kg, ...}}")
        if self.problems:
            return None
        self.mechanism.check()
        run = keys.values.get("run") or RunSettings()
        return ModelFile(self.mechanism, run)

    def names_in(self, section: str) -> list[str]:
        node = self.root.get(section)
        return node.names if isinstance(node, FileTable) else []

    # -- values that need the file -----------------------------------------------------------------------

    def read_section(self, entry: Entry, node: FileNode) -> Any:
        """Read later, in its order; here only its shape."""
        if isinstance(node, FileTable) or (
            isinstance(node, FileLeaf) and node.value is None and entry.name != "bodies"
        ):
            return None
        hint = f"write {entry.name}: {{name: {{...}}}}"
        return self.problems.at(node, f"{entry.name} must be a mapping of names, not {shown(node)}", hint)

    def read_choice(self, entry: Entry, node: FileNode) -> Any:
        kind = getattr(node, "value", None)
        if entry.name == "kind" and self.planar and kind in SPACE.joint.kinds and kind not in entry.choices:
            hint = "write planar: false at the top, and vectors of 3 components"
            return self.problems.at(node, f"a {kind} joint is one of space, but this file is planar", hint)
        meant = ALSO_CALLED.get(kind.lower()) if entry.name == "kind" and isinstance(kind, str) else None
        if meant in entry.choices and kind not in entry.choices:
            return self.problems.at(node, f'unknown kind "{kind}"', f'did you mean "{meant}"?')
        if meant is not None and self.planar and kind not in entry.choices:
            hint = f'in the plane a {kind} is a "revolute"; or planar: false at the top, and "{meant}"'
            return self.problems.at(node, f'unknown kind "{kind}" in the plane', hint)
        if entry.name == "kind" and isinstance(kind, str) and kind.lower() in MISSING:
            message = f'unknown kind "{kind}": {MISSING[kind.lower()]}'
            return self.problems.at(node, message, f"choose from {in_words(entry.choices)}")
        return super().read_choice(entry, node)

    def unknown_key(self, key: FileLeaf, entries: Mapping[str, Entry], title: str) -> str | None:
        # a key of the part under a law, a fit or a stop has nothing to do with the plane
        if not self.word and key.text == "body":
            self.problems.at(key, 'unknown key "body" in a model file', 'did you mean "bodies"?')
            return "bodies"
        whole = self.word in SECTIONS and entries is section_entries(self.word, self.planar)
        if (
            not whole
            or self.word not in SPATIAL_SECTIONS
            or key.text not in section_entries(self.word, not self.planar)
        ):
            return super().unknown_key(key, entries, title)
        here, other = ("planar", "space") if self.planar else ("in space", "the plane")
        remedy = "planar: false at the top makes the file one of space"
        hint = remedy if self.planar else f"it takes {in_words(entries)}"
        self.problems.at(key, f"{key.text} is a key of {other}, but this file is {here}", hint)
        return {"angle": "orientation", "orientation": "angle"}.get(key.text)

    def read_body(self, entry: Entry, node: FileNode) -> Any:
        return self.reference(entry, node, "body", [*self.body_names, GROUND])

    def read_joint(self, entry: Entry, node: FileNode) -> Any:
        return self.reference(entry, node, "joint", self.joint_names)

    def reference(self, entry: Entry, node: FileNode, word: str, known: list[str]) -> Any:
        if not isinstance(node, FileLeaf) or node.value is None:
            hint = f"write for instance {self.example(entry)}"
            return self.problems.at(node, f"{entry.name} must be the name of a {word}, not {shown(node)}", hint)
        if node.text not in known:
            section = "bodies" if word == "body" else "joints"
            if self.root.get(section) is None and (word == "body" or not known):
                return FAILED  # the section is missing: that is said once
            return self.unknown_part(node, word, known, section)
        return node.text

    def word_for(self, entry: Entry) -> str:
        if entry.kind == "joint":
            return next(iter(self.joint_names), "pin")
        if entry.kind == "body":
            # what is borne comes first, what bears it is most often the ground
            return next(iter(self.body_names), GROUND) if entry.name in ("journal", "body", "body_i") else GROUND
        return super().word_for(entry)

    def unknown_part(self, node: FileLeaf, word: str, known: list[str], section: str) -> Any:
        """A name that no part has: the one that is like it, or where to add it."""
        self.problems.unknown(node, word, node.text, known)
        last = self.problems[-1]
        if not last.hint.startswith("did you mean"):
            add = f"add it under {section}"
            self.problems[-1] = replace(last, hint=f"{last.hint}, or {add}" if last.hint else add)
        return FAILED

    def read_run(self, entry: Entry, node: FileNode) -> Any:
        if isinstance(node, FileLeaf) and node.value is None:
            return RunSettings()
        self.spots = {}
        keys = self.keys(node, run_entries(), "run", node)
        if isinstance(node, FileTable) and {"duration", "revolutions"} <= set(node.names):
            second = [key for key, _ in node.entries if key.text in ("duration", "revolutions")][1]
            return self.problems.at(second, "run has both duration and revolutions", "give one of them")
        if not keys.sound:
            return FAILED
        return RunSettings(**keys.values)

    # -- sections ---------------------------------------------------------------------------------------

    def section(self, section: str) -> None:
        node = self.root.get(section)
        if not isinstance(node, FileTable):
            return
        adders: dict[str, Callable[[FileLeaf, Keys], Any]] = {
            "bodies": self.add_body, "modal_links": self.add_body, "beams": self.add_beam, "joints": self.add_joint,
            "drives": self.add_drive, "motors": self.add_actuator, "controllers": self.add_actuator,
            "springs": self.add_spring, "dampers": self.add_spring, "torsion_springs": self.add_torsion,
            "forces": self.add_load, "torques": self.add_load,
        }  # fmt: skip
        words = {"dampers": "damper", **{name: f"{name[:-1]} of" for name in BY_JOINT}}
        word = words.get(section) or str(getattr(SECTIONS[section], "word", ""))
        seen: set[str] = set()
        for key, value in node.entries:
            if key.text in seen or not self.name(key, section, word):
                continue
            seen.add(key.text)
            self.spots = {}
            self.title, self.word = f'{word} "{key.text}"', section
            keys = self.keys(value, section_entries(section, self.planar), self.title, key)
            self.unplaced(keys, value, section)
            keys.sound = keys.sound and key.text not in self.misnamed
            self.placed[section, key.text] = keys.spots
            made = adders[section](key, keys)
            if made is FAILED:
                self.broken.add(key.text)
            elif not all(map(math.isfinite, _coordinates(made))):
                self.problems.at(key, f"{self.title} is too far away to calculate with", "check the units of its place")

    def formulas(self) -> None:
        """What formulas read, which parts below them may have; a part that could not be made is reported once."""
        made = {*self.mechanism.bodies, *self.mechanism.beams, *self.mechanism.joints}
        lost = {*self.body_names, *self.joint_names} - made
        for x in signals_of(self.mechanism):
            if lost & {name.partition(".")[0] for name in getattr(x.signal, "reads", ())}:
                continue
            field, *place = re.findall(r"\w+", x.field)
            node = self.placed[x.word.removesuffix(" of") + "s", x.name][field]
            if place and isinstance(node, FileRow):
                node = node.items[int(place[0])]
            try:
                check_signal(self.mechanism, x)
            except GudgeonError as error:
                assert isinstance(node, FileLeaf)
                self.formula_problem(x.field, node, error)

    def name(self, key: FileLeaf, section: str, word: str) -> bool:
        """Whether the name of a part can stand; a drive has the name of its joint."""
        if section in BY_JOINT:
            if key.text not in self.joint_names:
                self.unknown_part(key, "joint", self.joint_names, "joints")
            return True
        try:
            check_name(key.text, word)
        except GudgeonError as error:
            self.problems.error(key, error)
            self.misnamed.add(key.text)
        first = self.taken.setdefault(key.text, key)
        if first is not key:
            hint = f"it is on line {first.line}; choose another name"
            self.problems.at(key, f'the name "{key.text}" is taken by another part', hint)
        return first is key

    def unplaced(self, keys: Keys, node: FileNode, section: str) -> None:
        """Places: in the world or on the body, one of both."""
        given = node.names if isinstance(node, FileTable) else []
        for at, points in PLACES.get(section, {}).items():
            on_body = [point for point in points if point in given]
            if at in given and on_body:
                spot = keys.spots.get(on_body[0], keys.place)
                self.problems.at(spot, f"{self.title} has both {at} and {on_body[0]}", "give one of them")
                keys.fail()
            elif at not in given and len(on_body) < len(points) and section != "forces" and keys.sound:
                hint = f"write {at}: [{', '.join('0' * self.types.dimensions)}], or {' and '.join(points)}"
                self.problems.at(keys.place, f"{self.title} has no place", hint)
                keys.fail()

    def add_body(self, key: FileLeaf, keys: Keys) -> Any:
        maker = self.mechanism.modal_link if self.word == "modal_links" else self.mechanism.body
        made = self.make(keys, maker, self.title, name=key.text)
        if made is FAILED and key.text not in self.mechanism.bodies:
            # what stands on it can still be checked
            self.stand_in(key.text)
        return made

    def add_beam(self, key: FileLeaf, keys: Keys) -> Any:
        made = self.make(keys, self.mechanism.beam, self.title, name=key.text)
        if made is FAILED and key.text not in self.mechanism.beams:
            try:
                none, flat = (0.0,) * self.types.dimensions, self.types.dimensions == 2
                section: Any = Section(*(1.0,) * 5) if flat else SpatialSection((1.0,) * 6, (1.0,) * 6)  # type: ignore[arg-type]
                self.mechanism.beam(key.text, a=none, b=(1.0, *none[1:]), section=section)
            except GudgeonError:
                self.broken.add(key.text)
        return made

    def stand_in(self, name: str) -> None:
        size = self.types.dimensions
        try:
            self.mechanism.body(name, mass=1.0, inertia=1.0 if size == 2 else (1.0,) * 3, at=(0.0,) * size)
        except GudgeonError:
            self.broken.add(name)

    def add_joint(self, key: FileLeaf, keys: Keys) -> Any:
        kind = keys.values.get("kind")
        if self.planar and kind in ("translational", "prismatic") and "axis" not in keys.values and keys.sound:
            hint = "give the sliding direction: axis: [1, 0]"
            return self.problems.at(keys.place, f"{self.title} needs axis", hint)
        if not self.standing(keys, "journal", "bearing"):
            return FAILED
        return self.make(keys, self.mechanism.joint, self.title, name=key.text)

    def add_drive(self, key: FileLeaf, keys: Keys) -> Any:
        given = set(keys.spots) & {"speed", "motion"}
        if keys.sound and len(given) != 1:
            count = "neither" if not given else "both"
            return self.problems.at(keys.place, f"{self.title} has {count} of speed and motion", "give one of them")
        return self.add_actuator(key, keys)

    def add_actuator(self, key: FileLeaf, keys: Keys) -> Any:
        """A drive, motor or controller; where its joint could not be made, its own mistakes are still reported."""
        if key.text not in self.mechanism.joints:
            classes = SECTIONS if self.planar else SPATIAL_SECTIONS
            self.make(keys, classes[self.word], self.title, joint=key.text)
            return FAILED
        return self.make(keys, getattr(self.mechanism, self.word[:-1]), self.title, joint=key.text)

    def add_spring(self, key: FileLeaf, keys: Keys) -> Any:
        if not self.standing(keys, "body_i", "body_j"):
            return FAILED
        maker = self.mechanism.damper if self.word == "dampers" else self.mechanism.spring
        return self.make(keys, maker, self.title, name=key.text)

    def add_torsion(self, key: FileLeaf, keys: Keys) -> Any:
        if keys.values.get("joint") not in self.mechanism.joints:
            return FAILED
        return self.make(keys, self.mechanism.torsion_spring, self.title, name=key.text)

    def add_load(self, key: FileLeaf, keys: Keys) -> Any:
        if not self.standing(keys, "body", "reaction"):
            return FAILED
        maker = self.mechanism.force if self.word == "forces" else self.mechanism.torque
        return self.make(keys, maker, self.title, name=key.text)

    def standing(self, keys: Keys, *names: str) -> bool:
        """Whether the bodies it needs could be made; a spring's length would follow from a stand-in."""
        bodies = [keys.values[name] for name in names if name in keys.values]
        strict = self.word in ("springs", "dampers")
        known = {*self.mechanism.bodies, *self.mechanism.beams, GROUND}
        return all(body in known and not (strict and body in self.broken) for body in bodies)
