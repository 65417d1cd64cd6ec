"""`--set path=value`: a number by its short path, or any field by its path in the model file.

pin.radial_clearance="0.2 mm"             what `Mechanism.vary` knows
gravity="[0, -9.81]"                      a field of the file
pin.fit.clearance.wall.ratio_limit=above  the section, joints, may be left out
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gudgeon.quantity import GudgeonError, closest

if TYPE_CHECKING:
    from gudgeon.model import Mechanism
    from gudgeon.model.files import ModelFileError

__all__ = ["apply"]


def apply(mechanism: Mechanism, changes: Iterable[str]) -> Mechanism:
    """The mechanism with every `path=value` applied in order."""
    for change in changes:
        path, equals, value = (text.strip() for text in change.partition("="))
        if not (equals and path and value):
            raise GudgeonError(f'--set "{change}": write path=value, for instance --set pin.radial_clearance=0.2mm')
        try:
            mechanism = mechanism.vary(path, value) if path in mechanism.parameters else edit(mechanism, path, value)
        except GudgeonError as error:
            reason = str(error).removeprefix(f'vary "{path}": ')
            raise GudgeonError(f"--set {path}={value}: {reason}") from None
    return mechanism


def edit(mechanism: Mechanism, path: str, value: str) -> Mechanism:
    """The mechanism with a field of its file changed; where there is no such field, what `vary` says about the path."""
    import yaml

    from gudgeon.model.files import ModelFileError, dump, loads

    try:
        document = yaml.safe_load(dump(mechanism))
        new = yaml.safe_load(value)
    except (GudgeonError, yaml.YAMLError):
        return mechanism.vary(path, value)
    *owners, key = path.split(".")
    place: Any = find(document, owners)
    if not isinstance(place, dict) or (owners == [] and key not in document):
        return mechanism.vary(path, value)
    place[key] = new
    try:
        return loads(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), "--set").mechanism
    except ModelFileError as error:
        raise GudgeonError(_first(error, path, mechanism)) from None


def find(document: dict[str, Any], owners: list[str]) -> Any:
    """The mapping that holds the field; the section of a part may be left out."""
    if owners and owners[0] not in document:
        sections = [part for part in document.values() if isinstance(part, dict) and owners[0] in part]
        document = sections[0] if sections else {}
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
