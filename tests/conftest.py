"""Fixtures that all tests share."""

import pytest

from diablerie.engine.game import Game
from diablerie.games import ALL


@pytest.fixture(params=sorted(ALL))
def game(request: pytest.FixtureRequest) -> Game:
    """Every game in turn."""
    return ALL[request.param]
