"""The best actions of a search, each with the chance to win of who takes it: advice for people."""

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.bots.rollouts import Rollouts
from diablerie.bots.searcher import ENOUGH_VISITS, SearchResult
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, seeded

ROUND_GAMES = 20  # games after each action before the clock is read again
BEST_NAMED = 3  # actions that a ranking names
SURE = 1.96  # standard errors to either side that hold 95 of 100 shares


class RankedAction(NamedTuple):
    """An action, and the chance to win (0 to 1) of the seat that takes it."""

    action: int
    chance: float
    games: int = 0  # in which the chance was counted; 0 if it is an estimate

    @property
    def interval(self) -> tuple[float, float]:
        """Between which chances the true one is in 95 of 100 cases (Wilson 1927)."""
        if not self.games:
            return self.chance, self.chance
        n = self.games
        p = self.chance
        middle = p + SURE**2 / (2 * n)
        half = SURE * math.sqrt(p * (1 - p) / n + SURE**2 / (4 * n**2))
        whole = 1 + SURE**2 / n
        return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def ranked_actions(
    game: Game,
    s: Record,
    seat: int,
    result: SearchResult,
    games: int,
    seconds: float = math.inf,
    clock: Callable[[], float] = time.monotonic,
) -> list[RankedAction]:
    """The best few actions of a search, with their chances; the one to be played comes first.

    games: how many are played out after each action, all with the same luck; fewer if `seconds` by
    the `clock` are over. The chances never rise from one action to the next: where playouts
    contradict the search, which looked deeper, neighbours get their mean.
    """
    rollouts = Rollouts(game)
    actions = best_actions(result, seat)
    end = clock() + seconds
    won = [0.0] * len(actions)
    done = 0
    while done < games and (not done or clock() < end):
        for i, action in enumerate(actions):
            # The same luck for all actions: only what they do makes a difference.
            luck = seeded(result.iterations + done)
            won[i] += rollouts.chances(s, luck, ROUND_GAMES, seat, action)[seat]
        done += ROUND_GAMES
    chances = [x * ROUND_GAMES / done for x in won]
    return [RankedAction(a, x, done) for a, x in zip(actions, falling(chances), strict=True)]


def judged_actions(
    game: Game, s: Record, seat: int, rng: Rng, seconds: float
) -> list[RankedAction]:
    """The same as far as one sees who looks one ply ahead: where no search is compiled.

    A return from -1 to 1 counts as the chance that would have this mean.
    """
    bot = FallibleBot(game, game.levels[-1])
    bot.seconds = seconds
    actions, worth = bot.judge(s, seat, rng)
    best = np.argsort(-worth, kind="stable")[:BEST_NAMED]
    chances = np.clip((1.0 + worth[best]) / 2.0, 0.0, 1.0)
    return [RankedAction(int(a), float(x)) for a, x in zip(actions[best], chances, strict=True)]


def best_actions(result: SearchResult, seat: int) -> list[int]:
    """The action to be played, then the others by lower confidence bound, well tried ones first."""
    rest = [x for x in result.actions if x.action != result.action]
    rest.sort(key=lambda x: (x.visits < ENOUGH_VISITS, x.error - x.returns[seat]))
    return [result.action, *(x.action for x in rest)][:BEST_NAMED]


def falling(numbers: Sequence[float]) -> list[float]:
    """The nearest numbers that never rise (isotonic regression by pooling adjacent violators)."""

    def mean(block: Sequence[float]) -> float:
        return sum(block) / len(block)

    blocks: list[list[float]] = []
    for x in numbers:
        blocks.append([x])
        while len(blocks) > 1 and mean(blocks[-1]) > mean(blocks[-2]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    return [mean(block) for block in blocks for _ in block]
