"""The engine "gpu", run on the processor: the same table as the local engine, and clear words where it cannot."""

import numpy as np
import pytest
from small_study import last_speed, same, small

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.batch import batch, driver
from gudgeon.batch.inputs import described
from gudgeon.batch.machine import Host, Machine
from gudgeon.papers import flores2007, schwab2002
from gudgeon.quantity import GudgeonError
from gudgeon.results.extremes import extremum
from gudgeon.study.engines.gpu import Gpu, exponents
from gudgeon.study.engines.gpu.columns import Columns
from gudgeon.study.engines.gpu.engine import explicit_methods
from gudgeon.study.engines.gpu.motions import Motions

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


def two_pins():
    """A slider-crank with play in two pins, 1200 rpm."""
    m = gd.Mechanism("two loose pins")
    fit = gd.Clearance("0.1 mm", wall=gd.LankaraniNikravesh(restitution=0.9), friction=gd.ModifiedCoulomb(0.05))
    m.body("crank", mass=0.3, inertia=1e-5, at=(0.025, 0.0))
    m.body("rod", mass=0.21, inertia=2.5e-4, at=(0.11, 0.0))
    m.body("slider", mass=0.14, inertia=1e-4, at=(0.17, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(0.05, 0.0), radius="10 mm", fit=fit)
    m.revolute("pin", journal="rod", bearing="slider", at=(0.17, 0.0), radius="10 mm", fit=fit)
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.17, 0.0), axis=(1.0, 0.0))
    m.drive("main", speed="1200 rpm")
    return m


GRIDS = [
    {"big.radial_clearance": gd.logspace("0.01 mm", "0.5 mm", 60),
     "pin.radial_clearance": gd.linspace("0.01 mm", "0.5 mm", 60)},
    {"big.radial_clearance": gd.linspace("0.05 mm", "0.5 mm", 60), "big.radius": gd.linspace("9 mm", "11 mm", 60)},
    {"main.speed": gd.linspace("300 rpm", "1500 rpm", 60), "rod.mass": gd.linspace("100 g", "300 g", 60)},
    {"pin.radial_clearance": gd.linspace("0.05 mm", "0.5 mm", 60), "main.speed": gd.linspace(30.0, 150.0, 60)},
]  # fmt: skip


class NoMachine(Machine):
    """Compiles nothing."""

    def load(self, program):
        return None

    def run(self, kernel, count, arrays, put, numbers):
        raise NotImplementedError


@pytest.mark.parametrize("vary", GRIDS, ids=[" x ".join(vary) for vary in GRIDS])
def test_a_grid_over_two_numbers_needs_few_mechanisms(vary):
    """Too many points to assemble each; some of them by chance."""
    study = gd.Study(two_pins(), vary, "peak pin.force", duration="4 ms", step="10 us", rtol=1e-10)
    motions = Motions(study.job, study.points, NoMachine())
    assert not motions.columns.exact
    assert len(motions.columns.known) < 150
    some = [study.points[int(k)] for k in np.random.default_rng(4).choice(len(study.points), 4)]
    inputs, start = motions.inputs_at(some)
    for k, point in enumerate(some):
        system = assemble(study.job.at(point), coordinates="auto")
        length = min(contact.gap for contact in system.event_contacts)
        right, state = described(system, rtol=1e-10, period=4e-3, longest=1e-5, length=length)
        assert inputs[:, k] == pytest.approx(right, rel=1e-11)
        assert start[:, k] == pytest.approx(state[2 : 2 + system.controlled], rel=1e-11, abs=1e-11)


def test_a_grid_over_two_clearances_is_that_of_single_runs():
    """Up to a time at which rounding does not count yet."""
    study = gd.Study(two_pins(), GRIDS[0], ["peak pin.force", "final slider.vx"], duration="3 ms", rtol=1e-10)
    motions = Motions(study.job, study.points, Host())
    some = [study.points[k] for k in (70, 1840, 3599)]
    for point, ours in zip(some, motions.compute(some), strict=True):
        for name, value in study.job.compute(0, point).values.items():
            assert ours[name] == pytest.approx(value, rel=1e-5), (point, name)


AGREE = {
    "dopri5": (schwab2002.hertz(), {"pin.radial_clearance": ["0.2 mm", "0.5 mm"]}, "peak slider.ax", "3 ms"),
    "four-bar": (flores2007.four_bar("0.2 mm"), {"coupler.mass": [1.9, 2.0]}, "highest pin.force", "1 ms"),
    "two pins": (two_pins(), {"main.speed": ["900 rpm", "1200 rpm"]}, "peak pin.force", "3 ms"),
    "dop853": (schwab2002.hertz(), {"pin.radial_clearance": ["0.2 mm", "0.5 mm"]}, "peak slider.ax", "3 ms"),
    "rk4": (schwab2002.hertz(), {"pin.radial_clearance": ["0.2 mm", "0.5 mm"]}, "peak slider.ax", "3 ms"),
}  # fmt: skip


