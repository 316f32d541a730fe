"""The sentences of the log.

A card that is turned up is told of when its identity is known: in the event of the decision if it
was fixed already, else in that of the chance outcome. Both together read the same either way.
"""

from collections.abc import Callable

from diablerie.engine.text import Line, SeatRef, say
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.board import SPACES
from diablerie.games.underworld.rules.notation import LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import LETTERS, TURNS, Node, State, Why
from diablerie.games.underworld.ui.words import card_name, names

Told = list[Line]


def narrate(before: State, seat: int, action: int | None, after: State, viewer: int) -> Told:
    """The log's sentences for one decision or outcome (seat CHANCE), as `viewer` may read them.

    action: None if the viewer did not see it.
    """
    node = Node(int(before.node))
    teller = TELLERS.get(node)
    lines = teller(before, seat, -1 if action is None else action, after, viewer) if teller else []
    if after.node == Node.OVER:
        lines += _end(after)
    return lines


def _first(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    return [say("{who} begins.", "U6a", who=SeatRef(after.first))]


def _place(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    return [say("{who} starts at {space}.", "U6", who=SeatRef(seat), space=SPACE_NAMES[action])]


# -- a turn ------------------------------------------------------------------------------------


def _turn(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    who = SeatRef(seat)
    if action == actions.PASS:
        return [say("{who} cannot do anything and passes.", "U7", who=who)]
    if action == actions.STOP:
        return [say("{who} stops there.", "U9", who=who)]
    if not actions.MOVE <= action < actions.MOVE + SPACES:
        return []  # a swap or a rearrangement: told when it is done
    space = action - actions.MOVE
    lines = [say("{who} goes to {space}.", "U9", who=who, space=SPACE_NAMES[space])]
    if after.node == Node.CARD:
        return lines
    if before.down >> space & 1 and after.up >> space & 1:
        lines.append(_turned(after, space))
    return lines + changes(before, seat, after)


def _card(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    space = int(before.spot)
    if before.why == Why.PEEKED:
        return _glimpse(after, int(before.turn), space, viewer)
    return [_turned(after, space), *changes(before, int(before.turn), after)]


def _turned(after: State, space: int) -> Line:
    card = int(after.card[space])
    return say("Revealed: {card}.", "U11", card=card_name(after, card))


def _peek(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    who = SeatRef(seat)
    if action == actions.NO_PEEK:
        return [say("{who} does not look at a card.", "U15", who=who)]
    space = action - actions.PEEK
    lines = [say("{who} looks at the card at {space}.", "U15", who=who, space=SPACE_NAMES[space])]
    return lines if after.node == Node.CARD else lines + _glimpse(after, seat, space, viewer)


def _glimpse(after: State, seat: int, space: int, viewer: int) -> Told:
    if viewer != seat:
        return []
    return [
        say("Only you know: it is {card}.", "U15", card=card_name(after, int(after.card[space])))
    ]


def _reveal(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    space = action - actions.REVEAL
    lines = [
        say("{who} reveals the card at {space}.", "U8", who=SeatRef(seat), space=SPACE_NAMES[space])
    ]
    return lines if after.node == Node.CARD else [*lines, _turned(after, space)]


# -- devils ------------------------------------------------------------------------------------


def _holder(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    who, other = SeatRef(seat), SeatRef(action - actions.HOLDER)
    lines = [say("{who} takes {other}’s devil.", "U23", who=who, other=other)]
    if after.pegs > before.pegs:
        lines += second(before, seat, after)
    return lines + leaving(before, after)


def _gift(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    if action == actions.WITHHOLD:
        line = say("{who} keeps the devil.", "U22", who=SeatRef(seat))
        return [line, *letter_taken(before, seat, after)]
    assert action == actions.GIVE
    return changes(before, seat, after)


def _tower(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    if action != actions.PUT_BACK:
        return [say("{who} keeps the devil.", "U15", who=SeatRef(seat))]
    line = say("{who} puts the devil back on the face.", "U15", who=SeatRef(seat))
    return [line, *leaving(before, after)]


def _lose(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    return [lost(seat, action - actions.LOSE)]


# -- swaps and rearrangements ------------------------------------------------------------------


def _swap(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    a, b = SPACE_NAMES[before.last], SPACE_NAMES[action - actions.WITH]
    return [say("{who} swaps the cards at {a} and {b}.", "U19", who=SeatRef(seat), a=a, b=b)]


def _lay(before: State, seat: int, action: int, after: State, viewer: int) -> Told:
    if after.node != Node.DEAL:
        return []
    return [
        say(
            "{who} shuffles the cards at {taken} and places them face down at {laid}.",
            "U21",
            who=SeatRef(seat),
            taken=", ".join(names(int(before.taken))),
            laid=", ".join(names(int(after.laid))),
        )
    ]


# -- the end -----------------------------------------------------------------------------------


def _end(after: State) -> Told:
    inside = [i for i in range(int(after.seats)) if not after.gone[i]]
    if len(inside) == 1:
        return [
            say(
                "{who} is the last player left in the underworld and loses.",
                "U27",
                who=SeatRef(inside[0]),
            )
        ]
    lines = [
        say("{who} is still in the underworld and loses.", "U28", who=SeatRef(i)) for i in inside
    ]
    if after.down == 0:
        return [say("Every card is face up: day breaks.", "U28"), *lines]
    if after.turns >= TURNS:
        return [say("After {turns} turns, day breaks.", "U29", turns=int(after.turns)), *lines]
    line = say(
        "{turns} turns without a card revealed or a letter taken: day breaks.",
        "U29",
        turns=int(after.idle),
    )
    return [line, *lines]


TELLERS: dict[Node, Callable[[State, int, int, State, int], Told]] = {
    Node.FIRST: _first,
    Node.PLACE: _place,
    Node.TURN: _turn,
    Node.ONWARD: _turn,
    Node.CARD: _card,
    Node.PEEK: _peek,
    Node.REVEAL: _reveal,
    Node.HOLDER: _holder,
    Node.GIFT: _gift,
    Node.TOWER: _tower,
    Node.LOSE: _lose,
    Node.SWAP2: _swap,
    Node.LAY: _lay,
}


# -- who has got, given and lost devils and letters --------------------------------------------


def changes(before: State, seat: int, after: State) -> Told:
    """What a move's end has done to devils and letters, and who left by it."""
    devils = _freed(before, seat, after) if before.devil[seat] else _caught(seat, after)
    return [*devils, *letter_taken(before, seat, after), *leaving(before, after)]


def _caught(seat: int, after: State) -> Told:
    if after.devil[seat]:
        return [say("{who} takes a devil and is possessed.", "U14", who=SeatRef(seat))]
    return _none_left(after)


def _none_left(after: State) -> Told:
    if after.node != Node.HOLDER:
        return []
    return [say("No devil is left on the face: a player has to give one up.", "U23")]


def _freed(before: State, seat: int, after: State) -> Told:
    """The sentences for a mover who was possessed.

    The number of pegs that have come to the face says what happened to the devil.
    """
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


def second(before: State, seat: int, after: State) -> Told:
    """The sentences for a second devil (U24), and for the letters that it cost without a choice."""
    line = say("A second devil for {who}! Both fly back to the face.", "U24", who=SeatRef(seat))
    gone = int(before.letters[seat]) & ~int(after.letters[seat])
    return [line, *(lost(seat, i) for i in range(LETTERS) if gone >> i & 1)]


def lost(seat: int, letter: int) -> Line:
    """The sentence for a letter that a seat has lost (U24)."""
    return say("{who} loses {letter}.", "U24", who=SeatRef(seat), letter=LETTER_NAMES[letter])


def letter_taken(before: State, seat: int, after: State) -> Told:
    """A sentence for the letter of its own that the seat has taken (U12)."""
    gained = int(after.letters[seat]) & ~int(before.letters[seat])
    return [
        say("{who} takes {letter}.", "U12", who=SeatRef(seat), letter=LETTER_NAMES[i])
        for i in range(LETTERS)
        if gained >> i & 1
    ]


def leaving(before: State, after: State) -> Told:
    """A sentence for each seat that has left (U26)."""
    return [
        say("{who} leaves the underworld!", "U26", who=SeatRef(i))
        for i in range(int(after.seats))
        if after.gone[i] and not before.gone[i]
    ]
