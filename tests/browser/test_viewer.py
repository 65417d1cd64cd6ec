"""The viewer in a real browser. Skipped where there is no playwright or no Chromium."""

from __future__ import annotations

import math
import os
import shutil

import pytest

import gudgeon as gd
from gudgeon.papers import ambrosio2018, bauchau2002, flores2006, flores2007
from gudgeon.view import page

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this computer; set CHROMIUM=PATH"),
    pytest.mark.xdist_group("browser"),
]
FLAGS = [
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--no-first-run",
]  # fmt: skip
READY = "html[data-ready=yes]"


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A page in the plane over its ideal twin, one in space, one of links that bend, and one with an evil name."""
    folder = tmp_path_factory.mktemp("pages")
    loose = gd.simulate(flores2007.slider_crank(), revolutions=1, rtol=1e-8, trust=True, progress=False)
    ideal = gd.simulate(flores2007.slider_crank(None), revolutions=1, rtol=1e-8, progress=False)
    space = gd.simulate(flores2006.four_bar(), duration=0.2, rtol=1e-7, progress=False)
    bent, tight = (gd.simulate(m, duration=0.2, progress=False) for m in (bauchau2002.A2(), bauchau2002.A1()))
    stopped = gd.simulate(ambrosio2018.triple_pendulum(), duration=0.5, rtol=1e-7, progress=False)
    evil = gd.Mechanism("<script>window.hit = 1</script>", gravity=(0.0, -9.81))
    bob = evil.body("<img/src=x/onerror='hit=1'>", mass=1.0, inertia=0.1, at=(1.0, 0.0))
    evil.revolute("</script><script>hit=1</script>", journal=bob, bearing=evil.ground, at=(0.0, 0.0))
    shaft = gd.simulate(cardan_shaft(), duration=0.1, progress=False)
    pages = {"plane": page(loose, ideal), "space": page(space), "bent": page(bent, tight), "stopped": page(stopped),
             "cross": page(shaft),
             "evil": page(gd.simulate(evil, duration=0.5, progress=False))}  # fmt: skip
    return {name: view.save(folder / f"{name}.html") for name, view in pages.items()}


def cardan_shaft() -> gd.Mechanism:
    """Two shafts at 30 degrees."""
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
    m = gd.Mechanism("Cardan shaft", planar=False)
    first = m.body("first", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), at=(-0.1, 0, 0))
    second = m.body("second", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), at=(0.1 * c, 0.1 * s, 0))
    m.revolute("in", journal=first, bearing=m.ground, at=(-0.2, 0, 0), axis=(1, 0, 0))
    m.universal("cross", journal=second, bearing=first, at=(0, 0, 0), journal_axis=(-s, c, 0), bearing_axis=(0, 0, 1))
    m.cylindrical("out", journal=second, bearing=m.ground, at=(0.2 * c, 0.2 * s, 0), axis=(c, s, 0))
    m.drive("in", speed="600 rpm")
    return m


@pytest.fixture
def opened(browser, files):
    """Open a page; at the end nothing was complained about and nothing was asked of a network."""
    complaints: list[str] = []
    tabs = []

    def open_page(name: str):
        # it does not play by itself
        tab = browser.new_page(viewport={"width": 1300, "height": 820}, reduced_motion="reduce")
        tab.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        tab.on("pageerror", lambda e: complaints.append(str(e)))
        tab.on("request", lambda r: None if r.url.startswith(("file:", "data:", "blob:")) else complaints.append(r.url))
        tab.goto(files[name].as_uri())
        tab.wait_for_selector(READY, state="attached", timeout=60_000)
        tabs.append(tab)
        return tab

    yield open_page
    for tab in tabs:
        tab.close()
    # software rendering is slow, which Chromium remarks on
    assert [c for c in complaints if "GPU stall" not in c] == []


def slide(tab, selector: str, value: float) -> None:
    tab.eval_on_selector(selector, "(x, v) => { x.value = v; x.dispatchEvent(new Event('input')); }", value)


@pytest.mark.parametrize("name", ["plane", "space"])
def test_the_slider_moves_the_mechanism(opened, name):
    tab = opened(name)
    before = tab.locator(".stage canvas").screenshot()
    slide(tab, ".time", 600)
    assert tab.evaluate("gudgeonViewer.t / gudgeonViewer.span[1]") == pytest.approx(0.6, abs=1e-6)
    assert tab.locator(".stage canvas").screenshot() != before
    assert "ms" in tab.locator(".clock").inner_text()


def test_play_is_magnified(opened):
    """The pin's offset in its bore as drawn is the true one times the factor."""
    tab = opened("plane")
    slide(tab, ".time", 400)
    drawn = """() => {
      const v = gudgeonViewer, j = v.scene.joints.find((j) => j.name === "pin");
      const world = (body, p) => v.stage.frames[v.scene.bodies.findIndex((b) => b.name === body)].localToWorld(
        v.stage.camera.position.clone().set(p[0], p[1], 0)).multiplyScalar(v.scene.size);
      const [a, b] = [world(j.journal, j.point_i), world(j.bearing, j.point_j)];
      return Math.hypot(a.x - b.x, a.y - b.y);
    }"""
    slide(tab, ".controls input[type=range]", 0)
    true = tab.evaluate(drawn)
    small = tab.locator(".stage canvas").screenshot()
    slide(tab, ".controls input[type=range]", 700)
    factor = tab.evaluate("gudgeonViewer.state.magnify")
    assert factor > 10
    assert tab.evaluate(drawn) == pytest.approx(factor * true, rel=0.03)
    assert tab.locator(".stage canvas").screenshot() != small
    assert "×" in tab.locator(".controls output").all_inner_texts()[-1]