@pytest.mark.parametrize("case", AGREE)
def test_engines_agree(tmp_path, case):
    """Threads and single runs, by every method of threads, as far as a motion can be predicted."""
    mechanism, vary, measure, duration = AGREE[case]
    method = case if case in explicit_methods() else "dopri5"
    options = {"method": method, **({"step": "1 us"} if method == "rk4" else {"rtol": 1e-10})}
    study = gd.Study(mechanism, vary, [measure], duration=duration, **options)
    ours = study.run(tmp_path / "threads", engine="threads", processes=2, progress=False)
    local = study.run(tmp_path / "local", processes=0, progress=False)
    assert (ours.engine, local.engine) == ("2 threads", "in this process")
    assert ours[measure] == pytest.approx(local[measure], rel=1e-5)


def test_what_needs_more_steps_gets_them(tmp_path, monkeypatch):
    """To the last digit what it is with more steps at once; what needs still more is done by single runs."""
    study = small(("peak pin.force", "contacts pin"), VARY)
    whole = study.run(tmp_path / "whole", engine=Gpu("host"))
    assert whole.engine == "processor"
    monkeypatch.setattr(exponents.Tries, "of", lambda self, turns: 100)
    assert same(study.run(tmp_path / "more", engine=Gpu("host")), whole)
    monkeypatch.setattr(batch, "MORE", ())
    single = study.run(tmp_path / "single", engine=Gpu("host", piece=6))
    assert "6 of 6 runs one by one" in single.engine
    assert same(single, study.run(tmp_path / "local", processes=0))


def test_a_run_fails_where_a_single_run_fails_with_its_cause(tmp_path):
    """A driven slider brings the crank into its dead centre, or does not get there."""
    m = gd.Mechanism("slider-crank")
    angle, crank, rod = 1.0, 0.05, 0.12
    x, y = crank * np.cos(angle), crank * np.sin(angle)
    end = x + np.sqrt(rod**2 - y**2)
    m.body("crank", mass=0.3, inertia=1e-4, at=(x / 2, y / 2), angle=angle)
    m.body("rod", mass=0.2, inertia=1e-4, at=((x + end) / 2, y / 2), angle=-np.arcsin(y / rod))
    m.body("slider", mass=0.2, inertia=1e-4, at=(end, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(x, y))
    m.revolute("pin", journal="rod", bearing="slider", at=(end, 0.0))
    m.translational("guide", journal="slider", bearing=m.ground, at=(end, 0.0))
    m.drive("guide", speed=0.1)
    study = gd.Study(m, {"guide.speed": [0.001, 0.1]}, ["highest crank.angle"], duration=1.0)
    table = study.run(tmp_path / "x", engine=Gpu("host"))
    assert list(table.status) == ["done", "failed"]
    assert "drive the crank instead of the slider" in table.messages[1]
    assert "1 of 2 runs one by one" in table.engine


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
    with pytest.raises(GudgeonError, match='engine "threads" does not support output='):
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


def test_numbers_of_several_paths_are_found_from_few():
    """A product, a root of two, a product of sums, a path itself, and what rounding leaves of zero."""
    asked = []

    def several(point):
        asked.append(point)
        c, r, mass = point
        both = np.sqrt(r * (r - c) / c)
        return np.array([c * mass, both, c, (1.0 + mass) * (2.0 + r), 1e-17 * np.sin(1e20 * c), 7.0])

    rng = np.random.default_rng(3)
    points = [tuple(x) for x in rng.uniform((2e-5, 0.008, 0.1), (5e-4, 0.012, 0.3), (3000, 3))]
    grain = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    found = Columns(several, ["c", "r", "mass"], points, grain).at(points)
    assert len(asked) < 600
    right = np.array([several(point) for point in points]).T
    assert 5 not in found
    for place in range(4):
        assert found[place] == pytest.approx(right[place], rel=1e-11)
    assert (found[2] == right[2]).all()


def test_the_numbers_of_a_point_do_not_depend_on_the_others():
    points = [(c, mu) for c in np.geomspace(1e-5, 5e-4, 60) for mu in np.linspace(0.0, 0.1, 40)]
    columns = Columns(numbers, ["c", "mu"], points)
    whole = columns.at(points)
    for k in (0, 777, 2399):
        alone = columns.at(points[k : k + 1])
        assert all(alone[place][0] == whole[place][k] for place in whole)


def test_numbers_that_are_not_smooth_are_computed_one_by_one_or_refused():
    def least(point):
        return np.array([min(point), point[1]])

    few = [(c, mu) for c in range(1, 31) for mu in range(1, 31)]
    assert Columns(least, ["c", "mu"], few).at(few)[0] == pytest.approx([min(point) for point in few])
    many = [(float(c), float(mu)) for c in range(1, 100) for mu in range(1, 100)]
    with pytest.raises(GudgeonError, match="act on the same numbers") as error:
        Columns(least, ["c", "mu"], many)
    assert 'engine="local"' in str(error.value)
    assert 'c" and "mu' in str(error.value) or "c and mu" in str(error.value)


@pytest.mark.parametrize(
    ("measure", "options", "said"),
    [
        ([last_speed], {}, "is a function of Python"),
        (["peak pin.force"], {"method": "radau"}, 'not with "radau"'),
        (["peak pin.force"], {"keep": ["pin.ex"]}, "keeps no traces"),
        (["peak pin.force"], {"output": 1e-4}, "does not support output="),
        (["regime"], {}, "needs a settled motion"),
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
    engine.check(small(("peak pin.force",), VARY, method="radau").job)
    assert engine.by_threads is False and "process" in engine.words
