"""Sphinx: how the documentation is built. `make docs` runs it with -W: a warning is an error."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "extensions"), str(HERE.parent / "tests" / "docs"), str(HERE.parent / "src")]

from gallery import FilesSaved, prepared  # noqa: E402

import gudgeon  # noqa: E402

project = "gudgeon"
author = "The gudgeon developers"
copyright = author
version = release = gudgeon.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery",
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "plain",
    "pages",
    "outputs",
    "livepages",
]
exclude_patterns = [
    "_build",
    "_examples",
    "theory/derivations",
    "papers/index.md",
    "generated",
    "gallery/**/*.ipynb",
    "gallery/**/*.py",
]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["config.cache"]
nitpicky = False

autodoc_typehints = "none"
autodoc_preserve_defaults = False  # the signature of `simulate` is made from its table of settings
autodoc_member_order = "bysource"
add_module_names = False

sphinx_gallery_conf = {
    "examples_dirs": [prepared(HERE.parent / "examples", HERE / "_examples").name],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"/\d\d_",
    "ignore_pattern": r"__init__",
    "image_scrapers": (FilesSaved(),),
    "within_subsection_order": "FileNameSortKey",
    "copyfile_regex": r".*\.yaml",
    "download_all_examples": False,
    "show_signature": False,
    "remove_config_comments": True,
    "min_reported_time": 1_000_000,
    "write_computation_times": False,
    "reset_modules": (),
    "nested_sections": False,
    "capture_repr": (),
    "only_warn_on_example_error": False,
    "abort_on_example_error": True,
}

templates_path = ["templates"]
html_theme = "pydata_sphinx_theme"
html_title = "gudgeon"
# formulas are drawn by one script beside the pages, so that they read the same off line
(MATHJAX,) = importlib.util.find_spec("sphinx-mathjax-offline").submodule_search_locations
html_static_path = ["static", str(Path(MATHJAX) / "static" / "mathjax" / "tex-svg.js")]
mathjax_path = "tex-svg.js"
html_css_files = ["gudgeon.css"]
html_favicon = "static/gudgeon.svg"
html_show_sourcelink = False
# pages without pages below them have nothing to show at the side
# pages without pages below them have no list of these
html_sidebars = {path.stem: [] for path in HERE.glob("*.md") if not (HERE / path.stem).is_dir()}
html_context = {"default_mode": "light"}
# pages with wide tables, and with our own sources, whose lines are longer
WIDE: dict[str, list[str]] = {f"papers/{path.stem}": [] for path in (HERE / "papers").glob("*.md")}
WIDE |= {f"theory/mates/{path.stem}": [] for path in (HERE / "theory" / "derivations" / "mates").glob("*.md")}
html_theme_options = {
    "logo": {"text": "gudgeon", "image_light": "static/gudgeon.svg", "image_dark": "static/gudgeon.svg"},
    "header_links_before_dropdown": 5,
    "navbar_align": "left",
    "show_prev_next": True,
    "secondary_sidebar_items": {"**": ["page-toc"], **WIDE},
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}
linkcheck_timeout = 15
linkcheck_anchors = False
