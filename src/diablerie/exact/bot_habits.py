"""The mixed strategies of bots that decide by the redacted position alone."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from diablerie.bots.basic import Bot, RandomBot, SensibleBot
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded

Floats = NDArray[np.float64]
ActionProbabilities = Callable[[Record, int], Floats]  # of a seat at a position, (actions,)
ADVICE_SAMPLES = 300  # of advice that is random


def action_probabilities(game: Game, bot: Bot) -> ActionProbabilities | None:
    """The probabilities with which a bot takes each action; None if the bot does not say them."""
    if isinstance(bot, RandomBot):
        return lambda s, seat: _uniform(game, s, seat)
    if isinstance(bot, SensibleBot):
        epsilon = bot.epsilon
        return lambda s, seat: (
            epsilon * _uniform(game, s, seat) + (1 - epsilon) * _advised(game, s, seat)
        )
    return None


def _uniform(game: Game, s: Record, seat: int) -> Floats:
    shares, actions = np.zeros(game.actions), legal_actions(game, s, seat)
    shares[actions] = 1 / len(actions)
    return shares


def _advised(game: Game, s: Record, seat: int) -> Floats:
    counts, rng = np.zeros(game.actions), seeded(1)
    before = rng.copy()
    counts[verbs.advise(copy(s), seat, rng)] += 1.0
    if (rng != before).any():  # the advice is random
        for _ in range(ADVICE_SAMPLES - 1):
            counts[verbs.advise(copy(s), seat, rng)] += 1.0
    return np.asarray(counts / counts.sum())
