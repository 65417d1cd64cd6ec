"""`Study`: one mechanism, what changes in it, and what is measured. Many runs, one table."""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from gudgeon.analysis.measures import Measure, named
from gudgeon.analysis.motions.motion import LEAST
from gudgeon.assemble import Needs, assemble
from gudgeon.methods.contract import Method
from gudgeon.model import Mechanism
from gudgeon.model.files import loads
from gudgeon.model.names import about
from gudgeon.model.run_settings import RunFields, RunSettings, default_method
from gudgeon.model.units import unit_of
from gudgeon.quantity import GudgeonError, Unit, closest
from gudgeon.simulation import choose_method
from gudgeon.study.engines.automatic import Automatic
from gudgeon.study.engines.cluster import Cluster
from gudgeon.study.engines.driver import drive
from gudgeon.study.engines.engine import Engine, InProcess
from gudgeon.study.engines.gpu import Gpu
from gudgeon.study.engines.job import Job, is_own, measure_names, model_text
from gudgeon.study.engines.local import Local
from gudgeon.study.engines.threads import Threads
from gudgeon.study.points.design import Point, choose_design, points
from gudgeon.study.points.values import KINDS, read_axis
from gudgeon.study.storage.provenance import session
from gudgeon.study.storage.store import Store
from gudgeon.study.table import Table

__all__ = ["Study"]

Shard = tuple[int, int]


