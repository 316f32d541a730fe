"""The list of challenges, and which day has which. It begins again after its end.

A list is JSON Lines: a header with the first day and the SHA-256 of all that follows, then a line
for each day. It is taken whole or refused whole.
"""

import hashlib
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib.resources import files

import msgspec

from diablerie.daily.challenge import Challenge
from diablerie.engine.foreign_json import BadJson, read_json
from diablerie.engine.text import UserError, say

CALENDAR_FORMAT = 1
CHALLENGES_FILE = "challenges.jsonl"  # in this package
LINE_END = b"\n"


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
