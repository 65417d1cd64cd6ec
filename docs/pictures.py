"""The pictures of docs/images: pages of the viewer and reports, photographed in a browser.

    python docs/pictures.py [NAME ...]      all of them, or those named

Needs playwright and a Chromium (CHROMIUM=PATH where it is elsewhere). A picture is one line of TABLE.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gudgeon.cli.running import ideal_twin, run_settings, simulated
from gudgeon.cli.source import find
from gudgeon.view import page

IMAGES = Path(__file__).parent / "images"
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
WIDE = {"width": 1280, "height": 760}
# the slider of the factor, 0 to 1000
MAGNIFY = """const x = document.querySelector(".controls input[type=range]");
x.value = {}; x.dispatchEvent(new Event("input"));"""
COLOURS = 128  # of a picture as it is kept: lines and flat surfaces need no more


@dataclass(frozen=True)
class Picture:
    """A page of a built-in case at a share `at` of its time; `until` [s] as on the command line, `do` is said to the
    page before it is photographed."""

    case: str
    at: float = 0.3
    until: str | None = None
    revolutions: float | None = None
    channels: tuple[str, ...] = ()
    do: str = ""
    report: bool = False


TABLE = {
    "viewer-slider-crank": Picture("flores2007/slider_crank", 0.62, channels=("slider.ax", "pin.force", "main.torque")),
    "viewer-four-bar": Picture("flores2006/four_bar", 0.45),
    "viewer-triple-pendulum": Picture("ambrosio2018/triple_pendulum", 0.13, until="2 s"),
    "viewer-flexible": Picture(
        "bauchau2002/A2", 0.3326, channels=("main.torque", "pin.force", "arm.50.moment"), do=MAGNIFY.format(800)
    ),
    "viewer-quick-return": Picture(
        "bauchau2002/quick_return_3", 0.8, channels=("shuttle.vx", "motor.torque", "N.force"), do=MAGNIFY.format(700)
    ),
    "viewer-dark": Picture("flores2006/four_bar", 0.6, do="gudgeonViewer.theme(true)"),
    "report": Picture("bauchau2002/A2", report=True),
}


def main(names: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as play, TemporaryDirectory() as folder:
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS)
        for name in names or TABLE:
            picture, path = TABLE[name], Path(folder) / f"{name}.html"
            tab = browser.new_page(viewport=WIDE, reduced_motion="reduce")  # nothing plays by itself
            (_report if picture.report else _viewer)(tab, picture, path)
            shot = IMAGES / f"{name}.png"
            tab.screenshot(path=shot)
            tab.close()
            print(f"{shot.name}: {_smaller(shot) / 1e3:.0f} kB")
        browser.close()


def _viewer(tab: Any, picture: Picture, path: Path) -> None:
    source = find(picture.case)
    settings = run_settings(source, picture.until, picture.revolutions)
    run = simulated(source.mechanism, settings, False)
    page(run, ideal_twin(source, settings), channels=list(picture.channels) or None).save(path)
    tab.goto(path.as_uri())
    tab.wait_for_selector("html[data-ready=yes]", state="attached", timeout=60_000)
    if picture.do:
        tab.evaluate(f"() => {{ {picture.do} }}")
    tab.evaluate("(s) => gudgeonViewer.go(gudgeonViewer.span[0] * (1 - s) + gudgeonViewer.span[1] * s)", picture.at)
    tab.wait_for_timeout(300)


def _report(tab: Any, picture: Picture, path: Path) -> None:
    from typer.testing import CliRunner

    from gudgeon.cli.app import app

    done = CliRunner().invoke(app, ["report", picture.case, "-o", str(path)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    tab.set_viewport_size({"width": 1040, "height": 1400})
    tab.goto(path.as_uri())
    tab.wait_for_timeout(1500)


def _smaller(path: Path) -> int:
    """Few colours; the size in bytes."""
    from PIL import Image

    with Image.open(path) as shot:
        shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    return path.stat().st_size


if __name__ == "__main__":
    main(sys.argv[1:])
