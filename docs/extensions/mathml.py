"""Mathematics as MathML, which browsers draw by themselves: the pages load no script and read the same off line."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx


def inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    writer.body.append(tex2mathml(lines(node.astext()), as_block=True))
    writer.body.append("</div>\n")
    raise nodes.SkipNode


def lines(text: str) -> str:
    """Several lines without an environment are aligned at their first sign of equality, as in LaTeX's align."""
    text = text.strip()
    return text if r"\\" not in text or r"\begin" in text else rf"\begin{{align}}{text}\end{{align}}"


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
