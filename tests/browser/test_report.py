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
