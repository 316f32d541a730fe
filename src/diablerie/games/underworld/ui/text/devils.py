"""The sentences of the log about devils and letters: who has got, given and lost them."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, SeatRef, say
from diablerie.games.underworld.rules.notation import LETTER_NAMES
from diablerie.games.underworld.rules.state import LETTERS, Node

Told = list[Line]


def changes(before: Record, seat: int, after: Record) -> Told:
    """What a move's end has done to devils and letters, and who left by it."""
    devils = _freed(before, seat, after) if before.devil[seat] else _caught(seat, after)
    return [*devils, *letter_taken(before, seat, after), *leaving(before, after)]


def _caught(seat: int, after: Record) -> Told:
    if after.devil[seat]:
        return [say("{who} takes a devil and is possessed.", "U14", who=SeatRef(seat))]
    return _none_left(after)


def _none_left(after: Record) -> Told:
    if after.node != Node.HOLDER:
        return []
    return [say("No devil is left on the face: a player must part with one.", "U23")]


def _freed(before: Record, seat: int, after: Record) -> Told:
    """Of a possessed mover: by how many pegs have come to the face, what happened is plain."""
    if after.devil[seat]:
        return _none_left(after)
    flown = int(after.pegs) - int(before.pegs)
    if flown == 1:
        return second(before, seat, after)
    other = next(
        i for i in range(int(after.seats)) if i != seat and before.devil[i] != after.devil[i]
    )
    given = say("{who} gives {other} the devil.", "U22", who=SeatRef(seat), other=SeatRef(other))
    return [given, *(second(before, other, after) if flown else [])]


def second(before: Record, seat: int, after: Record) -> Told:
    """U24, and the letters where there was nothing to choose."""
    line = say("A second devil for {who}! Both fly back to the face.", "U24", who=SeatRef(seat))
    gone = int(before.letters[seat]) & ~int(after.letters[seat])
    return [line, *(lost(seat, i) for i in range(LETTERS) if gone >> i & 1)]


def lost(seat: int, letter: int) -> Line:
    """U24."""
    return say("{who} loses {letter}.", "U24", who=SeatRef(seat), letter=LETTER_NAMES[letter])


def letter_taken(before: Record, seat: int, after: Record) -> Told:
    """U12: the letter of its own that the seat has got."""
    gained = int(after.letters[seat]) & ~int(before.letters[seat])
    return [
        say("{who} takes {letter}.", "U12", who=SeatRef(seat), letter=LETTER_NAMES[i])
        for i in range(LETTERS)
        if gained >> i & 1
    ]


def leaving(before: Record, after: Record) -> Told:
    """U26: who has left."""
    return [
        say("{who} leaves the underworld!", "U26", who=SeatRef(i))
        for i in range(int(after.seats))
        if after.gone[i] and not before.gone[i]
    ]
