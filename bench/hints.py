"""The first hint beside 0.2 s of search, and whether its interval holds: positions of advised games."""

import statistics
import time

import numpy as np

from bench.search import position
from bench.timing import note
from diablerie.bots.levels import strongest
from diablerie.bots.ranking import RankedAction, ranked_actions
from diablerie.bots.rollouts import Rollouts
from diablerie.engine.game import Game
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.table.commands.decisions import FIRST_HINT_SECONDS, FIRST_SEARCH_MS, HINT_GAMES

POSITIONS = 120
STRIDE = 3  # decisions and outcomes between two positions
LONG_SEARCH_MS = round(FIRST_SEARCH_MS + 1000 * FIRST_HINT_SECONDS)
JUDGING_GAMES = 2000  # after each of two actions, with the same luck


def everything() -> None:
    """All games with two seats."""
    for name, game in ALL.items():
        looks = [look(game, STRIDE * number) for number in range(POSITIONS)]
        losses = [loss for loss, _ in looks]
        half = 1.96 * statistics.stdev(losses) / POSITIONS**0.5
        other = sum(loss != 0.0 for loss in losses) / POSITIONS
        held = sum(held for _, held in looks) / POSITIONS
        note(
            f"{name}: the first hint loses {statistics.mean(losses):+.2%} ± {half:.2%} to "
            f"{LONG_SEARCH_MS} ms of search, decides otherwise in {other:.0%}; "
            f"its interval holds in {held:.0%}"
        )


def look(game: Game, steps: int) -> tuple[float, bool]:
    """What the first hint loses in a position, and whether its interval has the true chance."""
    state, seat = position(game, steps)
    s = redacted(state, seat)
    hint = first_hint(game, s, seat, steps)
    longer = strongest(game).hurried(s.seats, LONG_SEARCH_MS).think(s, seat, seeded(steps + 1))
    rollouts = Rollouts(game)

    def chance(action: int) -> float:
        return rollouts.chances(s, seeded(steps + 2), JUDGING_GAMES, seat, action)[seat]

    here = chance(hint.action)
    there = here if longer.action == hint.action else chance(longer.action)
    low, high = hint.interval
    # The chance that is compared is not exact either.
    error = 1.96 * np.sqrt(here * (1 - here) / JUDGING_GAMES)
    return there - here, bool(low - error <= here <= high + error)


def first_hint(game: Game, s: Record, seat: int, seed: int) -> RankedAction:
    """The first move that a player is told in the first round."""
    devil = strongest(game).hurried(s.seats, FIRST_SEARCH_MS)
    found = devil.think(s, seat, seeded(seed))
    return ranked_actions(game, s, seat, found, HINT_GAMES, FIRST_HINT_SECONDS, time.thread_time)[0]
