"""The report in a real browser: complete, moving, and printed."""

from __future__ import annotations

import re

import pytest
from test_viewer import CHROMIUM, FLAGS, playwright
from typer.testing import CliRunner

from gudgeon.cli.app import app

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this computer; set CHROMIUM=PATH"),
    pytest.mark.xdist_group("browser"),
]


def test_a_flexible_report_prints_its_beams(tmp_path):
    """Beams, their moments and their figures are on screen and on paper; no page of the paper is wider than it."""
    path = tmp_path / "flexible.html"
    words = ["report", "bauchau2002/A2", "-r", "0.2", "--no-trust", "--no-viewer", "-o", str(path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page(viewport={"width": 1000, "height": 1400})
        tab.goto(path.as_uri())
        text = tab.inner_text("body")
        # A4 less its margins
        tab.set_viewport_size({"width": 688, "height": 1000})
        tab.emulate_media(media="print")
        wide = tab.evaluate("Math.max(...[...document.querySelectorAll('table')].map((x) => x.scrollWidth))")
        pdf = tab.pdf(format="A4", print_background=True)
        browser.close()
    for said in ("crank\t0, 0\t250, 0", "4 of order 3", "Reissner 1972", "arm.50.moment", "Bending moments"):
        assert said in text
    assert wide <= 688
    assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 2


def test_a_report_moves_and_prints(tmp_path):
    path = tmp_path / "report.html"
    done = CliRunner().invoke(app, ["report", "flores2007/slider_crank", "-r", "0.3", "-o", str(path)])
    assert done.exit_code == 0, done.output
    complaints: list[str] = []
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page()
        tab.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        tab.on(
            "request",
            lambda r: None if r.url.startswith(("file:", "data:", "about:", "blob:")) else complaints.append(r.url),
        )
        tab.goto(path.as_uri())
        frame = tab.frame_locator("iframe")
        frame.locator(".stage canvas").wait_for(timeout=60_000)
        frame.locator("#gudgeon .clock").wait_for()
        for words in ("What was modelled", "LankaraniNikravesh", "Peaks", "Evidence", "References"):
            assert words in tab.inner_text("body")
        pdf = tab.pdf(format="A4", print_background=True)
        browser.close()
    assert [c for c in complaints if "GPU stall" not in c] == []
    assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 2
