"""Following what is computed: served to this computer only, with a token; reports of studies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli.app import app
from gudgeon.cli.live import Live
from gudgeon.papers import schwab2002


def get(address: str, **head: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=head), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.fixture
def live():
    found = Live()
    yield found
    found.close()


def test_only_who_knows_the_address_is_served(live):
    live.show("<html><body>here</body></html>")
    assert live.address.startswith("http://127.0.0.1:")
    status, text = get(live.address)
    assert status == 200 and "here" in text and 'fetch("stamp")' in text
    assert get(f"http://127.0.0.1:{live.port}/")[0] == 404
    assert get(f"http://127.0.0.1:{live.port}/guess/")[0] == 404


def test_other_origins_and_hosts_are_refused(live):
    assert get(live.address, Origin="https://example.org")[0] == 403
    assert get(live.address, Host="example.org")[0] == 403
    assert get(live.address, Origin=f"http://127.0.0.1:{live.port}")[0] == 200


def test_a_newer_page_has_another_stamp(live):
    before = get(live.address + "stamp")
    live.show("new")
    assert get(live.address + "stamp") != before


def test_a_model_is_followed(tmp_path):
    """Pages grow while it is computed; Ctrl-C ends it."""
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from gudgeon.cli import main; main()"
    )
    told = tmp_path / "said"
    with told.open("w") as file:
        words = ["view", "schwab2002/hertz", "-r", "1", "--watch", "--no-open"]
        process = subprocess.Popen([sys.executable, "-c", code, *words], stdout=file, stderr=subprocess.PIPE,
                                   env=os.environ)  # fmt: skip
    try:
        for _ in range(600):
            address = told.read_text().strip()
            if address and "gudgeon-scene" in get(address)[1]:
                break
            time.sleep(0.1)
        else:
            pytest.fail("no page in a minute")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) in (0, 130)
    finally:
        process.kill()
        assert process.stderr is not None
        process.stderr.close()


def test_a_study_has_a_report(tmp_path):
    study = gd.Study(schwab2002.hertz(), vary={"pin.radial_clearance": [2e-4, 5e-4], "main.speed": [50.0, 60.0, 70.0]},
                     measure=["peak pin.force"], revolutions=0.2)  # fmt: skip
    study.run(tmp_path / "store", progress=False, processes=0)
    done = CliRunner().invoke(app, ["report", str(tmp_path / "store"), "-o", str(tmp_path / "a.html")])
    assert done.exit_code == 0, done.output
    text = (tmp_path / "a.html").read_text()
    assert "6 of 6 runs done" in text and text.count("data:image/png") >= 1 and "peak pin.force" in text
    for words in ("What was varied", ">0.2</td>", "run 5: pin.radial_clearance 0.5 mm, main.speed 70"):
        assert words in text
    wrong = CliRunner().invoke(app, ["view", str(tmp_path / "store"), "--no-open"])
    assert wrong.exit_code == 2 and "holds a study" in wrong.stderr
