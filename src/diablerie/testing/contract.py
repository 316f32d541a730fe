"""All laws: `from diablerie.testing.contract import *` makes them the tests of a module.

They are run for the games that the module's `GAMES` names, or for all.
"""

import pytest

from diablerie.games import ALL
from diablerie.testing.laws.buffers import *
from diablerie.testing.laws.decisions import *
from diablerie.testing.laws.looking import *
from diablerie.testing.laws.matches import *
from diablerie.testing.laws.unseen import *
from diablerie.testing.positions import all_settings


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each law on what it asks for: every `setting`, or the `name` of every game."""
    names = list(getattr(metafunc.module, "GAMES", ALL))
    if "setting" in metafunc.fixturenames:
        metafunc.parametrize("setting", all_settings(names), ids=str)
    elif "name" in metafunc.fixturenames:
        metafunc.parametrize("name", names)
