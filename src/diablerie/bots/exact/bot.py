"""The bot that plays a solved game: stakes drawn as the solution says, pulls that are best."""

from pathlib import Path

import numpy as np

from diablerie.bots.exact.solution import BadTable, Solution, read
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, weighted

KNOWN = 4  # solutions that are kept in memory
_known: dict[tuple[str, Path, int], Solution] = {}


class ExactBot:
    """Plays the game of a table that `diablerie solve` wrote. Nobody wins against it in the end.

    table: the file. Raises BadTable, OSError; `choose` raises BadTable in another game.
    """

    def __init__(self, game: Game, table: str) -> None:
        path = Path(table)
        self.solution = solution(game, path, path.stat().st_mtime_ns)

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        if not self.solution.fits(s):
            raise BadTable("the solved game has other options, or other seats")
        at_once = not verbs.witness(s)  # stakes are secret, pulling is seen by all
        return self._bet(s, seat, rng) if at_once else self._pull(s, seat)

    def _bet(self, s: Record, seat: int, rng: Rng) -> int:
        solved = self.solution.bets(s)[1]
        mixed = solved.rows if seat == s.first else solved.columns
        return int(weighted(rng, np.ascontiguousarray(mixed), len(mixed)))

    def _pull(self, s: Record, seat: int) -> int:
        worth = self.solution.pulls(s)
        best = max if seat == s.first else min
        return best(worth, key=worth.__getitem__)


def solution(game: Game, path: Path, changed: int) -> Solution:
    """The solution of a file as it was last changed; bots of one game share it."""
    key = (game.name, path, changed)
    if key not in _known:
        table = read(path)
        if table.facts.game != game.name or table.facts.version != game.version:
            raise BadTable(f"{path} is of {table.facts.game}, or of other rules")
        while len(_known) >= KNOWN:
            _known.pop(next(iter(_known)), None)
        _known[key] = Solution(game, table)
    return _known[key]
