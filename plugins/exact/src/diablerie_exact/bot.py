"""The bot `exact:FILE`: it draws stakes from the solution's mixed strategy and pulls optimally."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from diablerie.bots.spec import BotKind
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, weighted
from diablerie.engine.text import say
from diablerie.games import ALL
from diablerie_exact.solution import BadTable, Solution, read_table

CACHED = 4  # solutions in memory


class ExactBot:
    """Plays a game whose table `diablerie solve` wrote; on average no opponent wins against it.

    table: the file. Raises BadTable, OSError; `choose` raises BadTable in another game.
    """

    def __init__(self, game: Game, table: str) -> None:
        path = Path(table)
        self.solution = _solution(game.name, path, path.stat().st_mtime_ns)

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot. Raises BadTable for a game that was solved with other options or seats."""
        if not self.solution.fits(s):
            raise BadTable("the solved game has other options, or other seats")
        at_once = not verbs.witness(s)  # stakes are secret, everybody sees who pulls
        return self._bet(s, seat, rng) if at_once else self._pull(s, seat)

    def _bet(self, s: Any, seat: int, rng: Rng) -> int:
        solved = self.solution.bets(s)[1]
        mixed = solved.rows if seat == s.first else solved.columns
        return int(weighted(rng, np.ascontiguousarray(mixed), len(mixed)))

    def _pull(self, s: Any, seat: int) -> int:
        worth = self.solution.pulls(s)
        best = max if seat == s.first else min
        return best(worth, key=worth.__getitem__)


@lru_cache(CACHED)
def _solution(name: str, path: Path, changed: int) -> Solution:
    """The solution of a file as it was last changed; bots of one game share it."""
    table = read_table(path)
    game = ALL[name]
    if table.facts.game != name or table.facts.version != game.version:
        raise BadTable(f"{path} is of {table.facts.game}, or of other rules")
    return Solution(game, table)


def _existing_file(text: str) -> str:
    if not Path(text).is_file():
        raise FileNotFoundError(text)
    return text


KIND = BotKind(ExactBot, say("Exact devil"), {"table": _existing_file})
