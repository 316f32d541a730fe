"""How often bots take each action of a position, of those that decide by what they see alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.bots.basic import Bot, RandomBot, SensibleBot
from diablerie.engine import verbs
from diablerie.engine.asking import legal_actions
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded

Numbers = NDArray[Any]
Shares = Callable[[Record, int], Numbers]  # of all actions, those of a seat
DRAWS = 300  # so often advice is asked for that is drawn by lot


def shares_of(game: Game, bot: Bot) -> Shares | None:
    """How often a bot takes each action of a position; None if that is not to be had."""
    if isinstance(bot, RandomBot):
        return lambda s, seat: _even(game, s, seat)
    if isinstance(bot, SensibleBot):
        epsilon = bot.epsilon
        return lambda s, seat: (
            epsilon * _even(game, s, seat) + (1 - epsilon) * _advised(game, s, seat)
        )
    return None


def _even(game: Game, s: Record, seat: int) -> Numbers:
    found, actions = np.zeros(game.actions), legal_actions(game, s, seat)
    found[actions] = 1 / len(actions)
    return found


def _advised(game: Game, s: Record, seat: int) -> Numbers:
    found, rng = np.zeros(game.actions), seeded(1)
    before = rng.copy()
    found[verbs.advise(copy(s), seat, rng)] += 1.0
    if (rng != before).any():  # it was drawn by lot
        for _ in range(DRAWS - 1):
            found[verbs.advise(copy(s), seat, rng)] += 1.0
    shares: Numbers = found / found.sum()
    return shares
