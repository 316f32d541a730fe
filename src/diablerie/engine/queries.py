"""Questions about one position: what may be done, what may happen, who sees what."""

from collections.abc import Callable

import numpy as np

from diablerie.engine import rules_text, verbs
from diablerie.engine.compile import Floats
from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.engine.text import Line, UserError, say
from diablerie.engine.verbs import EVERYONE, EVERYTHING, WATCHER


class Illegal(UserError):
    """A decision that the rules forbid now. Programs are told what they tried, too."""

    def __init__(self, line: Line, tried: str = "") -> None:
        super().__init__(line)
        if tried:
            message = say("“{text}” is not allowed here: {why}", text=tried, why=line)
            self.args = (f"{message} [{line.clause}]",)


def refusal(game: Game, code: int, s: Record, action: int, text: str) -> Illegal:
    """The error for an action that the clause with this code forbids.

    It says why in the game's short sentence, or in the clause's own words where there is none.
    """
    clause = game.clause(code)
    short = game.refuse(s, action, clause)
    line = short or rules_text.line(game, clause)
    return Illegal(line._replace(clause=clause), text)


def legal_actions(game: Game, s: Record, seat: int) -> list[int]:
    """The legal actions of a seat, ascending."""
    out = np.empty(game.actions, np.int64)
    return [int(a) for a in out[: verbs.legal(s, seat, out)]]


def chance_outcomes(game: Game, s: Record) -> tuple[list[int], list[float]]:
    """The outcomes possible at a chance node, and their probabilities."""
    out = np.empty(game.outcomes, np.int64)
    p = np.empty(game.outcomes)
    n = verbs.chance(s, out, p)
    return out[:n].tolist(), p[:n].tolist()


def redacted(s: Record, viewer: int) -> Record:
    """A copy of the state with all blanked that `viewer` may not know."""
    seen = s.copy()
    if viewer != EVERYTHING:
        verbs.redact(seen, viewer)
    return seen


def guessed(s: Record, seat: int, rng: Rng) -> Record:
    """A copy of the state with what `seat` cannot know drawn at random, to fit what it knows."""
    whole = redacted(s, seat)
    verbs.guess(whole, seat, rng)
    return whole


def sees(s: Record, seat: int, viewer: int) -> bool:
    """Whether `viewer` sees what `seat` (or CHANCE) does at this node."""
    if viewer in (EVERYTHING, seat):
        return True
    mask = verbs.witness(s)
    return mask & EVERYONE == EVERYONE if viewer == WATCHER else bool(mask >> viewer & 1)


def out_of_turn(game: Game, s: Record, seat: int, action: int) -> Line:
    """Why a seat that is not to decide may not do this, with the clause that forbids it."""
    code = verbs.forbids(s, seat, action)
    return say("It is not your turn to decide.", game.clause(code) if code else "")


def parse_legal_action(game: Game, s: Record, seat: int, text: str) -> int:
    """The number of the action that `text` names, if `seat` may do it now.

    Raises Illegal with the clause if not, also where a clause forbids such an action in any
    position (a stake that nobody can have), and NotationError if the text is no action.
    """
    if not 0 <= seat < s.seats:
        raise Illegal(say("It is not your turn to decide."))
    try:
        action = game.notation.parse_action(s, seat, text)
    except NotationError as error:
        if error.clause:
            raise Illegal(error.line) from error
        raise
    if not verbs.pending(s) >> seat & 1:
        raise Illegal(out_of_turn(game, s, seat, action))
    code = verbs.forbids(s, seat, action)
    if code:
        raise refusal(game, code, s, action, text)
    return action


def estimates(s: Record, seats: int) -> list[float]:
    """What the game expects every seat's utility to be, -1 to 1: its `value` of the position."""
    return _by_seat(verbs.value, s, seats)


def utilities(s: Record, seats: int) -> list[float]:
    """Every seat's utility in a position where the game is over."""
    return _by_seat(verbs.returns, s, seats)


def sole_winner(s: Record) -> int | str:
    """The seat that has won a finished game, as a word of a scene; "all" if several have, or none."""
    won = [seat for seat, gain in enumerate(utilities(s, s.seats)) if gain > 0]
    return won[0] if len(won) == 1 else "all"


def _by_seat(verb: Callable[[Record, Floats], None], s: Record, seats: int) -> list[float]:
    out = np.zeros(verbs.SEATS)
    verb(s, out)
    return [float(x) for x in out[:seats]]
