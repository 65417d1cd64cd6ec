"""Pages of a model and a study whose names hold HTML, script and mathematics: shown as text, nothing of them runs."""

from __future__ import annotations

import pytest
from test_viewer import CHROMIUM, FLAGS, READY, playwright
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli.app import app
from gudgeon.report.study_page import study_page

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this computer; set CHROMIUM=PATH"),
    pytest.mark.xdist_group("browser"),
]

TITLE = """<script>hit=1</script>"'&lt;</title><script>hit=1</script>"""
BODY, ROD = "<img/src=x/onerror=hit=1>", '"onmouseover="hit=1"'
PIN, PIVOT = "</script><script>hit=1</script>", "javascript:hit=1//'"
SPRING, LOAD = "<svg/onload=hit=1>", "--><script>hit=1</script>"


def evil(pin: str = PIN) -> gd.Mechanism:
    """A double pendulum with a loose pin, a spring and a force, all with names that may be more than names."""
    m = gd.Mechanism(TITLE, gravity=(0.0, -9.81))
    arm = m.body(BODY, mass=1.0, inertia=0.1, at=(1.0, 0.0))
    rod = m.body(ROD, mass=1.0, inertia=0.1, at=(2.0, 0.0))
    m.revolute(PIVOT, journal=arm, bearing=m.ground, at=(0.0, 0.0))
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)
    m.revolute(pin, journal=rod, bearing=arm, at=(1.5, 0.0), radius="10 mm", length="20 mm",
               fit=gd.Clearance("0.5 mm", wall=wall))  # fmt: skip
    m.spring(SPRING, body_i=rod, body_j=m.ground, at_i=(2.0, 0.0), at_j=(2.0, 1.0), stiffness=100.0)
    m.force(rod, components=(1.0, 0.0), name=LOAD)
    return m


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A viewer, a report with a viewer inside, both of a run on disk, and the page of a study."""
    folder = tmp_path_factory.mktemp("hostile")
    model = evil().to_file(folder / "<b onclick=hit=1>&quot;.yaml")
    for words in (["run", str(model), "--until", "0.1 s", "--out", str(folder / "run"), "--quiet"],
                  ["report", str(folder / "run"), "-o", str(folder / "report.html")],
                  ["view", str(folder / "run"), "--no-open", "-o", str(folder / "view.html")]):  # fmt: skip
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
    study = gd.Study(evil(), {f"{PIN}.radial_clearance": [2e-4, 5e-4], f"{BODY}.mass": [1.0, 2.0]},
                     [f"peak {PIN}.force"], name=TITLE, duration=0.05)  # fmt: skip
    study.run(folder / "store", processes=0, progress=False)
    (folder / "study.html").write_text(study_page(folder / "store", [f"peak {PIN}.force=5 kN"]), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in ("report", "view", "study")}


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.mark.parametrize("name", ["report", "view", "study"])
def test_nothing_of_a_name_runs(browser, pages, name):
    """No script, no handler, no element and no link of a name is in the page or in a page inside it."""
    tab, asked = browser.new_page(reduced_motion="reduce"), []
    inside = ("file:", "data:", "blob:", "about:")
    tab.on("request", lambda r: None if r.url.startswith(inside) else asked.append(r.url))
    tab.on("dialog", lambda d: asked.append(d.message))
    tab.goto(pages[name].as_uri())
    if name == "view":
        tab.wait_for_selector(READY, state="attached", timeout=60_000)
    if name == "report":
        tab.frame_locator("iframe").locator("#gudgeon .clock").wait_for(timeout=60_000)
    tab.evaluate("document.querySelectorAll('details').forEach((x) => x.open = true)")
    for frame in tab.frames:
        assert frame.evaluate("window.hit") is None
        # a handler would be an attribute of an element
        strange = """() => [...document.querySelectorAll('*')].filter((x) => [...x.attributes].some((a) =>
            a.name.startsWith('on') || (/^(href|src)$/.test(a.name) && /^\\s*javascript:/i.test(a.value))))
            .map((x) => x.outerHTML.slice(0, 200))"""
        assert frame.evaluate(strange) == []
    text = tab.inner_text("body")
    shown = [TITLE, BODY, PIN] if name != "view" else [TITLE]
    assert all(words in text for words in shown)
    assert TITLE in tab.title() and asked == []
    tab.close()


STRANGE = ["$\\frac{", "$x$", "_pin", "%s%n{0}", "\\x00", "a" * 300, "ピン", "-1", "é\u0301\u202e"]


@pytest.mark.parametrize("pin", [STRANGE[0], *(pytest.param(pin, marks=pytest.mark.slow) for pin in STRANGE[1:])])
def test_names_that_figures_might_read_as_something_else(tmp_path, pin):
    """Mathematics of Matplotlib, templates, signs that turn the direction of writing: figures show them as they are."""
    run = gd.simulate(evil(pin), duration=0.05, progress=False)
    for k, names in enumerate(([f"{pin}.force"], [f"{pin}.orbit"], ["mechanism"], ["energy"])):
        file = gd.plot(run, *names).save(tmp_path / f"{k}.svg")
        assert file.read_text(encoding="utf-8").rstrip().endswith("</svg>")
