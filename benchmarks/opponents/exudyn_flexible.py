"""Exudyn in race P3: its geometrically exact beams of the plane, its contact of spheres, generalized-alpha in C++.

Beams have two nodes and strains at one point. The crank's speed is a constraint on the velocity level, so that no
function of Python is called; a sphere in a hollow sphere is the pin in its bore. Steps are of one length: the
recommended step size of the contact ends the run, and there is no error control for constrained systems.

Tuned were the mesh, the number of steps, the spectral radius, the tolerance of Newton's method (1e-3 to 1e-8) and
modified against full Newton, over some 90 runs. Modified Newton is three times as fast. Tolerances from 1e-4 on are
faster still, but the force is wrong by up to 50 % in single steps. Meshes of 8 + 24 elements have an error of 0.8 % and
2 % in revolution 4 when steps are short; 1,500 steps a revolution have errors of the other sign, and with both the
accuracy is met by half the work of what meets it at all shorter steps, 12 + 36 elements. `SETTINGS` lists what passed,
the fastest first; the race takes the first of them that passes.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from .exudyn_race import modules, name
from .flexible_problem import P3, REVOLUTIONS, peaks
from .result import FlexibleResult

# elements of crank and arm, steps per revolution, spectral radius, tolerance of Newton's method
Setting = tuple[int, int, int, float, float]
SETTINGS: tuple[Setting, ...] = (
    (8, 24, 1500, 0.5, 1e-5),
    (10, 30, 1500, 0.5, 1e-5),
    (10, 30, 1500, 0.8, 1e-5),
    (10, 30, 3000, 0.5, 1e-5),
    (12, 36, 3000, 0.5, 1e-6),
    (16, 48, 4000, 0.5, 1e-6),
)


def _chain(items, system, count: int, ends: tuple[float, float], speeds: tuple[float, float], spin: float) -> list[int]:
    """A beam along x between two places [m], its ends moving across [m/s]; gives the numbers of its nodes."""
    area, second = P3.width * P3.height, P3.width * P3.height**3 / 12.0
    shear = P3.shear_factor * P3.young / (2.0 * (1.0 + P3.poisson)) * area
    places, across = np.linspace(*ends, count + 1), np.linspace(*speeds, count + 1)
    nodes = [
        system.AddNode(items.NodeRigidBody2D(referenceCoordinates=[x, 0.0, 0.0], initialVelocities=[0.0, v, spin]))
        for x, v in zip(places, across, strict=True)
    ]
    for k in range(count):
        system.AddObject(
            items.ObjectBeamGeometricallyExact2D(
                nodeNumbers=nodes[k : k + 2],
                length=(ends[1] - ends[0]) / count,
                massPerLength=P3.density * area,
                crossSectionInertia=P3.density * second,
                bendingStiffness=P3.young * second,
                axialStiffness=P3.young * area,
                shearStiffness=shear,
                bendingDamping=P3.damping * P3.young * second,
                axialDamping=P3.damping * P3.young * area,
                shearDamping=P3.damping * shear,
            )
        )
    return nodes


def _mechanism(exudyn, items, system, setting: Setting) -> list[int]:
    """The mechanism; gives the numbers of the sensors of torque and contact force."""
    tip = P3.speed * P3.crank
    reach = P3.crank + P3.arm
    crank = _chain(items, system, setting[0], (0.0, P3.crank), (0.0, tip), P3.speed)
    arm = _chain(items, system, setting[1], (P3.crank, reach), (tip, 0.0), -tip / P3.arm)
    slider = system.AddNode(items.NodePoint2D(referenceCoordinates=[reach, 0.0]))
    system.AddObject(items.ObjectMassPoint2D(nodeNumber=slider, physicsMass=P3.slider))
    still = system.AddMarker(
        items.MarkerNodeCoordinate(nodeNumber=system.AddNode(items.NodePointGround()), coordinate=0)
    )

    def hold(node: int, coordinate: int, **speed: Any) -> int:
        marker = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
        return int(system.AddObject(items.ObjectConnectorCoordinate(markerNumbers=[still, marker], **speed)))

    hold(crank[0], 0)
    hold(crank[0], 1)
    hold(slider, 1)
    drive = hold(crank[0], 2, velocityLevel=True, offset=P3.speed)
    ends = [system.AddMarker(items.MarkerNodePosition(nodeNumber=n)) for n in (crank[-1], arm[0], arm[-1], slider)]
    system.AddObject(items.ObjectJointRevolute2D(markerNumbers=ends[:2]))
    data = items.NodeGenericData(initialCoordinates=[P3.clearance, 0.0, 0.0, 0.0], numberOfDataCoordinates=4)
    contact = system.AddObject(
        items.ObjectContactSphereSphere(
            markerNumbers=ends[2:],
            nodeNumber=system.AddNode(data),
            spheresRadii=[P3.radius - P3.clearance, P3.radius],
            isHollowSphere1=True,
            contactStiffness=P3.stiffness,
            contactStiffnessExponent=1.5,
            impactModel=0,
        )
    )
    force = exudyn.OutputVariableType.Force
    return [
        system.AddSensor(
            items.SensorObject(objectNumber=number, storeInternal=True, writeToFile=False, outputVariableType=force)
        )
        for number in (drive, contact)
    ]


def _settings(exudyn, setting: Setting):
    """Generalized-alpha with steps of one length, every step recorded, nothing written or printed."""
    settings = exudyn.SimulationSettings()
    march = settings.timeIntegration
    march.endTime, march.numberOfSteps = P3.end, REVOLUTIONS[-1] * setting[2]
    march.generalizedAlpha.spectralRadius = setting[3]
    march.newton.relativeTolerance = setting[4]
    march.newton.useModifiedNewton = True
    march.discontinuous.useRecommendedStepSize = False
    march.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 0.0
    settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
    settings.parallel.numberOfThreads = 1
    return settings


def run(setting: Setting) -> FlexibleResult:
    """One run of the race; the solution alone is timed."""
    exudyn, items = modules()
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # names that older versions know too
        sensors = _mechanism(exudyn, items, system, setting)
        settings = _settings(exudyn, setting)
    system.Assemble()
    solver = exudyn.MainSolverImplicitSecondOrder()
    begin = time.process_time()
    done = solver.SolveSystem(system, settings)
    spent = time.process_time() - begin
    if not done:
        raise RuntimeError(f"Exudyn did not finish with {setting}")
    torque, force = (np.array(system.GetSensorStoredData(number)) for number in sensors)
    words = f"{setting[0]} + {setting[1]} linear, {setting[2]} steps/rev"
    found = peaks(torque[:, 0], torque[:, 1], np.linalg.norm(force[:, 1:], axis=1))
    count = solver.it
    return FlexibleResult(name(), setting[4], spent, count.newtonStepsCount, count.currentStepIndex, None, words,
                          count.newtonJacobiCount, found)  # fmt: skip
