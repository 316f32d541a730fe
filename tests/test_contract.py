"""The laws of the engine, on every game × settings in which any two choices meet.

In CI also on every number of players × every value of each option, one by one.
"""

from itertools import chain, combinations, product

import pytest

from diablerie.games import ALL
from diablerie.testing import contract
from diablerie.testing.contract import *
from diablerie.testing.positions import GameSetting, all_settings
from tests.settings import choices, covering, pairs

DAILY = list(chain.from_iterable(map(covering, ALL)))
OTHERS = [setting for setting in all_settings() if setting not in DAILY]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """As the contract does, but with settings that cover more with fewer games."""
    if "setting" not in metafunc.fixturenames:
        contract.pytest_generate_tests(metafunc)
        return
    in_ci = [pytest.param(setting, marks=pytest.mark.ci) for setting in OTHERS]
    metafunc.parametrize("setting", [*DAILY, *in_ci], ids=str)


def test_in_the_settings_any_two_choices_meet(name: str) -> None:
    met = set().union(*(pairs(setting) for setting in DAILY if setting.name == name))
    for first, second in combinations(choices(name), 2):
        for one, other in product(first, second):
            assert {one, other} in met, (one, other)
    assert {("seats", s.seats) for s in DAILY if s.name == name} == set(choices(name)[0])
    assert GameSetting(name, ALL[name].seats[0]) in DAILY
