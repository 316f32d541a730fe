"""What UNDERWORLD asks and what its buttons say, what speaks for an action, and why one cannot be done."""

from collections.abc import Sequence

from diablerie.engine import verbs
from diablerie.engine.record import copy
from diablerie.engine.text import Line, say, says
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.notation import LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import (
    ALL_LETTERS,
    LETTERS,
    SPACES,
    TURNS,
    Node,
    State,
    first,
    size,
)
from diablerie.games.underworld.rules.turns import turns_left
from diablerie.games.underworld.ui.choices import Kind, Preview, paths, preview
from diablerie.games.underworld.ui.log import card_name

DAYBREAK_NEAR = 10  # turns to daybreak by the clock from which on the prompt warns of it


def prompt(s: State, viewer: int) -> Line:
    """What is going on, and what is asked of the viewer."""
    if s.node == Node.OVER:
        return say("The underworld is closed: the game is over.", "U27")
    actor = verbs.actor(s)
    if actor == verbs.CHANCE:
        return DRAWING[Node(s.node)]
    return _ask(s) if actor == viewer else _wait(s, actor)


def _wait(s: State, who: int) -> Line:
    match s.node:
        case Node.PLACE:
            return say("{who} chooses where to start.", "U6", who=who)
        case Node.HOLDER:
            return say("{who} chooses whose devil to take.", "U23", who=who)
        case Node.LOSE:
            return say("{who} chooses which letters to lose.", "U24", who=who)
        case Node.TOWER | Node.PEEK:
            return say("{who} stands on a tower.", "U15", who=who)
        case Node.REVEAL:
            return say("{who} is out and reveals cards.", "U8", who=who)
    if s.devil[who]:
        return say("{who} is moving, possessed.", "U20", who=who)
    return say("{who} is moving.", "U7", who=who)


def _ask(s: State) -> Line:
    if s.node == Node.TURN:
        return _ask_turn(s)
    if s.node == Node.TAKE:
        return _ask_take(s)
    if s.node == Node.LAY:
        return says(
            "{n} card still to place face down, in order from the top left: where?",
            "{n} cards still to place face down, in order from the top left: where?",
            s.todo - size(s.laid),
            "U21",
        )
    if s.node == Node.REVEAL:
        return says(
            "You are out: reveal {n} more card of your choice.",
            "You are out: reveal {n} more cards of your choice.",
            min(s.todo, size(s.down)),
            "U8",
        )
    return ASKED[Node(s.node)]


def _ask_turn(s: State) -> Line:
    if s.devil[s.turn]:
        return say(
            "You are possessed: move over face-down cards and disks, hand over the devil, or "
            "shuffle cards. You may also swap two cards.",
            "U20",
        )
    close = turns_left(s)
    if close <= DAYBREAK_NEAR:
        return says(
            "It is your turn: move, or swap two cards. Day breaks in {n} turn if nothing happens!",
            "It is your turn: move, or swap two cards. Day breaks in {n} turns if nothing happens!",
            close,
            "U29",
        )
    return say("It is your turn: move to find your six letters, or swap two cards.", "U7")


def _ask_take(s: State) -> Line:
    if s.todo < 2:
        return say("Choose two to four cards, in order from the top left.", "U21")
    return says(
        "{n} card chosen. Choose another? Four at most.",
        "{n} cards chosen. Choose another? Four at most.",
        s.todo,
        "U21",
    )


DRAWING = {
    Node.FIRST: say("Lots are drawn …", "U6a"),
    Node.CARD: say("A card is revealed …", "U11"),
    Node.DEAL: say("The cards are shuffled …", "U21"),
}
ASKED = {
    Node.PLACE: say("Where does your disk start? At least four steps from the others.", "U6"),
    Node.ONWARD: say("You have that letter: go on from there, or stop?", "U11"),
    Node.HOLDER: say("No devil is left on the face: whose do you take?", "U23"),
    Node.LOSE: say("A second devil! Which letters do you lose?", "U24"),
    Node.TOWER: say("A tower: put your devil back on the face?", "U15"),
    Node.PEEK: say("A tower: secretly look at one card.", "U15"),
    Node.SWAP1: say(
        "Which two cards do you swap? Each must be face down or a letter of yours.", "U19"
    ),
    Node.SWAP2: say("Which card do you swap it with?", "U19"),
    Node.GIFT: say("Give your devil to the player whose disk you are on?", "U22"),
}


def progress(s: State) -> Sequence[float]:
    """How many letters every seat has; who is out has more, the first the most."""
    return [
        LETTERS + int(s.seats - s.gone[i]) if s.gone[i] else int(s.letters[i]).bit_count()
        for i in range(s.seats)
    ]


def ending(s: State) -> Line:
    """What ended the game, and the clause."""
    if sum(bool(left) for left in s.gone) == s.seats - 1:
        return say("only one player was left", "U27")
    if s.down == 0:
        return say("every card was face up", "U28")
    if s.turns >= TURNS:
        return say("600 turns were over", "U29")
    return say("60 turns in a row brought nothing new", "U29")


