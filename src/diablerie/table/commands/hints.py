"""Hints: what a bot would do on a person's seat, from the redacted record of that seat.

The search runs in the thread that asks; who serves requests asks for one of the `thinkers` first.
"""

import math
from collections.abc import Sequence
from secrets import randbits
from typing import NamedTuple

from diablerie.bots.levels import strongest
from diablerie.bots.ranking import ranked_actions
from diablerie.engine.rng import seeded
from diablerie.engine.text import Line, say
from diablerie.table.errors import Forbidden, WrongTime
from diablerie.table.presence.fair_queue import FairPlaces
from diablerie.table.state.table_state import RUNNING, LegalMove, TableState

HINT_GAMES = 500  # played out after each action, if there is time
HINT_SECONDS = 1.2  # less while others wait
HINT_THREADS = 2
thinkers = FairPlaces(
    HINT_THREADS, say("The devils are busy with other players: ask again in a moment.")
)

CHANCE_PHRASES = (
    (0.0, say("hardly any")),
    (0.05, say("one in twenty")),
    (0.1, say("one in ten")),
    (0.2, say("one in five")),
    (0.25, say("one in four")),
    (1 / 3, say("one in three")),
    (0.4, say("two in five")),
    (0.5, say("one in two")),
    (0.6, say("three in five")),
    (2 / 3, say("two in three")),
    (0.75, say("three in four")),
    (0.8, say("four in five")),
    (0.9, say("nine in ten")),
    (1.0, say("all but certain")),
)


class Hint(NamedTuple):
    """A move, and the chance to win after it."""

    move: LegalMove
    chance: float
    why: Line | None = None  # what the game says for the move
    equal: bool = False  # as good as the best, as far as so many games can tell

    @property
    def words(self) -> Line:
        """The chance in words."""
        return min(CHANCE_PHRASES, key=lambda word: abs(word[0] - self.chance))[1]


def hints(live: TableState, seat: int, draft: Sequence[str] = ()) -> list[Hint]:
    """The best moves of a seat after the decisions of its draft, the best first.

    Raises Forbidden where the table plays without advice, WrongTime if nothing is asked of the
    seat, and what `TableState.position` raises.
    """
    if not live.hints:
        raise Forbidden(say("The devils give no hints at this table."))
    position = live.position(seat, draft) if live.status == RUNNING else None
    if position is None or not position.asked:
        raise WrongTime(say("There is nothing for you to decide now."))
    result = strongest(live.game).think(position.record, seat, seeded(randbits(32)))
    seconds = HINT_SECONDS * thinkers.share
    ranked = ranked_actions(live.game, position.record, seat, result, HINT_GAMES, seconds)
    moves = {move.action: move for move in position.moves}
    ranked_hints = [
        Hint(moves[a], chance, live.game.reason(position.record, seat, a)) for a, chance in ranked
    ]
    return mark_ties(ranked_hints, HINT_GAMES)


def mark_ties(hints: Sequence[Hint], games: int) -> list[Hint]:
    """The hints; `equal` marks those that differ from the best by no more than chance.

    That is by less than two standard errors of a difference, had `games` been played after each.
    """
    if not hints:
        return []
    best = max(hint.chance for hint in hints)
    noise = 2 * math.sqrt(2 * max(best * (1 - best), 0.5 / games) / games)
    equal = [hint._replace(equal=best - hint.chance < noise) for hint in hints]
    return equal if sum(hint.equal for hint in equal) > 1 else list(hints)
