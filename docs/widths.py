"""Which code blocks of the built pages are wider than their column, measured in a browser.

    python docs/widths.py [FOLDER]      of the pages, out/docs by default

Needs playwright and a Chromium (CHROMIUM=PATH where it is elsewhere).
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

WINDOW = {"width": 1280, "height": 900}
WIDE = """() => [...document.querySelectorAll("pre")].filter((x) => x.scrollWidth > x.clientWidth + 1).map((x) => {
  const longest = x.textContent.split("\\n").reduce((a, b) => (a.length > b.length ? a : b));
  return `${x.scrollWidth} of ${x.clientWidth} px: ${longest}`; })"""


def main(folder: Path) -> int:
    from playwright.sync_api import sync_playwright

    pages = [path for path in sorted(folder.rglob("*.html")) if not any(part.startswith("_") for part in path.parts)]
    count = 0
    with sync_playwright() as play:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport=WINDOW)
        for path in pages:
            tab.goto(path.resolve().as_uri(), wait_until="domcontentloaded")
            wide = tab.evaluate(WIDE)
            count += len(wide)
            for line in wide:
                print(f"{path.relative_to(folder)}: {line}")
        browser.close()
    print(f"{count} code blocks on {len(pages)} pages are wider than their column")
    return count


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/docs")) > 0)
