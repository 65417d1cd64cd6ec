"""Files are whole under their name, or what they were before, whatever happens while they are written."""

import os
import stat
import threading

import pytest

import gudgeon as gd
from gudgeon.written import draft, write_text


@pytest.mark.parametrize("kind", [OSError, KeyboardInterrupt, ValueError])
def test_what_stops_leaves_the_old_file(tmp_path, kind):
    place = write_text(tmp_path / "Bericht ä.html", "old")
    with pytest.raises(kind), draft(place) as part:
        part.write_text("ne")
        raise kind
    assert place.read_text() == "old" and list(tmp_path.iterdir()) == [place]


def test_the_name_is_taken_at_the_end(tmp_path):
    place = tmp_path / "a.csv"
    with draft(place) as part:
        part.write_text("new")
        assert not place.exists() and part.suffix == ".csv"
    assert place.read_text() == "new"


def test_rights_and_links_stay(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_text(link, "new")
    assert link.is_symlink() and real.read_text() == "new" and stat.S_IMODE(real.stat().st_mode) == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_as_it_is(tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "text")
    reader.join(10.0)
    assert got == ["text"]


def test_a_figure_that_fails_leaves_the_old_one(tmp_path, monkeypatch):
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    bob = m.body("bob", mass=1.0, inertia=0.1, at=(1.0, 0.0))
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0))
    run = gd.simulate(m, duration=0.1, progress=False)
    place = tmp_path / "a.svg"
    gd.plot(run, "bob.x").save(place)
    before = place.read_bytes()
    figure = gd.plot(run, "bob.y")

    def fails(path, **_):
        path.write_text("<svg")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure.figure, "savefig", fails)
    with pytest.raises(gd.GudgeonError, match="No space left on device"):
        figure.save(place)
    assert place.read_bytes() == before and list(tmp_path.iterdir()) == [place]
