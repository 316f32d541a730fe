"""The levels that a person chooses from, declared once: names, titles, order and strengths.

The weaker levels look ahead little, choose with noise and forget (`Game.levels` has the parameters);
the strongest searches, or plays by a learnt policy (`Game.learnt`). docs/strength.md has their
measured differences in Elo. Styles are other ways to play at an archdevil's strength.
"""

from dataclasses import asdict, dataclass

from diablerie.bots.basic import Bot
from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.bots.searcher import SearchBot, SearchResult
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.engine.text import Line, say
from diablerie.learning.weights import bundled_policy


def learnt_sizes(game: Game) -> frozenset[int]:
    """The sizes of tables at which the level plays by a learnt policy. Raises as `read_policy`."""
    if game.learnt is None or (policy := bundled_policy(game)) is None:
        return frozenset()
    return frozenset(game.learnt.seats).intersection(policy.seats)


class StrongestBot:
    """The bot of the strongest level. n: iterations of a search."""

    def __init__(self, game: Game, n: int) -> None:
        self.search = SearchBot(game, n=n)
        self.game = game
        settings = asdict(game.learnt) if game.learnt else {}
        settings.pop("seats", ())
        self.learnt = NetworkBot(game, **settings) if settings else None
        self.sizes = learnt_sizes(game)

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        return self.think(s, seat, rng).action

    def think(self, s: Record, seat: int, rng: Rng) -> SearchResult:
        """The action to play, and what is known of the others; `n` and `rng` fix the result."""
        return self.thinker(s.seats).think(s, seat, rng)

    def hurried(self, seats: int, milliseconds: int) -> SearchBot | NetworkBot:
        """One that decides at tables of this size in so much processor time."""
        if self.learnt and seats in self.sizes:
            return self.learnt.hurried(milliseconds)
        return SearchBot(self.game, cpu=milliseconds)

    def thinker(self, seats: int) -> SearchBot | NetworkBot:
        """The bot that decides at tables of this size."""
        return self.learnt if self.learnt and seats in self.sizes else self.search


@dataclass(frozen=True)
class Level:
    """A level of play.

    name: in specs; title: of a bot at the table; company: of several such opponents, in a menu;
    iterations: of its search for a decision, where it searches; 0 if it looks one ply ahead
    (`FallibleBot`).
    """

    name: str
    title: Line
    company: Line
    iterations: int

    def make(self, game: Game) -> Bot:
        """A bot of this level, for a game."""
        if self.iterations:
            return StrongestBot(game, self.iterations)
        return FallibleBot(game, game.levels[LEVELS.index(self)])


@dataclass(frozen=True)
class Style:
    """A style of play at an archdevil's strength, for games in which one can be daring.

    name, title, company: as a level's; place: index in `Game.daring`. Where that is 0, the bot
    plays as the archdevil does.
    """

    name: str
    title: Line
    company: Line
    place: int

    def make(self, game: Game) -> Bot:
        """A bot of this style, for a game."""
        return FallibleBot(game, game.levels[-1], game.daring[self.place])


LEVELS = (  # in ascending order
    Level("imp", say("Imp"), say("imps: quick and careless"), 0),
    Level("devil", say("Devil"), say("devils: fair company"), 0),
    Level("archdevil", say("Archdevil"), say("archdevils: hard to fool"), 0),
    Level("oberteufel", say("Oberteufel"), say("Oberteufel: the worst there is"), 4000),
)
STYLES = (
    Style("bold", say("Daredevil"), say("daredevils: the hotter the better"), 0),
    Style("careful", say("Careful devil"), say("careful devils: never too near the fire"), 1),
)
STANDS_IN = LEVELS[2].name  # for stronger ones, while what they search by is not compiled
USUAL_LEVEL = LEVELS[1]  # the opponent of a person who has not chosen one
STRONGEST_LEVEL = LEVELS[-1]


def strongest(game: Game) -> StrongestBot:
    """A bot of the strongest level, which also reports what it considered (`think`)."""
    return StrongestBot(game, STRONGEST_LEVEL.iterations)
