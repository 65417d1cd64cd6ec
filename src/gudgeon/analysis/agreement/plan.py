"""Which routes a joint allows, and the mechanism and method of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gudgeon.laws import FilmLaw
from gudgeon.model import Clearance, Joint, Lubricated, Mechanism
from gudgeon.model.run_settings import default_method
from gudgeon.quantity import GudgeonError, closest

__all__ = ["FILM", "LAW", "Way", "chosen_joint", "ways"]

LAW, FILM = "law", "film"
HARD = ("impact", "moreau")  # routes by methods that take walls as hard
WORDS = {
    LAW: "contact force law",
    "impact": "rigid walls, impacts as located events",
    "moreau": "rigid walls, time stepping, impacts not located",
    FILM: "oil film",
}


@dataclass(frozen=True)
class Way:
    """A route that has not been run: what is run by which method; `refused` says why it cannot."""

    name: str
    words: str
    method: str
    mechanism: Mechanism | None = None
    refused: str = ""
    step: float | None = None  # [s] of methods without error control

    @property
    def rigid(self) -> bool:
        return self.method in HARD


def chosen_joint(mechanism: Mechanism, name: str | None) -> Joint:
    """The joint that is looked at: as named, else the first with play, else the first that can touch at all."""
    joints = mechanism.joints
    if name is not None:
        if name not in joints:
            likely = closest(name, joints)
            hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(joints)}"
            raise GudgeonError(f'joint "{name}" is not known; {hint}')
        return joints[name]
    loose = [j for j in joints.values() if any(fit.loose for fit in j.fit.values())]
    touching = [j for j in joints.values() if j.stop or not j.ideal]
    if not loose and not touching:
        raise GudgeonError(
            f'"{mechanism.name}" has ideal joints only, so there is nothing to compare; '
            "give a joint a Clearance or a Lubricated fit"
        )
    return (loose or touching)[0]


def ways(mechanism: Mechanism, joint: Joint, film: FilmLaw | None, step: float,
         only: Sequence[str] | None = None) -> list[Way]:  # fmt: skip
    """Every route in the order of the report, or `only` those named; a film is asked for, or there already."""
    named = (LAW, *HARD, FILM)
    for name in only or ():
        if name not in named:
            likely = closest(name, named)
            hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(named)}"
            raise GudgeonError(f'route "{name}" is not known; {hint}')
    smooth = default_method(mechanism)
    every = [_way(LAW, smooth, lambda: dry(mechanism, joint))]
    every += [replace(_way(name, name, lambda: rigid(mechanism, joint)), step=step if name == "moreau" else None)
              for name in HARD]  # fmt: skip
    if film is None and not any(fit.filmed for fit in joint.fit.values()):
        reason = 'no film was given; add film=, for instance Moes("400 cP")'
        every.append(Way(FILM, WORDS[FILM], smooth, refused=reason))
    else:
        every.append(_way(FILM, smooth, lambda: wet(mechanism, joint, film)))
    return [way for way in every if only is None or way.name in only]


def _way(name: str, method: str, make: Any) -> Way:
    try:
        return Way(name, WORDS.get(name, "hard walls"), method, make())
    except GudgeonError as error:
        return Way(name, WORDS.get(name, "hard walls"), method, refused=str(error))


def dry(mechanism: Mechanism, joint: Joint) -> Mechanism:
    """The mechanism with the joint's film taken out, its wall left."""
    fits: dict[str, Any] = dict(joint.fit)
    for mate, fit in list(fits.items()):
        if fit.filmed:
            if fit.wall is None:
                raise GudgeonError(f'joint "{joint.name}" has a film without a wall; give Lubricated(..., wall=...)')
            fits[mate] = Clearance(fit.radial_clearance, wall=fit.wall, friction=fit.friction, iso=fit.iso)
    return mechanism.refit(**{joint.name: fits}) if fits != dict(joint.fit) else mechanism


def rigid(mechanism: Mechanism, joint: Joint) -> Mechanism:
    """The same for methods that take walls as rigid and solve for accelerations."""
    if mechanism.beams:
        raise GudgeonError("beams need equations in residual form, which this method does not take; rigid walls beside "
                           "beams are computed by simulate(method=Alpha(hard=True))")  # fmt: skip
    return dry(mechanism, joint)


def wet(mechanism: Mechanism, joint: Joint, film: FilmLaw | None) -> Mechanism:
    """The mechanism with a film in the joint's gap, the same wall behind it."""
    fits: dict[str, Any] = dict(joint.fit)
    for mate, fit in list(fits.items()):
        if fit.filmed:
            fits[mate] = fit if film is None else replace(fit, film=film)
        elif fit.loose:
            if fit.liner is not None:
                raise GudgeonError(f'joint "{joint.name}" has a liner; a film needs bare surfaces')
            if joint.mates[mate].angular:
                raise GudgeonError(f'joint "{joint.name}": contact pair "{mate}" is angular; a film needs a round '
                                   'journal in a bore')
            assert fit.radial_clearance is not None and film is not None
            fits[mate] = Lubricated(fit.radial_clearance, film=film, wall=fit.wall, friction=fit.friction, iso=fit.iso)
        elif not fit.ideal:
            raise GudgeonError(f'joint "{joint.name}" is a {type(fit).__name__}; a film needs a gap')
    if fits == dict(joint.fit) and not any(fit.filmed for fit in fits.values()):
        raise GudgeonError(f'joint "{joint.name}" is ideal; a film needs a gap')
    return mechanism.refit(**{joint.name: fits})