class Study:
    """A parameter study: runs of one mechanism with different values.

        study = gd.Study(loose, vary={"pin.radial_clearance": gd.logspace("0.01 mm", "0.5 mm", 20)},
                         measure=["peak pin.force", "contacts pin"], revolutions=4)
        table = study.run("out/clearances")

    vary          a path (see `Mechanism.parameters`, or any field of the model file) -> list of values, linspace,
                  logspace, or a distribution: normal, uniform, an ISO fit such as "20 H7/f7"
    measure       texts such as "peak pin.force" or "regime", measures of gudgeon.analysis, functions of a Run, or
                  objects with `names` and `measure(mechanism)` that make their own runs
    design        "grid" (all combinations), "list" (first values of all parameters together, and so on), or "latin",
                  "sobol", "random" with `samples`; or "saltelli" with `samples` pairs of samples, each paths + 3 runs,
                  from which `Table.influence` has total indices as well
    seed          of the samples; the same seed gives the same points
    keep          channels whose traces are stored with the results
    turns         instead of revolutions or duration: number of periods of the settled motion, after `transient` ones;
                  `period` [s] if no joint is driven at constant speed
    settings      a RunSettings; its fields can be given by name instead: revolutions, duration, method, rtol, step,
                  output, after, stabilisation, as in `simulate`
    engine        how it is computed, see `run`; another engine can continue the study
    """

    def __init__(self, mechanism: Mechanism, vary: Mapping[str, Any], measure: Any, *, design: str | None = None,
                 samples: int | None = None, seed: int = 0, keep: Sequence[str] = (), name: str | None = None,
                 settings: RunSettings | None = None, turns: int | None = None, transient: float | None = None,
                 period: float | str | None = None, engine: str | Engine = "auto",
                 **fields: Unpack[RunFields]) -> None:  # fmt: skip
        if not isinstance(vary, Mapping) or not vary:
            raise GudgeonError('Study: vary must say what changes, for instance {"pin.radial_clearance": [1e-4, 2e-4]}')
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise GudgeonError(f"Study: seed {seed!r} must be a whole number of at least 0")
        self.mechanism, self.name = mechanism, name or mechanism.name
        self.axes = {}
        for path, given in vary.items():
            with about(f'vary "{path}"'):
                self.axes[path] = read_axis(path, given)
        self.design = choose_design(design, self.axes, samples)
        self.samples, self.seed, self.keep = samples, seed, tuple(keep)
        self.engine = engine
        self.measures = _measures(measure)
        with about("Study"):
            run = RunSettings.read(settings, fields)
            run = run.merged(method=run.method or default_method(mechanism))
            self.settings = run.arguments() | _settled(run, turns, transient, period)
        self.points: list[Point] = points(mechanism, self.axes, self.design, samples, seed)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"<Study {self.name}: {len(self)} runs, {self.design} over {', '.join(self.axes)}>"

    @property
    def columns(self) -> list[str]:
        """Names of everything that is measured."""
        return [name for measure in self.measures for name in measure_names(measure)]

    @cached_property
    def job(self) -> Job:
        """What workers need."""
        wanted = [name for measure in self.measures for name in getattr(measure, "channels", ())]
        everything = any(not isinstance(measure, Measure) and not is_own(measure) for measure in self.measures)
        traced = [name for name in self.keep if not name.endswith(".mode")]
        channels = None if everything else tuple(dict.fromkeys([*wanted, *traced]))
        return Job(model_text(self.mechanism), tuple(self.axes), self.measures, self.settings, self.keep, channels)

    def run(self, store: str | Path, *, processes: int | None = None, engine: str | Engine | None = None,
            address: str | None = None, shard: Shard | str | None = None, again: bool = False,
            progress: bool | None = None) -> Table:  # fmt: skip
        """Compute the runs that are not yet in the store, and return the table of all results.

        store      folder; after any interruption the same call continues where it stopped
        processes  number of processes, or of threads with engine="threads"; 0: in this process
        engine     "auto" (threads where they can do it, processes for the rest), "local" (processes), "threads", "gpu"
                   (a graphics card of NVIDIA), or "cluster" with the address of a dask scheduler; default: as given to
                   the study. Runs that fail in threads or on a card are repeated one by one
        shard      "2/8": only the second of eight parts, in a folder of its own inside the store; see `merge`
        again      compute failed and crashed runs again
        progress   show progress with the time left; default: on a terminal
        """
        chosen = _engine(engine or self.engine, address, processes, len(self))
        part = read_shard(shard)
        folder = Path(store) if part is None else Path(store) / f"shard-{part[0]}-of-{part[1]}"
        indices = None if part is None else range(part[0] - 1, len(self), part[1])
        self.check()
        chosen.check(self.job)
        method = choose_method(self.settings["method"], None, self.settings.get("step"))
        with self._open(folder, indices) as opened:
            for line in opened.repair():
                print(f"gudgeon: {folder}: {line}", file=sys.stderr, flush=True)
            if again:
                opened.again()
            if opened.counts()["todo"]:
                _greet(opened, chosen, method)
                drive(opened, self.job, chosen, progress)
                opened.computed_by(chosen.words)
            return Table.read(opened)

    def check(self) -> None:
        """Raise an error before anything is computed if no run could give a result: unknown channels and joints, or a
        regime without `turns`.
        """
        system = assemble(self.mechanism, Needs(form="residual" if self.mechanism.beams else "acceleration"))
        known = {channel.name: channel.unit for channel in system.channels}
        joints = list(self.mechanism.joints)
        for measure in self.measures:
            _enough(measure, self.settings)
            for name in getattr(measure, "channels", ()):
                _known("channel", name, known, f'measure "{measure_names(measure)[0]}"')
            if hasattr(measure, "joint"):
                _known("joint", measure.joint, joints, f'measure "{measure_names(measure)[0]}"')
        for name in self.keep:
            _known("channel", name, [*known, *(f"{joint}.mode" for joint in joints)], "keep")
        self._units = known

    def _open(self, folder: Path, indices: Sequence[int] | None) -> Store:
        if not (folder / "study.db").exists():
            return self._checked(Store.create(folder, self.about(), self.points, indices))
        return self._checked(Store(folder, write=True))

    def _checked(self, store: Store) -> Store:
        try:
            self.agree(store)
        except BaseException:
            store.close()
            raise
        return store

    def agree(self, store: Store) -> None:
        """Raise an error if the store belongs to another study."""
        mine, theirs = self.about()["identity"], store.about["identity"]
        other = [word for word, value in mine.items() if theirs.get(word) != value]
        if other:
            raise GudgeonError(
                f"{store.path} holds another study: it differs in {', '.join(other)}; choose another store, "
                "or change the study back"
            )

    def about(self) -> dict[str, Any]:
        """The definition of the study for the store: model, points, measures, settings."""
        model = self.job.model
        text = model if isinstance(model, str) else None
        measures = [_described(measure) for measure in self.measures]
        settings = json.loads(json.dumps(self.settings))
        identity = {
            "the model": _digest(self.mechanism.summary() if isinstance(model, Mechanism) else model),
            "vary": _digest(json.dumps([list(self.axes), self.points])),
            "measure": measures, "keep": list(self.keep), "settings": settings,
        }  # fmt: skip
        units = getattr(self, "_units", {})
        channel = {n: getattr(m, "channel", None) for m in self.measures for n in measure_names(m)}
        return {
            "name": self.name, "model": text, "identity": identity, "design": self.design, "samples": self.samples,
            "seed": self.seed, "paths": list(self.axes), "total": len(self),
            "vary": {path: axis.described() for path, axis in self.axes.items()},
            "shape": _shape(self), "measure": measures, "columns": self.columns, "keep": list(self.keep),
            "settings": settings, "path_units": {path: unit_of(self.mechanism, path) for path in self.axes},
            "units": {name: units.get(channel[name] or "", "") for name in self.columns},
            "rebuildable": text is not None and all(isinstance(m, Measure) for m in self.measures),
        }  # fmt: skip

    @classmethod
    def stored(cls, store: str | Path) -> Study:
        """The study of a store, if it consists of texts and numbers only."""
        with Store(store) as opened:
            about = opened.about
        if not about["rebuildable"]:
            raise GudgeonError(
                f"{store}: this study has functions of Python, which a store does not keep; "
                "run its script again to resume"
            )
        mechanism = loads(about["model"], "the study's model").mechanism
        vary = {path: _axis_of(path, given) for path, given in about["vary"].items()}
        return cls(mechanism, vary, about["measure"], design=about["design"], samples=about["samples"],
                   seed=about["seed"], keep=about["keep"], name=about["name"], **about["settings"])  # fmt: skip


