"""The outlook of a position: how often each seat wins if sensible players play on from here.

They play after the game's advice, each from what it sees.

A chance is the share of games a seat ends with a positive return, so partners and those who win
together all count, and a game that nobody wins counts for nobody.
"""

import math
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.bots.searcher import ENOUGH, Thought
from diablerie.engine.compile import rule
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, seeded, weighted
from diablerie.engine.verbs import (
    CHANCE,
    OVER,
    actor,
    advise,
    apply,
    chance,
    guess,
    redact,
    returns,
)

LONGEST = 100_000  # moves of a game
NOBODY, NOTHING = -1, -1
ROUND = 20  # games after each action, between two looks at the clock
BEST = 3  # actions that a counsel names


@rule
def wins(start: Any, room: Any, eye: Any, me: int, action: int, rng: Rng, out: NDArray[Any],
         p: NDArray[Any], worth: NDArray[Any], won: NDArray[Any], games: int) -> None:  # fmt: skip
    """Play so many games on from `start[0]` in `room[0]`, counting in `won` who wins.

    If `me` is a seat, what it cannot know is guessed anew for each; if `action` is one, `me`
    begins with it. eye: room for what a seat sees; worth: for the returns.
    """
    for _ in range(games):
        room[0] = start[0]
        if me >= 0:
            guess(room[0], me, rng)
        if action >= 0:
            apply(room[0], me, action)
        to_the_end(room, eye, rng, out, p)
        returns(room[0], worth)
        for i in range(room[0].seats):
            won[i] += worth[i] > 0


@rule
def to_the_end(room: Any, eye: Any, rng: Rng, out: NDArray[Any], p: NDArray[Any]) -> None:
    """Play `room[0]` on, every seat after the advice for what it sees."""
    s = room[0]
    for _ in range(LONGEST):
        who = actor(s)
        if who == OVER:
            break
        if who == CHANCE:
            apply(s, who, out[weighted(rng, p, chance(s, out, p))])
        else:
            eye[0] = s
            redact(eye[0], who)
            apply(s, who, advise(eye[0], who, rng))


class Outlook:
    """Looks ahead in one game; for one thread at a time."""

    def __init__(self, game: Game) -> None:
        layout = game.state.dtype
        self._start, self._room, self._eye = (
            np.zeros(1, layout).view(np.recarray) for _ in range(3)
        )
        self._out, self._p = buffers(game)
        self._worth = np.zeros(game.seats[-1])

    def chances(
        self, s: Record, rng: Rng, games: int, me: int = NOBODY, action: int = NOTHING
    ) -> list[float]:
        """Every seat's chance in a position that is known whole, over so many games.

        With `me`, in one that this seat sees; with `action`, after it.
        """
        won = np.zeros(len(self._worth))
        self._start[0] = s.array[0]
        wins(self._start, self._room, self._eye, me, action, rng, self._out, self._p,
             self._worth, won, games)  # fmt: skip
        return [float(x) for x in won[: int(s.seats)] / games]


class Choice(NamedTuple):
    """An action, and the chance to win of who chooses it."""

    action: int
    chance: float


def counsel(
    game: Game, s: Record, seat: int, thought: Thought, games: int, seconds: float = math.inf
) -> list[Choice]:
    """The best few actions of a thought, with their chances; the one to be played comes first.

    The chances are of so many games played out with the same luck after each action, or fewer
    if the time is over. They fall from one to the next: where they contradict the thought,
    which looked deeper, they count as equal.
    """
    outlook, actions, end = Outlook(game), foremost(thought, seat), time.monotonic() + seconds
    won, done = [0.0] * len(actions), 0
    while done < games and (not done or time.monotonic() < end):
        for i, action in enumerate(actions):
            luck = seeded(thought.iterations + done)
            won[i] += outlook.chances(s, luck, ROUND, seat, action)[seat]
        done += ROUND
    chances = [x * ROUND / done for x in won]
    return [Choice(a, x) for a, x in zip(actions, falling(chances), strict=True)]


def foremost(thought: Thought, seat: int) -> list[int]:
    """The action to be played, then the best of the others that were tried enough."""
    rest = [c for c in thought.considered if c.action != thought.action]
    rest.sort(key=lambda c: (c.visits < ENOUGH, c.error - c.worth[seat]))
    return [thought.action, *(c.action for c in rest)][:BEST]


def falling(numbers: Sequence[float]) -> list[float]:
    """The nearest numbers that never rise: what rises is evened out with what is before it."""
    blocks: list[list[float]] = []
    for x in numbers:
        blocks.append([x])
        while len(blocks) > 1 and _mean(blocks[-1]) > _mean(blocks[-2]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    return [_mean(block) for block in blocks for _ in block]


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
