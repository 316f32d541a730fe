"""What a player's own decisions lead to, as far as the player can know: on the redacted record.

Plans and walks are several decisions in a row. They are checked here first, on the redacted record,
so that neither the check nor a refusal can tell players more than they see.
"""

from collections.abc import Sequence
from typing import NamedTuple

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.engine.queries import chance_outcomes, out_of_turn, redacted, refusal
from diablerie.engine.record import Record, copy
from diablerie.engine.text import say
from diablerie.table.errors import BadInput, Forbidden, IllegalMove

LONGEST_PREMOVES = 64  # decisions in a row


class Foreseen(NamedTuple):
    """A decision as its player foresees it: the action, and the redacted record after it."""

    action: int
    record: Record


def asks(s: Record, viewer: int) -> bool:
    """Whether the position waits for this viewer's decision."""
    return viewer >= 0 and bool(verbs.pending(s) >> viewer & 1)


def foresee(game: Game, seen: Record, seat: int, texts: Sequence[str]) -> list[Foreseen]:
    """What each of these decisions of `seat` is and leads to, from the record it sees now.

    Chance may come in between at nodes that are decided in one go: there any outcome is assumed.

    Raises BadInput for text that is no decision, Forbidden for a watcher's, IllegalMove if
    one is forbidden or if else chance or another player would come in between.
    """
    if texts and not 0 <= seat < seen.seats:
        raise Forbidden(say("Spectators cannot decide anything."))
    if len(texts) > LONGEST_PREMOVES:
        raise BadInput(say("That is too much at once."))
    after: list[Foreseen] = []
    batched = False
    for text in texts:
        s = copy(after[-1].record if after else seen)
        if batched and verbs.actor(s) == verbs.CHANCE:
            verbs.apply(s, verbs.CHANCE, chance_outcomes(game, s)[0][0])
        if after and not asks(s, seat):
            raise IllegalMove(say("The plan ends before “{text}”.", text=text[:60]))
        action = read_action(game, s, seat, text)
        batched = int(s.node) in game.batched
        verbs.apply(s, seat, action)
        after.append(Foreseen(action, redacted(s, seat)))
    return after


def read_action(game: Game, seen: Record, seat: int, text: str) -> int:
    """The action that a text names, if the seat may do it. Raises BadInput or IllegalMove."""
    if verbs.actor(seen) == verbs.OVER:
        raise IllegalMove(say("The game is over."))
    try:
        action = game.notation.parse_action(seen, seat, text)
    except NotationError as error:
        raise BadInput(error.line) from error
    if not asks(seen, seat):
        raise IllegalMove(out_of_turn(game, seen, seat, action))
    if code := verbs.forbids(seen, seat, action):
        raise IllegalMove(refusal(game, code, seen, action, text).line)
    return action
