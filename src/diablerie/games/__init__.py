"""The games: `ALL` is the one list of them."""

from diablerie.engine.game import Game
from diablerie.games import coals, kitchen, tails, underworld

ALL: dict[str, Game] = {
    game.name: game for game in (coals.GAME, tails.GAME, underworld.GAME, kitchen.GAME)
}
