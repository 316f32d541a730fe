"""Matches written as text: `first 0, 0 bet 50, 1 bet 20, 0 pull, coal 100, …`."""

from typing import Any

import pytest

from diablerie.engine.fair import DiceStream
from diablerie.engine.match import Match
from diablerie.engine.plies import Event
from diablerie.engine.queries import Illegal
from diablerie.engine.verbs import CHANCE
from diablerie.games import ALL


def opening(name: str, seats: int, **options: Any) -> Match:
    """A match before its first event; options by name."""
    return Match.opening(ALL[name], seats=seats, fair=DiceStream.seeded(0), options=options)


def play(match: Match, script: str) -> Match:
    """Apply a script: events apart by commas or new lines, decisions beginning with the seat."""
    for word in script.replace("\n", ",").split(","):
        if text := " ".join(word.split()):
            match.apply(event(text))
    return match


def event(text: str) -> Event:
    """One event of a script."""
    first, _, rest = text.partition(" ")
    return Event(int(first), rest) if first.isdigit() else Event(CHANCE, text)


def refused(match: Match, text: str, seat: int | None = None) -> str:
    """The clause that forbids an action."""
    with pytest.raises(Illegal) as error:
        match.check(text, seat)
    return error.value.clause
