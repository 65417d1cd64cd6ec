"""`routes`: one joint by every route that it allows, and how well they agree."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from gudgeon.analysis.agreement.plan import Way, chosen_joint, ways
from gudgeon.analysis.agreement.pointwise import Agreement, TouchRecord, agreement, touches
from gudgeon.analysis.agreement.report import report
from gudgeon.analysis.statistics.mean import Mean, mean_of
from gudgeon.analysis.statistics.pulses import root_mean_square
from gudgeon.analysis.statistics.windows import FAINT, Windows, onsets, sample_windows
from gudgeon.assemble import assemble
from gudgeon.laws import FilmLaw
from gudgeon.model import Joint, Mechanism
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.results import Run
from gudgeon.simulation import period_of, plays, whole_run
from gudgeon.simulation.method import choose_method

__all__ = ["Cost", "Route", "Routes", "routes"]

STEPS = 20_000  # of a method without error control in a revolution, or in the run
SAMPLES = 4_000  # of the motions that are compared pointwise


@dataclass(frozen=True)
class Cost:
    """Work of a route over `span` [s] with no rows recorded, per turn or per second: see `Routes.turn`."""

    evaluations: float
    steps: float
    wall_time: float
    span: float


@dataclass(frozen=True)
class Route:
    """One route. `refused` says why it was not run; then only its name, words and method hold.

    horizon [s]: until when a twin with less error stays with it; first: its first touches; statistics by name, with
    standard errors where there are windows, else nan.
    """

    name: str
    words: str
    method: str
    rigid: bool
    refused: str = ""
    step: float | None = None
    horizon: float | None = None
    trust: str = ""
    first: tuple[TouchRecord, ...] = ()
    statistics: dict[str, Mean] = field(default_factory=dict)
    cost: Cost | None = None
    run: Run | None = field(default=None, repr=False, compare=False)

    def numbers(self) -> dict[str, Any]:
        """Plain values, without the run."""
        values = asdict(replace(self, run=None))
        return {name: value for name, value in values.items() if name != "run"}


@dataclass(frozen=True)
class Routes:
    """What `routes` found: str() is the report, `numbers()` plain values for files.

    share: of the clearance, what counts as the same; span [s] of the pointwise comparison; period [s] of a turn, None
    where nothing turns evenly; windows of two turns behind the statistics, 0: whole runs; units of the statistics.
    """

    name: str
    joint: str
    clearance: float
    share: float
    rtol: float
    span: float
    period: float | None
    windows: int
    transient: int
    routes: tuple[Route, ...]
    agreements: tuple[Agreement, ...]
    units: dict[str, str]

    @property
    def ran(self) -> tuple[Route, ...]:
        """The routes that were run, the one of reference first."""
        return tuple(route for route in self.routes if not route.refused)

    @property
    def reference(self) -> Route:
        return self.ran[0]

    @property
    def turn(self) -> float:
        """What costs and impacts are counted by: the period [s], or a second."""
        return self.period or 1.0

    def __getitem__(self, name: str) -> Route:
        by_name = {route.name: route for route in self.routes}
        if name not in by_name:
            raise GudgeonError(f'route "{name}" is not known; choose from {", ".join(by_name)}')
        return by_name[name]

    def distance(self, name: str, statistic: str) -> float | None:
        """Combined standard errors between a route and the reference; None where there are no errors."""
        one, other = self[name].statistics, self.reference.statistics
        apart = one[statistic].distance(other[statistic]) if statistic in one and statistic in other else math.nan
        return None if math.isnan(apart) else apart

    def numbers(self) -> dict[str, Any]:
        """Plain values: what was asked, each route, pairs of routes, distances in combined standard errors."""
        said = {name: getattr(self, name) for name in ("name", "joint", "clearance", "share", "rtol", "span", "period",
                                                       "windows", "transient", "units")}  # fmt: skip
        distances = {r.name: {s: self.distance(r.name, s) for s in r.statistics} for r in self.ran[1:]}
        return {**said, "reference": self.reference.name, "routes": [route.numbers() for route in self.routes],
                "agreements": [asdict(pair) for pair in self.agreements], "distances": distances}  # fmt: skip

    def __str__(self) -> str:
        return "\n".join(report(self))


def routes(mechanism: Mechanism, *, revolutions: float | None = None, duration: float | str | None = None,
           joint: str | None = None, film: FilmLaw | None = None, step: float | str | None = None,
           rtol: float = 1e-9, share: float = 0.01, windows: int = 20, transient: int = 10,
           channels: Sequence[str] = (), only: Sequence[str] | None = None,
           on_route: Callable[[int, int], None] | None = None) -> Routes:  # fmt: skip
    """Compute the same joint with all applicable contact models (routes) and compare the results.

    revolutions  in which the motions are compared, default 2; or `duration` [s]
    joint        default: the first one with play
    film         a film law for the route "film"; a joint that is Lubricated has one already
    step         [s] of time stepping; default: 1/20000 of a revolution, or of the duration
    share        of the clearance: motions that differ by less count as equal
    windows      number of windows of two revolutions for the statistics, after `transient` revolutions
    channels     more channels whose peak and rms are compared
    only         names of the routes to run; default: all
    """
    at, period = chosen_joint(mechanism, joint), period_of(mechanism)
    if film is not None and not isinstance(film, FilmLaw):
        raise GudgeonError(f'film {film!r} is no film law; write for instance film=Moes("400 cP")')
    if revolutions is None and duration is None:
        revolutions = 2 if period else None
    if (revolutions is None) == (duration is None) or (revolutions is not None and period is None):
        raise GudgeonError("routes: give revolutions= where a joint is driven at constant speed, else duration= [s]")
    span = quantity(duration, "s", "duration") if revolutions is None else revolutions * (period or 0.0)
    if not span > 0.0 or transient < 1 or windows < 0:
        raise GudgeonError(
            "routes: the revolutions or the duration and transient must be positive, windows not below 0"
        )
    length = (period or span) / STEPS if step is None else quantity(step, "s", "step")
    task = Task(at, span, period, rtol, share, windows if period else 0, transient, tuple(channels))
    plan = ways(mechanism, at, film, length, only)
    tried, sampled = [], []
    for k, way in enumerate(plan):
        route, motion = task.walk(way)
        tried.append(route)
        sampled.append(motion)
        if on_route is not None:
            on_route(k + 1, len(plan))
    done = [(r, run) for r, run in zip(tried, sampled, strict=True) if run is not None]
    if not done:
        raise GudgeonError("routes: none of them can be run; " + "; ".join(f"{r.name}: {r.refused}" for r in tried))
    return Routes(mechanism.name, at.name, task.clearance, share, rtol, span, period, task.windows, transient,
                  tuple(tried), tuple(task.pair(one, done[0]) for one in done[1:]), task.units(done[0][0]))  # fmt: skip


class Task:
    """What all routes of one call have in common."""

    def __init__(self, joint: Joint, span: float, period: float | None, rtol: float, share: float, windows: int,
                 transient: int, channels: tuple[str, ...]) -> None:  # fmt: skip
        self.joint, self.span, self.period, self.rtol, self.share = joint, span, period, rtol, share
        self.windows, self.transient, self.channels = windows, transient, channels
        self.clearance = next((joint.gap(mate) for mate in joint.kind.mates if joint.gap(mate) > 0.0), math.nan)
        self.plays: dict[str, float] = {}

    def walk(self, way: Way) -> tuple[Route, Run | None]:
        """Run a route; what cannot be run says why."""
        said = {"name": way.name, "words": way.words, "method": way.method, "rigid": way.rigid, "step": way.step}
        if way.mechanism is None:
            return Route(**said, refused=way.refused), None  # type: ignore[arg-type]
        try:
            return self._walk(way, way.mechanism, said)
        except GudgeonError as error:
            return Route(**said, refused=str(error)), None  # type: ignore[arg-type]

    def _walk(self, way: Way, mechanism: Mechanism, said: dict[str, Any]) -> tuple[Route, Run]:
        settings: dict[str, Any] = {"method": way.method, "rtol": self.rtol, "step": way.step}
        system = assemble(mechanism, choose_method(way.method, self.rtol, way.step).needs())
        self.plays = {c: play for c, play in plays(system).items() if c.split(".")[0] == self.joint.name}
        known = [channel.name for channel in system.channels]
        signals = [name for name in self._signals(mechanism) if name in known]
        wanted = list(dict.fromkeys([*signals, *self.plays]))
        run = whole_run(mechanism, duration=self.span, trust=self.share, channels=wanted, **settings)
        even = whole_run(mechanism, duration=self.span, output=self.span / SAMPLES, channels=list(self.plays),
                         **settings)  # fmt: skip
        settled, cost = self._cost(mechanism, settings)
        if self.windows:
            sample = sample_windows(mechanism, signals, transient=self.transient, windows=self.windows,
                                    joint=self.joint.name, resume=settled, **settings)  # fmt: skip
            statistics = from_windows(sample, signals)
        else:
            statistics = from_run(run, signals, self.joint.name, self.period or 1.0)
        route = Route(**{**said, "method": run.evidence.method}, horizon=run.evidence.horizon, trust=run.evidence.trust,
                      first=touches(run, self.joint.name), statistics=statistics, cost=cost, run=run)  # fmt: skip
        return route, even

    def _cost(self, mechanism: Mechanism, settings: dict[str, Any]) -> tuple[Run | None, Cost]:
        """The end of the transient, and the work over the turns of the windows that follow; else over the run. The
        start is cheap for hard walls: contacts that come to rest by ever smaller bounces are still to come."""
        settled, span = None, self.span
        if self.windows and self.period:
            span = 2 * self.windows * self.period
            settled = whole_run(mechanism, revolutions=self.transient, output=self.period, channels=[], **settings)
        marches = [whole_run(mechanism, duration=span, output=span, channels=[], resume=settled, **settings)
                   for _ in range(3)]  # fmt: skip
        work, turns = marches[0].evidence, span / (self.period or 1.0)
        wall = min(march.evidence.wall_time for march in marches)  # the others were disturbed
        return settled, Cost(work.evaluations / turns, work.steps / turns, wall / turns, span)

    def _signals(self, mechanism: Mechanism) -> list[str]:
        drives = [f"{name}.{what}" for name in mechanism.driven for what in ("torque", "drive_force")]
        return list(dict.fromkeys([f"{self.joint.name}.force", *drives, *self.channels]))

    def pair(self, one: tuple[Route, Run], reference: tuple[Route, Run]) -> Agreement:
        (route, run), (other, base) = one, reference
        common = {c: play for c, play in self.plays.items() if c in run and c in base}
        if not common:
            return Agreement(route.name, other.name, None, math.nan, None, ())
        return agreement((route.name, other.name), (run, base), (route.first, other.first),
                         (route.horizon, other.horizon), common, self.share)  # fmt: skip

    def units(self, route: Route) -> dict[str, str]:
        """Units of the statistics."""
        units = {}
        for name in route.statistics:
            word, _, channel = name.partition(" ")
            known = word in ("peak", "rms") and route.run is not None and channel in route.run
            per = "per revolution" if self.period else "per second"
            units[name] = route.run.channel(channel).unit if known and route.run else per if name == "impacts" else "1"
        return units


def from_windows(sample: Windows, signals: Sequence[str]) -> dict[str, Mean]:
    """Means over windows with their standard errors; impacts per revolution."""
    names = [f"{what} {name}" for what in ("peak", "rms") for name in signals]
    means = {name: sample.mean(name) for name in names}
    means |= {"contact share": sample.mean("contact fraction"), "lasting contact": sample.mean("lasting fraction")}
    return {**means, "impacts": sample.mean("impacts") * 0.5}


def from_run(run: Run, signals: Sequence[str], joint: str, turn: float) -> dict[str, Mean]:
    """The same of a single run, without errors."""
    span = float(run.t[-1] - run.t[0])
    values = {f"peak {name}": abs(run.peak(name).value) for name in signals}
    values |= {f"rms {name}": root_mean_square(run, name) for name in signals}
    values["contact share"], values["lasting contact"] = run.touching(joint), run.touching(joint, impacts=False)
    values["impacts"] = sum(record.speed_on > FAINT for record in onsets(run, joint)) * turn / span
    return {name: mean_of([value]) for name, value in values.items()}
