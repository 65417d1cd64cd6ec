"""Exudyn in race P2: the setup of P1 (exudyn_race.py) on a tree of crank, coupler and rocker.

The coupler hangs on the crank's tip by two revolute joints, one after the other, without an inertia about its own line.
That is the race's coupler: no moment acts about the line and it starts without spin, so that its inertia about it does
not matter, and a third joint would only cost.
"""

from __future__ import annotations

import numpy as np

from .exudyn_race import contact, modules, settings_for, solve
from .result import SpatialResult
from .spatial_problem import DURATION, P2


def _frame() -> np.ndarray:
    """Axes of the coupler at the start: x along it, z of the first joint across it."""
    z = np.cross(P2.line, [1.0, 0.0, 0.0])
    z /= np.linalg.norm(z)
    return np.column_stack([P2.line, np.cross(z, P2.line), z])


def _tree(exudyn, items, system) -> tuple[int, int]:
    """Numbers of the node and of the tree: crank, a link without mass, coupler, rocker."""
    node = system.AddNode(items.NodeGenericODE2(
        referenceCoordinates=[0.0] * 4, initialCoordinates=[0.0] * 4, initialCoordinates_t=[0.0] * 4,
        numberOfODE2Coordinates=4))  # fmt: skip
    joints, matrices, vectors = exudyn.JointType, exudyn.Matrix3DList, exudyn.Vector3DList
    across, _ = P2.coupler_inertia
    inertias = [np.diag(P2.crank_inertia), np.zeros((3, 3)), np.diag([0.0, across, across]),
                np.diag([P2.rocker_inertia[0], P2.rocker_inertia[0], P2.rocker_inertia[1]])]  # fmt: skip
    return node, system.AddObject(items.ObjectKinematicTree(
        nodeNumber=node, jointTypes=[joints.RevoluteX, joints.RevoluteZ, joints.RevoluteY, joints.RevoluteY],
        linkParents=[-1, 0, 1, -1], gravity=[0.0, 0.0, -P2.gravity],
        jointTransformations=matrices([np.eye(3), _frame(), np.eye(3), np.eye(3)]),
        jointOffsets=vectors([[0.0, 0.0, 0.0], list(P2.tip), [0.0, 0.0, 0.0], list(P2.pivot)]),
        linkInertiasCOM=matrices(inertias),
        linkCOMs=vectors([list(P2.tip / 2), [0.0] * 3, [P2.coupler / 2, 0.0, 0.0], [0.0, 0.0, P2.rocker / 2]]),
        linkMasses=[P2.crank_mass, 0.0, P2.coupler_mass, P2.rocker_mass]))  # fmt: skip


def _line(theta: float, turn: float, nod: float) -> np.ndarray:
    """Direction of the coupler from the coordinates of the tree."""
    about_x = np.array([[1, 0, 0], [0, np.cos(theta), -np.sin(theta)], [0, np.sin(theta), np.cos(theta)]])
    inner = np.array([np.cos(turn) * np.cos(nod), np.sin(turn) * np.cos(nod), -np.sin(nod)])
    return about_x @ _frame() @ inner


def run(rtol: float) -> SpatialResult:
    """One run of the race; onsets are not reported."""
    exudyn, items = modules()
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    node, tree = _tree(exudyn, items, system)
    contact(items, system, tree, P2, (2, (P2.coupler, 0.0, 0.0)), (3, (0.0, 0.0, P2.rocker)))
    system.Assemble()
    cost = solve(exudyn, system, settings_for(exudyn, DURATION, rtol, 1))
    theta, turn, nod, psi = system.GetNodeOutput(node, exudyn.OutputVariableType.Coordinates)
    return SpatialResult(**cost, points=P2.points(theta, psi, _line(theta, turn, nod)))
