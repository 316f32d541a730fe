"""What cannot be a position of UNDERWORLD: bytes from outside are held against this first.

Plain Python, but for the start and for which spaces may be chosen, since rules trust their state.
"""

from collections.abc import Iterator

from diablerie.engine.record import Record
from diablerie.games.underworld.rules import targets
from diablerie.games.underworld.rules.actions import PLACE
from diablerie.games.underworld.rules.board import BOARD, FACE, SPACES
from diablerie.games.underworld.rules.legality import forbids
from diablerie.games.underworld.rules.play import apply
from diablerie.games.underworld.rules.state import (
    ABSENT,
    ALL_LETTERS,
    DEVIL,
    DEVILS,
    HAND,
    IDLE,
    KINDS,
    LETTERS,
    NOTHING,
    PEGS,
    REVEALS,
    TOWER,
    TOWERS,
    TURNS,
    Node,
    Why,
)

SEATS = 6
CARDS = DEVIL + DEVILS + TOWERS  # U3
SPACE, SET = (-1, SPACES - 1), (0, BOARD)

RANGES = {
    "node": (Node.PLACE, Node.REVEAL),
    "seats": (2, SEATS),
    "may": (0, 1),
    "first": (0, SEATS - 1),
    "turn": (0, SEATS - 1),
    "todo": (0, HAND),
    "fresh": (0, 1),
    "idle": (0, IDLE - 1),
    "turns": (0, TURNS - 1),
    "last": SPACE,
    "spot": SPACE,
    "why": (Why.NOTHING, Why.TURNED),
    "hit": (-1, SEATS - 1),
    "struck": (-1, SEATS - 1),
    "pegs": (0, PEGS),
    "devil": (0, 1),
    "letters": (0, ALL_LETTERS),
    "disk": SPACE,
    "gone": (0, SEATS - 1),
    "card": (NOTHING, KINDS - 1),
    "known": (0, (1 << SEATS) - 1),
    "hand": (0, 0),
    "loose_devils": (0, DEVILS),
    "loose_towers": (0, TOWERS),
    "loose": (0, (1 << DEVIL) - 1),
    "up": SET,
    "down": SET,
    "taken": SET,
    "laid": SET,
    "moved": SET,
    "letter_up": SET,
    "colour_up": SET,
}
FIXED = ("seats", "may")
ENTERED = (Node.HOLDER, Node.LOSE, Node.TOWER, Node.PEEK)  # what a card just entered may ask


def flaw(s: Record, first: Record) -> str:
    """Why a state, whose fields are in their ranges, is no position; "" if it is one.

    first: the first state of a game with these seats and options.
    """
    flaws = _placing(s, first) if s.node == Node.PLACE else _flaws(s, first)
    return next(flaws, "")


def members(spaces: int) -> list[int]:
    """The spaces of a set."""
    return [space for space in range(SPACES) if int(spaces) >> space & 1]


def _placing(s: Record, first: Record) -> Iterator[str]:
    """U6: the disks that lie there are placed once more."""
    if s.first >= s.seats or s.turn >= s.seats:
        yield "whose turn it is, or who began"
    made = first.copy()
    apply(made, -1, int(s.first))
    while made.node == Node.PLACE and made.turn != s.turn:
        seat = int(made.turn)
        action = PLACE + int(s.disk[seat])
        if s.disk[seat] == ABSENT or forbids(made, seat, action):
            yield "where the disks are (U6)"
        apply(made, seat, action)
    if made.data != s.data:
        yield "nothing but disks before the first turn (U6)"


def _flaws(s: Record, first: Record) -> Iterator[str]:
    seats = int(s.seats)
    if s.node in (Node.CARD, Node.DEAL):
        yield "nobody is to decide there"
    if max(s.turn, s.first, s.hit, s.struck) >= seats:
        yield "a seat that there is not"
    for name in ("devil", "letters", "disk", "gone"):
        if (getattr(s, name)[seats:] != getattr(first, name)[seats:]).any():
            yield f"{name} of a seat that there is not"
    if s.idle > s.turns:
        yield "more turns without than with (U29)"
    yield from _cards(s, seats)
    yield from _players(s, seats)
    yield from _turn(s)


