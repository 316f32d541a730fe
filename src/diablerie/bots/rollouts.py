"""Rollouts: how often each seat wins if sensible players play on from a position.

They play after the game's advice, each from what it sees. A chance is the share of games a seat
ends with a positive return, so partners and those who win together all count, and a game that
nobody wins counts for nobody.

Rollouts follow the advice, but people and bots play otherwise, so these chances may be too sure or
not sure enough. Each game has one number against that, its temperature (`Game.temperature`), which
divides the log-odds (Guo, Pleiss, Sun and Weinberger 2017, "On Calibration of Modern Neural
Networks"). `python -m tools.calibrate` measures it.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from diablerie.engine import verbs
from diablerie.engine.compile import Floats, Ints, Records, rule
from diablerie.engine.playout import advised_move_in_sight, buffers, play_on
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng

if TYPE_CHECKING:
    from diablerie.engine.game import Game

LONGEST_GAME = 100_000  # moves of a game
NO_SEAT = -1
NO_ACTION = -1


class RolloutArrays(NamedTuple):
    """The arrays of rollouts, for one thread."""

    start: Records  # one state: the position from which they begin
    state: Records  # one state: the present position
    seen: Records  # one state: the present position as the seat that decides sees it
    out: Ints  # of legal actions and outcomes, and below their probabilities:
    p: Floats  # see engine.playout.buffers
    returns: Floats  # float64, by seat
    won: Floats  # float64: games won, by seat


@rule
def rollouts(a: RolloutArrays, me: int, action: int, rng: Rng, games: int) -> None:
    """Play so many games on from `a.start[0]`, counting in `a.won` who wins.

    If `me` is a seat, what it cannot know is guessed anew for each; if `action` is one, `me`
    begins with it.
    """
    for _ in range(games):
        a.state[0] = a.start[0]
        if me >= 0:
            verbs.guess(a.state[0], me, rng)
        if action >= 0:
            verbs.apply(a.state[0], me, action)
        play_on(a.state[0], LONGEST_GAME, -1, advised_move_in_sight, a.seen, rng, a.out, a.p)
        verbs.returns(a.state[0], a.returns)
        for i in range(a.state[0].seats):
            a.won[i] += a.returns[i] > 0


class Rollouts:
    """Plays positions of one game on; for one thread at a time."""

    def __init__(self, game: "Game") -> None:
        start, state, seen = (verbs.no_states(game.state, 1) for _ in range(3))
        out, p = buffers(game)
        seats = game.seats[-1]
        self._arrays = RolloutArrays(start, state, seen, out, p, np.zeros(seats), np.zeros(seats))

    def chances(
        self, s: Record, rng: Rng, games: int, me: int = NO_SEAT, action: int = NO_ACTION
    ) -> list[float]:
        """Every seat's chance to win (0 to 1) in a position, over so many games.

        Without `me` the position is known whole; with it, `s` is what this seat sees, and the
        hidden rest is guessed for each game. With `action`, `me` takes it first.
        """
        self._arrays.start[0] = s.array[0]
        self._arrays.won[:] = 0
        rollouts(self._arrays, me, action, rng, games)
        return [float(x) for x in self._arrays.won[: s.seats] / games]


def tempered(chances: ArrayLike, temperature: float) -> Floats:
    """The chances of all seats, (…, seats), with their log-odds divided by `temperature`.

    A temperature above 1 brings them nearer to each other. Their sum stays the same, since partners
    win together and some games have no winner; none is above 1, and 0 and 1 stay as they are.
    """
    raw = np.asarray(chances, float)
    powers = raw ** (1 / temperature)
    total = raw.sum(-1, keepdims=True)
    over = powers.sum(-1, keepdims=True)
    shares = powers / np.where(over > 0, over, 1.0)
    return np.asarray(np.minimum(shares * total, 1.0))