def chapter(s: State) -> Line:
    """The round that a position belongs to: in each everybody has a turn."""
    if s.node in (Node.FIRST, Node.PLACE):
        return say("Placing the disks")
    return say("Round {n}", n=s.turns // s.seats + 1)


THEMES = {  # what a decision is about, in a few words, for the daily challenge
    Node.PLACE: say("where to start"),
    Node.TURN: say("what to do with a turn"),
    Node.ONWARD: say("whether to go on"),
    Node.HOLDER: say("whose devil to take"),
    Node.LOSE: say("which letters to give up"),
    Node.TOWER: say("whether to put a devil back"),
    Node.PEEK: say("which card to look at"),
    Node.SWAP1: say("which cards to swap"),
    Node.SWAP2: say("which cards to swap"),
    Node.TAKE: say("how many cards to shuffle"),
    Node.LAY: say("what may lie face down"),
    Node.GIFT: say("whether to give a devil away"),
    Node.REVEAL: say("what to reveal"),
}


# -- buttons -----------------------------------------------------------------------------------


# The actions that go with no space, seat or letter.
WORDS = {
    actions.SWAP: say("Swap two cards", "U19"),
    actions.REARRANGE: say("Shuffle two to four cards", "U21"),
    actions.PASS: say("Pass", "U7"),
    actions.STOP: say("Stop here", "U9"),
    actions.KEEP: say("Keep the devil", "U15"),
    actions.PUT_BACK: say("Put the devil back", "U15"),
    actions.NO_PEEK: say("Look at no card", "U15"),
    actions.DONE: say("That is enough", "U21"),
    actions.WITHHOLD: say("Keep the devil", "U22"),
    actions.GIVE: say("Give the devil", "U22"),
}


def label(s: State, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action in WORDS:
        return WORDS[action]
    if s.node == Node.HOLDER:
        return say("Take {who}’s devil", "U23", who=action - actions.HOLDER)
    if s.node == Node.LOSE:
        return say("Lose {letter}", "U24", letter=LETTER_NAMES[action - actions.LOSE])
    space = action - actions.BASES[s.node]
    if s.node in (Node.TURN, Node.ONWARD):
        return move_label(preview(s, seat, space), SPACE_NAMES[space])
    return _on_space(s.node, _at(s, space))


def _at(s: State, space: int) -> Line:
    """A space, and the card the viewer knows to be there."""
    card = int(s.card[space])
    if card < 0:
        return say("{space}", space=SPACE_NAMES[space])
    return say("{space} ({card})", space=SPACE_NAMES[space], card=card_name(s, card))


def _on_space(node: int, at: Line) -> Line:
    match node:
        case Node.PLACE:
            return say("Start at {space}", "U6", space=at)
        case Node.PEEK:
            return say("Look at {space}", "U15", space=at)
        case Node.SWAP1:
            return say("Swap {space} …", "U19", space=at)
        case Node.SWAP2:
            return say("… with {space}", "U19", space=at)
        case Node.TAKE:
            return say("Take {space}", "U21", space=at)
        case Node.LAY:
            return say("Place a card on {space}", "U21", space=at)
    return say("Reveal {space}", "U8", space=at)


# -- moves ---------------------------------------------------------------------------------------


def move_label(p: Preview, space: str) -> Line:
    """The button of a move: where to, and what then."""
    other = "" if p.other is None else p.other
    values = {"space": space, "letter": p.letter, "who": other}
    if p.kind in (Kind.GIVE, Kind.GIVE_SECOND):
        return _gift_label(p, values)
    if p.seen and p.kind in (Kind.OPEN, Kind.STOP, Kind.DEVIL, Kind.TOWER):
        return _seen_label(p.kind, values)
    if p.leaves:
        return say("To {space}: take your {letter} and leave!", "U26", **values)
    return _plain_label(p.kind, values)


def _plain_label(kind: Kind, values: dict[str, str | int]) -> Line:
    match kind:
        case Kind.UNSEEN:
            return say("To {space}: reveal the card", "U11", **values)
        case Kind.REST:
            return say("To {space}: stay on the face-down card", "U20", **values)
        case Kind.LETTER:
            return say("To {space}: take your {letter}", "U12", **values)
        case Kind.STOP:
            return say("To {space}: {letter} stops you", "U13", **values)
        case Kind.DEVIL:
            return say("To {space}: take a devil", "U14", **values)
        case Kind.SECOND:
            return say("To {space}: a second devil! You lose two letters", "U24", **values)
        case Kind.TOWER:
            return say("To {space}: the tower", "U15", **values)
    return say("To {space}: stay there", "U10", **values)


def _seen_label(kind: Kind, values: dict[str, str | int]) -> Line:
    """On a card that only the viewer has seen so far."""
    match kind:
        case Kind.STOP:
            return say("To {space}: reveal the {letter} you saw, which stops you", "U13", **values)
        case Kind.DEVIL:
            return say("To {space}: reveal the devil you saw", "U14", **values)
        case Kind.TOWER:
            return say("To {space}: reveal the tower you saw", "U15", **values)
    return say("To {space}: reveal a letter you have, and go on", "U11", **values)


def _gift_label(p: Preview, values: dict[str, str | int]) -> Line:
    if p.leaves:
        return say("To {space}: give {who} your devil and leave!", "U26", **values)
    if p.kind == Kind.GIVE_SECOND:
        return say("To {space}: a second devil for {who}!", "U24", **values)
    if p.letter:
        return say("To {space}: give {who} your devil, take your {letter}", "U22", **values)
    return say("To {space}: give {who} your devil", "U22", **values)


# -- why, and why not --------------------------------------------------------------------------


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
