"""The strongest level: it plays by a learnt policy where that is stronger, and searches elsewhere.

`Game.learnt` says so; docs/strength.md has the measurements.
"""

from dataclasses import asdict

from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.searcher import SearchBot, SearchResult
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.learning.weights import bundled_policy


def learnt_sizes(game: Game) -> frozenset[int]:
    """The sizes of tables at which the level plays by a learnt policy. Raises as `read_policy`."""
    if game.learnt is None or (policy := bundled_policy(game)) is None:
        return frozenset()
    return frozenset(game.learnt.seats).intersection(policy.seats)


class StrongestBot:
    """The bot of the strongest level. n: iterations of a search."""

    def __init__(self, game: Game, n: int) -> None:
        self.game, self.search = game, SearchBot(game, n=n)
        settings = asdict(game.learnt) if game.learnt else {}
        settings.pop("seats", ())
        self.learnt = NetworkBot(game, **settings) if settings else None
        self.sizes = learnt_sizes(game)

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        return self.think(s, seat, rng).action

    def think(self, s: Record, seat: int, rng: Rng) -> SearchResult:
        """The action to play, and what is known of the others; `n` and `rng` fix the result."""
        return self.thinker(int(s.seats)).think(s, seat, rng)

    def thinker(self, seats: int) -> SearchBot | NetworkBot:
        """The bot that decides at tables of this size."""
        return self.learnt if self.learnt and seats in self.sizes else self.search
