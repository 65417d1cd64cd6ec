"""`--set path=value`: a number by its short path, or any field by its path in the model file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from gudgeon.model import Mechanism

__all__ = ["apply"]


def apply(mechanism: Mechanism, changes: Iterable[str]) -> Mechanism:
    """The mechanism with every `path=value` applied in order."""
    from gudgeon.model.files.edit import put

    for change in changes:
        path, equals, value = (text.strip() for text in change.partition("="))
        if not (equals and path and value):
            raise GudgeonError(f'--set "{change}": write path=value, for instance --set pin.radial_clearance=0.2mm')
        try:
            mechanism = put(mechanism, path, value)
        except GudgeonError as error:
            reason = str(error).removeprefix(f'vary "{path}": ')
            raise GudgeonError(f"--set {path}={value}: {reason}") from None
    return mechanism
