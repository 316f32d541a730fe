"""What every challenge fulfils, and the file of a list that does."""

import hashlib
from collections.abc import Sequence
from datetime import date

import msgspec

from diablerie.daily.challenge import (
    CALENDAR_FORMAT,
    LINE_END,
    Challenge,
    Header,
    JudgedAction,
    LevelTries,
)
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record, same

MARGIN = 0.10  # by so much the best action is better than any other, at the 95 % bound
# the shares of levels, and of their tries, that find it: at least, at most
FEW = 0.2
MANY = 0.8
APART = 14  # days in which no theme comes twice


def fields_of(s: Record) -> dict[str, object]:
    """The fields of a record that are not 0, by name."""
    return {name: value for name, value in s.asdict().items() if _filled(value)}


def _filled(value: object) -> bool:
    return any(map(_filled, value)) if isinstance(value, list) else bool(value)


def theme_of(game: Game, s: Record) -> str:
    """What a challenge is about: the game, the kind of decision, and the round or phase.

    All three are the game's own words: its name, its node, and its chapter (`Game.chapter`).
    """
    return " ".join([game.name, kind_of(game, s), str(game.chapter(s) or "")]).rstrip()


def kind_of(game: Game, s: Record) -> str:
    """The kind of decision: the name of the node, as the rules have it."""
    return game.node(s.node).name.lower()


def mistake(challenge: Challenge) -> str:
    """What a challenge does not fulfil, "" if nothing; `misplaced` looks at the position."""
    if not challenge.playable:
        return "no such game, or other rules"
    return unclear(challenge.actions) or unfit(challenge.levels)


def misplaced(challenge: Challenge) -> str:
    """What is wrong with the position of a challenge, by the rules; "" if nothing."""
    try:
        s = challenge.state
    except ValueError as error:
        return str(error)
    seat = challenge.seat
    game = challenge.rules
    if not 0 <= seat < s.seats or not verbs.pending(s) >> seat & 1:
        return "the seat is not to decide"
    if not same(redacted(s, seat), s):
        return "the position holds what the seat may not know"
    if theme_of(game, s) != challenge.theme:
        return "another theme"
    legal = {game.notation.format_action(s, seat, a) for a in legal_actions(game, s, seat)}
    return "" if legal == {one.text for one in challenge.actions} else "other actions are legal"


def unclear(actions: Sequence[JudgedAction]) -> str:
    """Why it is not clear which action is best; "" if it is."""
    if len(actions) < 2 or len({one.text for one in actions}) < len(actions):
        return "there is no choice"
    if not all(0 <= one.low <= one.chance <= one.high <= 1 for one in actions):
        return "a chance is not in its interval"
    if any(one.behind < MARGIN or one.chance > actions[0].chance for one in actions[1:]):
        return f"the best action is not {MARGIN} better than the second"
    return ""


def unfit(levels: Sequence[LevelTries]) -> str:
    """Why too few or too many levels find the best action; "" if neither."""
    if not levels or not all(0 <= one.hits <= one.tries > 0 for one in levels):
        return "no level was asked"
    finders = sum(one.found for one in levels) / len(levels)
    hits = sum(one.hits / one.tries for one in levels) / len(levels)
    if not (FEW <= finders <= MANY and FEW <= hits <= MANY):
        return "too few or too many levels find the best action"
    return ""


def repeated(challenges: Sequence[Challenge]) -> str:
    """A theme that comes twice within `APART` days, also where the list begins again; "" if none."""
    if len(challenges) < APART:
        return "fewer days than that"
    themes = [one.theme for one in (*challenges, *challenges[: APART - 1])]
    for n in range(len(challenges)):
        if themes[n] in themes[n + 1 : n + APART]:
            return themes[n]
    return ""


def list_text(first: date, challenges: Sequence[Challenge], seed: int) -> bytes:
    """A list as it is written to a file."""
    lines = b"".join(msgspec.json.encode(one) + LINE_END for one in challenges)
    digest = hashlib.sha256(lines).hexdigest()
    head = Header(CALENDAR_FORMAT, first, len(challenges), seed, digest)
    return msgspec.json.encode(head) + LINE_END + lines
