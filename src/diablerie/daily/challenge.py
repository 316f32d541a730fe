"""A challenge: a position as one seat knows it, its actions judged, and which levels found the best.

Chances are shares of games won (0 to 1), played on from what the seat knows by players who follow
the game's advice, at the game's temperature, as in replays.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record, same
from diablerie.games import ALL

MARGIN = 0.10  # by so much the best action is better than any other, at the 95 % bound
FEW, MANY = 0.2, 0.8  # the shares of levels, and of their tries, that find it: at least, at most
APART = 14  # days in which no theme comes twice


class JudgedAction(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A legal action, in notation, and the chance to win after it, with its 95 % interval.

    behind: by how much the best action is better, at the lower 95 % bound; 0 for the best itself.
    """

    text: str
    chance: float
    low: float
    high: float
    behind: float


class LevelTries(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How often a level (`bots.levels`) was asked, and how often it chose the best action."""

    level: str
    tries: int
    hits: int

    @property
    def found(self) -> bool:
        """Whether it chose the best action more often than not."""
        return 2 * self.hits > self.tries


class Challenge(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One challenge: a line of the list.

    seat: who decides; theme: see `theme_of`; fields: those of the record, redacted for the seat,
    that are not 0; actions: all that are legal, the best first; levels: in ascending order.
    """

    game: str
    version: int  # of the rules
    seat: int
    theme: str
    fields: dict[str, Any]
    actions: tuple[JudgedAction, ...]
    levels: tuple[LevelTries, ...]

    @property
    def rules(self) -> Game:
        """The game."""
        return ALL[self.game]

    @cached_property
    def state(self) -> Record:
        """The position as the seat knows it; do not change it."""
        return record_of(self.rules, self.fields)

    @property
    def best(self) -> JudgedAction:
        """The best action."""
        return self.actions[0]

    @property
    def finders(self) -> int:
        """How many levels found it."""
        return sum(one.found for one in self.levels)

    def judged(self, text: str) -> JudgedAction | None:
        """The action with this notation; None if none is legal."""
        return next((one for one in self.actions if one.text == text), None)


def fields_of(s: Record) -> dict[str, object]:
    """The fields of a record that are not 0, by name."""
    return {name: value for name, value in s.asdict().items() if _filled(value)}


def _filled(value: object) -> bool:
    return any(map(_filled, value)) if isinstance(value, list) else bool(value)


def record_of(game: Game, fields: Mapping[str, object]) -> Record:
    """The record with these fields. Raises ValueError if the game has no such record."""
    s: Record = game.state.zero()
    try:
        for name, value in fields.items():
            if name not in game.state.declared:
                raise ValueError(name)
            setattr(s, name, value)
    except Exception as error:  # of NumPy or the module struct, for what does not fit a field
        raise ValueError(f"no record of {game.name}: {error}") from error
    return s


def theme_of(game: Game, s: Record) -> str:
    """What a challenge is about: the game, the kind of decision, and the round or phase.

    All three are the game's own words: its name, its node, and its chapter (`Game.chapter`).
    """
    return " ".join([game.name, kind_of(game, s), str(game.chapter(s) or "")]).rstrip()


def kind_of(game: Game, s: Record) -> str:
    """The kind of decision: the name of the node, as the rules have it."""
    return game.node(int(s.node)).name.lower()


def mistake(challenge: Challenge) -> str:
    """What a challenge does not fulfil, "" if nothing; `misplaced` looks at the position."""
    game = ALL.get(challenge.game)
    if game is None or game.version != challenge.version:
        return "no such game, or other rules"
    return unclear(challenge.actions) or unfit(challenge.levels)


def misplaced(challenge: Challenge) -> str:
    """What is wrong with the position of a challenge, by the rules; "" if nothing."""
    try:
        s = challenge.state
    except ValueError as error:
        return str(error)
    seat, game = challenge.seat, challenge.rules
    if not 0 <= seat < int(s.seats) or not verbs.pending(s) >> seat & 1:
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
