"""Pages: what they carry can be read back, keeps its peaks, and no name of a model is markup."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.draw.mechanism.magnified import play_fields
from gudgeon.papers import ambrosio2018, flores2006, flores2007
from gudgeon.view import page
from gudgeon.view.numbers import PackedArrays, rows_to_keep


def part(text: str, name: str) -> str:
    found = re.search(rf'id="gudgeon-{name}">(.*?)</script>', text, re.S)
    assert found
    return found[1]


def decode(data: bytes, ref: dict) -> np.ndarray:
    """As the page does it."""
    width = {"f4": 4, "f8": 8, "u2": 2}[ref["kind"]]
    raw = np.frombuffer(data, np.uint8, ref["count"] * width, ref["at"]).reshape(width, -1).T.copy()
    values = raw.view(f"<{ref['kind']}").ravel()
    if ref["kind"] != "u2":
        return values
    return ref["low"] + (ref["high"] - ref["low"]) / 65535 * np.cumsum(values, dtype=np.uint16)


def opened(view) -> tuple[dict, bytes]:
    return json.loads(part(view.text, "scene")), zlib.decompress(base64.b64decode(part(view.text, "numbers")))


@pytest.fixture(scope="module")
def loose():
    return gd.simulate(flores2007.slider_crank(), revolutions=0.5, rtol=1e-8, trust=True, progress=False)


def test_numbers_come_back():
    rng, block = np.random.default_rng(2), PackedArrays()
    values = [rng.normal(size=n) for n in (1, 7, 300)]
    refs = [(block.floats(x, "f8"), block.floats(x), block.curve(x)) for x in values]
    data = zlib.decompress(base64.b64decode(block.text()))
    for x, (f8, f4, u2) in zip(values, refs, strict=True):
        assert (decode(data, f8) == x).all()
        assert (decode(data, f4) == x.astype(np.float32)).all()
        assert decode(data, u2) == pytest.approx(x, abs=0.51 * max(np.ptp(x), 1e-300) / 65535)
    still = block.curve(np.full(5, 3.5))
    assert decode(zlib.decompress(base64.b64decode(block.text())), still) == pytest.approx(3.5)


def test_rows_next_to_contacts_are_kept():
    t = np.linspace(0.0, 1.0, 100_001)
    moments = np.array([0.123456, 0.5, 0.777777])
    kept = rows_to_keep(t, moments, 100)
    assert len(kept) <= 100 and {0, 100_000} <= set(kept)
    assert all(np.abs(t[kept] - moment).min() <= 1e-5 for moment in moments)
    assert (rows_to_keep(t[:50], moments, 100) == np.arange(50)).all()


def test_a_page_carries_the_run(loose):
    scene, data = opened(page(loose))
    tape = scene["tape"]
    assert decode(data, tape["t"]) == pytest.approx(
        loose.t[rows_to_keep(loose.t, loose.contacts.column("peak_time"), 2000)]
    )
    poses = decode(data, tape["poses"][2]).reshape(-1, 3)
    assert poses[:, 0].max() == pytest.approx(loose["slider.x"].max(), rel=1e-6)
    assert len(scene["contacts"]) == len(loose.contacts)
    assert scene["horizon"] == loose.evidence.horizon
    curves = {c["name"]: c for c in tape["channels"]}
    force = curves["pin.force"]
    assert (force["low"] if "low" in force else force["x"]["low"]) == loose["pin.force"].min()
    assert max(decode(data, force["x"])) == pytest.approx(loose["pin.force"].max(), rel=1e-9)


def test_a_long_run_keeps_its_peaks_and_stays_small():
    run = gd.simulate(flores2007.slider_crank(), revolutions=3, rtol=1e-9, progress=False)
    assert len(run.t) > 4000
    view = page(run, frames=400)
    scene, data = opened(view)
    force = next(c for c in scene["tape"]["channels"] if c["name"] == "pin.force")
    assert decode(data, force["x"]).max() == pytest.approx(run["pin.force"].max(), rel=1e-9)
    assert force["x"]["count"] <= 400 and scene["tape"]["t"]["count"] <= 400
    assert len(view.text) < len(page(run).text) < 1_000_000


@pytest.mark.parametrize("mechanism, duration", [(flores2007.slider_crank(), 5e-3), (flores2006.four_bar(), 0.05)],
                         ids=["plane", "space"])  # fmt: skip
def test_play_fields_double_the_offset_and_keep_the_rest_together(mechanism, duration):
    """One field added makes the offset in the loose joint twice as large, to first order in the play."""
    run = gd.simulate(mechanism, duration=duration, rtol=1e-9, progress=False)
    kinds = ("x", "y", "angle") if mechanism.planar else ("x", "y", "z", "e0", "e1", "e2", "e3")
    poses = np.column_stack([run[f"{b}.{k}"] for b in mechanism.bodies for k in kinds])
    fields = play_fields(mechanism, run.t, poses)
    assert fields is not None
    from gudgeon.assemble import assemble
    from gudgeon.results.recorder import evaluate

    system = assemble(mechanism)
    joint = next(j.name for j in mechanism.joints.values() if j.radius)
    others = [j.name for j in mechanism.joints.values() if j.name != joint and f"{j.name}.ex" in run]
    rows = np.tile(np.concatenate([[0.0], system.y0, np.zeros(system.memory)]), (len(run.t), 1))
    rows[:, 0] = run.t
    rows[:, 1 : 1 + system.positions] = poses + fields
    names = [c.name for c in system.channels]
    moved = evaluate(system, rows)
    for axis in ("ex", "ey"):
        column = moved[:, names.index(f"{joint}.{axis}")]
        assert column == pytest.approx(2 * run[f"{joint}.{axis}"], abs=0.02 * 0.5e-3)
        for other in others:
            assert np.abs(moved[:, names.index(f"{other}.{axis}")]).max() < 0.02 * 0.5e-3


def test_ideal_joints_have_no_play_to_magnify():
    run = gd.simulate(ambrosio2018.triple_pendulum(), duration=0.1, rtol=1e-7, progress=False)
    scene, _ = opened(page(run))
    assert scene["most"] == 1.0 and set(scene["tape"]["plays"]) == {None}
    assert scene["subtitle"] == "ideal joints · stops in slide, elbow"
    assert scene["joints"][1]["stops"]["translation"]["upper"] == 0.25


def test_names_are_never_markup():
    evil = "</script><script>alert(1)</script><!--"
    m = gd.Mechanism(evil, gravity=(0.0, -9.81))
    bob = m.body("bob", mass=1.0, inertia=0.1, at=(1.0, 0.0))
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0))
    view = page(gd.simulate(m, duration=0.1, progress=False))
    assert "alert(1)</script>" not in view.text
    assert opened(view)[0]["title"] == evil


def test_a_page_asks_nothing_of_any_network(loose):
    text = page(loose).text
    assert "default-src 'none'" in text
    assert not re.search(r'(src|href)="(?!data:)', text)


def test_what_cannot_be_drawn_is_told(loose):
    bare = gd.simulate(flores2007.slider_crank(), duration=1e-4, channels=["pin.force"], progress=False)
    with pytest.raises(gd.GudgeonError, match=r"did not record crank\.x"):
        page(bare)
    with pytest.raises(gd.GudgeonError, match=r"pin\.forse"):
        page(loose, channels=["pin.forse"])
    with pytest.raises(gd.GudgeonError, match="frames=1"):
        page(loose, frames=1)


def test_the_view_of_a_run(loose, tmp_path):
    view = loose.view(tmp_path / "deep" / "a.html")
    assert view.path.read_text(encoding="utf-8") == view.text
    assert view._repr_html_().startswith("<iframe srcdoc=")


def test_the_bundle_is_made_of_its_sources():
    script = Path(__file__).parents[3] / "viewer" / "stamp.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_notebooks_show_mechanisms_and_runs(loose):
    m = gd.Mechanism("<b>bold</b>")
    m.body("bob", mass=1.0, inertia=0.1, at=(0.0, 0.0))
    assert "&lt;b&gt;bold" in m._repr_html_() and "<b>bold" not in m._repr_html_()
    assert "restitution given" in loose._repr_html_()
