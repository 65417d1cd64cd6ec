"""A mechanism that was assembled a moment ago is not assembled again; one that differs in anything is."""

from __future__ import annotations

import gudgeon as gd
from gudgeon.assemble import assemble


def pendulum(length=0.4):
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    arm = m.body("arm", mass=1.0, inertia=0.01, at=(length, 0.0))
    m.revolute("pivot", journal=arm, bearing=m.ground, at=(0.0, 0.0))
    return m


def test_the_same_description_is_assembled_once():
    first, second = assemble(pendulum()), assemble(same := pendulum())
    assert second.code is first.code and second.mechanism is same
    assert assemble(pendulum(0.5)).code is not first.code
    assert assemble(pendulum(), coordinates="tree").code is not first.code


def test_a_part_added_later_counts():
    m = pendulum()
    before = assemble(m)
    m.torque(m.bodies["arm"], 2.0)
    after = assemble(m)
    assert after.code is not before.code and len(after.p) > len(before.p)


def test_a_users_function_has_no_content_to_compare():
    """Under the same name it may be another one: it is never found again."""

    def make(size):
        def push(t):
            return size * t

        m = pendulum()
        m.torque(m.bodies["arm"], push)
        return m

    runs = [gd.simulate(make(size), duration=0.1, progress=False) for size in (1.0, 2.0)]
    assert runs[0]["arm.angle"][-1] != runs[1]["arm.angle"][-1]


def test_runs_of_a_remembered_system_are_the_same():
    runs = [gd.simulate(pendulum(), duration=0.3, progress=False) for _ in range(3)]
    other = gd.simulate(pendulum(0.3), duration=0.3, progress=False)
    for run in runs[1:]:
        assert (run["arm.angle"] == runs[0]["arm.angle"]).all()
    assert other["arm.angle"][-1] != runs[0]["arm.angle"][-1]
