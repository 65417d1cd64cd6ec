"""The page: a run with all that the viewer needs, in one HTML file that asks nothing of any network."""

from __future__ import annotations

import base64
import html
import json
import math
import webbrowser
import zlib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.draw.channels import motion_names
from gudgeon.draw.lines import envelope
from gudgeon.draw.mechanism.drawing import Drawing, all_ideal
from gudgeon.draw.mechanism.frames import Frames
from gudgeon.draw.mechanism.moment import telling_moment
from gudgeon.quantity import GudgeonError
from gudgeon.view.numbers import PackedArrays, rows_to_keep
from gudgeon.written import write_text

if TYPE_CHECKING:
    from gudgeon.results import Run

__all__ = ["COMPUTE", "View", "page"]

FRAMES = 2000  # rows of a page unless more are asked for
SECONDS = 12.0  # that a run takes to play

SHELL = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'{compute}; \
style-src 'unsafe-inline'; img-src data: blob:">
<title>{title}</title><link rel="icon" href="data:,"><style>{style}</style></head>
<body><div id="gudgeon"></div>
<script type="application/json" id="gudgeon-scene">{scene}</script>
<script type="text/plain" id="gudgeon-numbers">{numbers}</script>
<script type="text/plain" id="gudgeon-code">{code}</script>
<script>{loader}</script></body></html>
"""

COMPUTE = " 'wasm-unsafe-eval'; worker-src blob:"  # what a page that computes is allowed beside

# the program travels compressed: a third of the size
LOADER = """(async () => {
  const bytes = Uint8Array.from(atob(document.getElementById("gudgeon-code").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.body.append(script);
})();"""


class View:
    """A page on disk. In a notebook it shows itself."""

    def __init__(self, text: str, path: Path | None) -> None:
        self.text, self.path = text, path

    def save(self, path: str | Path) -> Path:
        """Write the page."""
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return write_text(self.path, self.text)

    def open(self) -> None:
        """Show the page in the browser."""
        if self.path is None:
            raise GudgeonError("this page was not written yet; give save() a path first")
        webbrowser.open(self.path.resolve().as_uri())

    def _repr_html_(self) -> str:
        inside = html.escape(self.text, quote=True)
        return f'<iframe srcdoc="{inside}" style="width:100%;height:640px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<View {self.path or ''} {len(self.text) / 1000:.0f} kB>"


Computed = Callable[[Drawing, PackedArrays], dict[str, Any]]


def page(run: Run, ideal: Run | None = None, *, frames: int = FRAMES, channels: list[str] | None = None,
         computed: Computed | None = None) -> View:  # fmt: skip
    """A run to look at, over its ideal twin as a ghost; `channels` are plotted first.

    `frames`: rows kept at most. Curves of longer runs keep the least and the largest value of every interval.
    `computed`: what the page needs to compute the run again with other numbers (`export.live`).
    """
    if len(run.t) < 2:
        raise GudgeonError(f'run of "{run.name}" has {len(run.t)} row; a page needs two or more')
    if frames < 2:
        raise GudgeonError(f"frames={frames} must be 2 or more")
    for name in channels or ():
        run.channel(name)
    packed = PackedArrays()
    posed = Frames(run)
    tape, poses, fields, kept = _tape(posed, packed, frames)
    drawing = Drawing(posed, poses)
    tape["offsets"] = {j: [packed.floats(run[c][kept]) for c in names] for j, names in drawing.orbits().items()}
    scene = {**_scene(run, drawing, channels), **drawing.magnified(fields), "tape": tape, "ghost": None}
    if ideal is not None:
        # rubber stays elastic in the twin
        title = "ideal" if all_ideal(ideal.mechanism) else "without play"
        scene["ghost"] = {**_tape(Frames(ideal), packed, frames)[0], "title": title}
    if computed is not None:
        scene["live"] = computed(drawing, packed)
    return View(_text(scene, packed), None)


def _tape(posed: Frames, packed: PackedArrays, frames: int
          ) -> tuple[dict[str, Any], np.ndarray, np.ndarray | None, np.ndarray]:  # fmt: skip
    """Times, poses, their play and the curves of a run; poses and play also as (rows, frames, coordinates), and which
    rows of the run they are."""
    run = posed.run
    moments = run.contacts.column("peak_time") if len(run.contacts) else np.zeros(0)
    kept = rows_to_keep(run.t, moments[np.isfinite(moments)], frames)
    poses = posed.poses(kept)
    fields = posed.plays(run.t[kept], poses)
    plays = [None] * poses.shape[1] if fields is None else fields.swapaxes(0, 1)
    entry = {
        "t": packed.floats(run.t[kept], "f8"), "poses": [packed.floats(p) for p in poses.swapaxes(0, 1)],
        "plays": [None if p is None else packed.floats(p) for p in plays],
        "channels": [_curve(run, name, packed, frames) for name in run.channels if not name.endswith(".mode")],
    }  # fmt: skip
    return entry, poses, fields, kept


def _curve(run: Run, name: str, packed: PackedArrays, frames: int) -> dict[str, Any]:
    channel = run.channel(name)
    entry: dict[str, Any] = {"name": name, "unit": channel.unit, "label": channel.label}
    if len(run.t) <= frames:
        return {**entry, "x": packed.curve(run[name])}
    t, x = envelope(run.t, run[name], max(2, frames // 4), many=frames)
    return {**entry, "t": packed.curve(t), "x": packed.curve(x)}


def _scene(run: Run, drawing: Drawing, channels: list[str] | None) -> dict[str, Any]:
    """The description without numbers: what there is, how it is first shown."""
    joints, slow = drawing.joints(), _round(SECONDS / float(run.t[-1] - run.t[0]))
    return {
        "title": run.name, "subtitle": _subtitle(drawing), "planar": run.mechanism.planar, **drawing.frame(),
        "bodies": drawing.bodies(), "joints": joints, "springs": drawing.springs(), "beams": drawing.beams(),
        "period": run.period, "contacts": _contacts(run), "horizon": run.evidence.horizon,
        "evidence": str(run.evidence), "open": telling_moment(run), "shown": channels or motion_names(run)[:3],
        "slow": slow,
        "speeds": sorted({_round(slow * f) for f in (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)} | {1.0, slow}),
    }  # fmt: skip


def _subtitle(drawing: Drawing) -> str:
    features = drawing.features()
    words = [f"{word} {', '.join(names)}" for word, names in features.items()]
    return " · ".join(["ideal joints"] * all_ideal(drawing.mechanism) + words)


def _contacts(run: Run) -> list[dict[str, Any]]:
    keys = ("joint", "t_on", "t_off", "peak_force", "peak_time", "speed_on", "kind")
    table = ({k: getattr(record, k) for k in keys} for record in run.contacts)
    return [{k: None if isinstance(x, float) and not math.isfinite(x) else x for k, x in r.items()} for r in table]


def _round(factor: float) -> float:
    """To one digit: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(factor))
    return float(min((1.0, 2.0, 5.0, 10.0), key=lambda x: abs(math.log(x * power / factor))) * power)


def _text(scene: dict[str, Any], packed: PackedArrays) -> str:
    bundle = resources.files("gudgeon.view") / "bundle"
    code = base64.b64encode(zlib.compress((bundle / "viewer.js").read_bytes(), 9)).decode("ascii")
    # in a script element only "<" can end it or begin a comment
    text = json.dumps(scene, allow_nan=False, default=float).replace("<", "\\u003c")
    return SHELL.format(
        title=html.escape(scene["title"]), style=(bundle / "viewer.css").read_text(encoding="utf-8"), scene=text,
        numbers=packed.text(), code=code, loader=LOADER, compute=COMPUTE if "live" in scene else "",
    )  # fmt: skip
