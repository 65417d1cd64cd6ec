"""Following what is computed: served to this computer only, with a token; reports of studies."""

from __future__ import annotations

import os
import signal
import socket
import struct
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


HOSTILE = [
    {"Host": "evil.example"}, {"Host": "127.0.0.1"}, {"Host": "localhost:PORT"}, {"Host": ""}, {"Host": "[::1]:PORT"},
    {"Host": "127.0.0.1:PORT.evil.example"}, {"Origin": "null"}, {"Origin": "http://evil.example"},
    {"Origin": "https://127.0.0.1:PORT"}, {"Origin": "http://127.0.0.1:PORT.evil.example"},
    {"Origin": "http://localhost:PORT"},
]  # fmt: skip


@pytest.mark.parametrize("head", HOSTILE)
def test_a_site_that_got_hold_of_the_address_is_refused(live, head):
    """DNS rebinding comes with the name of the site as host, a page elsewhere with its origin; nothing is shown."""
    live.show("<html><body>secret</body></html>")
    head = {name: value.replace("PORT", str(live.port)) for name, value in head.items()}
    for path in ("", "stamp"):
        status, text = get(live.address + path, **head)
        assert status == 403 and "secret" not in text


@pytest.mark.parametrize("path", ["/", "//", "/TOKEN", "/TOKEN/../", "/x/TOKEN/", "/token/stamp", "/TOKEN/x", "/stamp",
                                  "/TOKENx/", "/%2e%2e/TOKEN/", "/?TOKEN/", "/TOKEN/?", "/" + "a" * 5000])  # fmt: skip
def test_without_the_token_there_is_nothing(live, path):
    live.show("<html><body>secret</body></html>")
    token = live.address.split("/")[3]
    assert len(token) >= 20
    status, text = raw(live.port, f"GET {path.replace('TOKEN', token)} HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n\r\n")
    assert status == 404 and "secret" not in text


@pytest.mark.parametrize("request_", ["POST TOKEN", "PUT TOKEN", "OPTIONS TOKEN", "HEAD TOKEN", "CONNECT x:1",
                                      "nonsense", "GET http://evil.example/", "\x00\xff" * 50])  # fmt: skip
def test_only_pages_are_asked_for(live, request_, capfd):
    """Another method gets no page and no leave to read it from elsewhere; the terminal stays the user's."""
    live.show("<html><body>secret</body></html>")
    line = request_.replace("TOKEN", "/" + live.address.split("/")[3] + "/")
    status, text = raw(live.port, f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n\r\n")
    assert status in (400, 404, 501, 505) and "secret" not in text
    assert "Access-Control" not in text and capfd.readouterr().err == ""


def test_a_visitor_who_leaves_stops_nothing(live, capfd):
    """Connections that are opened and dropped, or closed while the page is on its way."""
    live.show("<html><body>" + "x" * 5_000_000 + "</body></html>")
    for said in (b"", b"GET "):
        with socket.create_connection(("127.0.0.1", live.port)) as connection:
            connection.sendall(said)
    with socket.create_connection(("127.0.0.1", live.port)) as connection:
        path = "/" + live.address.split("/")[3] + "/"
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n\r\n".encode())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.recv(10)
    assert get(live.address)[0] == 200
    time.sleep(0.2)
    assert capfd.readouterr().err == ""


def test_only_this_computer_is_listened_to(live):
    assert live._server.server_address[0] == "127.0.0.1"


def raw(port: int, request: str) -> tuple[int, str]:
    """Status and whole answer to a request as it stands."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request.encode("latin-1"))
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode("latin-1")
    words = answer.split(" ", 2)
    return (int(words[1]) if answer.startswith("HTTP/") else 400), answer
