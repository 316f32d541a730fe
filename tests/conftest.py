"""Fixtures that all tests share."""

import pytest

from diablerie.engine.game import Game
from diablerie.games import ALL


@pytest.fixture(params=sorted(ALL))
def game(request: pytest.FixtureRequest) -> Game:
    """Every game in turn."""
    return ALL[request.param]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What one worker must do alone begins first, so that no other waits for it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