# how far the drawn line of the arm is from the straight one between its ends, and how far apart arm and crank are drawn
BOW = """() => {
  const { beams, frames } = gudgeonViewer.stage;
  const { position } = beams[1].sweep.bar.geometry.attributes;
  const each = beams[1].sweep.outline.points.length;
  const points = [];
  for (let k = 0; k < position.count; k += each) {
    let [x, y] = [0, 0];
    for (let i = k; i < k + each; i++) [x, y] = [x + position.getX(i) / each, y + position.getY(i) / each];
    points.push([x, y]);
  }
  const [a, b] = [points[0], points.at(-1)];
  const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const bow = points.map(([x, y]) => ((x - a[0]) * (b[1] - a[1]) - (y - a[1]) * (b[0] - a[0])) / long);
  const largest = bow.reduce((most, x) => (Math.abs(x) > Math.abs(most) ? x : most), 0);
  const elbow = gudgeonViewer.scene.joints.find((j) => j.name === "elbow");
  const [p, q] = [frames[elbow.frame_i].position, frames[elbow.frame_j].position];
  return [largest, Math.hypot(p.x - q.x, p.y - q.y)];
}"""


def _bow(tab, at: float) -> tuple[float, float]:
    slide(tab, ".time", at)
    return tab.evaluate(BOW)


def test_beams_bend_and_bending_is_magnified(opened):
    tab = opened("bent")
    assert "flexible crank, arm" in tab.locator("h1").inner_text()
    slide(tab, ".controls input[type=range]", 0)
    bows = {at: _bow(tab, at)[0] for at in range(50, 1000, 50)}
    most = max(bows, key=lambda at: abs(bows[at]))
    true, apart = _bow(tab, most)
    small = tab.locator(".stage canvas").screenshot()
    assert 1e-5 < abs(true) < 0.01 and apart < 1e-6
    assert max(bows.values()) - min(bows.values()) > abs(true)
    slide(tab, ".controls input[type=range]", 800)
    factor = tab.evaluate("gudgeonViewer.state.magnify")
    bowed, apart = tab.evaluate(BOW)
    assert factor > 5 and bowed == pytest.approx(factor * true, rel=0.1)
    # magnified links still meet in their pin
    assert apart < 1e-5
    assert tab.locator(".stage canvas").screenshot() != small
    assert tab.locator(".told").inner_text().startswith("play and bending drawn ")


def test_stops_meet_at_the_contact(opened):
    """A collar on the shaft of the sliding arm touches the face of the bore when the stop is reached."""
    tab = opened("stopped")
    gap = """() => {
      const v = gudgeonViewer, j = v.scene.joints.find((j) => j.name === "slide");
      const frame = v.stage.frames[j.frame_i];
      const red = (x) => x.geometry?.type === "CylinderGeometry" && x.material.color.getHex() === 0xc23b22;
      const collars = frame.children.flatMap((x) => x.children).filter(red);
      const bore = v.stage.bores.find((b) => b.joint.name === "slide").mesh;
      const faces = [bore, ...collars].map((mesh) => {
        mesh.geometry.computeBoundingBox();
        const { min, max } = mesh.geometry.boundingBox;
        const world = (y) => mesh.localToWorld(mesh.position.clone().set(0, y, 0)).multiplyScalar(v.scene.size);
        return [min.y, max.y].map(world);
      });
      const axis = faces[0][1].clone().sub(faces[0][0]).normalize();
      const [low, high] = faces[0].map((p) => p.dot(axis));
      const ends = faces.slice(1).map((f) => f.map((p) => p.dot(axis)).sort((a, b) => a - b));
      return Math.min(...ends.map(([a, b]) => Math.max(a - high, low - b)));
    }"""
    slide(tab, ".time", 0)
    assert tab.evaluate(gap) == pytest.approx(0.25, abs=1e-3)
    first = tab.evaluate("gudgeonViewer.scene.contacts.findIndex((c) => c.joint === 'slide')")
    tab.evaluate(f"gudgeonViewer.go(gudgeonViewer.scene.contacts[{first}].t_on)")
    assert tab.evaluate(gap) == pytest.approx(0.0, abs=2e-3)


