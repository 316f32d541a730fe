"""What would happen to a player who ended a move on a space: known before going there."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from diablerie.engine.record import Record
from diablerie.engine.text import Line, Seat, say
from diablerie.games.underworld.rules.board import bit
from diablerie.games.underworld.rules.notation import LETTER_NAMES
from diablerie.games.underworld.rules.state import (
    ABSENT,
    ALL_LETTERS,
    DEVIL,
    LETTERS,
    TOWER,
    UNSEEN,
)


class Kind(StrEnum):
    """What ending the move there means."""

    OPEN = "open"  # U10: one may stay, or go on over it
    TURN = "turn"  # U11: a card nobody has shown one
    REST = "rest"  # U20: possessed, on a card that stays face down
    LETTER = "letter"  # U12
    STOP = "stop"  # U13
    DEVIL = "devil"  # U14
    SECOND = "second"  # U24, for the mover
    TOWER = "tower"  # U15
    GIVE = "give"  # U22
    GIVE_SECOND = "give2"  # U22, U24 for the other


@dataclass(frozen=True)
class Fate:
    """The kind, the letter one would get, whom one would give to, whether one would leave."""

    kind: Kind
    letter: str = ""
    other: int = ABSENT
    leaves: bool = False
    turns: bool = False  # the card lies face down, and the viewer has seen it

    def data(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "kind": str(self.kind),
            "letter": self.letter,
            "other": self.other if self.other != ABSENT else None,
            "leaves": self.leaves,
            "turns": self.turns,
        }


def fate(s: Record, seat: int, space: int) -> Fate:
    """What ending a move on `space` would bring `seat`, as far as the record knows."""
    card, here = int(s.card[space]), bit(space)
    shared = _other(s, seat, space)
    if s.up & here and (shared == ABSENT or card >= DEVIL):
        return _card(s, seat, card)
    if shared != ABSENT:
        return _gift(s, seat, space, shared)
    if not s.down & here:
        return Fate(Kind.OPEN)
    if s.devil[seat]:
        return Fate(Kind.REST)
    if card == UNSEEN:
        return Fate(Kind.TURN)
    found = _card(s, seat, card)
    return Fate(found.kind, found.letter, found.other, found.leaves, turns=True)


def _other(s: Record, seat: int, space: int) -> int:
    standing = (i for i in range(int(s.seats)) if i != seat and s.disk[i] == space)
    return next(standing, ABSENT)


def _card(s: Record, seat: int, card: int) -> Fate:
    if card == DEVIL:
        return Fate(Kind.SECOND if s.devil[seat] else Kind.DEVIL)
    if card == TOWER:
        return Fate(Kind.TOWER)
    letter = LETTER_NAMES[card % LETTERS]
    if s.letters[seat] >> card % LETTERS & 1:
        return Fate(Kind.OPEN)
    if card // LETTERS != seat:
        return Fate(Kind.STOP, letter)
    full = _with(s, seat, card) == ALL_LETTERS
    return Fate(Kind.LETTER, letter, leaves=full and not s.devil[seat])


def _gift(s: Record, seat: int, space: int, other: int) -> Fate:
    card = int(s.card[space])
    shown = bool(s.up & bit(space)) and card // LETTERS == seat
    missing = shown and not s.letters[seat] >> card % LETTERS & 1
    letters = _with(s, seat, card) if missing else int(s.letters[seat])
    return Fate(
        Kind.GIVE_SECOND if s.devil[other] else Kind.GIVE,
        LETTER_NAMES[card % LETTERS] if missing else "",
        other,
        leaves=letters == ALL_LETTERS,
    )


def _with(s: Record, seat: int, card: int) -> int:
    return int(s.letters[seat]) | 1 << card % LETTERS


# -- in words ----------------------------------------------------------------------------------


def card_name(s: Record, card: int) -> Line:
    """A card in a sentence. Letters of colours nobody plays are strays."""
    if card == DEVIL:
        return say("a devil")
    if card == TOWER:
        return say("a tower")
    letter = LETTER_NAMES[card % LETTERS]
    if card // LETTERS < s.seats:
        return say("{who}’s {letter}", who=Seat(card // LETTERS), letter=letter)
    return say("a stray {letter}", letter=letter)


def tell(f: Fate, space: str) -> Line:
    """The button of a move: where to, and what then."""
    other = Seat(f.other) if f.other != ABSENT else ""
    values = {"space": space, "letter": f.letter, "who": other}
    if f.kind in (Kind.GIVE, Kind.GIVE_SECOND):
        return _gift_line(f, values)
    if f.turns and f.kind in (Kind.OPEN, Kind.STOP, Kind.DEVIL, Kind.TOWER):
        return _seen_line(f.kind, values)
    if f.leaves:
        return say("To {space}: take your {letter} and leave!", "U26", **values)
    return _line(f.kind, values)


def _line(kind: Kind, values: dict[str, Any]) -> Line:
    match kind:
        case Kind.TURN:
            return say("To {space}: turn the card up", "U11", **values)
        case Kind.REST:
            return say("To {space}: rest on a back", "U20", **values)
        case Kind.LETTER:
            return say("To {space}: take your {letter}", "U12", **values)
        case Kind.STOP:
            return say("To {space}: {letter} stops you", "U13", **values)
        case Kind.DEVIL:
            return say("To {space}: take a devil", "U14", **values)
        case Kind.SECOND:
            return say("To {space}: a second devil! Lose two letters", "U24", **values)
        case Kind.TOWER:
            return say("To {space}: the tower", "U15", **values)
    return say("To {space}: stay there", "U10", **values)


def _seen_line(kind: Kind, values: dict[str, Any]) -> Line:
    """On a card that only the viewer has seen so far."""
    match kind:
        case Kind.STOP:
            return say("To {space}: turn up the {letter} you saw, which stops you", "U13", **values)
        case Kind.DEVIL:
            return say("To {space}: turn up the devil you saw", "U14", **values)
        case Kind.TOWER:
            return say("To {space}: turn up the tower you saw", "U15", **values)
    return say("To {space}: turn up a letter you have, and go on", "U11", **values)


def _gift_line(f: Fate, values: dict[str, Any]) -> Line:
    if f.leaves:
        return say("To {space}: give {who} your devil and leave!", "U26", **values)
    if f.kind == Kind.GIVE_SECOND:
        return say("To {space}: a second devil for {who}!", "U24", **values)
    if f.letter:
        return say("To {space}: give {who} your devil, take your {letter}", "U22", **values)
    return say("To {space}: give {who} your devil", "U22", **values)
