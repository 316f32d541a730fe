"""Rounds of COASTERS for the tests, played by script: `lay flower, lay skull, …, bid 2, lost …`."""

from typing import Any

from coasters import GAME
from coasters.rules.state import NO, UNSURE
from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, legal_actions
from diablerie.engine.record import Record
from diablerie.engine.verbs import CHANCE

FIRST_CIRCLE = {3: "lay flower, lay flower, lay flower", 4: "lay flower, " * 3 + "lay flower"}


def table(seats: int = 3, first: int = 0, **options: Any) -> Record:
    """A game whose first round is begun by `first`."""
    s = GAME.start(seats, options)
    verbs.apply(s, CHANCE, first)
    return s


def play(s: Record, script: str) -> Record:
    """Apply decisions, each of whoever is to decide, and outcomes, as far as they are allowed."""
    for text in filter(None, (word.strip() for word in script.split(","))):
        who = verbs.actor(s)
        if who == CHANCE:
            outcome = GAME.notation.parse_outcome(s, text)
            assert outcome in chance_outcomes(GAME, s)[0], text
            verbs.apply(s, who, outcome)
        else:
            action = GAME.notation.parse_action(s, who, text)
            assert verbs.forbids(s, who, action) == 0, text
            verbs.apply(s, who, action)
    return s


def laid(script: str = "", seats: int = 3, **options: Any) -> Record:
    """A table with a flower before each, and what the script adds."""
    return play(table(seats, **options), f"{FIRST_CIRCLE[seats]}, {script}")


def stripped(s: Record, seat: int, kinds: str) -> Record:
    """The seat has nothing but these coasters left, `fS` a flower and the skull."""
    s.coasters[seat] = len(kinds)
    s.skull[seat] = "S" in kinds
    s.known[seat] = UNSURE if kinds else NO
    return s


def texts(s: Record) -> list[str]:
    """What may be done now, or may happen."""
    who = verbs.actor(s)
    if who == CHANCE:
        return [GAME.notation.format_outcome(s, o) for o in chance_outcomes(GAME, s)[0]]
    return [GAME.notation.format_action(s, who, a) for a in legal_actions(GAME, s, who)]


def refused(s: Record, text: str, seat: int | None = None) -> str:
    """The clause that forbids a decision of whoever is to decide, or of `seat`."""
    who = verbs.actor(s) if seat is None else seat
    code = verbs.forbids(s, who, GAME.notation.parse_action(s, who, text))
    assert code
    return GAME.clause(code)


def node(s: Record) -> str:
    """What is decided next."""
    return GAME.node(int(s.node)).name.lower()
