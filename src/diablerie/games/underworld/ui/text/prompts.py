"""What is going on in UNDERWORLD and what is asked, and how a finished game is summed up."""

from diablerie.engine import verbs
from diablerie.engine.record import Record
from diablerie.engine.text import Line, SeatRef, say, says
from diablerie.games.underworld.rules.board import size
from diablerie.games.underworld.rules.state import TURNS, Node
from diablerie.games.underworld.rules.turns import turns_left

NEAR = 10  # turns to daybreak by the clock from which on the prompt warns of it


def prompt(s: Record, viewer: int) -> Line:
    """What is going on, and what is asked of the viewer."""
    if s.node == Node.OVER:
        return say("The underworld is shut: the game is over.", "U27")
    actor = verbs.actor(s)
    if actor == verbs.CHANCE:
        return DRAWING[Node(int(s.node))]
    return _ask(s) if actor == viewer else _wait(s, SeatRef(actor))


def _wait(s: Record, who: SeatRef) -> Line:
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
            return say("{who}, safely out, turns up cards.", "U8", who=who)
    if s.devil[int(who)]:
        return say("{who} is on the move, possessed.", "U20", who=who)
    return say("{who} is on the move.", "U7", who=who)


def _ask(s: Record) -> Line:
    if s.node == Node.TURN:
        return _ask_turn(s)
    if s.node == Node.TAKE:
        return _ask_take(s)
    if s.node == Node.LAY:
        return _ask_lay(s)
    return _ask_reveal(s) if s.node == Node.REVEAL else ASKED[Node(int(s.node))]


def _ask_turn(s: Record) -> Line:
    if s.devil[s.turn]:
        return say(
            "You are possessed: fly over face-down cards and disks, hand the devil on, "
            "or shuffle cards. You may also swap two.",
            "U20",
        )
    close = turns_left(s)
    if close <= NEAR:
        return says(
            "Your turn: move, or swap two cards. Daybreak in {n} turn if nothing happens!",
            "Your turn: move, or swap two cards. Daybreak in {n} turns if nothing happens!",
            close,
            "U29",
        )
    return say("Your turn: move to find your six letters, or swap two cards.", "U7")


def _ask_take(s: Record) -> Line:
    if s.todo < 2:
        return say("Take two to four cards, from the top left onwards.", "U21")
    return says(
        "{n} card taken. Another one, up to four?",
        "{n} cards taken. Another one, up to four?",
        int(s.todo),
        "U21",
    )


def _ask_lay(s: Record) -> Line:
    return says(
        "{n} card still to lay face down, from the top left onwards: where?",
        "{n} cards still to lay face down, from the top left onwards: where?",
        int(s.todo) - size(int(s.laid)),
        "U21",
    )


def _ask_reveal(s: Record) -> Line:
    return says(
        "You are out: turn up {n} more card, whichever you like.",
        "You are out: turn up {n} more cards, whichever you like.",
        min(int(s.todo), size(int(s.down))),
        "U8",
    )


DRAWING = {
    Node.FIRST: say("Lots are drawn …", "U6a"),
    Node.CARD: say("A card is turned …", "U11"),
    Node.DEAL: say("The cards are shuffled …", "U21"),
}
ASKED = {
    Node.PLACE: say("Where does your disk start? At least four steps from the others.", "U6"),
    Node.ONWARD: say("You have that letter: go on from there, or stop?", "U11"),
    Node.HOLDER: say("No devil is left on the face: whose do you take?", "U23"),
    Node.LOSE: say("Two devils! Which letters do they carry off?", "U24"),
    Node.TOWER: say("A tower: put your devil back on the face?", "U15"),
    Node.PEEK: say("A tower: look at one card, for your eyes only.", "U15"),
    Node.SWAP1: say("Which two cards change places? Each face down, or a letter of yours.", "U19"),
    Node.SWAP2: say("And which card does it change places with?", "U19"),
    Node.GIFT: say("Give your devil to the one you stand on?", "U22"),
}


def ending(s: Record) -> Line:
    """What ended the game."""
    if sum(bool(left) for left in s.gone) == s.seats - 1:
        return say("only one was left", "U27")
    if s.down == 0:
        return say("every card was face up", "U28")
    if s.turns >= TURNS:
        return say("600 turns were over", "U29")
    return say("60 turns in a row brought nothing new", "U29")
