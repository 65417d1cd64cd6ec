"""Live pages in a real browser: opened from disk, their numbers against those of Python for the same values."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.export import live as live_pages
from gudgeon.papers import flores2006, flores2007, schwab2002

sys.path.append(str(Path(__file__).parents[1] / "unit" / "export"))
from test_march_code import double_pendulum

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this computer; set CHROMIUM=PATH"),
    pytest.mark.xdist_group("browser"),
]
FLAGS = [
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--no-first-run", "--js-flags=--expose-gc",
]  # fmt: skip
LIVE = "gudgeonViewer.live"
DONE = f"() => {LIVE}.answer && {LIVE}.answer.done && {LIVE}.answer.id === {LIVE}.id"
TRUSTED = f"() => {LIVE}.answer.horizon !== undefined || !{LIVE}.live.march.sizes.channels.length"
LONG = 120_000  # ms: a computer may be busy


def loose_crank():
    return flores2007.slider_crank("0.5 mm", friction=0.03)


def pendulum_with_stop():
    m = gd.Mechanism("pendulum with a stop", gravity=(0.0, -9.81))
    m.body("bar", mass=1.0, inertia=0.02, at=(0.2, 0.0))
    hinge = m.revolute("hinge", journal="bar", bearing=m.ground, at=(0.0, 0.0))
    m.stop(hinge, lower="-40 deg", wall=gd.KelvinVoigt("2000 N m/rad", "2 N m s/rad"))
    return m


PLAY = ("0.2 mm", "0.6 mm")
# mechanism, settings, knobs, values
CASES = {
    "slider-crank with friction": (
        loose_crank, {"revolutions": 1, "method": "dopri5", "output": "0.05 ms"},
        {"pin.radial_clearance": PLAY, "pin.friction": (0.02, 0.1)}, (0.3e-3, 0.06)),
}  # fmt: skip
LONG_CASES = {
    "four-bar, dop853": (
        lambda: flores2007.four_bar("0.5 mm", branch=1), {"revolutions": 1, "method": "dop853", "output": "0.1 ms"},
        {"main.speed": (150.0, 160.0)}, (153.0,)),
    "pendulum with a stop, rk4": (
        pendulum_with_stop, {"duration": 1.0, "method": "rk4", "step": "0.1 ms", "output": "1 ms"},
        {"bar.mass": (0.5, 2.0)}, (1.5,)),
    "in space, bristles": (
        double_pendulum, {"duration": 0.05, "method": "dopri5", "output": "0.1 ms"},
        {"pin.sleeve.radial_clearance": ("0.1 mm", "0.3 mm")}, (0.15e-3,)),
    "slider-crank, radau": (
        loose_crank, {"revolutions": 0.5, "method": "radau", "rtol": 1e-8, "output": "0.05 ms"},
        {"pin.radial_clearance": PLAY, "main.speed": (-530.0, -450.0)}, (0.3e-3, -480.0)),
    "film, radau": (
        schwab2002.film, {"revolutions": 1, "method": "radau", "rtol": 1e-7, "output": "0.1 ms"},
        {"pin.radial_clearance": ("0.4 mm", "0.6 mm"), "main.speed": (300.0, 600.0)}, (0.45e-3, 400.0)),
    "spatial four-bar": (
        lambda: flores2006.four_bar("0.5 mm"), {"duration": 0.1, "method": "dopri5", "output": "1 ms"},
        {"ball.radial_clearance": PLAY, "coupler.mass": (0.1, 0.2)}, (0.4e-3, 0.15)),
}  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


def opened(browser, view, path, fragment="", **options):
    """The page from disk, when it has computed, and what it asked for."""
    tab, requests = browser.new_page(viewport={"width": 1200, "height": 800}, **options), []
    tab.set_default_timeout(LONG)
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("pageerror", lambda error: pytest.fail(str(error)))
    tab.goto(view.save(path).as_uri() + fragment)
    tab.wait_for_selector("html[data-live]", timeout=LONG)
    return tab, requests


@pytest.fixture(scope="module")
def crank(tmp_path_factory):
    """The page of the loose slider-crank with a slider for its play."""
    view = gd.live(loose_crank(), knobs={"pin.radial_clearance": ("0.1 mm", "0.6 mm")}, revolutions=0.5,
                   method="dopri5", output="0.05 ms")  # fmt: skip
    return view, tmp_path_factory.mktemp("live")


def put(tab, values):
    """Move every slider, as a hand does."""
    for path, value in values.items():
        tab.locator(f'input[aria-label="{path}"]').evaluate(
            """(input, value) => { const own = gudgeonViewer.live.sliders.find((s) => s.input === input);
              const { low, high, log } = own.knob;
              const part = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
              input.value = 1000 * part; input.dispatchEvent(new Event("input")); }""",
            value,
        )


def computed(tab):
    """Times, channels, horizon and the largest force of a contact of the motion that the page shows."""
    tab.wait_for_function(DONE, timeout=LONG)
    tab.wait_for_function(TRUSTED, timeout=LONG)
    t, names, columns, horizon, peak = tab.evaluate(f"""() => {{ const a = {LIVE}.answer;
      return [Array.from(a.run.times), {LIVE}.live.march.channels.map((c) => c.name), Array.from(a.run.columns),
        a.horizon ?? a.end, Math.max(0, ...a.contacts.map((c) => c.peak_force))]; }}""")
    return np.array(t), dict(zip(names, np.reshape(columns, (len(names), -1)), strict=True)), horizon, peak


def compare(tab, mechanism, settings):
    """Positions and speeds against Python, for the values that the sliders stand at, before the horizon: to a millionth
    of their size, and later, when errors of the method have grown beyond that, to three times those errors, which a run
    in Python with a tenth of the tolerance shows."""
    for knob, value in tab.evaluate(f"() => {LIVE}.sliders.map((s) => [s.knob.path, s.value])"):
        mechanism = mechanism.vary(knob, value)
    t, ours, horizon, peak = computed(tab)
    run = gd.simulate(mechanism, **settings)
    assert t == pytest.approx(run.t, rel=1e-12)
    tighter = {} if "step" in settings else {"rtol": 0.1 * settings.get("rtol", 1e-9)}
    twin = gd.simulate(mechanism, **{**settings, **tighter})
    before = run.t <= horizon
    checked = strict = 0
    for unit in ("m", "rad", "m/s", "rad/s"):
        names = [n for n in run.channels if run.channel(n).unit == unit and not n.endswith(".mode")]
        size = max((np.abs(run[n]).max() for n in names), default=0.0)
        for name in names:
            error = 3.0 * np.maximum.accumulate(np.abs(run[name] - twin[name]))
            apart = np.abs(ours[name] - run[name])
            assert (apart <= np.maximum(1e-6 * size, error))[before].all(), (name, apart.max() / size)
            strict += int((error <= 1e-6 * size)[before].sum())
            checked += 1
    assert checked > 3 and strict > 10 * checked
    if len(run.contacts):
        assert peak == pytest.approx(run.contacts.column("peak_force").max(), rel=1e-3)


@pytest.mark.parametrize("case", [*CASES, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG_CASES)])
def test_the_page_computes_what_python_computes(browser, tmp_path, case):
    make, settings, knobs, values = {**CASES, **LONG_CASES}[case]
    view = gd.live(make(), knobs=knobs, **settings)
    assert len(view.text) < 1.2e6
    tab, requests = opened(browser, view, tmp_path / "page.html")
    computed(tab)
    put(tab, dict(zip(knobs, values, strict=True)))
    compare(tab, make(), settings)
    assert all(url.startswith(("file:", "blob:", "data:")) for url in requests)
    tab.close()


def test_a_slider_is_drawn_with_the_mouse(browser, crank):
    """First by hand, then back by the button; the picture, the curves and the address follow."""
    view, folder = crank
    tab, _ = opened(browser, view, folder / "page.html")
    first = computed(tab)
    box = tab.locator('input[aria-label="pin.radial_clearance"]').bounding_box()
    y = box["y"] + box["height"] / 2
    tab.mouse.move(box["x"] + 0.89 * box["width"], y)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 0.3 * box["width"], y, steps=5)
    tab.mouse.up()
    compare(tab, loose_crank(), {"revolutions": 0.5, "method": "dopri5", "output": "0.05 ms"})
    value = tab.evaluate(f"() => {LIVE}.values[0]")
    assert 1e-4 < value < 3e-4
    assert tab.evaluate("() => gudgeonViewer.scene.joints.find((j) => j.name === 'pin').gap") == pytest.approx(value)
    assert tab.url.endswith(f"#pin.radial_clearance={value}")
    assert tab.evaluate("() => gudgeonViewer.plots.charts[0].plot.data[1].length") > 100
    tab.get_by_text("reset").click()
    again = computed(tab)
    assert np.array_equal(first[1]["slider.x"], again[1]["slider.x"]) and "#" not in tab.url
    module = tab.evaluate(f"() => {LIVE}.live.march.code.length")
    assert module < 150_000
    tab.close()


def test_an_address_carries_the_values(browser, crank):
    view, folder = crank
    tab, _ = opened(browser, view, folder / "page.html", "#pin.radial_clearance=0.0002")
    compare(tab, loose_crank(), {"revolutions": 0.5, "method": "dopri5", "output": "0.05 ms"})
    assert tab.evaluate(f"() => {LIVE}.values[0]") == 0.0002
    tab.close()


@pytest.mark.slow
def test_the_ideal_mechanism_follows_the_speed(browser, tmp_path):
    settings = {"revolutions": 0.3, "method": "dopri5", "output": "0.05 ms"}
    view = gd.live(loose_crank(), knobs={"main.speed": (-600.0, -400.0)}, **settings)
    tab, _ = opened(browser, view, tmp_path / "page.html")
    put(tab, {"main.speed": -500.0})
    computed(tab)
    speed = tab.evaluate(f"() => {LIVE}.values[0]")
    ideal = gd.simulate(loose_crank().refit(pin=gd.Ideal()).vary("main.speed", speed), **settings)
    place = f"{LIVE}.live.ideal.channels.findIndex((c) => c.name === 'slider.ax')"
    ours = tab.evaluate(f"() => {LIVE}.ideal.largest[{place}]")
    assert ours == pytest.approx(np.abs(ideal["slider.ax"]).max(), rel=1e-6)
    tab.close()


@pytest.mark.slow
def test_magnified_play_is_that_of_the_recorded_run(browser, crank):
    """What play adds to each pose is computed on the page by the same projection."""
    view, folder = crank
    tab, _ = opened(browser, view, folder / "page.html")
    recorded = tab.evaluate("() => { const m = gudgeonViewer.motion; return [m.plays.map((p) => Array.from(p))]; }")
    tab.wait_for_function(DONE, timeout=LONG)
    ours = tab.evaluate("() => [gudgeonViewer.motion.plays.map((p) => Array.from(p))]")
    for a, b in zip(recorded[0], ours[0], strict=True):
        assert a == pytest.approx(b, rel=1e-3, abs=1e-7)
    assert np.abs(ours[0]).max() > 1e-4
    tab.close()


@pytest.mark.slow
def test_a_section_has_one_point_every_turn(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(live_pages, "TURNS", 3)
    m = flores2007.slider_crank("0.1 mm", friction=0.1)
    view = gd.live(m, knobs=["pin.friction"], revolutions=0.5, method="dopri5")
    tab, _ = opened(browser, view, tmp_path / "page.html")
    computed(tab)
    tab.get_by_text("after many turns").click()
    tab.wait_for_function(f"() => {LIVE}.section.answer && {LIVE}.section.answer.done", timeout=LONG)
    count, rows, names = tab.evaluate(f"""() => {{ const a = {LIVE}.section.answer;
      return [a.count, Array.from(a.rows), {LIVE}.live.march.channels.map((c) => c.name)]; }}""")
    period = 2.0 * np.pi / abs(m.parameters["main.speed"])
    run = gd.simulate(m, revolutions=3, method="dopri5", output=period)
    assert count == len(run.t) == 4
    ours = np.reshape(rows, (count, -1))[:, names.index("slider.vx")]
    assert ours == pytest.approx(run["slider.vx"], abs=1e-4 * np.abs(run["slider.vx"]).max() + 1e-3)
    tab.close()


def test_without_webassembly_the_recorded_run_is_shown(browser, crank):
    view, folder = crank
    context = browser.new_context()
    context.add_init_script("delete window.WebAssembly")
    tab = context.new_page()
    tab.goto(view.save(folder / "page.html").as_uri())
    tab.wait_for_selector("html[data-live=no]", timeout=LONG)
    assert "shows the recorded run" in tab.locator(".status").inner_text()
    assert tab.locator('input[aria-label="pin.radial_clearance"]').is_disabled()
    assert tab.evaluate("() => gudgeonViewer.channels.get('slider.x').x.length") > 100
    context.close()


@pytest.mark.slow
def test_a_report_computes_too(browser, tmp_path):
    from typer.testing import CliRunner

    from gudgeon.cli.app import app

    path = tmp_path / "report.html"
    words = ["report", "schwab2002/hertz", "-r", "0.5", "--live", "--knob", "pin.restitution", "--no-trust"]
    done = CliRunner().invoke(app, [*words, "-o", str(path)])
    assert done.exit_code == 0, done.output
    tab = browser.new_page()
    tab.goto(path.as_uri())
    frame = tab.frame_locator("iframe")
    frame.locator("html[data-live=yes]").wait_for(timeout=LONG, state="attached")
    frame.locator(".peaks td").first.wait_for(timeout=LONG)
    tab.close()


@pytest.mark.slow
def test_memory_stays_the_same_over_many_moves(browser, crank):
    view, folder = crank
    tab, _ = opened(browser, view, folder / "page.html", reduced_motion="reduce")
    computed(tab)
    used = """async () => { gc(); await new Promise((done) => setTimeout(done, 200)); gc();
      return performance.memory.usedJSHeapSize; }"""
    move = """async (from) => { for (let k = 0; k < 100; k++) {
        const s = gudgeonViewer.live.sliders[0]; s.input.value = (from + 7 * k) % 1000;
        s.input.dispatchEvent(new Event("input"));
        await new Promise((done) => setTimeout(done, 5)); } }"""
    sizes = []
    for k in range(10):  # 1,000 moves
        tab.evaluate(move, 31 * k)
        tab.wait_for_function(DONE, timeout=LONG)
        sizes.append(tab.evaluate(used))
    (worker,) = tab.workers
    assert worker.evaluate("() => computer.march.memory.buffer.byteLength") < 4e6
    assert worker.evaluate("() => performance.memory?.usedJSHeapSize ?? 0") < 1e8
    assert max(sizes[1:]) < 1.3 * sizes[0] + 5e6, sizes
    tab.close()
