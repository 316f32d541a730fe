"""The levels a person chooses from, declared once: names, titles, order and strengths.

The weak ones see little, judge loosely and forget (how much so: `Game.wits`), the strongest
searches. What the steps between them are worth is measured in docs/strength.md.
"""

from dataclasses import dataclass

from diablerie.bots.basic import Bot
from diablerie.bots.fallible import FallibleBot
from diablerie.bots.searcher import SearchBot
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say


@dataclass(frozen=True)
class Level:
    """A level of play.

    name: in specs; title: of a bot at the table; company: as opponents to choose; iterations: of
    its search for a decision, 0 if it judges by its wits.
    """

    name: str
    title: Line
    company: Line
    iterations: int

    def make(self, game: Game) -> Bot:
        """A bot of this level, for a game."""
        if self.iterations:
            return SearchBot(game, n=self.iterations)
        return FallibleBot(game, game.wits[LEVELS.index(self)])


LEVELS = (  # in ascending order
    Level("imp", say("Imp"), say("imps: quick and careless"), 0),
    Level("devil", say("Devil"), say("devils: fair company"), 0),
    Level("archdevil", say("Archdevil"), say("archdevils: hard to fool"), 0),
    Level("oberteufel", say("Oberteufel"), say("Oberteufel: the worst there is"), 4000),
)
USUAL = LEVELS[1]  # whom one plays who has not chosen
STRONGEST = LEVELS[-1]


def strongest(game: Game) -> SearchBot:
    """A bot of the strongest level, which can also say what it thinks."""
    return SearchBot(game, n=STRONGEST.iterations)
