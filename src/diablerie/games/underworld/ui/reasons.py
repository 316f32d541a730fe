"""Why something cannot be done in UNDERWORLD, and what speaks for what can, each in one sentence."""

from diablerie.engine import verbs
from diablerie.engine.record import copy
from diablerie.engine.text import Line, say, says
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.notation import LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import ALL_LETTERS, LETTERS, SPACES, Node, State, first
from diablerie.games.underworld.ui.preview import Kind, paths, preview


def reason(s: State, seat: int, action: int) -> Line | None:
    """What a move is for, as far as the seat can know."""
    if s.node == Node.LOSE:
        return _lost(s, seat, action - actions.LOSE)
    if s.node == Node.TURN and action == actions.SWAP:
        return _far(s, seat)
    space = action - actions.MOVE
    if s.node not in (Node.TURN, Node.ONWARD) or not 0 <= space < SPACES:
        return None
    outcome = preview(s, seat, space)
    # Leaving counts more than whatever lies there.
    if outcome.leaves:
        return say("You are out and can no longer lose.", "U26")
    if outcome.kind == Kind.UNSEEN:
        return _unseen(s, seat)
    if outcome.kind in (Kind.GIVE, Kind.GIVE_SECOND):
        other = outcome.other or 0
        return say("You get rid of your devil: {who} gets it.", "U22", who=other)
    if outcome.kind == Kind.LETTER:
        missing = (~int(s.letters[seat]) & ALL_LETTERS).bit_count() - 1
        return says(
            "You then still need {n} letter.", "You then still need {n} letters.", missing, "U26"
        )
    if outcome.kind == Kind.TOWER:
        return TOWER
    return _next(s, seat, space) if outcome.kind in (Kind.OPEN, Kind.STOP, Kind.REST) else None


def _next(s: State, seat: int, space: int) -> Line | None:
    """The letter that the seat can go to from there, or how many cards it can reveal."""
    after = copy(s)
    verbs.apply(after, seat, actions.MOVE + space)
    if after.devil[seat]:
        return None
    ways = paths(after, seat)
    near = [i for i in range(LETTERS) if _card(after, seat, i) in ways]
    missing = [i for i in near if not int(s.letters[seat]) >> i & 1]
    if not missing:
        return _revealing(sum(int(after.down & ~after.up) >> there & 1 for there in ways))
    return say("From there your {letter} is one move away.", "U12", letter=LETTER_NAMES[missing[0]])


def _revealing(cards: int) -> Line | None:
    if not cards:
        return None
    return says(
        "From there you can reveal {n} card that you have not seen.",
        "From there you can reveal any of {n} cards that you have not seen.",
        cards,
        "U11",
    )


def _far(s: State, seat: int) -> Line | None:
    """That moving would take no letter now, which speaks for doing something else."""
    moves = [i for i in range(SPACES) if not verbs.forbids(s, seat, actions.MOVE + i)]
    if s.devil[seat] or any(preview(s, seat, space).kind == Kind.LETTER for space in moves):
        return None
    return say("You know of no letter that you could take now.", "U12")


def _lost(s: State, seat: int, letter: int) -> Line:
    """Whether a letter that is lost can be had again."""
    if (space := _card(s, seat, letter)) is None:
        return say("You would have to find its card again.", "U24")
    return say(
        "Its card lies face up at {space}, where you can fetch it again.",
        "U12",
        space=SPACE_NAMES[space],
    )


def _card(s: State, seat: int, letter: int) -> int | None:
    """The space at which the seat's own card with this letter lies face up."""
    there = int(s.letter_up[letter]) & int(s.colour_up[seat])
    return first(there) if there else None


def _unseen(s: State, seat: int) -> Line:
    """What the cards not seen yet are."""
    loose = s.loose
    held = int(s.letters[seat])
    wanted = (loose >> LETTERS * seat & ALL_LETTERS & ~held).bit_count()
    devils = s.loose_devils
    towers = s.loose_towers
    return say(
        "Not seen yet: {cards}, including {letters} and {devils}.",
        "U11",
        cards=says("{n} card", "{n} cards", loose.bit_count() + devils + towers),
        letters=says("{n} letter you need", "{n} letters you need", wanted),
        devils=says("{n} devil", "{n} devils", devils),
    )


TOWER = say("At a tower you may put your devil back, and look at a card.", "U15")
SHORT = {
    "U6": say("Start at least four steps away from every other disk, and not on the face."),
    "U6a": say("It is not your turn."),
    "U7": say(
        "You may do one thing per turn: move, swap two cards, or shuffle if you are possessed."
    ),
    "U8": say("Choose a card that lies face down."),
    "U9": say("You cannot reach that space."),
    "U11": say("The card is being revealed."),
    "U15": say("At a tower you may put your devil back on the face, then look at one card."),
    "U16": say("You may enter the face only while players have all the devils."),
    "U17": say("Another disk is there; only a possessed player may enter."),
    "U19": say("You may swap only face-down cards and your own letters, with no disk on them."),
    "U21": say("Only a possessed player may shuffle: two to four cards with no disk on them."),
    "U22": say("There are two disks already, so you cannot enter."),
    "U23": say("Choose somebody who has a devil."),
    "U24": say("Choose a letter that you have."),
    "U27": say("The game is over."),
}
PASS = say("You can do something, so you cannot pass.")
SWAP_ON = say(
    "The second card must be later in order, face down or your own letter, with no disk on it."
)
TAKE_ON = say("Choose cards with no disk on them, in order from the top left.")
LAY_ON = say(
    "Place it where there is neither card nor disk, in order from the top left, and not on the face."
)


def refuse(s: State, action: int, clause: str) -> Line | None:
    """The sentence for an action that a clause forbids."""
    if clause == "U7" and action == actions.PASS:
        return PASS
    if clause == "U19" and s.node == Node.SWAP2:
        return SWAP_ON
    if clause == "U21" and s.node == Node.TAKE:
        return TAKE_ON
    if clause == "U21" and s.node == Node.LAY:
        return LAY_ON
    return SHORT.get(clause)
