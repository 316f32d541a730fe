"""The log of UNDERWORLD in sentences, and the words for its cards.

A card that is turned up is told of when its identity is known: in the event of the decision if it
was fixed already, else in that of the chance outcome. Both together read the same either way.
"""

from diablerie.engine.text import Line, SeatRef, say
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.notation import LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import (
    DEVIL,
    LETTERS,
    SPACES,
    TOWER,
    TURNS,
    Node,
    State,
    Why,
)
from diablerie.games.underworld.ui.choices import names

# -- words -------------------------------------------------------------------------------------


def card_name(s: State, card: int) -> Line:
    """What a card is called in sentences; a letter of a colour that nobody plays is a stray."""
    return card_word(card, s.seats)


def card_word(card: int, seats: int) -> Line:
    """The same, in a game of so many seats."""
    if card == DEVIL:
        return say("a devil")
    if card == TOWER:
        return say("a tower")
    letter = LETTER_NAMES[card % LETTERS]
    if card // LETTERS < seats:
        return say("{who}’s {letter}", who=card // LETTERS, letter=letter)
    return say("a stray {letter}", letter=letter)


# -- the log -----------------------------------------------------------------------------------


Lines = list[Line]


def narrate(before: State, seat: int, action: int | None, after: State, viewer: int) -> Lines:
    """The log's sentences for one decision or outcome (seat CHANCE), as `viewer` may read them.

    action: None if the viewer did not see it.
    """
    lines = _tell(before, seat, -1 if action is None else action, after, viewer)
    return [*lines, *_end(after)] if after.node == Node.OVER else lines


def _tell(before: State, seat: int, action: int, after: State, viewer: int) -> Lines:
    match before.node:
        case Node.FIRST:
            return [say("{who} begins.", "U6a", who=after.first)]
        case Node.PLACE:
            return [say("{who} starts at {space}.", "U6", who=seat, space=SPACE_NAMES[action])]
        case Node.TURN | Node.ONWARD:
            return _turn(before, seat, action, after)
        case Node.CARD:
            return _card(before, after, viewer)
        case Node.PEEK:
            return _peek(seat, action, after, viewer)
        case Node.REVEAL:
            return _reveal(seat, action - actions.REVEAL, after)
        case Node.HOLDER:
            return _holder(before, seat, action - actions.HOLDER, after)
        case Node.GIFT:
            return _gift(before, seat, action, after)
        case Node.TOWER:
            return _tower(before, seat, action, after)
        case Node.LOSE:
            return [lost(seat, action - actions.LOSE)]
        case Node.SWAP2:
            a = SPACE_NAMES[before.last]
            b = SPACE_NAMES[action - actions.WITH]
            return [say("{who} swaps the cards at {a} and {b}.", "U19", who=seat, a=a, b=b)]
        # Cards are laid one by one; only the last, after which they are dealt, is told.
        case Node.LAY if after.node == Node.DEAL:
            taken, laid = (", ".join(names(int(bits))) for bits in (before.taken, after.laid))
            return [
                say(
                    "{who} shuffles the cards at {taken} and places them face down at {laid}.",
                    "U21",
                    who=seat,
                    taken=taken,
                    laid=laid,
                )
            ]
    return []


# -- a turn ------------------------------------------------------------------------------------


def _turn(before: State, seat: int, action: int, after: State) -> Lines:
    if action == actions.PASS:
        return [say("{who} cannot do anything and passes.", "U7", who=seat)]
    if action == actions.STOP:
        return [say("{who} stops there.", "U9", who=seat)]
    if not actions.MOVE <= action < actions.MOVE + SPACES:
        return []  # a swap or a rearrangement: told when it is done
    space = action - actions.MOVE
    lines = [say("{who} goes to {space}.", "U9", who=seat, space=SPACE_NAMES[space])]
    if after.node == Node.CARD:
        return lines
    if before.down >> space & 1 and after.up >> space & 1:
        lines.append(_turned(after, space))
    return lines + changes(before, seat, after)


def _card(before: State, after: State, viewer: int) -> Lines:
    space = before.spot
    if before.why == Why.PEEKED:
        return _glimpse(after, before.turn, space, viewer)
    return [_turned(after, space), *changes(before, before.turn, after)]


def _turned(after: State, space: int) -> Line:
    card = int(after.card[space])
    return say("Revealed: {card}.", "U11", card=card_name(after, card))


def _peek(seat: int, action: int, after: State, viewer: int) -> Lines:
    if action == actions.NO_PEEK:
        return [say("{who} does not look at a card.", "U15", who=seat)]
    space = action - actions.PEEK
    lines = [say("{who} looks at the card at {space}.", "U15", who=seat, space=SPACE_NAMES[space])]
    return lines if after.node == Node.CARD else lines + _glimpse(after, seat, space, viewer)


def _glimpse(after: State, seat: int, space: int, viewer: int) -> Lines:
    if viewer != seat:
        return []
    return [
        say("Only you know: it is {card}.", "U15", card=card_name(after, int(after.card[space])))
    ]


def _reveal(seat: int, space: int, after: State) -> Lines:
    lines = [say("{who} reveals the card at {space}.", "U8", who=seat, space=SPACE_NAMES[space])]
    return lines if after.node == Node.CARD else [*lines, _turned(after, space)]


# -- devils ------------------------------------------------------------------------------------


def _holder(before: State, seat: int, holder: int, after: State) -> Lines:
    lines = [say("{who} takes {other}’s devil.", "U23", who=seat, other=SeatRef(holder))]
    if after.pegs > before.pegs:
        lines += second(before, seat, after)
    return lines + leaving(before, after)


def _gift(before: State, seat: int, action: int, after: State) -> Lines:
    if action == actions.WITHHOLD:
        line = say("{who} keeps the devil.", "U22", who=seat)
        return [line, *letter_taken(before, seat, after)]
    assert action == actions.GIVE
    return changes(before, seat, after)


def _tower(before: State, seat: int, action: int, after: State) -> Lines:
    if action != actions.PUT_BACK:
        return [say("{who} keeps the devil.", "U15", who=seat)]
    line = say("{who} puts the devil back on the face.", "U15", who=seat)
    return [line, *leaving(before, after)]


# -- the end -----------------------------------------------------------------------------------


def _end(after: State) -> Lines:
    inside = [i for i in range(after.seats) if not after.gone[i]]
    if len(inside) == 1:
        return [
            say(
                "{who} is the last player left in the underworld and loses.",
                "U27",
                who=inside[0],
            )
        ]
    lines = [say("{who} is still in the underworld and loses.", "U28", who=i) for i in inside]
    # Day breaks for three reasons; whoever is inside loses by each.
    if after.down == 0:
        return [say("Every card is face up: day breaks.", "U28"), *lines]
    if after.turns >= TURNS:
        return [say("After {turns} turns, day breaks.", "U29", turns=after.turns), *lines]
    line = say(
        "{turns} turns without a card revealed or a letter taken: day breaks.",
        "U29",
        turns=after.idle,
    )
    return [line, *lines]


# -- who has got, given and lost devils and letters --------------------------------------------


def changes(before: State, seat: int, after: State) -> Lines:
    """What a move's end has done to devils and letters, and who left by it."""
    devils = _freed(before, seat, after) if before.devil[seat] else _caught(seat, after)
    return [*devils, *letter_taken(before, seat, after), *leaving(before, after)]


def _caught(seat: int, after: State) -> Lines:
    if after.devil[seat]:
        return [say("{who} takes a devil and is possessed.", "U14", who=seat)]
    return _none_left(after)


def _none_left(after: State) -> Lines:
    if after.node != Node.HOLDER:
        return []
    return [say("No devil is left on the face: a player has to give one up.", "U23")]


def _freed(before: State, seat: int, after: State) -> Lines:
    """The sentences for a mover who was possessed.

    The number of pegs that have come to the face says what happened to the devil.
    """
    if after.devil[seat]:
        return _none_left(after)
    flown = after.pegs - before.pegs
    if flown == 1:
        return second(before, seat, after)
    other = next(i for i in range(after.seats) if i != seat and before.devil[i] != after.devil[i])
    given = say("{who} gives {other} the devil.", "U22", who=seat, other=SeatRef(other))
    return [given, *(second(before, other, after) if flown else [])]


def second(before: State, seat: int, after: State) -> Lines:
    """The sentences for a second devil (U24), and for the letters that it cost without a choice."""
    line = say("A second devil for {who}! Both fly back to the face.", "U24", who=seat)
    gone = int(before.letters[seat]) & ~int(after.letters[seat])
    return [line, *(lost(seat, i) for i in range(LETTERS) if gone >> i & 1)]


def lost(seat: int, letter: int) -> Line:
    """The sentence for a letter that a seat has lost (U24)."""
    return say("{who} loses {letter}.", "U24", who=seat, letter=LETTER_NAMES[letter])


def letter_taken(before: State, seat: int, after: State) -> Lines:
    """A sentence for the letter of its own that the seat has taken (U12)."""
    gained = int(after.letters[seat]) & ~int(before.letters[seat])
    return [
        say("{who} takes {letter}.", "U12", who=seat, letter=LETTER_NAMES[i])
        for i in range(LETTERS)
        if gained >> i & 1
    ]


def leaving(before: State, after: State) -> Lines:
    """A sentence for each seat that has left (U26)."""
    return [
        say("{who} leaves the underworld!", "U26", who=i)
        for i in range(after.seats)
        if after.gone[i] and not before.gone[i]
    ]
