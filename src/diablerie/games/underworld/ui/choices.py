"""What can be chosen now, asked of the rules: what a move brings, the way there, and plans.

A preview makes the move on a copy. In a swap or a rearrangement, cards and spaces may be pointed at
in any order, and again to let go of them, while the rules ask for them in ascending order. Where
pointing at a space is not the next decision, it stands for all decisions afresh, from the beginning
of the turn.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from diablerie.engine import verbs
from diablerie.engine.record import copy
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.deck import holds
from diablerie.games.underworld.rules.notation import ACTION_TEXTS, LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import (
    LETTERS,
    SPACES,
    TOWER,
    Node,
    State,
    bit,
    first,
    spread,
)
from diablerie.games.underworld.rules.swaps import call_off
from diablerie.games.underworld.rules.targets import enterable, holders, passable, spaces

# -- what a move brings ------------------------------------------------------------------------


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


# -- what has been pointed at ------------------------------------------------------------------


MOVING = (Node.TURN, Node.ONWARD)


class Selection(msgspec.Struct, frozen=True):
    """What is selected so far, as names of spaces."""

    first: str | None  # of the two cards to swap
    taken: list[str]
    laid: list[str]
    choices: list[str]  # what may be pointed at next, where no move is asked for
    afresh: dict[str, str]  # what else may be, and the decisions from the turn's beginning


def selection(s: State, viewer: int) -> Selection:
    """The choices so far; `afresh` is for the one who decides alone."""
    return Selection(
        first=SPACE_NAMES[s.last] if s.node == Node.SWAP2 else None,
        taken=names(s.taken),
        laid=names(s.laid) if s.node == Node.LAY else [],
        choices=names(spaces(s)) if s.node not in MOVING else [],
        afresh=_afresh(s, viewer) if viewer == verbs.actor(s) else {},
    )


def _afresh(s: State, seat: int) -> dict[str, str]:
    if s.node not in (Node.SWAP2, Node.TAKE, Node.LAY):
        return {}
    begun = copy(s)
    before = _before(s, seat)
    call_off(begun)
    stage = _after(begun, seat, before)
    if stage is None:
        raise ValueError(f"no way leads to the node {s.node} by {before}")
    # Cards are laid only when taking them is done.
    if s.node == Node.LAY and stage.node == Node.TAKE:
        before.append(actions.DONE)
        verbs.apply(stage, seat, actions.DONE)
    afresh = {}
    for space in range(SPACES):
        if not spaces(s) >> space & 1:
            for steps in _pointing(s, space):
                if _after(stage, seat, steps) is not None:
                    afresh[SPACE_NAMES[space]] = "; ".join(
                        map(ACTION_TEXTS.format, [*before, *steps])
                    )
                    break
    return afresh


def _before(s: State, seat: int) -> list[int]:
    """The decisions that pointing at a space does not change."""
    if s.node == Node.SWAP2:
        return [actions.SWAP]
    taken = members(s.taken) if s.node == Node.LAY else []
    return [actions.REARRANGE, *(actions.TAKE + i for i in taken)]


def _pointing(s: State, space: int) -> list[list[int]]:
    """The decisions that pointing at a space may stand for; the first that is legal counts."""
    if s.node == Node.SWAP2:
        low, high = sorted((s.last, space))
        return [[] if low == high else [actions.EXCHANGE + low, actions.WITH + high]]
    if s.node == Node.TAKE:
        return [[actions.TAKE + i for i in members(s.taken ^ 1 << space)]]
    steps = [actions.LAY + i for i in members(s.laid ^ 1 << space)]
    return [steps, []] if s.laid >> space & 1 else [steps]


def _after(s: State, seat: int, steps: Sequence[int]) -> State | None:
    """The position after these decisions, or None if the rules forbid one of them."""
    s = copy(s)
    for action in steps:
        if verbs.forbids(s, seat, action):
            return None
        verbs.apply(s, seat, action)
    return s


# -- sets of spaces ---


def members(spaces: int) -> list[int]:
    """The spaces of a set, ascending."""
    return [i for i in range(SPACES) if spaces >> i & 1]


def names(spaces: int) -> list[str]:
    """The names of the spaces of a set, ascending."""
    return [SPACE_NAMES[i] for i in members(spaces)]
