"""The value of a best response to a bot whose mixed strategy is known: how far it can be exploited.

Backward induction over the rounds, as a game is solved, except that the bot's decisions have the
probabilities of its strategy.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from diablerie.bots.basic import Bot, RandomBot, SensibleBot
from diablerie.bots.spec import parse_bot
from diablerie.engine import verbs
from diablerie.engine.compile import Floats
from diablerie.engine.game import Game
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded
from diablerie.lab.running.run import Progress, no_progress
from diablerie_exact.coals.habits import Habits
from diablerie_exact.coals.pulling import highest, lowest
from diablerie_exact.coals.rounds import CoalsRounds
from diablerie_exact.solution import Solution

ActionProbabilities = Callable[[Record, int], Floats]  # of a seat at a position, (actions,)
ADVICE_SAMPLES = 300  # of advice that is random
CHECKED_ROUNDS = 500  # random rounds in which the habits are compared with the bot
RESPONSE_ERROR = 1e-4


def best_response_value(
    solution: Solution, player: str, error: float = RESPONSE_ERROR, progress: Progress = no_progress
) -> float | None:
    """The utility that a best response wins from a bot in a game, on average over both seats.

    error: a bound of the error. None if the bot's strategy is unknown: it remembers, searches, or
    depends on more of a position than `Habits` asks for.
    """
    bot = parse_bot(player, imports=True).make(solution.game)
    probabilities = action_probabilities(solution.game, bot)
    if probabilities is None:
        return None
    habits = Habits(solution.rounds, probabilities)
    if habits.differs(seeded(1), CHECKED_ROUNDS):
        return None
    last = solution.rounds.last
    before: list[Any] = [None, None]
    for number in range(1, last):
        values = [_round(habits, seat, before[1 - seat]) for seat in range(2)]
        # No later round changes values more than this one: so much is still to come, at most.
        change = 2.0 if number == 1 else _change(values, before)
        before = values
        progress(number, last)
        if (last - 1 - number) * change <= error:
            break
    lost = [_opening(habits, seat, before[1 - seat]) for seat in range(2)]
    return -(lost[0] - lost[1]) / 2


def _change(values: Any, before: Any) -> float:
    return max(float(abs(x - y).max()) for x, y in zip(values, before, strict=True))


def _round(habits: Habits, seat: int, next_round: Any) -> Floats:
    """The values of positions to the player who begins, when the bot has a seat (0 begins).

    next_round: the values of the next round, in which the bot has the other seat; None after the
    last.
    """
    rounds = habits.rounds
    following = rounds.following(next_round)
    values = np.zeros(rounds.shape)
    for position in np.ndindex(rounds.shape):
        values[position] = _answered(habits, seat, position, following, False)
    return values


def _opening(habits: Habits, seat: int, next_round: Any) -> float:
    following = habits.rounds.following(next_round)
    return _answered(habits, seat, habits.rounds.opening, following, True)


def _answered(habits: Habits, seat: int, position: Any, following: Floats, opening: bool) -> float:
    """The value of one position: the bot's habits against the best response to them."""
    rounds: CoalsRounds = habits.rounds
    ends = rounds.ends(position, following, opening)
    shape = ends.shape[1:]
    choices: list[Any] = [highest, lowest]
    choices[seat] = partial(_mixed, habits.goes_on(position, seat, opening))
    pulling = rounds.pulling
    matrix = pulling.worth(ends.reshape(len(ends), -1), *choices)[pulling.root].reshape(shape)
    bets = habits.bets(position, seat, opening)
    # of the stakes that the options allow
    worth = bets @ matrix if seat == 0 else matrix @ bets
    return float((min if seat == 0 else max)(worth[:: rounds.step]))


def _mixed(goes_on: Floats, on: Floats, stop: Floats, rows: slice) -> Floats:
    """The value of a point at which the bot goes on with these probabilities."""
    share = goes_on[rows]
    return np.asarray(share * on + (1 - share) * stop)


# -- the mixed strategies of bots that decide by the redacted position alone -----------------------


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
    shares = np.zeros(game.actions)
    actions = legal_actions(game, s, seat)
    shares[actions] = 1 / len(actions)
    return shares


def _advised(game: Game, s: Record, seat: int) -> Floats:
    counts = np.zeros(game.actions)
    rng = seeded(1)
    before = rng.copy()
    counts[verbs.advise(copy(s), seat, rng)] += 1.0
    if (rng != before).any():  # the advice is random
        for _ in range(ADVICE_SAMPLES - 1):
            counts[verbs.advise(copy(s), seat, rng)] += 1.0
    return np.asarray(counts / counts.sum())
