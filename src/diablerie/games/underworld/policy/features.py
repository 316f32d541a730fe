"""Numbers that learning derives from a position of UNDERWORLD: letters, devils, what is in reach."""

from diablerie.engine.compile import Floats32, rule
from diablerie.games.underworld.policy.ordering import odds, wanted, wanted_open
from diablerie.games.underworld.rules.hidden import knows
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
    SPACES,
    TOWERS,
    TURNS,
    State,
    Why,
    bit,
    distance,
    size,
    spread,
)
from diablerie.games.underworld.rules.targets import occupant, reach
from diablerie.games.underworld.rules.turns import turns_left
from diablerie.values.features import Features

DERIVED = 36  # numbers
(
    OUT, HELD, *_,
    SEEN, OPEN, NEAR, STEPS, AROUND,
    FULL, UNSEEN, LUCK, DOOM,
    POSSESSED, KEPT, GIVE, THREAT,
    TURNABLE, ROOM, LOOKED, DOWN,
    BEST, OTHERS, THEIRS, TROUBLED,
    DUEL, GONE, TURN, WAIT, FACE,
    LEFT, CLOSE,
) = range(DERIVED)  # fmt: skip


@rule
def derive(s: State, seat: int, out: Floats32) -> None:
    """Write the numbers above as the seat knows them, most of them between 0 and 1.

    out: float32, at least DERIVED.
    """
    for k in range(DERIVED):
        out[k] = 0.0
    if s.gone[seat]:
        out[OUT] = 1.0
        return
    write_letters(s, seat, out)
    write_rivals(s, seat, out)
    if s.disk[seat] != ABSENT:
        write_reach(s, seat, out)
    write_board(s, seat, out)
    out[TURN] = s.turn == seat
    out[WAIT] = ((seat - s.turn) % s.seats) / s.seats
    out[CLOSE] = s.turn == seat and size(int(s.letters[seat])) >= 5


@rule
def write_letters(s: State, seat: int, out: Floats32) -> None:
    """Letters, and the devil that keeps their owner in (U26)."""
    held = size(int(s.letters[seat]))
    seen = size(wanted(s, seat))
    out[HELD + held] = 1.0
    out[OPEN] = size(wanted_open(s, seat)) / 6.0
    out[SEEN] = seen / 6.0
    out[FULL] = held + seen == 6
    out[UNSEEN] = (6 - held - seen) / 6.0
    out[POSSESSED] = s.devil[seat]
    out[KEPT] = s.devil[seat] == 1 and s.letters[seat] == ALL_LETTERS


@rule
def write_reach(s: State, seat: int, out: Floats32) -> None:
    """What the next move may bring."""
    here = int(s.disk[seat])
    lacking = wanted(s, seat)
    seen = reach(s, seat, here)
    out[NEAR] = size(seen & lacking) / 3.0
    out[AROUND] = size(spread(seen) & lacking) / 3.0
    out[ROOM] = size(seen) / 24.0
    nearest = 12
    for space in range(SPACES):
        if seen & s.down & bit(space) and not knows(s, seat, space):
            out[TURNABLE] += 0.1
        if lacking & bit(space):
            nearest = min(nearest, distance(here, space))
        if seen & bit(space):
            other = occupant(s, seat, space)
            if other != ABSENT:
                out[GIVE] = max(out[GIVE], s.devil[seat] * (1.0 - 0.5 * s.devil[other]))
    out[STEPS] = nearest / 12.0


@rule
def write_rivals(s: State, seat: int, out: Floats32) -> None:
    """How far the others are, as all can see."""
    inside = 0
    for i in range(s.seats):
        if i != seat and s.gone[i]:
            out[GONE] += 0.25
        elif i != seat:
            inside += 1
            held = size(int(s.letters[i])) / 6.0
            out[OTHERS] += held
            out[BEST] = max(out[BEST], held)
            out[THEIRS] = max(out[THEIRS], held + size(wanted_open(s, i)) / 6.0)
            out[TROUBLED] += s.devil[i]
            if s.devil[i] and in_reach(s, i, seat):
                out[THREAT] = 1.0
    out[DUEL] = inside == 1
    out[OTHERS] /= max(1, inside)
    out[TROUBLED] /= max(1, inside)


@rule
def in_reach(s: State, i: int, seat: int) -> bool:
    """Whether seat i could move onto the other's disk."""
    if s.disk[i] == ABSENT or s.disk[seat] == ABSENT:
        return False
    return reach(s, i, int(s.disk[i])) & bit(int(s.disk[seat])) != 0


@rule
def write_board(s: State, seat: int, out: Floats32) -> None:
    """What lies face down, and how long the night is."""
    own, _, devil, _ = odds(s, seat)
    out[LUCK] = 4.0 * own
    out[DOOM] = 4.0 * devil
    for space in range(SPACES):
        if s.down >> space & 1 and knows(s, seat, space):
            out[LOOKED] += 0.2
    out[DOWN] = size(int(s.down)) / 42.0
    out[FACE] = s.pegs / PEGS
    out[LEFT] = turns_left(s) / 60.0


PLACE = (ABSENT, SPACES - 1)

FEATURES = Features(
    by_seat=frozenset({"devil", "letters", "disk", "gone"}),
    seats=frozenset({"first", "turn", "hit"}),
    seat_bits=frozenset({"known"}),
    bits={
        "letters": LETTERS,
        "loose": DEVIL,
        "up": SPACES,
        "down": SPACES,
        "taken": SPACES,
        "laid": SPACES,
    },
    ranges={
        "seats": (2, 6),
        "may": (0, 1),
        "first": (0, 5),
        "turn": (0, 5),
        "todo": (0, HAND),
        "fresh": (0, 1),
        "idle": (0, IDLE),
        "turns": (0, TURNS),
        "last": PLACE,
        "spot": PLACE,
        "why": (0, max(Why)),
        "hit": (-1, 5),
        "pegs": (0, PEGS),
        "devil": (0, 1),
        "disk": PLACE,
        "gone": (0, 6),
        "card": (NOTHING, KINDS - 1),
        "hand": (NOTHING + 1, KINDS - 1),  # from the unseen card on
        "loose_devils": (0, DEVILS),
        "loose_towers": (0, TOWERS),
    },
    skip=frozenset({"moved", "struck", "letter_up", "colour_up"}),
)
