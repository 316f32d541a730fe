"""The laws of the engine: each number of players and each value of an option of every game.

In CI also on settings in which any two of these choices meet.
"""

from itertools import combinations, product

import pytest

from diablerie.games import ALL
from diablerie.testing import contract
from diablerie.testing.contract import *
from diablerie.testing.positions import GameSetting
from tests.settings import FEW, PAIRED, REST, choices, pairs, singles


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """As the contract does, but with settings that cover more with fewer games."""
    if "setting" not in metafunc.fixturenames:
        contract.pytest_generate_tests(metafunc)
        return
    in_ci = [pytest.param(setting, marks=pytest.mark.ci) for setting in REST]
    metafunc.parametrize("setting", [*FEW, *in_ci], ids=str)


def test_every_choice_is_made_and_any_two_choices_meet(name: str) -> None:
    few = [setting for setting in FEW if setting.name == name]
    made = set().union(*map(singles, few))
    met = set().union(*(pairs(setting) for setting in PAIRED if setting.name == name))
    for first, second in combinations(choices(name), 2):
        for one, other in product(first, second):
            assert {one, other} in met, (one, other)
            assert {frozenset([one]), frozenset([other])} <= made, (one, other)
    assert {("seats", s.seats) for s in few} == set(choices(name)[0])
    assert GameSetting(name, ALL[name].seats[0]) in few
