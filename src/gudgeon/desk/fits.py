"""The joints of a design and their fits: how the clearance of each is distributed, and which fits it could have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.desk.costs import Costs
from gudgeon.model import Mechanism
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.quantity import GudgeonError, closest, in_words, quantity
from gudgeon.study.points.values import Distribution, Iso, Normal, Uniform

__all__ = ["Choice", "JointFit", "read_fits"]

ENDS = np.array([1e-9, 1.0 - 1e-9])  # shares of a distribution between which it is taken to lie
BEYOND = 2.0  # how much smaller and larger a clearance without standard fits is tried


@dataclass(frozen=True)
class Choice:
    """A standard fit that a joint could have; `largest` clearance with its wear [m]."""

    text: str
    cost: float
    axis: Iso

    @property
    def largest(self) -> float:
        return self.axis.limits[1]


@dataclass(frozen=True)
class JointFit:
    """A loose joint: the path of its clearance, the distribution of that, and what it could be instead.

    least, largest    of the distribution, wear included [m]
    low, high         of everything that it could be [m]
    choices           standard fits of its size, the cheapest first; empty where it has no ISO fit
    cost              of the drawn fit; None where its grades have none
    """

    joint: str
    path: str
    axis: Distribution
    text: str
    wear: float
    least: float
    largest: float
    low: float
    high: float
    choices: tuple[Choice, ...]
    cost: float | None

    @property
    def choice(self) -> Choice | None:
        """The drawn fit as one of the choices."""
        if self.cost is None or not isinstance(self.axis, Iso):
            return None
        return Choice(self.text, self.cost, self.axis)


def read_fits(mechanism: Mechanism, fits: Mapping[str, Any], wear: Any, costs: Costs) -> tuple[JointFit, ...]:
    """Every joint that has an ISO fit in the description, or a fit in `fits`: an ISO fit, two limits, a distribution.
    `wear` [m], of all joints or by joint, is what clearances have grown by at the end of the life."""
    paths = _paths(mechanism)
    given = {_joint(paths, name, "fits"): value for name, value in fits.items()}
    grown = wear if isinstance(wear, Mapping) else dict.fromkeys(paths, wear)
    worn = {_joint(paths, name, "wear"): _wear(name, value) for name, value in grown.items()}
    read = []
    for joint, path in paths.items():
        text = given.get(joint, _iso(mechanism, joint))
        if text is not None:
            read.append(_joint_fit(mechanism, joint, path, text, worn.get(joint, 0.0), costs))
        elif isinstance(wear, Mapping) and joint in worn:
            raise GudgeonError(f'wear: joint "{joint}" has no fit; give it one, for instance fits={{"{joint}": '
                               '"20 H7/f7"}')  # fmt: skip
    return tuple(read)


def _paths(mechanism: Mechanism) -> dict[str, str]:
    """The clearances of the mechanism: joint, or joint.mate where it has several, to path."""
    end = ".radial_clearance"
    return {path.removesuffix(end): path for path in mechanism.parameters if path.endswith(end)}


def _iso(mechanism: Mechanism, joint: str) -> str | None:
    name, _, mate = joint.partition(".")
    fits = mechanism.joints[name].fit
    named = [getattr(fit, "iso", None) for pair, fit in fits.items() if not mate or pair == mate]
    return next((text for text in named if text), None)


def _joint(paths: Mapping[str, str], name: str, word: str) -> str:
    short = name.removesuffix(".radial_clearance")
    if short not in paths:
        likely = closest(short, paths)
        hint = f'did you mean "{likely}"?' if likely else f"joints with play are {in_words(paths) if paths else 'none'}"
        raise GudgeonError(f'{word}: "{name}" is no joint with play; {hint}')
    return short


def _wear(name: str, value: Any) -> float:
    size = quantity(value, "m", f'wear "{name}"')
    if not size >= 0.0:
        raise GudgeonError(f'wear "{name}": {value!r} must not be negative; it is added to the clearance')
    return size


def _joint_fit(mechanism: Mechanism, joint: str, path: str, given: Any, wear: float, costs: Costs) -> JointFit:
    axis, text = _axis(mechanism, joint, given, wear)
    ends = axis.limits if isinstance(axis, Iso) else axis.quantile(mechanism, path, ENDS)
    least, largest = (float(x) for x in ends)
    if not least > 0.0:
        raise GudgeonError(f'fits: joint "{joint}": {text} may have no clearance at all ({1e6 * least:.3g} um); '
                           "choose a looser one")  # fmt: skip
    if not isinstance(axis, Iso):
        return JointFit(joint, path, axis, text, wear, least, largest, least / BEYOND, largest * BEYOND, (), None)
    fit = iso_fit(axis.fit)
    _check_size(mechanism, joint, axis.fit)
    nominal = f"{1e3 * fit.nominal:.12g}"
    choices = []
    for name in costs.fits:
        cost = costs.of(iso_fit(f"{nominal} {name}"))
        assert cost is not None
        choices.append(Choice(f"{nominal} {name}", cost, Iso(f"{nominal} {name}", wear)))
    choices.sort(key=lambda choice: (choice.cost, choice.largest))
    tried = [least, largest, *(end for choice in choices for end in choice.axis.limits)]
    return JointFit(joint, path, axis, fit.text, wear, least, largest, min(tried), max(tried),
                    tuple(choices), costs.of(fit))  # fmt: skip


def _axis(mechanism: Mechanism, joint: str, given: Any, wear: float) -> tuple[Distribution, str]:
    """The distribution, wear included, and what it is called."""
    if isinstance(given, str):
        return Iso(given, wear), given
    if isinstance(given, Iso):
        return Iso(given.fit, given.wear + wear), given.fit
    if isinstance(given, Sequence) and len(given) == 2:
        low, high = (quantity(end, "m", f'fits "{joint}"') for end in given)
        if not low < high:
            raise GudgeonError(f'fits "{joint}": {given[0]!r} must be less than {given[1]!r}')
        return Uniform(low + wear, high + wear), f"{1e6 * low:.4g} to {1e6 * high:.4g} µm"
    if isinstance(given, Normal):
        mean, deviation = (quantity(x, "m", f'fits "{joint}"') for x in (given.mean, given.deviation))
        return Normal(mean + wear, deviation), f"{1e6 * mean:.4g} ± {1e6 * deviation:.4g} µm"
    if isinstance(given, Uniform):
        return _axis(mechanism, joint, (given.low, given.high), wear)
    raise GudgeonError(f'fits "{joint}": {given!r} is no fit; give an ISO fit such as "20 H7/f7", two limits such as '
                       '("10 um", "40 um"), or a distribution')  # fmt: skip


def _check_size(mechanism: Mechanism, joint: str, text: str) -> None:
    fit, radius = iso_fit(text), mechanism.joints[joint.partition(".")[0]].radius
    if radius is not None and not fit.matches(radius):
        raise GudgeonError(f'fits: joint "{joint}" has a bore of {2e3 * radius:g} mm, but "{text}" is for '
                           f'{1e3 * fit.nominal:g} mm; write "{2e3 * radius:g} {fit.hole}/{fit.shaft}"')  # fmt: skip
