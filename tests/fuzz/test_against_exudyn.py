"""Smooth random mechanisms of space against Exudyn, whose steps are extrapolated; where it is installed.

Rigid bodies on pins, balls and slides, closed loops among them, springs with dampers and gravity: what both describe
alike.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import numpy as np
import pytest
from random_mechanism import Description, build, describe

import gudgeon as gd

KINDS = {"revolute", "spherical", "translational"}
STEPS = (500, 1000, 2000)
CLOSE = 1e-6  # of the size of a mechanism


def smooth(seed: int) -> Description | None:
    """A random mechanism without all that Exudyn has otherwise; None where bodies or joints are of other kinds."""
    whole = describe(seed, 6)
    kinds = {joint["kind"] for joint in whole["joints"].values()}
    rigid = all(body["type"] == "rigid" for body in whole["bodies"].values())
    if whole["planar"] or not rigid or not kinds <= KINDS or len(whole["joints"]) < 2:
        return None
    other = copy.deepcopy(whole) | {"drives": {}, "motors": {}, "controllers": {}, "forces": {}, "torques": {}}
    other |= {"torsion_springs": {}, "duration": (whole["length"] / 9.81) ** 0.5}
    for joint in other["joints"].values():
        joint |= {"fits": {}, "stops": {}}
    return other


def seeds() -> Iterator[int]:
    return (seed for seed in count(5000) if smooth(seed))


def by_gudgeon(whole: Description) -> tuple[gd.Run, np.ndarray]:
    run = gd.simulate(build(whole), duration=whole["duration"], method="dop853", rtol=1e-11)
    return run, np.array([[run[f"{name}.{a}"][-1] for a in "xyz"] for name in whole["bodies"]])


def by_exudyn(exudyn: Any, whole: Description, start: gd.Run, steps: int) -> np.ndarray:
    """Positions at the end, by the trapezoidal rule with constraints at velocity level; it begins with the consistent
    speeds of our run."""
    from exudyn.utilities import RigidBodyInertia

    container = exudyn.SystemContainer()  # which owns the system
    system = container.AddSystem()
    numbers = {"ground": system.CreateGround()}
    for name, body in whole["bodies"].items():
        turn = np.array(body["turn"])
        spin = turn @ [start[f"{name}.w{a}"][0] for a in "xyz"]
        numbers[name] = system.CreateRigidBody(
            inertia=RigidBodyInertia(mass=body["mass"], inertiaTensor=np.diag(body["inertia"])),
            referencePosition=body["at"], referenceRotationMatrix=turn, gravity=whole["gravity"],
            initialVelocity=[float(start[f"{name}.v{a}"][0]) for a in "xyz"], initialAngularVelocity=list(spin),
        )  # fmt: skip
    for joint in whole["joints"].values():
        place = {"bodyNumbers": [numbers[joint["bearing"]], numbers[joint["journal"]]], "position": joint["at"]}
        if joint["kind"] == "spherical":
            system.CreateSphericalJoint(**place)
        elif joint["kind"] == "revolute":
            system.CreateRevoluteJoint(**place, axis=joint["axis"])
        else:
            system.CreatePrismaticJoint(**place, axis=joint["axis"])
    for spring in whole["springs"].values():
        ends = [np.array(spring["at_i"]), np.array(spring["at_j"])]
        system.CreateSpringDamper(
            bodyNumbers=[numbers[spring["i"]], numbers[spring["j"]]],
            localPosition0=_local(whole, spring["i"], ends[0]), localPosition1=_local(whole, spring["j"], ends[1]),
            referenceLength=float(np.linalg.norm(ends[1] - ends[0])), stiffness=spring["stiffness"],
            damping=spring["damping"],
        )  # fmt: skip
    system.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.endTime, settings.timeIntegration.numberOfSteps = whole["duration"], steps
    settings.timeIntegration.newton.useModifiedNewton = False
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)
    position = exudyn.OutputVariableType.Position
    return np.array([system.GetObjectOutputBody(numbers[name], position) for name in whole["bodies"]])


def _local(whole: Description, name: str, place: np.ndarray) -> list[float]:
    """A point of a body from its centre of mass, in its own axes."""
    if name == "ground":
        return list(place)
    body = whole["bodies"][name]
    return list(np.array(body["turn"]).T @ (place - np.array(body["at"])))


@pytest.mark.slow
def test_smooth_mechanisms_move_as_in_exudyn() -> None:
    """Two extrapolations, of errors in h² and h⁴, of which the last two tell how well it is known."""
    exudyn = pytest.importorskip("exudyn")
    known, moved = [], 0
    for seed in islice(seeds(), 12):
        whole = smooth(seed)
        assert whole is not None
        run, ours = by_gudgeon(whole)
        a, b, c = (by_exudyn(exudyn, whole, run, steps) for steps in STEPS)
        once = (b + (b - a) / 3.0, c + (c - b) / 3.0)
        theirs = once[1] + (once[1] - once[0]) / 15.0
        doubt, apart = (float(np.abs(x - theirs).max()) / whole["length"] for x in (once[1], ours))
        moved += bool(np.abs(ours - [body["at"] for body in whole["bodies"].values()]).max() > 0.1 * whole["length"])
        print(f"seed {seed}: {len(whole['bodies'])} bodies, {len(whole['joints'])} joints, {apart:.1e} ± {doubt:.1e}")
        if doubt < CLOSE:
            known.append(seed)
            assert apart < CLOSE + 3.0 * doubt, seed
    assert len(known) >= 8 and moved >= 8
