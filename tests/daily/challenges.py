"""The list that comes with diablerie, with its first day where a test wants it."""

from datetime import date, timedelta

from diablerie.daily.calendar import Calendar, calendar
from diablerie.daily.challenge import Challenge


def beginning(first: date) -> Calendar:
    """The same challenges from another day on."""
    return Calendar(first, calendar().challenges)


def day_of(game: str, first: date) -> tuple[date, Challenge]:
    """The first day with a challenge of a game."""
    found = calendar().challenges
    n = next(n for n, one in enumerate(found) if one.game == game)
    return first + timedelta(n), found[n]
