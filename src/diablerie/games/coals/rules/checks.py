"""What cannot be a position of COALS: bytes from outside are held against this first.

Plain Python, but for the track and the pacts, since rules trust their state.
"""

from collections.abc import Iterator

from diablerie.engine.record import Record
from diablerie.games.coals.rules.pacts import make_pacts
from diablerie.games.coals.rules.state import (
    DEVIL,
    FULL,
    LAST_MARK,
    LAST_ROUND,
    MARKS,
    PAY,
    SECRET,
    UNIT,
    UNSET,
    VALUES,
    Node,
)
from diablerie.games.coals.rules.track import space_of

SEATS = 6
MOST = LAST_MARK + PAY * FULL[DEVIL]  # C21, C14: more is owned by nobody, even in mid-round
PIECES = sum(FULL)
GAIN = 4 * MOST  # more than a round can bring or take (C17 to C19)

RANGES = {
    "node": (Node.BET, Node.PULL),
    "seats": (2, SEATS),
    "turn": (0, SEATS - 1),
    "first": (0, SEATS - 1),
    "rounds": (1, LAST_ROUND),
    "mouth": (0, PIECES - 1),
    "release": (0, 1),
    "purses": (0, 1),
    "marks": (0, LAST_MARK),
    "furnace": (0, max(FULL)),
    "front": (0, max(FULL)),
    "busted": (0, 1),
    "pact": (0, 1),
    "space": (0, 2 * MARKS),
    "pieces": (0, PIECES),
    "coal": (0, sum(n * value for n, value in zip(FULL, VALUES, strict=True))),
    "stake": (SECRET, MOST),
    "chips": (0, MOST),
    "purse": (0, MOST),
    "last_stake": (UNSET, MOST),
    "last_coal": (0, sum(n * value for n, value in zip(FULL, VALUES, strict=True))),
    "last_pieces": (0, PIECES),
    "last_busted": (0, 1),
    "gain": (-GAIN, GAIN),
    "goal": (0, LAST_MARK),
    "full": (0, max(FULL)),
}
FIXED = ("seats", "mouth", "release", "purses", "marks", "goal", "full")


def flaw(s: Record, first: Record) -> str:
    """Why a state, whose fields are in their ranges, is no position; "" if it is one.

    first: the first state of a game with these seats and options.
    """
    return next(_flaws(s, first), "")


def _flaws(s: Record, first: Record) -> Iterator[str]:
    seats = int(s.seats)
    if s.turn >= seats or s.first >= seats:
        yield "whose turn it is, or who began"
    for name in ("busted", "pact", "space", "pieces", "coal", "stake", "chips", "purse", "front",
                 "last_stake", "last_coal", "last_pieces", "last_busted", "gain"):  # fmt: skip
        if (getattr(s, name)[seats:] != getattr(first, name)[seats:]).any():
            yield f"{name} of a seat that there is not"
    if any(x % UNIT for x in (*s.chips, *s.purse)):
        yield "money is in tens (C2)"
    if (s.furnace + s.front.sum(axis=0) > s.full).any():
        yield "more pieces than there are (C1)"
    if s.furnace.sum() == 0:
        yield "the furnace is empty (C13)"
    yield from _pacts(s)
    yield from _bets(s, seats) if s.node == Node.BET else _pulling(s, seats)


def _pacts(s: Record) -> Iterator[str]:
    """C15 and C22; the pawns stand where they stood when the round began."""
    made = s.copy()
    make_pacts(made)
    ends = s.release and s.node == Node.PULL
    kept = s.pact.any() if ends else True
    if (s.pact != made.pact).any() and kept and (s.rounds > 1 or s.pact.any()):
        yield "who has a pact (C22)"


def _bets(s: Record, seats: int) -> Iterator[str]:
    if any(s.space[i] != space_of(s, int(s.chips[i])) for i in range(seats)):
        yield "where the pawns are (C20)"
    if (s.chips >= s.goal).any():
        yield "the game is over (C21)"
    if s.furnace.sum() <= s.mouth and (s.furnace != s.full).any():
        yield "the furnace had to be filled (C23)"
    if s.front.any() or s.busted.any() or s.pieces.any() or s.coal.any():
        yield "pieces are put aside before bets (C23)"
    stakes = s.stake[:seats]
    if not (stakes == UNSET).any():
        yield "all stakes are made (C7)"
    for i in range(seats):
        if stakes[i] > s.chips[i] or (stakes[i] > 0 and stakes[i] % UNIT):
            yield "a stake that cannot be made (C7)"


def _pulling(s: Record, seats: int) -> Iterator[str]:
    order = [(s.first + k) % seats for k in range(seats)]
    now = order.index(s.turn)
    if any(x < 0 or x % UNIT for x in s.stake[:seats]):
        yield "a stake that cannot be made (C7)"
    paid = PAY * int((s.full - s.furnace)[DEVIL])
    if (s.purse > s.chips).any() or (s.chips + s.stake >= s.goal + paid).any():
        yield "more money than there can be (C14, C21)"
    for place, i in enumerate(order):
        front = [int(n) for n in s.front[i]]
        pieces, worth = sum(front), sum(n * v for n, v in zip(front, VALUES, strict=True))
        if front[DEVIL] or s.pieces[i] != pieces or s.coal[i] != worth:
            yield "pieces in front and their sum (C11)"
        if s.busted[i] and (pieces or place >= now):
            yield "who turned a devil has nothing in front (C12)"
        if place < now and not (s.busted[i] or pieces):
            yield "the first piece is compulsory (C10)"
        if place > now and pieces:
            yield "pieces before one's turn (C10)"
    if s.busted.sum() > (s.full - s.furnace)[DEVIL]:
        yield "more devils than there are (C1)"
