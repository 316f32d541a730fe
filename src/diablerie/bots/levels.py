"""The levels a person chooses from: `imp`, `devil`, `archdevil` and `oberteufel`.

The weak ones slip: a share of their decisions is random. The strong ones search, the strongest
without a slip. What the steps between them are worth is measured in docs/strength.md.
"""

from diablerie.bots.basic import Bot, SensibleBot
from diablerie.bots.searcher import SearchBot
from diablerie.engine.game import Game

LEVELS = ("imp", "devil", "archdevil", "oberteufel")  # in ascending order
WEAK, STRONG = 300, 4000  # iterations a decision


def imp(game: Game) -> Bot:
    """Means well, and does nonsense most of the time."""
    return SensibleBot(game, slips=game.slips[0])


def devil(game: Game) -> Bot:
    """Plays sensibly more often than not."""
    return SensibleBot(game, slips=game.slips[1])


def archdevil(game: Game) -> Bot:
    """Looks ahead a little, and is careless now and then."""
    return SearchBot(game, n=WEAK, slips=game.slips[2])


def oberteufel(game: Game) -> SearchBot:
    """Looks ahead as far as it can see in a moment."""
    return SearchBot(game, n=STRONG)
