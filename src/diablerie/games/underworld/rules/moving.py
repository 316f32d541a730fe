"""Where a move ends, and what a card does that is turned up or entered."""

from diablerie.engine.compile import rule
from diablerie.games.underworld.rules.deck import fix, holds, show, take_letter
from diablerie.games.underworld.rules.state import (
    ABSENT,
    DEVIL,
    TOWER,
    UNSEEN,
    Node,
    State,
    Why,
    bit,
)
from diablerie.games.underworld.rules.targets import occupant
from diablerie.games.underworld.rules.turns import end_turn, give, leave_if_free, put_back, receive


@rule
def move(s: State, seat: int, space: int) -> None:
    """U9: the disk stands on its new space."""
    s.disk[seat] = space
    if s.up & bit(space):
        enter(s, seat, space)
    elif occupant(s, seat, space) != ABSENT:
        meet(s, seat)
    elif s.down & bit(space) and not s.devil[seat]:  # U11; U20
        uncover(s, space, Why.TURNED)
    else:
        end_turn(s)


@rule
def enter(s: State, seat: int, space: int) -> None:
    """The move ends on a card that was face up before: devils and towers come first (U25)."""
    if s.card[space] < DEVIL and occupant(s, seat, space) != ABSENT:
        meet(s, seat)
    else:
        effect(s, seat, space)


@rule
def meet(s: State, seat: int) -> None:
    """U22: the move ends on a disk; only the possessed come so far."""
    if s.may:
        s.node = Node.GIFT
    else:
        give(s, seat)


@rule
def withhold(s: State, seat: int) -> None:
    """U22 under the option: the devil is kept, the letter taken."""
    take_letter(s, seat)
    end_turn(s)


@rule
def effect(s: State, seat: int, space: int) -> None:
    """U12 to U15: what the face-up card does to the player who stands on it."""
    if s.card[space] == DEVIL:
        receive(s, seat)
    elif s.card[space] == TOWER:
        tower(s, seat)
    else:
        take_letter(s, seat)
        leave_if_free(s, seat)
        end_turn(s)


@rule
def tower(s: State, seat: int) -> None:
    """U15: first the peg."""
    if s.devil[seat]:
        s.node = Node.TOWER
    else:
        offer_peek(s)


@rule
def exorcise(s: State, seat: int) -> None:
    """U15: the peg goes back, and perhaps the player away (U26)."""
    put_back(s, seat)
    if s.gone[seat]:
        end_turn(s)
    else:
        offer_peek(s)


@rule
def offer_peek(s: State) -> None:
    """U15: then a look at a card, if one is face down."""
    if s.down:
        s.node = Node.PEEK
    else:
        end_turn(s)


# -- a card's identity -------------------------------------------------------------------------


@rule
def uncover(s: State, space: int, why: Why) -> None:
    """A card is turned up or looked at; chance says which it is, unless that is fixed."""
    s.spot = space
    s.why = why
    if s.card[space] == UNSEEN:
        s.node = Node.CARD
    else:
        go_on(s)


@rule
def identify(s: State, card: int) -> None:
    """Chance has said which card it is."""
    fix(s, card)
    s.card[s.spot] = card
    go_on(s)


@rule
def go_on(s: State) -> None:
    """The card being looked at has an identity: go on with what it was looked at for."""
    space = int(s.spot)
    if s.why == Why.PEEKED:
        s.known[space] |= 1 << int(s.turn)
        end_turn(s)
        return
    s.fresh = 1
    show(s, space)
    if s.why == Why.REVEALED:
        revealed(s)
    else:
        turned(s, int(s.turn), space)


@rule
def turned(s: State, seat: int, space: int) -> None:
    """U11: a letter one has lets the move go on."""
    if holds(s, seat, int(s.card[space])):
        s.spot = -1
        s.why = Why.NOTHING
        s.node = Node.ONWARD
    else:
        effect(s, seat, space)


@rule
def revealed(s: State) -> None:
    """U8: two cards, one if only one is left."""
    s.todo -= 1
    if s.todo and s.down:
        s.spot = -1
        s.why = Why.NOTHING
        s.node = Node.REVEAL
    else:
        end_turn(s)
