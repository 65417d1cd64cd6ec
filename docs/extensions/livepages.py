"""Pages that compute, inside the documentation: the directive `live` shows one by its name.

    ```{live} slider-crank
    A sentence below it.
    ```

They are made by `gudgeon.live` when the documentation is built, and again only when the model, its sliders or the
sources of gudgeon have changed.
"""

from __future__ import annotations

import hashlib
import html
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import Directive

import gudgeon as gd
from gudgeon.papers import flores2006, flores2007

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parent
MADE = HERE / "generated" / "live"
MODELS = ROOT / "examples" / "models"
HEIGHT = 760  # pixels: mechanism and sliders are seen together in a column of text


@dataclass(frozen=True)
class LivePage:
    """A mechanism, how it runs, its sliders."""

    make: Callable[[], gd.Mechanism]
    settings: dict[str, Any]
    knobs: dict[str, Any]


PAGES = {
    "slider-crank": LivePage(
        lambda: flores2007.slider_crank("0.5 mm", friction=0.01), {"revolutions": 2, "method": "dopri5", "rtol": 1e-8},
        {"pin.radial_clearance": ("0.02 mm", "0.6 mm"), "pin.friction": (0.0, 0.2), "main.speed": (-630.0, -315.0)}),
    "four-bar": LivePage(
        lambda: flores2007.four_bar("0.2 mm", friction=0.01), {"revolutions": 2, "method": "dopri5", "rtol": 1e-8},
        {"pin.radial_clearance": ("0.05 mm", "0.5 mm"), "pin.restitution": (0.4, 0.95), "follower.mass": None}),
    "pendulum-with-stop": LivePage(
        lambda: gd.Mechanism.from_file(MODELS / "pendulum-with-stop.yaml"), {"duration": "2 s"},
        {"arm.mass": (1.0, 4.0), "arm.inertia": (0.005, 0.02)}),
    "packaging-four-bar": LivePage(
        lambda: gd.Mechanism.from_file(MODELS / "packaging-four-bar.yaml"), {"revolutions": 1},
        {"pin.radial_clearance": ("0.05 mm", "0.3 mm"), "pin.friction": (0.05, 0.2)}),
    "triple-pendulum": LivePage(
        lambda: gd.Mechanism.from_file(MODELS / "triple-pendulum.yaml"), {"duration": "1 s"},
        {"arm2.mass": None, "arm3.mass": None}),
    "spatial-four-bar": LivePage(
        lambda: flores2006.four_bar("0.5 mm"), {"duration": "0.5 s", "rtol": 1e-7},
        {"ball.radial_clearance": ("0.1 mm", "1 mm"), "ball.restitution": (0.4, 0.95), "coupler.mass": None}),
}  # fmt: skip
# examples of the gallery that end with one
EXAMPLES = {"01_slider_crank": "slider-crank", "04_pendulum_with_stop": "pendulum-with-stop",
            "14_packaging_four_bar": "packaging-four-bar", "19_triple_pendulum": "triple-pendulum"}  # fmt: skip


@cache
def sources() -> str:
    """What the sources of gudgeon are."""
    made = hashlib.sha256()
    for path in sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("viewer.js")]):
        made.update(path.read_bytes())
    return made.hexdigest()


def written(name: str) -> Path:
    """The file of a page, made where it is not there or has changed."""
    entry, path = PAGES[name], MADE / f"{name}.html"
    key = hashlib.sha256(f"{entry.make()!r} {entry.settings} {entry.knobs} {sources()}".encode()).hexdigest()
    stamp = path.with_suffix(".key")
    if not (path.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == key):
        gd.live(entry.make(), knobs=entry.knobs, progress=False, frames=600, **entry.settings).save(path)
        stamp.write_text(key, encoding="utf-8")
    return path


class LiveDirective(Directive):
    """A live page in a frame, with a link to it alone and a sentence."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in PAGES:
            raise self.error(f'no live page "{name}"; there are {", ".join(PAGES)}')
        environment = self.state.document.settings.env
        place = "../" * environment.docname.count("/") + f"live/{name}.html"
        frame = (f'<iframe class="live" title="{html.escape(name)}, computed in this page" src="{place}" '
                 f'loading="lazy" style="height:{HEIGHT}px"></iframe>'
                 f'<p class="live"><a href="{place}">Open it alone</a>: one file, which needs no network.</p>')
        words = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, words)
        return [nodes.raw("", frame, format="html"), *words.children]


def copied(app: Sphinx, error: Exception | None) -> None:
    """The pages beside the others, when all is written."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "live"
    folder.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        shutil.copy(written(name), folder / f"{name}.html")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("live", LiveDirective)
    app.connect("build-finished", copied)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
