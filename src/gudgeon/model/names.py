"""Names of parts: what a name may be, and errors that begin with the part they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, ClassVar

from gudgeon.quantity import GudgeonError, Part, closest, in_words

__all__ = ["GROUND", "Named", "about", "check_fields", "check_name", "choice", "fields_of", "shown", "unknown"]

GROUND = "ground"


def shown(value: Any) -> str:
    """A value as the user wrote it; a part by its class, for its fields would fill the screen."""
    if isinstance(value, Part):
        return f"{type(value).__name__}(...)"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def check_name(name: Any, word: str) -> str:
    """The name, if it can stand in a path such as "pin.radial_clearance"."""
    if not isinstance(name, str) or not name:
        raise GudgeonError(f"{word} name {shown(name)} must be a text; write for instance {shown(f'{word}_1')}")
    if name == GROUND:
        raise GudgeonError(f'{word} name "{GROUND}" is reserved for the frame; choose another name')
    if re.search(r"[\s.]", name):
        better = re.sub(r"[\s.]+", "_", name.strip(" ."))
        raise GudgeonError(f'{word} name "{name}" must not have spaces or dots; write "{better}"')
    return name


def unknown(word: str, name: str, known: Iterable[str]) -> GudgeonError:
    """The error for a name that nothing carries, with the likely one."""
    names = list(known)
    likely = closest(name, names)
    if likely:
        return GudgeonError(f'unknown {word} "{name}"; did you mean "{likely}"?')
    listed = f"known: {in_words(names)}" if names else f"there is no {word} yet, add it first"
    return GudgeonError(f'unknown {word} "{name}"; {listed}')


def fields_of(cls: Any) -> list[str]:
    """What a part can be given."""
    return [item.name for item in fields(cls) if item.init]


def check_fields(given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse a keyword that is no field."""
    names = list(known)
    for name in given:
        if name not in names:
            raise unknown("field", name, names)


def choice(value: Any, known: Iterable[str], name: str, called: Mapping[str, str] | None = None) -> str:
    """The value, if it is one of the known words; `called`: what is meant by other words."""
    words = list(known)
    if value in words:
        return str(value)
    meant = (called or {}).get(value.lower()) if isinstance(value, str) else None
    likely = meant if meant in words else closest(value, words) if isinstance(value, str) else None
    remedy = f'did you mean "{likely}"?' if likely else f"choose from {in_words(words)}"
    raise GudgeonError(f"{name} {shown(value)} is not known; {remedy}")


@contextmanager
def about(who: str, drop: str = "") -> Iterator[None]:
    """Begin the message of an error raised inside with `who`, in place of `drop`."""
    try:
        yield
    except GudgeonError as error:
        text = str(error).removeprefix(drop)
        raise GudgeonError(text if text.startswith(who) else f"{who}: {text}") from None


class Named(Part):
    """A part with a name; its errors begin with it."""

    name: str
    word: ClassVar[str] = "part"

    def __post_init__(self) -> None:
        check_name(self.name, self.word)
        with about(self.title, drop=f"{type(self).__name__}: "):
            super().__post_init__()

    @property
    def title(self) -> str:
        """The part in a message: joint "pin"."""
        return f'{self.word} "{self.name}"'
