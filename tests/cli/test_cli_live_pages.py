"""Pages that compute, from the command line."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from gudgeon.cli.app import app


def test_view_makes_a_page_that_computes(tmp_path):
    page = tmp_path / "hertz.html"
    words = ["view", "schwab2002/hertz", "-r", "0.2", "--live", "--knob", "rod.mass=0.1 kg..0.2 kg", "--no-open"]
    done = CliRunner().invoke(app, [*words, "-o", str(page)])
    assert done.exit_code == 0, done.output
    text = page.read_text(encoding="utf-8")
    assert '"live"' in text and '"path": "rod.mass"' in text and "wasm-unsafe-eval" in text


@pytest.mark.parametrize(("words", "message"), [
    (["view", "schwab2002/hertz", "-r", "1", "--knob", "rod.mass"], "add --live"),
    (["view", "schwab2002/hertz", "-r", "1", "--live", "--watch"], "give one"),
    (["view", "schwab2002/hertz", "-r", "1", "--live", "--knob", "rod.nix"], "unknown parameter"),
    (["view", "bauchau2002/A4", "--until", "1 ms", "--live"], 'cannot draw how "crank" bends'),
    (["view", "schwab2002/impact", "-r", "1", "--live"], "walls as rigid"),
    (["report", "schwab2002/hertz", "-r", "1", "--live", "--no-viewer"], "leave --no-viewer out"),
    (["report", "schwab2002/hertz", "-r", "1", "--knob", "rod.mass"], "add --live"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused_before_anything_runs(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, words)
    assert done.exit_code != 0 and message in " ".join(f"{done.output} {done.exception}".split())
    assert not list(tmp_path.iterdir())
