"""The frame of a page and its parts: one file that makes no request to a network, for the screen and for paper."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape
from pathlib import Path

import gudgeon
from gudgeon.view import COMPUTE

__all__ = ["document", "facts", "made", "picture", "safe", "table"]

# not even a figure may ask for anything from elsewhere
POLICY = "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
# what XML and HTML do not allow even when it is escaped
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
STYLE = """
:root { color-scheme: light }
body { font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #222; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1.5rem; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .2rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; border-bottom: 1px solid #ccc; padding-bottom: .2rem }
.made { color: #666; margin: 0 0 1rem }
.scroll { overflow-x: auto; margin: .8rem 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .9rem .15rem 0; text-align: left; vertical-align: top; overflow-wrap: normal }
thead th { border-bottom: 1px solid #999; font-weight: 600; white-space: nowrap }
.numbers tbody tr:nth-child(even) { background: #f5f5f5 }
.numbers td, .numbers th { padding: .15rem .6rem; white-space: nowrap }
.numbers td:not(.right) { white-space: normal }
.right { text-align: right }
.facts th { font-weight: 600; color: #555; white-space: nowrap; padding-right: 1.5rem }
.facts td { overflow-wrap: anywhere }
.warning, .stopped { border-left: 4px solid #e69f00; background: #fff8e6; padding: .4rem .8rem; margin: .5rem 0 }
.stopped { border-color: #d55e00; background: #fdeee6; white-space: pre-wrap }
figure { margin: 1rem 0 1.5rem; break-inside: avoid }
figure img { max-width: 100%; height: auto; display: block }
figcaption { color: #555; margin-bottom: .3rem }
summary { cursor: pointer; margin: .4rem 0 }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem }
iframe { width: 100%; height: 44rem; border: 1px solid #ccc; border-radius: 4px }
pre { font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; background: #f5f5f5; padding: .8rem;
  white-space: pre-wrap; overflow-wrap: anywhere }
@page { margin: 16mm 14mm }
@media print {
  body { font-size: 10pt; max-width: none; margin: 0; padding: 0 }
  .scroll { overflow: visible }
  .screen { display: none }
  .numbers { font-size: 8.5pt }
  .numbers td, .numbers th { padding: .1rem .35rem }
  thead { display: table-header-group }
  tr, .warning, .stopped { break-inside: avoid }
  h2 { break-after: avoid }
  figure img { max-height: 235mm; max-width: 100%; width: auto }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
"""


def document(title: str, body: str, *, escaped: bool = False, computes: bool = False) -> str:
    """A whole page around a body that is markup already; `computes`: with a live page in it."""
    name = title if escaped else safe(title)
    policy = POLICY + COMPUTE if computes else POLICY
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n{body}\n</body>\n</html>\n"
    )


def safe(text: object) -> str:
    """Text that shows as it is, whatever is in it."""
    return escape(CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(text)))


def made() -> str:
    """Version and time of the page."""
    return f"gudgeon {gudgeon.__version__}, {datetime.now().astimezone():%Y-%m-%d %H:%M %Z}"


def picture(path: Path, alt: str) -> str:
    """An image file inside the page."""
    kind = {".svg": "svg+xml"}.get(path.suffix, path.suffix[1:])
    data = b64encode(path.read_bytes()).decode("ascii")
    return f'<img alt="{safe(alt)}" src="data:image/{kind};base64,{data}">'


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Labels and their texts; a label is said once."""
    rows, last = [], ""
    for label, text in pairs:
        rows.append(f'<tr><th scope="row">{"" if label == last else safe(label)}</th><td>{safe(text)}</td></tr>')
        last = label
    return '<table class="facts">\n' + "\n".join(rows) + "\n</table>"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]], words: set[int]) -> str:
    """Numbers to the right, columns of `words` to the left."""

    def line(tag: str, cells: Sequence[str]) -> str:
        side = ["" if k in words else ' class="right"' for k in range(len(cells))]
        return "<tr>" + "".join(f"<{tag}{s}>{safe(c)}</{tag}>" for s, c in zip(side, cells, strict=True)) + "</tr>"

    body = "\n".join(line("td", row) for row in rows)
    return (
        f'<div class="scroll"><table class="numbers">\n<thead>{line("th", titles)}</thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>"
    )