def test_stepping_from_contact_to_contact(opened):
    tab = opened("plane")
    slide(tab, ".time", 0)
    peaks = tab.evaluate("gudgeonViewer.scene.contacts.map((c) => c.peak_time).sort((a, b) => a - b)")
    for expected in peaks[:3]:
        tab.get_by_role("button", name="contact ▸").click()
        assert tab.evaluate("gudgeonViewer.t") == expected
    tab.get_by_role("button", name="◂ contact").click()
    assert tab.evaluate("gudgeonViewer.t") == peaks[1]
    tab.keyboard.press("n")
    assert tab.evaluate("gudgeonViewer.t") == peaks[2]


def test_a_click_on_the_strip_goes_to_the_contact(opened):
    tab = opened("plane")
    onset, peak = tab.evaluate("[gudgeonViewer.scene.contacts[0].t_on, gudgeonViewer.scene.contacts[0].peak_time]")
    box = tab.locator(".strip").bounding_box()
    tab.mouse.click(box["x"] + box["width"] * onset / tab.evaluate("gudgeonViewer.span[1]"), box["y"] + 30)
    assert tab.evaluate("gudgeonViewer.t") == peak


def test_plots_follow(opened):
    tab = opened("plane")
    said = tab.locator(".plot output").all_inner_texts()
    slide(tab, ".time", 777)
    assert tab.locator(".plot output").all_inner_texts() != said
    tab.locator(".plot select").first.select_option("rod.angle")
    assert "rad" in tab.locator(".plot output").first.inner_text()
    count = tab.locator(".plot").count()
    tab.get_by_role("button", name="+ plot").click()
    assert tab.locator(".plot").count() == count + 1


def test_playing_forces_ghost_and_theme(opened):
    tab = opened("plane")
    slide(tab, ".time", 0)
    tab.locator("select[aria-label='slow motion']").select_option(index=0)
    tab.get_by_role("button", name="▶", exact=True).click()
    for _ in range(100):
        tab.wait_for_timeout(50)
        if tab.evaluate("gudgeonViewer.t > 0"):
            break
    else:
        pytest.fail("nothing moved in 5 s")
    tab.keyboard.press("Escape")
    tab.evaluate("gudgeonViewer.play(false)")
    slide(tab, ".time", 300)
    plain = tab.locator(".stage canvas").screenshot()
    tab.get_by_label("forces").check()
    forced = tab.locator(".stage canvas").screenshot()
    assert forced != plain
    tab.get_by_label("ideal").uncheck()
    assert tab.locator(".stage canvas").screenshot() != forced
    assert tab.evaluate("document.documentElement.dataset.theme") == "light"
    tab.keyboard.press("d")
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"


# directions of both pins of the cross in the world, and whether each half is drawn as a pin with a fork
PINS = """() => {
  const { scene, stage } = gudgeonViewer, joint = scene.joints.find((j) => j.name === "cross");
  const pin = (side) => stage.camera.position.clone().set(...joint.cross["pin_" + side])
    .applyQuaternion(stage.frames[joint["frame_" + side]].quaternion).toArray();
  const whole = (x) => x.userData.about?.startsWith("universal joint cross");
  const own = (frame) => stage.frames[frame].children.filter(whole);
  return [pin("i"), pin("j"), own(joint.frame_i).concat(own(joint.frame_j)).map((x) => x.children.length)];
}"""


def test_a_universal_joint_has_its_cross(opened):
    """Two pins that stay perpendicular while each turns with its own body."""
    tab = opened("cross")
    pins = []
    for at in (0, 300, 620):
        slide(tab, ".time", at)
        first, second, parts = tab.evaluate(PINS)
        assert sum(a * b for a, b in zip(first, second, strict=True)) == pytest.approx(0.0, abs=1e-4)
        assert len(parts) == 2 and min(parts) >= 5
        pins.append(first)
    assert math.dist(pins[0], pins[1]) > 0.5
    assert "ideal joints" in tab.locator("h1").inner_text()


