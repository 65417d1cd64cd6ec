"""`tolerance`: from the fits of a drawing to the answer: errors of position, spreads of measures, fits that suffice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from gudgeon.analysis.measures import named
from gudgeon.analysis.statistics.percentiles import percentiles_of
from gudgeon.analysis.statistics.proportion import proportion
from gudgeon.analysis.statistics.sobol_indices import FEWEST, SobolIndices, paired_indices
from gudgeon.analysis.tolerance import tolerance as position_errors
from gudgeon.analysis.tolerance.distribution import Place
from gudgeon.desk.allowance import Allowance, PositionLimits, Set
from gudgeon.desk.answer import AllowedClearance, Convergence, DesignAnswer, FitSet, MeasureSpread, Tightening
from gudgeon.desk.checks import Target, check
from gudgeon.desk.costs import read_costs
from gudgeon.desk.fits import JointFit, read_fits
from gudgeon.desk.limits import Limit, is_measure, read_limits, utilisation
from gudgeon.desk.surface import ResponseSurface
from gudgeon.desk.survey import Survey
from gudgeon.model import Mechanism
from gudgeon.model.run_settings import RunFields, period_of
from gudgeon.quantity import GudgeonError
from gudgeon.study import Table

__all__ = ["tolerance"]

DRAWN, WIDE = 0.35, 0.25  # of all runs where there are limits; the rest is for checks
SHARES = (0.05, 0.5, 0.95, 0.99)
PARTS = (8, 4, 2, 1)  # of the pairs of samples, in the table of convergence
SMALLEST = 500  # runs


def tolerance(mechanism: Mechanism, asked: Sequence[str] | str = (), *, points: Mapping[str, Any] | None = None,
              limits: Mapping[str, Any] | None = None, fits: Mapping[str, Any] | None = None, wear: Any = 0.0,
              scatter: Mapping[str, Any] | None = None, share: float = 0.95, confidence: float = 0.95,
              costs: Any = None, samples: int = 4000, store: str | Path | None = None, seed: int = 0,
              engine: Any = "auto", progress: bool | None = None, place: Place = "within", instants: int = 72,
              period: float | str | None = None, **settings: Any) -> DesignAnswer:  # fmt: skip
    """What the play of all joints does, and which fits the machine needs.

    asked       positions (`slider.x`, `rod.angle`, `slider` or a point for its distance from where it should be), and
                measures of the motion ("peak pin.force", "peak main.torque", "peak slider.ax", "touching pin")
    points      by name: a body and where the point is in the described position: {"tool": ("rod", (0.17, 0.02))}
    limits      by what is asked: "0.2 mm" for a position, "5 kN" or ">= 90 %" for a measure
    fits        by joint, instead of those of the description: "20 H7/f7", ("10 um", "40 um"), or a distribution
    wear        what clearances have grown by at the end of the life, of all joints or by joint: {"pin": "20 um"}
    scatter     other numbers that scatter: {"rod.mass": normal("0.21 kg", "2 g")}
    share       of all machines that must keep the limits, and the confidence with which that must be so
    costs       a file or mapping with `grades` and `fits`; default: costs.yaml of this package
    samples     number of runs, about; positions need none
    store       folder for the runs: after an interruption the same call goes on; default: they are not kept
    place       where journals are for errors of position: anywhere "within" their clearance, or at the "wall"
    instants    positions of the cycle, and its `period` [s] where no joint is driven at constant speed
    settings    of the runs, as in a study: revolutions, duration, or turns with transient; method, rtol (default
                1e-6); default: one revolution

    Positions need no dynamics and take milliseconds; their clearances are the largest that the fits allow. Measures
    come from runs with clearances by chance. What they answer together is in `DesignAnswer`.
    """
    names = [asked] if isinstance(asked, str) else list(dict.fromkeys([*asked, *(limits or {})]))
    measures = [" ".join(name.split()) for name in names if is_measure(name)]
    positions = [name for name in names if not is_measure(name)]
    positions += [name for name in points or () if name not in {each.partition(".")[0] for each in positions}]
    known_costs, bounds = read_costs(costs), limits or {}
    for word, value in (("share", share), ("confidence", confidence)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < 1.0:
            raise GudgeonError(f"tolerance: {word} {value!r} must lie between 0 and 1; write for instance 0.95")
    joints = read_fits(mechanism, fits or {}, wear, known_costs)
    static = None
    if positions or not measures:
        static = position_errors(
            mechanism, positions, points=points, limits={k: v for k, v in bounds.items() if not is_measure(k)},
            place=place, instants=instants, period=period, clearances={j.joint: j.largest for j in joints},
        )  # fmt: skip
    answer = DesignAnswer(mechanism.name, joints, share, confidence, static, costs=known_costs.source)
    if not measures:
        return _answered(answer, Allowance(joints, PositionLimits(static, joints), None, None), None, 0)
    own = _settings(mechanism, settings, period)
    count = _count(samples)
    with TemporaryDirectory(prefix="gudgeon-desk-") as spare:
        survey = Survey(mechanism, joints, scatter or {}, measures, Path(store or spare), seed=seed, engine=engine,
                        progress=progress, settings=own)  # fmt: skip
        if not survey.axes:
            raise GudgeonError(f'tolerance: no joint of "{mechanism.name}" has a fit, so that nothing scatters; '
                               'give one: fits={"pin": "20 H7/f7"}, in a file fit: {iso: 20 H7/f7, ...}')  # fmt: skip
        return _surveyed(answer, survey, bounds, count)


def _settings(mechanism: Mechanism, given: Mapping[str, Any], period: Any) -> dict[str, Any]:
    known = {*RunFields.__annotations__, "turns", "transient"}
    wrong = next((name for name in given if name not in known), None)
    if wrong is not None:
        raise GudgeonError(f'tolerance: "{wrong}" is no setting of a run')
    settings = {name: value for name, value in given.items() if value is not None}
    if not {"revolutions", "duration", "turns"} & settings.keys():
        if period_of(mechanism) is None:
            raise GudgeonError(f'tolerance: no joint of "{mechanism.name}" is driven at constant speed; give the '
                               "duration [s] of its runs")  # fmt: skip
        settings["revolutions"] = 1
    return settings | ({"period": period} if period is not None and "turns" in settings else {})


def _count(samples: Any) -> int:
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < SMALLEST:
        raise GudgeonError(f"tolerance: samples {samples!r} must be a whole number of at least {SMALLEST}")
    return samples


def _surveyed(answer: DesignAnswer, survey: Survey, bounds: Mapping[str, Any], samples: int) -> DesignAnswer:
    """With the runs: first those of the drawing and those over everything that could be, then the checks."""
    wanted = {" ".join(k.split()): value for k, value in bounds.items() if is_measure(k)}
    for measure in survey.measures:
        if measure not in named(measure).names:
            raise GudgeonError(f'tolerance: "{measure}" has {named(measure).names}; ask for one number')
    size = len(survey.axes) + 3
    search = bool(wanted) and bool(survey.joints)
    sets = max(FEWEST, int((DRAWN if search else 1.0) * samples) // size)
    rows = [survey.drawn(sets)] + ([survey.wide(int(WIDE * samples))] if search else [])
    table = survey.run("runs", np.concatenate(rows))
    limits = read_limits(wanted, {name: table.units.get(name, "") for name in table.measures})
    drawn = {name: _values(table, name)[: sets * size].reshape(sets, size) for name in survey.measures}
    spreads = tuple(_spread(survey, name, table.units.get(name, ""), values, limits, answer)
                    for name, values in drawn.items())  # fmt: skip
    pairs = {name: values[:, :2].ravel() for name, values in drawn.items()}
    kept = None
    if limits:
        good = np.logical_and.reduce([limit.kept(pairs[limit.measure]) for limit in limits])
        kept = proportion(int(good.sum()), len(good), answer.confidence)
    failed = int((table.status != "done").sum())
    answer = replace(answer, spreads=spreads, limits=limits, kept=kept, runs=survey.runs, failed=failed,
                     settings=survey.settings)  # fmt: skip
    positions = PositionLimits(answer.static, survey.joints)
    if not search:
        return _answered(answer, Allowance(survey.joints, positions, None, None), None, 0)
    # all of them tell: the fits as drawn lie within everything that could be
    values = {limit.measure: _values(table, limit.measure) for limit in limits}
    points = np.concatenate(rows)
    known = np.isfinite(np.array(list(values.values()))).all(axis=0)
    z = np.where(known, utilisation(limits, values), np.nan)
    surface = ResponseSurface(survey.scaled(points), z)
    allowance = Allowance(survey.joints, positions, survey, surface)
    return _answered(replace(answer, explained=surface.explained, surface=allowance), allowance, survey,
                     max(samples - len(points), 0))  # fmt: skip


def _values(table: Table, name: str) -> np.ndarray:
    return np.where(table.status == "done", np.asarray(table[name], dtype=float), np.nan)


def _spread(survey: Survey, name: str, unit: str, sets: np.ndarray, limits: Iterable[Limit],
            answer: DesignAnswer) -> MeasureSpread:  # fmt: skip
    values = sets[:, :2].ravel()
    limit = next((limit for limit in limits if limit.measure == name), None)
    kept = None if limit is None else proportion(int(limit.kept(values).sum()), len(values), answer.confidence)
    known = values[np.isfinite(values)]
    if not len(known):
        raise GudgeonError(f'tolerance: no run has a result for "{name}"; try one with `gudgeon run`')
    shares = sorted({*SHARES, round(answer.share, 9)})
    found = percentiles_of(known, shares, answer.confidence)
    influence = _influence(survey, sets, answer.confidence)
    convergence = []
    for part in PARTS:
        few = sets[: len(sets) // part]
        pairs = few[:, :2].ravel()
        partial = influence if part == 1 else _influence(survey, few, answer.confidence)
        if partial is not None:
            (percentile,) = percentiles_of(pairs[np.isfinite(pairs)], [answer.share], answer.confidence)
            totals = {each.name: each.total for each in partial.parts if each.total is not None}
            convergence.append(Convergence(len(few), percentile, totals))
    return MeasureSpread(name, unit, known, found, influence, tuple(convergence), limit, kept)


def _influence(survey: Survey, sets: np.ndarray, confidence: float) -> SobolIndices | None:
    """None where there are too few sets, or the value is the same in all."""
    try:
        return paired_indices(survey.names, sets, confidence=confidence)
    except GudgeonError:
        return None


def _answered(answer: DesignAnswer, allowance: Allowance, survey: Survey | None, budget: int) -> DesignAnswer:
    """Allowed clearances, the cheapest fits, which joint to tighten."""
    if not answer.asks or not answer.joints:
        return answer
    joints, positions, measured = answer.joints, allowance.positions, allowance.surface is not None
    drawn, sets = allowance.drawn(), allowance.sets()
    standard = any(joint.choices for joint in joints)
    drawn_kept = answer.kept
    if not measured:
        if answer.limits:
            return answer
        first = next(allowance.cheapest(sets, 0.0, answer.share), None) if standard else None
        allowed = tuple(_by_position(positions, joint, answer.share) for joint in joints)
        cheapest = None if first is None else FitSet(_texts(joints, first[0]), _cost(joints, first[0]), None)
    else:
        assert survey is not None
        bound = [positions.allowed(joint, answer.share) for joint in joints]
        targets = [Target(_joint_proposal(allowance, k, bound[k])) for k in range(len(joints))]
        if standard:
            targets.append(Target(_set_proposal(allowance, sets, answer.share)))
        limits = answer.limits
        failed = check(
            survey, targets,
            lambda table: np.logical_and.reduce([limit.kept(_values(table, limit.measure)) for limit in limits]),
            answer.share, answer.confidence, budget,
        )  # fmt: skip
        answer = replace(answer, runs=survey.runs, failed=answer.failed + failed)
        allowed = tuple(
            AllowedClearance(joint.joint, joint.largest, target.value, target.kept,
                             target.value is not None and target.value >= joint.high * (1.0 - 1e-9))
            for joint, target in zip(joints, targets, strict=False)
        )  # fmt: skip
        cheapest = None
        if standard and targets[-1].value is not None:
            chosen: Set = targets[-1].value
            cheapest = FitSet(_texts(joints, chosen), _cost(joints, chosen), targets[-1].kept)
    changes = [Tightening(joint.joint, joint.text, *allowance.tighter(k)) for k, joint in enumerate(joints)]
    tightening = tuple(sorted((each for each in changes if each.after), key=lambda each: -each.change))
    return replace(answer, allowed=allowed, cheapest=cheapest, tightening=tightening,
                   drawn=FitSet(_texts(joints, drawn), _cost(joints, drawn), drawn_kept))  # fmt: skip


def _by_position(positions: PositionLimits, joint: JointFit, share: float) -> AllowedClearance:
    size = positions.allowed(joint, share)
    return AllowedClearance(joint.joint, joint.largest, size or None, None, size >= joint.high)


def _joint_proposal(allowance: Allowance, k: int, bound: float) -> Any:
    joint = allowance.joints[k]

    def propose(share: float) -> Any:
        size, _ = allowance.largest(k, share)
        if size is None or bound <= joint.low:
            return None
        value = float(min(size, bound))
        return {joint.joint: value}, value, float(allowance.at({k: np.array([value])})[0])

    return propose


def _set_proposal(allowance: Allowance, sets: Sequence[Set], positions: float) -> Any:
    def propose(share: float) -> Any:
        for fits, kept in allowance.cheapest(sets, share, positions):
            axes = {joint.joint: choice.axis for joint, choice in zip(allowance.joints, fits, strict=True)}
            return axes, fits, kept
        return None

    return propose


def _texts(joints: Sequence[JointFit], fits: Set) -> dict[str, str]:
    return {joint.joint: choice.text for joint, choice in zip(joints, fits, strict=True)}


def _cost(joints: Sequence[JointFit], fits: Set) -> float | None:
    """Of the joints with standard fits; None where one of them has a grade without a cost."""
    parts = [choice.cost if joint.choice is not None or choice in joint.choices else None
             for joint, choice in zip(joints, fits, strict=True) if joint.choices]  # fmt: skip
    return None if not parts or None in parts else float(sum(part for part in parts if part is not None))
