"""The engine "gpu", run on the processor: the same table as the local engine, and clear words where it cannot."""

import numpy as np
import pytest
from small_study import last_speed, same, small

import gudgeon as gd
from gudgeon.batch import driver
from gudgeon.papers import flores2007, schwab2002
from gudgeon.quantity import GudgeonError
from gudgeon.results.extremes import extremum
from gudgeon.study.engines.gpu import Gpu
from gudgeon.study.engines.gpu.columns import Columns

MEASURES = ("peak pin.force", "rms pin.force", "highest slider.ax", "lowest slider.ax", "final slider.vx",
            "touching pin", "contacts pin")  # fmt: skip
VARY = {"pin.radial_clearance": gd.logspace("0.05 mm", "0.5 mm", 3), "pin.restitution": [0.8, 1.0]}


class Tired(Gpu):
    """Stops after the first piece, as a program that is interrupted does."""

    def outcomes(self, job, todo):
        for count, outcome in enumerate(x for x in super().outcomes(job, todo) if x is not None):
            if count == self.piece:
                raise KeyboardInterrupt
            yield outcome


def test_the_table_is_that_of_the_local_engine(tmp_path):
    study = small(MEASURES, VARY)
    ours = study.run(tmp_path / "gpu", engine=Gpu("host"))
    local = study.run(tmp_path / "local", processes=0)
    assert (ours.status == "done").all()
    for name in local.measures:
        # where an integral is asked for, channels between two steps are straight lines, and steps are not the same
        assert ours[name] == pytest.approx(local[name], rel=2e-4, abs=1e-6 * np.abs(local[name]).max()), name


def test_extremes_are_those_of_the_motion(tmp_path):
    """By every engine, against dense rows; the motion can be predicted so far."""
    channels, span = ("pin.force", "slider.ax", "main.torque"), 3e-3
    mechanism = schwab2002.hertz()
    dense = gd.simulate(mechanism, duration=span, method="dop853", rtol=1e-12, channels=channels, output=1e-8)
    measures = [f"{word} {name}" for name in channels for word in ("highest", "lowest", "peak")]
    study = gd.Study(mechanism, {"pin.radial_clearance": ["0.5 mm"]}, measures, duration=span, rtol=1e-10)
    for place, options in enumerate(({"engine": Gpu("host")}, {"engine": "threads"}, {"processes": 0},
                                     {"processes": 2})):  # fmt: skip
        table = study.run(tmp_path / str(place), **options)
        for name in channels:
            high, low = (extremum(dense.t, dense[name], side).value for side in (1.0, -1.0))
            room = 1e-6 * max(abs(high), abs(low))
            assert table[f"highest {name}"][0] == pytest.approx(high, abs=room), (options, name)
            assert table[f"lowest {name}"][0] == pytest.approx(low, abs=room), (options, name)
            assert table[f"peak {name}"][0] == pytest.approx(max(abs(high), abs(low)), abs=room), (options, name)


def test_an_interrupted_study_goes_on_and_ends_with_the_same_numbers(tmp_path):
    study = small(("peak pin.force",), VARY)
    with pytest.raises(KeyboardInterrupt):
        study.run(tmp_path / "a", engine=Tired("host", piece=2))
    assert gd.Study.stored(tmp_path / "a").points == study.points
    resumed = study.run(tmp_path / "a", engine=Gpu("host", piece=3))
    assert same(resumed, study.run(tmp_path / "b", engine=Gpu("host")))


def test_threads_give_the_same_numbers(tmp_path):
    study = small(("peak pin.force", "contacts pin"), VARY)
    ours = study.run(tmp_path / "threads", engine="threads", processes=3)
    assert same(ours, study.run(tmp_path / "one", engine=Gpu("host")))
    with pytest.raises(GudgeonError, match='engine "threads" knows no output='):
        small(output=1e-5).run(tmp_path / "no", engine="threads")


def test_words_on_a_path_have_equations_of_their_own(tmp_path):
    vary = {"pin.radial_clearance": [1e-4, 2e-4], "pin.fit.clearance.wall.ratio_limit": ["none", "above"]}
    study = small(("peak pin.force",), vary)
    ours = study.run(tmp_path / "gpu", engine=Gpu("host"))
    local = study.run(tmp_path / "local", processes=0)
    assert ours["peak pin.force"] == pytest.approx(local["peak pin.force"], rel=1e-4)


def test_regimes_and_means_agree(tmp_path):
    mechanism = flores2007.slider_crank("0.1 mm", friction=0.05)
    study = gd.Study(mechanism, {"pin.radial_clearance": ["0.02 mm"]}, ["regime", "mean peak pin.force"],
                     transient=5, turns=40, rtol=1e-7)  # fmt: skip
    ours = study.run(tmp_path / "gpu", engine=Gpu("host"))
    local = study.run(tmp_path / "local", processes=0)
    assert list(ours["regime"]) == list(local["regime"])
    assert ours["mean peak pin.force"] == pytest.approx(local["mean peak pin.force"], rel=1e-3)
    room = 4.0 * np.hypot(ours["exponent error"], local["exponent error"]) + 0.02
    assert (np.abs(ours["exponent"] - local["exponent"]) < room).all()


