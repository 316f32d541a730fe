"""The daily challenges: what one is, the list that comes with the package, and which day has which.

A challenge is a position as one seat knows it, its actions judged, and which levels found the best.
Chances are shares of games won (0 to 1), played on from what the seat knows by players who follow
the game's advice, at the game's temperature, as in replays.

A list is JSON Lines: a header with the first day and the SHA-256 of all that follows, then a line
for each day. It is taken whole or refused whole, and begins again after its end.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import msgspec

from diablerie.engine.foreign_json import BadJson, read_json
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.text import UserError, say
from diablerie.games import ALL

CALENDAR_FORMAT = 1
CHALLENGES_FILE = "challenges.jsonl"  # in this package
LINE_END = b"\n"


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

    seat: who decides; theme: the game, the kind of decision (its node), and its chapter; fields:
    those of the record, redacted for the seat, that are not 0; actions: all that are legal, the best
    first; levels: in ascending order.
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

    @property
    def playable(self) -> bool:
        """Whether there is such a game, with these rules."""
        return self.game in ALL and self.rules.version == self.version

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


# -- calendar ----------------------------------------------------------------------------------


class BadList(UserError):
    """The list of challenges is not what it should be; the message says why, too."""

    def __init__(self, why: str) -> None:
        super().__init__(say("The list of daily challenges is damaged."))
        self.args = (f"{self.line} {why}",)


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line. first: the day of the first challenge; sha256: of all lines below, in hex."""

    daily: int
    first: date
    days: int
    seed: int
    sha256: str


class Calendar(msgspec.Struct, frozen=True):
    """Challenges in the order of days, the first for the day `first` (UTC)."""

    first: date
    challenges: tuple[Challenge, ...]

    def on(self, day: date) -> Challenge | None:
        """The challenge of a day; None before the first day."""
        if day < self.first:
            return None
        return self.challenges[(day - self.first).days % len(self.challenges)]

    def days(self, until: date) -> list[date]:
        """All days from the latest, `until`, back to the first."""
        return [until - timedelta(n) for n in range((until - self.first).days + 1)]


def utc_day(seconds: float) -> date:
    """The day of a moment, Unix time in seconds."""
    return datetime.fromtimestamp(seconds, UTC).date()


@cache
def calendar() -> Calendar:
    """The list that comes with the package. Raises BadList."""
    return parse_list((files("diablerie.daily") / CHALLENGES_FILE).read_bytes())


def parse_list(data: bytes) -> Calendar:
    """The list that a file's bytes hold. Raises BadList."""
    head, _, lines = data.partition(LINE_END)
    try:
        header = read_json(head, Header)
        rows = lines.split(LINE_END)[:-1]
        challenges = tuple(read_json(row, Challenge) for row in rows)
    except BadJson as error:
        raise BadList(f"It cannot be read: {error}.") from None
    if header.daily != CALENDAR_FORMAT:
        raise BadList(f"Format {header.daily} is not known here.")
    if hashlib.sha256(lines).hexdigest() != header.sha256 or header.days != len(rows):
        raise BadList("It was changed after it was written.")
    if not all(one.playable for one in challenges):
        raise BadList("A challenge is of no game here, or of other rules.")
    return Calendar(header.first, challenges)
