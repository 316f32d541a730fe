"""Some challenges for tests, so that what they say does not change with the list of diablerie."""

from datetime import date, timedelta
from pathlib import Path

import msgspec

from diablerie.daily.challenge import Calendar, Challenge

FEW = tuple(
    msgspec.json.decode((Path(__file__).parent / "few.json").read_bytes(), type=list[Challenge])
)


def beginning(first: date) -> Calendar:
    """These challenges from a day on."""
    return Calendar(first, FEW)


def day_of(game: str, first: date) -> tuple[date, Challenge]:
    """The first day with a challenge of a game."""
    n = next(n for n, one in enumerate(FEW) if one.game == game)
    return first + timedelta(n), FEW[n]