def numbers(point):
    """As a mechanism has them: one fixed, the value itself, a smooth function of it, one of another path."""
    c, mu = point
    return np.array([3.0, c, 1.0 / np.sqrt(c - 1e-6), 2.0 * mu])


def test_numbers_along_a_path_are_found_from_few():
    asked = []

    def counted(point):
        asked.append(point)
        return numbers(point)

    points = [(c, mu) for c in np.geomspace(1e-5, 5e-4, 300) for mu in np.linspace(0.0, 0.1, 40)]
    columns = Columns(counted, ["c", "mu"], points)
    assert len(asked) < 200
    found = columns.at(points)
    assert set(found) == {1, 2, 3}
    assert (found[1] == [c for c, _ in points]).all()
    assert found[2] == pytest.approx([numbers(p)[2] for p in points], rel=1e-12)
    assert found[3] == pytest.approx([numbers(p)[3] for p in points], rel=1e-13)


def test_numbers_of_two_paths_at_once_are_computed_one_by_one_or_refused():
    few = [(c, mu) for c in (1.0, 2.0, 3.0) for mu in (5.0, 7.0)]
    columns = Columns(lambda p: np.array([p[0] * p[1], p[1]]), ["c", "mu"], few)
    assert columns.at(few)[0] == pytest.approx([c * mu for c, mu in few])
    many = [(float(c), float(mu)) for c in range(1, 100) for mu in range(1, 100)]
    with pytest.raises(GudgeonError, match="act on the same numbers") as error:
        Columns(lambda p: np.array([p[0] * p[1], p[1]]), ["c", "mu"], many)
    assert 'engine="local"' in str(error.value)
    assert 'c" and "mu' in str(error.value) or "c and mu" in str(error.value)


@pytest.mark.parametrize(
    ("measure", "options", "said"),
    [
        ([last_speed], {}, "is a function of Python"),
        (["peak pin.force"], {"method": "radau"}, 'not by "radau"'),
        (["peak pin.force"], {"keep": ["pin.ex"]}, "keeps no traces"),
        (["peak pin.force"], {"output": 1e-4}, "knows no output="),
        (["regime"], {}, "asked of a settled motion"),
        (["regime"], {"revolutions": None, "turns": 5}, "40 or more"),
    ],
)
def test_what_a_card_cannot_do_is_refused_before_it_begins(tmp_path, measure, options, said):
    with pytest.raises(GudgeonError) as error:
        small(measure, VARY, **options).run(tmp_path / "store", engine=Gpu("host"))
    assert said in str(error.value)
    assert not (tmp_path / "store").exists()


def test_without_a_card_it_is_said_what_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(driver, "LIBRARY", "libcuda.so.of.nobody")
    driver.device.cache_clear()
    with pytest.raises(GudgeonError, match="no NVIDIA driver here") as error:
        small(("peak pin.force",), VARY).run(tmp_path / "store", engine="gpu")
    assert 'engine="local"' in str(error.value)
    assert "libcuda.so.of.nobody" in str(error.value)
    driver.device.cache_clear()


def test_an_unknown_engine_names_the_known_ones(tmp_path):
    with pytest.raises(GudgeonError, match='"auto", "local", "threads", "gpu" or "cluster"'):
        small(("peak pin.force",), VARY, engine="abacus").run(tmp_path / "store")


def test_a_study_of_some_size_goes_to_threads_and_the_rest_to_processes(tmp_path, monkeypatch):
    """Without a word about the engine. What threads leave without a result is done by processes."""
    from gudgeon.study.engines import automatic
    from gudgeon.study.engines.gpu import motions
    from gudgeon.study.storage.store import Store

    monkeypatch.setattr(automatic, "FEW", 6)
    whole = motions.Motions.compute
    monkeypatch.setattr(motions.Motions, "compute", lambda self, tasks: ["left", *whole(self, tasks)[1:]])
    study = small(MEASURES, VARY)
    ours = study.run(tmp_path / "auto", progress=False)
    local = study.run(tmp_path / "local", processes=0, progress=False)
    assert (ours.status == "done").all()
    for name in local.measures:
        assert ours[name] == pytest.approx(local[name], rel=2e-4, abs=1e-6 * np.abs(local[name]).max()), name
    assert ours["peak pin.force"][0] == local["peak pin.force"][0]
    with Store(tmp_path / "auto") as store:
        assert "threads" in store.sessions()[-1][1]["engine"]
    # few runs, and what threads cannot do, go to processes
    assert automatic.Automatic(5).by_threads is False
    engine = automatic.Automatic(100)
    engine.check(small(("peak pin.force",), VARY, method="dop853").job)
    assert engine.by_threads is False and "process" in engine.words
