"""The cache of compiled code: damage is found, a disk that is full or read-only does not stop a run, and nobody else's
code is loaded."""

import errno
import os
from pathlib import Path

import pytest

import gudgeon as gd
from gudgeon.compile.native import cache
from gudgeon.compile.native.tangent import program
from gudgeon.compile.python import target


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A cache of its own, found anew."""
    monkeypatch.setenv("GUDGEON_CACHE", str(tmp_path / "Zwischen speicher ä"))
    cache.directory.cache_clear()
    yield tmp_path
    cache.directory.cache_clear()


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "zeros"])
def test_damaged_code_is_made_again(fresh, damage):
    made = []
    for _ in range(2):
        assert target.remembered("machine", "a thing", "o", lambda: made.append(1) or b"code" * 100) == b"code" * 100
    assert len(made) == 1
    (path,) = (cache.directory() / "machine").iterdir()
    data = bytearray(path.read_bytes())
    if damage == "flip":
        data[200] ^= 1
    path.write_bytes({"flip": bytes(data), "cut": data[:100], "empty": b"", "zeros": bytes(len(data))}[damage])
    assert target.remembered("machine", "a thing", "o", lambda: made.append(1) or b"code" * 100) == b"code" * 100
    assert len(made) == 2


def test_a_full_disk_leaves_no_pieces_and_stops_nothing(fresh, monkeypatch):
    place = cache.directory()

    def full(path, data):
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert target.remembered("machine", "a thing", "o", lambda: b"code") == b"code"
    texts = program.TangentProgram()
    texts.texts.append("def answer(x):\n    return 42.0 * x")
    assert texts.load("answer")(1.0) == 42.0
    monkeypatch.undo()
    assert not [path for path in place.rglob("*") if path.is_file()]


def test_a_text_that_was_damaged_is_written_again(fresh):
    path = cache.directory() / "tangents" / "a.py"
    assert cache.has_text(path, "one") and path.read_text() == "one"
    path.write_text("on")
    assert cache.has_text(path, "one") and path.read_text() == "one"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="users are told apart by their number")
def test_code_that_others_can_have_put_there_is_not_loaded(tmp_path, monkeypatch):
    """Where no home can be written, code is kept where everybody can write: in a folder of this user's own."""
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setenv("HOME", "/proc/nowhere")
    for name in ("GUDGEON_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, "/proc/nowhere")
    cache.directory.cache_clear()
    try:
        found = cache.directory()
        assert found.parent == tmp_path / f"gudgeon-{os.getuid()}" and found.parent.stat().st_mode & 0o077 == 0
        found.parent.chmod(0o777)
        cache.directory.cache_clear()
        assert cache.directory() is None
        found.parent.chmod(0o700)
        real = os.getuid()
        monkeypatch.setattr(cache.os, "getuid", lambda: real + 1)
        (tmp_path / f"gudgeon-{real + 1}").symlink_to(found.parent)
        cache.directory.cache_clear()
        assert cache.directory() is None
    finally:
        monkeypatch.undo()
        cache.directory.cache_clear()


def test_a_user_without_a_home(tmp_path, monkeypatch):
    """As in a container that is run under a number without a name."""
    for name in ("HOME", "GUDGEON_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cache.os.path, "expanduser", lambda path: path)
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    cache.directory.cache_clear()
    try:
        assert tmp_path in cache.directory().parents
    finally:
        monkeypatch.undo()
        cache.directory.cache_clear()
    assert gd.__version__