# the middle of a joint on the screen
PLACE = """(name) => {
  const { scene, stage } = gudgeonViewer, joint = scene.joints.find((j) => j.name === name);
  const [x, y, z = 0] = joint.point_j;
  const p = stage.frames[joint.frame_j].localToWorld(stage.camera.position.clone().set(x, y, z)).project(stage.camera);
  const box = stage.renderer.domElement.getBoundingClientRect();
  return [box.left + (0.5 + 0.5 * p.x) * box.width, box.top + (0.5 - 0.5 * p.y) * box.height];
}"""


def test_names_are_shown_under_the_pointer(opened):
    tab = opened("plane")
    slide(tab, ".controls input[type=range]", 0)
    assert tab.locator(".tip").is_hidden()
    tab.mouse.move(*tab.evaluate(PLACE, "big"))
    assert tab.locator(".tip").inner_text() == "revolute joint big, crank in rod: ideal"
    tab.mouse.move(*tab.evaluate(PLACE, "pin"))
    said = tab.locator(".tip").inner_text()
    assert said == "revolute joint pin, rod in slider: clearance 0.5 mm, LankaraniNikravesh"
    between = [0.5 * (a + b) for a, b in zip(tab.evaluate(PLACE, "big"), tab.evaluate(PLACE, "pin"), strict=True)]
    tab.mouse.move(*between)
    assert tab.locator(".tip").inner_text() == "body rod"
    tab.mouse.move(5, 5)
    assert tab.locator(".tip").is_hidden()


def test_a_page_opens_at_a_contact_and_plays(browser, files):
    """It begins at the largest force of the settled part and plays; what is chosen by hand stays."""
    tab = browser.new_page(viewport={"width": 1300, "height": 820})
    tab.goto(files["plane"].as_uri())
    tab.wait_for_selector(READY, state="attached", timeout=60_000)
    late, span = "gudgeonViewer.scene.contacts.filter((c) => c.peak_time > span / 3)", "gudgeonViewer.span[1]"
    hardest = f"{late}.reduce((a, b) => (b.peak_force > a.peak_force ? b : a)).peak_time"
    first = tab.evaluate(f"(() => {{ const span = {span}; return {hardest}; }})()")
    assert tab.evaluate("gudgeonViewer.scene.open") == first
    for _ in range(100):
        tab.wait_for_timeout(50)
        if tab.evaluate("gudgeonViewer.t") != first:
            break
    else:
        pytest.fail("nothing moved in 5 s")
    tab.get_by_role("button", name="contact ▸").click()
    at = tab.evaluate("gudgeonViewer.t")
    tab.wait_for_timeout(200)
    assert tab.evaluate("gudgeonViewer.t") == at and tab.locator(".play").inner_text() == "▶"
    # from the end it goes on from the beginning
    tab.evaluate("gudgeonViewer.go(gudgeonViewer.span[1])")
    tab.locator("select[aria-label='slow motion']").select_option(index=0)
    tab.get_by_role("button", name="▶", exact=True).click()
    for _ in range(100):
        tab.wait_for_timeout(50)
        if tab.evaluate(f"gudgeonViewer.t < 0.9 * {span}"):
            break
    else:
        pytest.fail("it stayed at the end for 5 s")
    tab.close()


def test_an_evil_name_does_nothing(opened):
    tab = opened("evil")
    assert tab.evaluate("window.hit") is None
    assert tab.locator("h1").inner_text().startswith("<script>window.hit = 1</script>")


@pytest.mark.slow
def test_many_frames_stay_usable(browser, tmp_path):
    """100 000 rows: the time that one frame takes is reported, not judged."""
    run = gd.simulate(flores2007.slider_crank(), revolutions=12, rtol=1e-12, output="steps", progress=False)
    assert len(run.t) > 100_000
    path = page(run, frames=100_000).save(tmp_path / "many.html")
    tab = browser.new_page(viewport={"width": 1300, "height": 820})
    tab.goto(path.as_uri())
    tab.wait_for_selector(READY, state="attached", timeout=90_000)
    costs = tab.evaluate("""() => [...Array(20).keys()].map((k) => {
      gudgeonViewer.go(gudgeonViewer.span[1] * k / 20); return gudgeonViewer.cost; })""")
    assert tab.evaluate("gudgeonViewer.motion.times.length") > 50_000
    print(f"{path.stat().st_size / 1e6:.1f} MB, {sorted(costs)[10]:.1f} ms per frame")
    tab.close()