def _cards(s: Record, seats: int) -> Iterator[str]:
    up, down = members(s.up), members(s.down)
    lying = {*up, *down}
    if s.up & s.down or len(lying) != CARDS or FACE in lying:
        yield "where the cards lie (U3, U21)"
    if any((s.card[space] == NOTHING) != (space not in lying) for space in range(SPACES)):
        yield "which cards lie there"
    if any(s.card[space] < 0 for space in up):
        yield "a card face up that is none"
    if any(s.known[space] and space not in down for space in range(SPACES)):
        yield "who knows a card that is not face down"
    if any(int(known) >> seats for known in s.known):
        yield "a card known to a seat that there is not"
    fixed = [int(card) for card in s.card if card >= 0]
    letters = [card for card in fixed if card < DEVIL]
    if len(set(letters)) != len(letters) or s.loose != (1 << DEVIL) - 1 - sum(
        1 << card for card in letters
    ):
        yield "which letters are not seen yet (U3)"
    if s.loose_devils != DEVILS - fixed.count(DEVIL) or s.loose_towers != TOWERS - fixed.count(
        TOWER
    ):
        yield "how many devils and towers are not seen yet (U3)"
    shown = [(space, int(s.card[space])) for space in up if s.card[space] < DEVIL]
    for k in range(LETTERS):
        by_letter = sum(1 << space for space, card in shown if card % LETTERS == k)
        by_colour = sum(1 << space for space, card in shown if card // LETTERS == k)
        if s.letter_up[k] != by_letter or s.colour_up[k] != by_colour:
            yield "which letters are face up"


def _players(s: Record, seats: int) -> Iterator[str]:
    left = [seat for seat in range(seats) if s.gone[seat]]
    if sorted(int(s.gone[seat]) for seat in left) != list(range(1, len(left) + 1)):
        yield "the order in which they left (U26)"
    if len(left) > seats - 2:
        yield "the game is over (U27)"
    for seat in range(seats):
        out, waits = seat in left, s.node == Node.LOSE and s.hit == seat
        if (s.disk[seat] == ABSENT) != out:
            yield "who has a disk (U26)"
        if (s.letters[seat] == ALL_LETTERS and not s.devil[seat] and not waits) != out:
            yield "who has all letters and no devil has left (U26)"
    stand = [int(at) for at in s.disk[:seats] if at != ABSENT]
    if any(stand.count(at) > 2 for at in stand):
        yield "more than two disks on a space (U22)"
    if s.pegs + s.devil.sum() != PEGS:
        yield "how many devil pegs there are (U4)"


def _turn(s: Record) -> Iterator[str]:
    node, turn = s.node, int(s.turn)
    gone, here = bool(s.gone[turn]), int(s.disk[turn])
    card = int(s.card[here]) if here != ABSENT and s.up >> here & 1 else NOTHING
    if not s.down and node not in ENTERED and node not in (Node.ONWARD, Node.GIFT):
        yield "the game is over (U28)"
    if gone != (node == Node.REVEAL) and not (gone and node == Node.LOSE and s.hit != turn):
        yield "whether the player of this turn has left (U8)"
    if (node == Node.LOSE) != (s.hit >= 0) or (node == Node.LOSE and s.struck != s.hit):
        yield "who loses letters (U24)"
    if (s.spot, s.why) != (-1, Why.NOTHING) and not (
        node in ENTERED and s.why == Why.TURNED and s.spot == here and s.fresh and card != NOTHING
    ):
        yield "which card was turned (U11)"
    if s.fresh and node in (Node.TURN, Node.SWAP1, Node.SWAP2, Node.TAKE, Node.LAY):
        yield "nothing was turned yet in this turn"
    if node not in (Node.TAKE, Node.LAY) and (s.taken or s.laid):
        yield "cards are taken only to rearrange them (U21)"
    if node not in (Node.TAKE, Node.LAY, Node.REVEAL) and s.todo:
        yield "cards left to turn (U8)"
    if node not in (Node.SWAP2, Node.TAKE, Node.LAY, Node.LOSE) and s.last != -1:
        yield "what was chosen before"
    yield from _node(s, node, turn, card)


def _node(s: Record, node: int, turn: int, card: int) -> Iterator[str]:
    """What must be so where this is decided."""
    shared = [int(at) for at in s.disk[: s.seats]].count(int(s.disk[turn])) == 2
    holding = bool(s.devil[turn])
    fits = {
        Node.ONWARD: not holding and 0 <= card < DEVIL and s.fresh
        and s.letters[turn] >> card % LETTERS & 1,
        Node.HOLDER: card == DEVIL and s.pegs == 0,
        Node.LOSE: _losing(s),
        Node.TOWER: card == TOWER and holding and not s.why,
        Node.PEEK: card == TOWER and s.down,
        Node.SWAP2: s.last >= 0 and int(targets.swappable(s, turn)) >> int(s.last) & 1,
        Node.TAKE: holding and _taking(s),
        Node.LAY: holding and _laying(s),
        Node.GIFT: s.may and holding and shared and card < DEVIL,
        Node.REVEAL: 0 < s.todo <= REVEALS and bool(s.fresh) == (s.todo < REVEALS),
    }  # fmt: skip
    if not fits.get(Node(node), True):
        yield f"what is asked there ({Node(node).name})"


def _losing(s: Record) -> bool:
    """U24: two of at least three letters, the first the lower one."""
    held = int(s.letters[s.hit])
    if s.devil[s.hit] or s.last >= LETTERS:
        return False
    if s.last < 0:
        return held.bit_count() > 2
    return not held >> s.last & 1 and held.bit_count() > 1 and held >> s.last > 0


def _highest(s: Record, spaces: int) -> bool:
    return bool(s.last == int(spaces).bit_length() - 1)


def _taking(s: Record) -> bool:
    """U21: some cards are taken, in order, and there is another to take."""
    taken, free = int(s.taken), int(targets.takeable(s))
    chosen = not taken & ~free and s.todo == taken.bit_count() < HAND and not s.laid
    return bool(chosen and _highest(s, taken) and targets.takes(s))


def _laying(s: Record) -> bool:
    """U21: all are taken, and some laid, in order, with room for the others."""
    taken, laid = int(s.taken), int(s.laid)
    free = int(targets.takeable(s)), int(targets.layable(s))
    fits = not (taken & ~free[0] or laid & ~free[1]) and 2 <= s.todo == taken.bit_count()
    return bool(fits and laid.bit_count() < s.todo and _highest(s, laid)
                and targets.lays(s))  # fmt: skip
