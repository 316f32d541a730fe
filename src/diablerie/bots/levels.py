"""The levels a person chooses from, declared once: names, titles, order and strengths.

The weak ones see little, judge loosely and forget (how much so: `Game.wits`), the strongest
searches. What the steps between them are worth is measured in docs/strength.md. Beside them are
styles: other manners of being an archdevil.
"""

from dataclasses import dataclass

from diablerie.bots.basic import Bot
from diablerie.bots.noisy_one_ply import FallibleBot
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


@dataclass(frozen=True)
class Style:
    """A manner of play at an archdevil's strength, for games in which one can be daring.

    name, title, company: as a level's; place: in `Game.daring`. Where a game has no use for it,
    it plays as the archdevil does.
    """

    name: str
    title: Line
    company: Line
    place: int

    def make(self, game: Game) -> Bot:
        """A bot of this style, for a game."""
        return FallibleBot(game, game.wits[-1], game.daring[self.place])


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
USUAL = LEVELS[1]  # whom one plays who has not chosen
STRONGEST = LEVELS[-1]


def strongest(game: Game) -> SearchBot:
    """A bot of the strongest level, which can also say what it thinks."""
    return SearchBot(game, n=STRONGEST.iterations)