def read_shard(given: Shard | str | None) -> Shard | None:
    """(2, 8) from "2/8"."""
    if given is None:
        return None
    try:
        part, parts = (int(x) for x in (given.split("/") if isinstance(given, str) else given))
    except ValueError:
        part, parts = 0, 0
    if not 1 <= part <= parts:
        raise GudgeonError(f"shard {given!r} is not a valid part; write for instance 2/8, from 1/8 to 8/8")
    return part, parts


def _greet(store: Store, engine: Engine, method: Method) -> None:
    """Note who computes, and say where it differs from the last time; compile the time loop once for all workers."""
    mine, before = session(engine.words), store.sessions()
    if before:
        changed = {k: (before[-1][1]["versions"].get(k), v) for k, v in mine["versions"].items()}
        other = [f"{k} was {old}, is {new}" for k, (old, new) in changed.items() if old != new]
        if other:
            print(
                f"gudgeon: {store.path}: resumed with other versions: {'; '.join(other)}", file=sys.stderr, flush=True
            )
    store.session(mine)
    if engine.marches:
        method.compiled()


def _engine(engine: str | Engine, address: str | None, processes: int | None, runs: int) -> Engine:
    if isinstance(engine, Engine):
        return engine
    if processes is not None and (isinstance(processes, bool) or not isinstance(processes, int) or processes < 0):
        raise GudgeonError(f"processes {processes!r} must be a whole number of at least 0")
    if engine == "auto" and processes is None:
        return Automatic(runs)
    if engine in ("auto", "local"):
        return InProcess() if processes == 0 else Local(processes)
    if engine == "threads":
        return InProcess() if processes == 0 else Threads(processes)
    if engine == "cluster":
        if not address:
            raise GudgeonError('engine "cluster" needs the address of a dask scheduler, such as "tcp://10.0.0.1:8786"')
        return Cluster(address)
    if engine == "gpu":
        return Gpu()
    raise GudgeonError(f'engine "{engine}" is not known; choose "auto", "local", "threads", "gpu" or "cluster"')


