"""What ending a move on a space would bring, and the way there.

The rules are asked, by making the move on a copy.
"""

from enum import StrEnum

import msgspec

from diablerie.engine import verbs
from diablerie.engine.record import copy
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.deck import holds
from diablerie.games.underworld.rules.notation import LETTER_NAMES
from diablerie.games.underworld.rules.state import LETTERS, TOWER, Node, State, bit, first, spread
from diablerie.games.underworld.rules.targets import enterable, holders, passable
from diablerie.games.underworld.ui.words import members


class Kind(StrEnum):
    """What ending the move there means."""

    OPEN = "open"  # U10: one may stay, or go on over it
    UNSEEN = "unseen"  # U11: a card nobody has shown one
    REST = "rest"  # U20: possessed, on a card that stays face down
    LETTER = "letter"  # U12
    STOP = "stop"  # U13
    DEVIL = "devil"  # U14
    SECOND = "second"  # U24, for the mover
    TOWER = "tower"  # U15
    GIVE = "give"  # U22
    GIVE_SECOND = "give second"  # U22, U24 for the other


class Preview(msgspec.Struct, frozen=True):
    """What ending a move on a space brings the mover, as far as the viewer can know."""

    kind: Kind
    letter: str = ""  # the one that is taken, or that ends the move
    other: int | None = None  # the seat that is given the devil
    leaves: bool = False  # U26
    seen: bool = False  # the card lies face down, and the viewer has looked at it


def preview(s: State, seat: int, space: int) -> Preview:
    """What the move to `space`, which must be legal, would bring `seat`.

    s: the position as the viewer may know it. A gift that may be refused is made.
    """
    after = copy(s)
    verbs.apply(after, seat, actions.MOVE + space)
    if after.node == Node.GIFT:
        verbs.apply(after, seat, actions.GIVE)
    elif after.node == Node.HOLDER:  # for the mover all come to the same
        verbs.apply(after, seat, actions.HOLDER + first(holders(after)))
    other = _receiver(s, seat, after)
    kind = _kind(s, seat, space, after, other)
    return Preview(
        kind,
        _letter(s, seat, space, after, kind),
        other,
        leaves=bool(after.gone[seat]),
        seen=bool(s.down & after.up & bit(space)),
    )


def _receiver(s: State, seat: int, after: State) -> int | None:
    """Who is given the devil of the mover."""
    if not s.devil[seat] or after.devil[seat] or after.struck == seat:
        return None
    return next(i for i in range(s.seats) if i != seat and s.devil[i] != after.devil[i])


def _kind(s: State, seat: int, space: int, after: State, other: int | None) -> Kind:
    if after.node == Node.CARD:
        return Kind.UNSEEN
    if after.struck == seat:
        return Kind.SECOND
    if other is not None:
        return Kind.GIVE_SECOND if after.struck == other else Kind.GIVE
    if after.devil[seat] > s.devil[seat]:
        return Kind.DEVIL
    if after.letters[seat] != s.letters[seat]:
        return Kind.LETTER
    return _kind_of_card(s, seat, space, after)


def _kind_of_card(s: State, seat: int, space: int, after: State) -> Kind:
    """Where the move has changed nothing but the card."""
    if after.down & bit(space):
        return Kind.REST
    if not after.up & bit(space):
        return Kind.OPEN
    card = int(after.card[space])
    if card == TOWER:
        return Kind.TOWER
    return Kind.OPEN if holds(s, seat, card) else Kind.STOP


def _letter(s: State, seat: int, space: int, after: State, kind: Kind) -> str:
    if kind == Kind.STOP:
        return LETTER_NAMES[after.card[space] % LETTERS]
    gained = int(after.letters[seat]) & ~int(s.letters[seat])
    return LETTER_NAMES[first(gained)] if gained else ""


# -- the way there -----------------------------------------------------------------------------


def paths(s: State, seat: int) -> dict[int, list[int]]:
    """A shortest way to every space that a seat's disk can move to, with both its ends."""
    start = int(s.disk[seat])
    enter = enterable(s, seat)
    over = enter & passable(s, seat)
    ways = {start: [start]}
    edge = [start]
    for here in edge:  # grows while it is gone through: breadth first
        for there in members(spread(bit(here)) & enter):
            if there not in ways:
                ways[there] = [*ways[here], there]
                if over >> there & 1:
                    edge.append(there)
    del ways[start]
    return ways
