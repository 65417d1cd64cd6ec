"""A class registers by being defined, and a user's law needs little."""

from dataclasses import dataclass

import pytest

from gudgeon.laws import ContactLaw, FrictionLaw, Hertz, LinerLaw, Pair
from gudgeon.laws.contact.hysteresis import HysteresisLaw
from gudgeon.quantity import GudgeonError, Stiffness


@pytest.fixture
def clean_registry():
    before = dict(ContactLaw.registry)
    yield
    ContactLaw.registry.clear()
    ContactLaw.registry.update(before)


def test_families_are_apart_and_helpers_unlisted():
    assert ContactLaw.registry["Hertz"] is Hertz
    assert "Hertz" not in FrictionLaw.registry and "LinearLiner" in LinerLaw.registry
    assert HysteresisLaw.__name__ not in ContactLaw.registry


def test_users_law_registers_and_packs_its_fields(clean_registry):
    @dataclass(frozen=True)
    class Cubic(ContactLaw):
        stiffness: float
        twice: bool = False

        @staticmethod
        def force(depth, rate, rate0, p):
            return p[0] * depth**3

    assert ContactLaw.registry["Cubic"] is Cubic
    assert Cubic(2.0, True).pack(Pair()) == {"stiffness": 2.0, "twice": 1.0}
    assert Cubic(2.0).requested_restitution is None and Cubic(2.0).effective_restitution is None
    with pytest.raises(GudgeonError, match=r"Cubic: stiffness 'much' is no number; define pack\(\)"):
        Cubic("much").pack(Pair())


def test_taken_name_is_refused(clean_registry):
    with pytest.raises(GudgeonError, match=r'the law "Hertz" exists in gudgeon\.laws\.contact\.hertz'):
        type("Hertz", (ContactLaw,), {"__annotations__": {"stiffness": Stiffness}})
    assert ContactLaw.registry["Hertz"] is Hertz


def test_laws_without_function_say_so():
    for family, arguments in ((ContactLaw, 3), (LinerLaw, 2), (FrictionLaw, 3)):
        with pytest.raises(NotImplementedError):
            family.force(*[0.0] * arguments, [])
