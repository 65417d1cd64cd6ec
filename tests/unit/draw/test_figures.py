"""Every kind of figure draws what the run holds, in readable units."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.draw.style import CONTACT, FREE, IDEAL, REAL

PNG, SVG = b"\x89PNG", b"<?xml"


def titles(figure):
    return [ax.get_title(loc="left").split()[0] for ax in figure.figure.axes]


def lines(ax, colour):
    return [line for line in ax.lines if line.get_color() == colour and len(line.get_xdata()) > 1]


def test_histories_have_the_ideal_run_underneath(runs):
    ideal, real = runs
    ax = gd.compare(ideal, real, "slider.ax").figure.axes[0]
    (below,), (above,) = lines(ax, IDEAL), lines(ax, REAL)
    assert below.get_zorder() < above.get_zorder()
    np.testing.assert_allclose(above.get_ydata(), real["slider.ax"])
    np.testing.assert_allclose(above.get_xdata(), real.t * 1e3)
    assert ax.get_ylabel() == "[m/s²]"
    assert ax.get_xlabel() == "time [ms]"
    low, high = ax.get_ylim()
    assert low < real["slider.ax"].min() and high > real["slider.ax"].max()


def test_orbit_shows_circle_penetration_and_touches(runs):
    ideal, real = runs
    ax = gd.compare(ideal, real, "pin.orbit").figure.axes[0]
    circle = next(p for p in ax.patches if hasattr(p, "get_radius"))
    assert circle.get_radius() == pytest.approx(0.5)
    assert ax.get_xlabel() == "x [mm]" and ax.get_aspect() == 1.0
    (free,), touching = lines(ax, FREE), lines(ax, CONTACT)
    path = touching[0]
    assert np.nanmax(np.hypot(path.get_xdata(), path.get_ydata())) > 0.5
    # rows of free flight reach the wall, and the row after they part
    assert np.nanmax(np.hypot(free.get_xdata(), free.get_ydata())) < 0.5 + 1e-6
    assert len(touching[1].get_xdata()) == len(real.contacts)
    assert ax.get_xlim()[1] > np.hypot(real["pin.ex"], real["pin.ey"]).max() * 1e3


def test_force_marks_every_contact(runs):
    _, real = runs
    for name in ("pin.force", "pin.normal"):
        ax = gd.plot(real, name).figure.axes[0]
        marks = [line for line in ax.lines if line.get_marker() == "o"]
        assert sorted(marks[0].get_ydata()) == pytest.approx(sorted(real.contacts.column("peak_force") / 1e3))
        hardest = real.contacts.column("peak_force")
        assert f"contact {np.argmax(hardest) + 1}" in ax.texts[0].get_text()
        assert ax.get_ylabel() == "[kN]" and ax.get_ylim()[1] > hardest.max() / 1e3


def test_hysteresis_takes_the_hardest_or_what_is_asked(runs):
    _, real = runs
    ax = gd.plot(real, "pin.hysteresis").figure.axes[0]
    loop = lines(ax, CONTACT)[0]
    hardest = max(real.contacts.impacts, key=lambda r: r.peak_force)
    assert loop.get_ydata().max() == pytest.approx(hardest.peak_force / 1e3, rel=1e-2)
    # the loop's area is the energy lost: µm times kN is mJ
    x, y = loop.get_xdata(), loop.get_ydata()
    assert np.trapezoid(y, x) * 1e-3 == pytest.approx(hardest.energy_lost, rel=0.02)
    assert len(ax.lines) == 5
    chosen = gd.plot(real, "pin.hysteresis", contacts=3).figure.axes[0]
    assert len(chosen.lines) == 1 and "contact 3:" in chosen.get_legend().get_texts()[0].get_text()
    with pytest.raises(gd.GudgeonError, match=r"there is no contact 99; there are 1 to \d+"):
        gd.plot(real, "pin.hysteresis", contacts=99)


def test_phase_follows_the_way_a_body_moves(runs, pendulum):
    ideal, real = runs
    assert gd.compare(ideal, real, "slider.phase").figure.axes[0].get_xlabel() == "slider.vx [m/s]"
    assert gd.plot(real, "slider.phase.y").figure.axes[0].get_xlabel() == "slider.vy [m/s]"
    assert gd.plot(pendulum, "arm.phase").figure.axes[0].get_ylabel() == "arm.alpha [rad/s²]"


def test_energy_has_its_own_axis_for_the_rest(runs, pendulum):
    axes = gd.plot(runs[1], "energy").figure.axes
    assert len(axes) == 3 and axes[-1].get_yscale() == "log"
    labels = [text.get_text() for ax in axes[:-1] for text in ax.get_legend().get_texts()]
    assert labels == ["work of drives", "kinetic", "contact", "friction"]
    swing = gd.plot(pendulum, "energy").figure.axes
    assert [t.get_text() for t in swing[0].get_legend().get_texts()] == ["kinetic", "potential"]
    # nothing turns evenly: no axis of revolutions
    assert not any(ax.child_axes for ax in swing) and any(ax.child_axes for ax in axes)


@pytest.mark.parametrize("count", range(1, 7))
def test_panels_do_not_overlap(runs, count):
    names = ["slider.ax", "pin.orbit", "main.torque", "slider.phase", "pin.force", "pin.hysteresis"][:count]
    figure = gd.compare(*runs, *names)
    figure.figure.draw_without_rendering()
    renderer = figure.figure.canvas.get_renderer()
    boxes = [ax.get_tightbbox(renderer) for ax in figure.figure.axes]
    assert titles(figure) == names
    for k, box in enumerate(boxes):
        assert box.width > 150 and box.height > 100
        for other in boxes[k + 1 :]:
            overlap = (
                min(box.x1, other.x1) - max(box.x0, other.x0),
                min(box.y1, other.y1) - max(box.y0, other.y0),
            )
            assert min(overlap) < 1.0


def test_a_bushing_has_an_orbit_without_circle():
    from gudgeon.demo import mechanisms

    m, _ = mechanisms()
    run = gd.simulate(m.refit(pin=gd.Bushing(gd.LinearLiner(2e7, 500.0))), revolutions=0.2)
    ax = gd.plot(run, "pin.orbit").figure.axes[0]
    assert not ax.patches and lines(ax, REAL)


def test_window_and_title(runs):
    ideal, real = runs
    ax = gd.compare(ideal, real, "slider.ax", window=("0.25 rev", "0.5 rev"), title="a quarter").figure.axes[0]
    assert ax.get_xlim() == pytest.approx((3.0, 6.0))
    assert ax.figure.get_suptitle() == "a quarter"
    short = gd.plot(real, "pin.normal", window=(200e-6, "900 us")).figure.axes[0]
    assert short.get_xlabel() == "time [µs]"


def test_files(runs, tmp_path):
    figure = gd.plot(runs[1], "pin.orbit")
    png, svg = figure.save(tmp_path / "new/folder/a.png"), figure.save(str(tmp_path / "a.SVG"))
    assert png.read_bytes().startswith(PNG) and svg.read_bytes().startswith(SVG)
    # the same run writes the same file
    again = gd.plot(runs[1], "pin.orbit").save(tmp_path / "b.svg")
    assert again.read_bytes() == svg.read_bytes()
    assert figure._repr_png_().startswith(PNG)
    with pytest.raises(gd.GudgeonError, match=r'must end in "\.svg"'):
        figure.save(tmp_path / "a.jpeg")


def test_show_names_the_file_without_a_browser(runs, monkeypatch, capsys):
    import webbrowser

    def none():
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    path = gd.plot(runs[1], "pin.orbit").show()
    assert path.exists() and str(path) in capsys.readouterr().out
    path.unlink()
