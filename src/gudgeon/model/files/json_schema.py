"""The JSON Schema of model files, for editors: pydantic models made from the same entries that the reader uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from gudgeon.laws import Law, Material
from gudgeon.model.builder.space_types import PLANE, SPACE, SpaceTypes
from gudgeon.model.files.layout import (
    FAMILIES,
    SECTIONS,
    SPATIAL_SECTIONS,
    Entry,
    entries_of,
    fits_by_word,
    iso_entries,
    iso_fits,
    material_names,
    run_entries,
    section_entries,
    shape_entries,
    top_entries,
)
from gudgeon.model.fits.stop import Stop
from gudgeon.model.joint_kinds import UNITS
from gudgeon.model.parts import SpatialSection
from gudgeon.model.parts.section import Section
from gudgeon.quantity import Unit

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["file_model", "schema", "schema_of"]

_NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
_WITH_UNIT = rf"^\s*{_NUMBER}\s*\S*"


def schema() -> dict[str, Any]:
    """JSON Schema of a model file; unknown keys are forbidden, units stand in the descriptions."""
    return _finished("model file", file_model())


def schema_of(title: str, entries: dict[str, Entry], run: dict[str, Entry], extra: dict[str, Any]) -> dict[str, Any]:
    """The same for another kind of file: its keys, the keys of its `run`, and types of what is not a plain value."""
    maker = _Maker()
    settings = maker.model("Run", run, "Settings of the runs.")
    return _finished(title, maker.model("File", entries, f"A {title} of gudgeon.", {**extra, "run": settings}))


def _finished(title: str, made: type[BaseModel]) -> dict[str, Any]:
    address = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": address, "title": f"gudgeon {title}", **_tidy(made.model_json_schema())}


def _tidy(value: Any) -> Any:
    """Without defaults that say nothing, and titles that repeat the name of their key."""
    if isinstance(value, list):
        return [_tidy(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: _tidy(item) for name, item in inner.items()} if key in ("properties", "$defs") else _tidy(inner)
        for key, inner in value.items()
        if not (key == "title" and isinstance(inner, str)) and not (key == "default" and inner is None)
    }


def file_model() -> type[BaseModel]:
    """The pydantic model of a whole file, made anew so that laws registered since are in it: of the plane or of space,
    as its key `planar` says."""
    maker = _Maker()
    plane, space = maker.file(PLANE), maker.file(SPACE)

    class AnyModelFile(maker.pydantic.RootModel[plane | space]):  # type: ignore[name-defined]
        """A mechanism with real joints, see gudgeon."""

    made: type[BaseModel] = AnyModelFile
    return made


class _Maker:
    """Makes one model for each class, once."""

    def __init__(self) -> None:
        import pydantic

        self.pydantic = pydantic
        self.made: dict[str, Any] = {}
        self.material = self._material()
        self.laws = {word: self._laws(family) for word, family in FAMILIES.items()}
        self.types = PLANE

    def file(self, types: SpaceTypes) -> type[BaseModel]:
        """A file of the plane or of space."""
        self.types, planar = types, types is PLANE
        self.fit = self._fit()
        self.stop = self._stop()
        sections: dict[str, Any] = {"planar": Literal[planar]}
        for name, cls in (SECTIONS if planar else SPATIAL_SECTIONS).items():
            title = cls.__name__ if name != "dampers" else "Damper" if planar else "SpatialDamper"
            part = self.model(title, section_entries(name, planar), cls.__doc__)
            sections[name] = dict[str, part]  # type: ignore[valid-type]
        own = self.model("Material", entries_of(Material), Material.__doc__)
        run = self.model("Run", run_entries(), "Settings of a run.")
        extra = {**sections, "materials": dict[str, own], "run": run}  # type: ignore[valid-type]
        title, words = ("ModelFile", "in the plane") if planar else ("SpatialModelFile", "in space")
        return self.model(title, top_entries(planar), f"A mechanism {words}.", extra)

    def model(self, name: str, entries: dict[str, Entry], words: str | None,
              extra: dict[str, Any] | None = None) -> Any:  # fmt: skip
        """A model whose unknown keys are errors; each name once, so that the schema can refer to it."""
        if name not in self.made:
            fields: dict[str, Any] = {}
            for entry in entries.values():
                hint = (extra or {}).get(entry.name) or self.hint(entry)
                default = ... if entry.required else entry.default
                empty = entry.kind in ("section", "run") and not entry.required
                described = self.pydantic.Field(default, description=_words(entry))
                fields[entry.name] = (hint | None if empty else hint, described)
            config = self.pydantic.ConfigDict(extra="forbid", title=name)
            text = " ".join((words or "").split())
            self.made[name] = self.pydantic.create_model(name, __config__=config, __doc__=text, **fields)
        return self.made[name]

    # -- one value --------------------------------------------------------------------------------------

    def hint(self, entry: Entry) -> Any:
        """The type of a value."""
        return getattr(self, f"_{entry.kind}_hint", self._text_hint)(entry)

    def number(self, unit: Unit | None) -> Any:
        unit = unit or Unit("")
        bounds = {"gt": unit.above, "ge": unit.minimum, "le": unit.maximum}
        number = Annotated[float, self.pydantic.Field(**{k: v for k, v in bounds.items() if v is not None})]
        pattern = f"{_WITH_UNIT}|{unit.other_texts}" if unit.other_texts else _WITH_UNIT
        return number | Annotated[str, self.pydantic.Field(pattern=pattern)]

    def _quantity_hint(self, entry: Entry) -> Any:
        return self.number(entry.unit)

    def _either_hint(self, entry: Entry) -> Any:
        return self.number(None)

    def listed(self, item: Any, size: int) -> Any:
        return Annotated[list[item], self.pydantic.Field(min_length=size, max_length=size)]

    def _point_hint(self, entry: Entry) -> Any:
        return self.listed(self.number(entry.unit), entry.sizes[0])

    def _points_hint(self, entry: Entry) -> Any:
        return list[self._point_hint(entry)]  # type: ignore[misc]

    def _vector_hint(self, entry: Entry) -> Any:
        union: Any = self.listed(self.number(None), entry.sizes[0])
        for size in entry.sizes[1:]:
            union = union | self.listed(self.number(None), size)
        return union

    def _numbers_hint(self, entry: Entry) -> Any:
        number = self.number(None)
        return list[number]  # type: ignore[valid-type]

    def _matrix_hint(self, entry: Entry) -> Any:
        diagonal = self.listed(self.number(None), entry.sizes[0])
        return diagonal | self.listed(diagonal, entry.sizes[0])

    def _signal_hint(self, entry: Entry) -> Any:
        return float | str

    def _signals_hint(self, entry: Entry) -> Any:
        return self.listed(float | str, entry.sizes[0])

    def _formula_hint(self, entry: Entry) -> Any:
        return str | float

    def _beam_section_hint(self, entry: Entry) -> Any:
        cls = SpatialSection if entry.family == "space" else Section
        union: Any = self.model(cls.__name__, entries_of(cls), cls.__doc__)
        for shape, entries in shape_entries().items():
            own = self.model(shape.capitalize(), entries, f"A section from its shape: a {shape}.")
            whole = {shape: Entry(shape, "any", required=True)}
            union = union | self.model(f"{shape.capitalize()}Section", whole, f"A {shape}.", {shape: own})
        return union

    def _text_hint(self, entry: Entry) -> Any:
        return str

    def _count_hint(self, entry: Entry) -> Any:
        return int

    def _flag_hint(self, entry: Entry) -> Any:
        return bool

    def _choice_hint(self, entry: Entry) -> Any:
        return Literal[entry.choices]

    def _list_hint(self, entry: Entry) -> Any:
        return list[str]

    def _any_hint(self, entry: Entry) -> Any:
        return Any

    def _law_hint(self, entry: Entry) -> Any:
        return self.laws[entry.family]

    def _material_hint(self, entry: Entry) -> Any:
        return self.material | self.listed(self.material, 2)

    def _fit_hint(self, entry: Entry) -> Any:
        return self.fit

    def _stop_hint(self, entry: Entry) -> Any:
        return self.stop

    # -- parts inside parts -----------------------------------------------------------------------------

    def _material(self) -> Any:
        """A name of gudgeon, a name of the section `materials`, or all numbers."""
        named = Entry("name", "text", required=True, words="what it is called")
        inline = self.model("NamedMaterial", {"name": named, **entries_of(Material)}, Material.__doc__)
        known = ", ".join(material_names())
        examples = self.pydantic.Field(examples=list(material_names()), description=f"{known}, or one of materials:")
        return Annotated[str, examples] | inline

    def _laws(self, family: type[Law]) -> Any:
        union: Any = None
        for name, cls in family.registry.items():
            word = Entry("law", "choice", required=True, choices=(name,), words=cls.reference)
            words = f"{cls.__doc__} Valid: {cls.validity}"
            made = self.model(name, {"law": word, **entries_of(cls)}, words)
            union = made if union is None else union | made
        return union | Literal[tuple(family.registry)]

    def _fit(self) -> Any:
        union: Any = Literal["ideal"]
        for word, cls in fits_by_word().items():
            inner = self.model(cls.__name__, entries_of(cls), cls.__doc__)
            one = Entry(word, "fit", required=True)
            union = union | self.model(f"{cls.__name__}Fit", {word: one}, cls.__doc__, {word: inner})
        for loose in iso_fits():
            union = union | self.model(f"Iso{loose.iso_key.capitalize()}Fit", iso_entries(loose), loose.iso_words)
        mates = {mate: Entry(mate, "fit", words=f"fit of the contact pair {mate}") for mate in self.types.joint.mates}
        title = "FitByMate" if self.types is PLANE else "SpatialFitByMate"
        return union | self.model(title, mates, "A fit for each contact pair.", dict.fromkeys(mates, union))

    def _stop(self) -> Any:
        one = self.model("Stop", entries_of(Stop), Stop.__doc__)
        if self.types is PLANE:
            return one
        sides = {side: Entry(side, "stop", words=f"limits of the {side}") for side in UNITS}
        words = "A stop for each free direction."
        return one | self.model("StopByDirection", sides, words, dict.fromkeys(sides, one))


def _words(entry: Entry) -> str:
    unit = entry.unit.unit if entry.unit is not None else " or ".join(dict.fromkeys(filter(None, entry.units)))
    shown = f" [{unit}]" if unit else ""
    return (entry.words or entry.name.replace("_", " ")) + shown
