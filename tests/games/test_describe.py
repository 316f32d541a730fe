"""A game that does not describe its positions is told by what stands beside its players' names."""

from typing import cast

from diablerie.engine.game import Game
from diablerie.games import ALL


def test_without_a_description_every_player_is_told_with_the_panel():
    game = ALL["coals"]
    view = game.ui.look(game.start(2), 0)
    plain = type("Plain", (), {"describe": None, "ui": game.ui})()
    parts = Game.description(cast(Game, plain), view, 2)
    assert [str(part.title) for part in parts] == ["player 1", "player 2"]
    assert [part.lines for part in parts] == [game.ui.panel(view, 0), game.ui.panel(view, 1)]