def _measures(given: Any) -> tuple[Any, ...]:
    items = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    if not items:
        raise GudgeonError('Study: measure must name at least one thing, for instance "peak pin.force"')
    measures = tuple(named(item) if isinstance(item, str) else item for item in items)
    for item in measures:
        if not isinstance(item, Measure) and not callable(item) and not is_own(item):
            raise GudgeonError(f"measure {item!r} is neither a text, a measure nor a function of a run")
    names = [name for item in measures for name in measure_names(item)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise GudgeonError(f'measure "{twice}" is given twice; give each once, and functions names of their own')
    return measures


def _settled(run: RunSettings, turns: int | None, transient: float | None,
             period: float | str | None) -> dict[str, Any]:  # fmt: skip
    """What is said of a settled motion, in SI; refuses what does not go with it."""
    odd = next((name for name in ("channels", "trust", "start") if name in run.arguments()), None)
    if odd is not None:
        raise GudgeonError(f"{odd}= is no setting of a study; measure= and keep= choose the results")
    ends = [name for name in ("revolutions", "duration") if getattr(run, name) is not None]
    ends += ["turns"] * (turns is not None)
    if len(ends) != 1:
        raise GudgeonError("give exactly one of revolutions=, duration= [s] and turns=")
    if turns is None:
        if transient is not None:
            raise GudgeonError(f"transient= goes with turns=; give turns= instead of {ends[0]}=, or after= [s]")
        if period is not None:
            raise GudgeonError(f"period= goes with turns=; leave it out, or give turns= instead of {ends[0]}=")
        return {}
    alone = next((x for x in ("step", "output", "after", "stabilisation") if getattr(run, x) is not None), None)
    if alone is not None:
        raise GudgeonError(f"{alone}= does not go with turns=; leave it out, or give revolutions=")
    units = {"turns": Unit("", above=0.0), "transient": Unit("", minimum=0.0), "period": Unit("s", above=0.0)}
    given = {"turns": turns, "transient": transient, "period": period}
    numbers = {name: unit.read(given[name], name) for name, unit in units.items() if given[name] is not None}
    if numbers["turns"] != int(numbers["turns"]):
        raise GudgeonError(f"turns {numbers['turns']:g} must be a whole number of periods")
    return numbers | {"turns": int(numbers["turns"])}


def _enough(measure: Any, settings: Mapping[str, Any]) -> None:
    """Refuse a measure of a settled motion where there is none, or too little of it."""
    if not getattr(measure, "settled", False):
        return
    name, turns = measure_names(measure)[0], settings.get("turns")
    if turns is None:
        raise GudgeonError(
            f'measure "{name}" needs a settled motion; give turns and transient, in periods, instead of '
            f"{'revolutions' if 'revolutions' in settings else 'duration'}, for instance transient 20 and turns {LEAST}"
        )
    least = getattr(measure, "least_turns", 1)
    if turns < least:
        raise GudgeonError(f'measure "{name}": turns {turns} are too few; a regime needs {least} or more periods')


def _shape(study: Study) -> list[int] | None:
    """Number of values of each path, in a grid."""
    if study.design != "grid":
        return None
    return [len(axis.values(study.mechanism, path)) for path, axis in study.axes.items()]


def _described(measure: Any) -> str:
    """A measure as text: what `named` reads, or the name and a digest of a function."""
    if isinstance(measure, Measure):
        fields = [str(value) for value in vars(measure).values()]
        return " ".join([measure.word, *fields])
    thing = measure if hasattr(measure, "__qualname__") else type(measure)
    try:
        source = inspect.getsource(thing)
    except (OSError, TypeError):
        source = ""
    # without the module: a script is __main__ today and imported tomorrow
    return f"{thing.__qualname__} {_digest(source)[:8]}"


def _axis_of(path: str, given: Any) -> Any:
    if isinstance(given, dict):
        ((word, arguments),) = given.items()
        return KINDS[word](*(arguments if isinstance(arguments, list) else [arguments]))
    return read_axis(path, given)


def _digest(data: str | bytes) -> str:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def _known(word: str, name: str, names: Any, where: str) -> None:
    if name not in names:
        likely = closest(name, names)
        hint = f'; did you mean "{likely}"?' if likely else ""
        raise GudgeonError(f'{where}: {word} "{name}" is not known{hint}')
