"""The best response: what is won at most against a bot whose every habit is known.

Backwards over the rounds as a game is solved, but for the bot's decisions, which are taken as
often as it takes them.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.bots.exact.solution import Solution
from diablerie.bots.spec import parse
from diablerie.engine.rng import seeded
from diablerie.games.coals.policy.for_two import Rounds
from diablerie.games.coals.policy.habits import Habits
from diablerie.games.coals.policy.pulling import highest, lowest
from diablerie.lab.exact.habits import shares_of

Numbers = NDArray[Any]
TRIED = 500  # random rounds in which habits are held against the bot
ERROR = 1e-4


def exploited(solution: Solution, player: str, error: float = ERROR,
              tell: Callable[[int], object] = int) -> float | None:  # fmt: skip
    """How much utility a best responder takes from a bot in a game, in the mean of both seats.

    error: how far it may be off. None if the bot's habits are not to be had: it remembers,
    searches, or heeds more than `Habits` asks for.
    """
    shares = shares_of(solution.game, parse(player, imports=True).make(solution.game))
    if shares is None:
        return None
    habits = Habits(solution.rounds, shares)
    if habits.differs(seeded(1), TRIED):
        return None
    last = solution.rounds.last
    before: list[Any] = [None, None]
    for number in range(1, last):
        values = [_round(habits, seat, before[1 - seat]) for seat in range(2)]
        change = 2.0 if number == 1 else _change(values, before)
        before = values
        tell(number)
        if (last - 1 - number) * change <= error:
            break
    lost = [_opening(habits, seat, before[1 - seat]) for seat in range(2)]
    return -(lost[0] - lost[1]) / 2


def _change(values: Any, before: Any) -> float:
    return max(float(abs(x - y).max()) for x, y in zip(values, before, strict=True))


def _round(habits: Habits, seat: int, next_round: Any) -> Numbers:
    """What positions are worth to who begins, when the bot has a seat (0 begins).

    next_round: the same of the round after, in which the bot has the other seat; None if it is
    the last.
    """
    rounds = habits.rounds
    following, found = rounds.following(next_round), np.zeros(rounds.shape)
    for position in np.ndindex(rounds.shape):
        found[position] = _answered(habits, seat, position, following, False)
    return found


def _opening(habits: Habits, seat: int, next_round: Any) -> float:
    following = habits.rounds.following(next_round)
    return _answered(habits, seat, habits.rounds.opening, following, True)


def _answered(habits: Habits, seat: int, position: Any, following: Numbers,
              opening: bool) -> float:  # fmt: skip
    """One position: the bot's habits against the best that can be done."""
    rounds: Rounds = habits.rounds
    ends = rounds.ends(position, following, opening)
    shape = ends.shape[1:]
    choices: list[Any] = [highest, lowest]
    choices[seat] = partial(_mixed, habits.goes_on(position, seat, opening))
    pulling = rounds.pulling
    matrix = pulling.worth(ends.reshape(len(ends), -1), *choices)[pulling.root].reshape(shape)
    bets = habits.bets(position, seat, opening)
    return float((bets @ matrix).min() if seat == 0 else (matrix @ bets).max())


def _mixed(goes_on: Numbers, on: Numbers, stop: Numbers, rows: slice) -> Numbers:
    """The worth of a point at which the bot goes on so often."""
    share = goes_on[rows]
    mixed: Numbers = share * on + (1 - share) * stop
    return mixed
