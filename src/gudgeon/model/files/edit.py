"""Any field of a mechanism by its path in the model file.

pin.radial_clearance="0.2 mm"             what `Mechanism.vary` knows
gravity="[0, -9.81]"                      a field of the file
pin.fit.clearance.wall.ratio_limit=above  the section, joints, may be left out
"""

from __future__ import annotations

from typing import Any

from gudgeon.model.builder.mechanism import Mechanism
from gudgeon.model.files.errors import ModelFileError
from gudgeon.model.files.reader import loads
from gudgeon.model.files.writer import dump
from gudgeon.quantity import GudgeonError, closest

__all__ = ["edit", "put"]


def put(mechanism: Mechanism, path: str, value: Any) -> Mechanism:
    """The mechanism with another value: a number by its short path, or any field by its path in the file."""
    return mechanism.vary(path, value) if path in mechanism.parameters else edit(mechanism, path, value)


def edit(mechanism: Mechanism, path: str, value: Any) -> Mechanism:
    """The mechanism with a field of its file changed; where there is no such field, what `vary` says about the path.
    A text is read as YAML."""
    import yaml

    try:
        document = yaml.safe_load(dump(mechanism))
        new = yaml.safe_load(value) if isinstance(value, str) else value
    except (GudgeonError, yaml.YAMLError):
        return mechanism.vary(path, value)
    *owners, key = path.split(".")
    place: Any = find(document, owners, key)
    if not isinstance(place, dict) or (owners == [] and key not in document):
        return mechanism.vary(path, value)
    place[key] = new
    try:
        return loads(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), "edit").mechanism
    except ModelFileError as error:
        if len(owners) == 1 and error.problems[0].message.startswith("unknown key"):
            # `vary` knows better why a part has no such number
            return mechanism.vary(path, value)
        raise GudgeonError(_first(error, path, mechanism)) from None


def find(document: dict[str, Any], owners: list[str], key: str) -> Any:
    """The mapping that holds the field; the section of a part may be left out. A joint and its motor have one name: the
    part that has the key already is meant."""
    if owners and owners[0] not in document:
        sections = [part for part in document.values() if isinstance(part, dict) and owners[0] in part]
        having = [part for part in sections if len(owners) == 1 and key in part[owners[0]]]
        document = (having or sections or [{}])[0]
    place: Any = document
    for name in owners:
        place = place.get(name) if isinstance(place, dict) else None
    return place


def _first(error: ModelFileError, path: str, mechanism: Mechanism) -> str:
    """The first problem, without its place in a file that nobody wrote."""
    problem = error.problems[0]
    likely = closest(path, mechanism.parameters) if problem.message.startswith("unknown key") else None
    hint = f'did you mean "{likely}"?' if likely else problem.hint
    return f"{problem.message}; {hint}" if hint else problem.message
