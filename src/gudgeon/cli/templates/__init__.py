"""Model files to start from: one YAML file with comments each. NAME stands for the name of the model."""

from __future__ import annotations

from importlib.resources import files

from gudgeon.quantity import GudgeonError, closest

__all__ = ["WORDS", "text"]

# template -> what it is
WORDS = {
    "slider-crank": "crank, rod and slider at constant speed, with play in the pin of the slider",
    "four-bar": "four links with play between coupler and follower, and friction in it",
    "motor": "a slider-crank that a direct-current motor starts from rest, with play in a pin",
    "pendulum": "an arm that falls against a stop",
    "journal-bearing": "a loaded shaft that is started and lifted by its oil film",
    "loose-guide": "a slider-crank whose slider has play in its guide and rattles on its corners",
}


def text(name: str) -> str:
    """The text of a template."""
    if name not in WORDS:
        likely = closest(name, WORDS)
        hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(WORDS)}"
        raise GudgeonError(f'template "{name}" is not known; {hint}')
    return files("gudgeon.cli.templates").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
