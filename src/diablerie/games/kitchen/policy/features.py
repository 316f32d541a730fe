"""Numbers that learning derives from a position of KITCHEN: points, pots within reach, devils, duels.

Everything is asked as the seat's own colour knows it; a pot not known counts as the mean.
"""

from diablerie.engine.compile import Floats32, rule
from diablerie.games.kitchen.policy.evaluation import CLOSE, bait, best_pot, blend, unseen_gain, way
from diablerie.games.kitchen.rules.board import CELLS, GRILL
from diablerie.games.kitchen.rules.play import longest_duel
from diablerie.games.kitchen.rules.state import (
    ABSENT,
    BANISHED,
    CARDS,
    DEVILS,
    GOAL,
    LAST_TURN,
    NONE,
    POTS,
    SECRET,
    SIGNS,
    Duel,
    Node,
    State,
    colour_of,
    devils_left,
    guarded,
    held_up,
    opposed,
    seat_of,
)
from diablerie.values.features import Features

DERIVED = 32  # numbers
(
    POINTS, SQUARE, RIVAL, RIVAL_SQUARE,
    BEST, NEXT, LAST, HOPES, SHARED,
    STEPS, CARRIED, TEN,
    ONE, TWO, THREE, FOES,
    CAPS, BARE, CAPPED, CROWD,
    TURN, MOVES, WINGS, WAIT,
    CHALLENGES, CHALLENGED, COVERED, ALONE,
    HELD, DELIVERED, BAIT, TURNS,
) = range(DERIVED)  # fmt: skip


@rule
def derive(s: State, seat: int, out: Floats32) -> None:
    """Write the numbers above as the seat knows them, most of them between 0 and 1.

    out: float32, at least DERIVED.
    """
    for k in range(DERIVED):
        out[k] = 0.0
    me = colour_of(s, seat)
    write_points(s, me, out)
    write_hopes(s, me, out)
    write_devils(s, me, out)
    write_turn(s, seat, out)
    write_duel(s, seat, out)
    out[HELD] = held_up(s, me)
    out[BAIT] = bait(s, me)
    out[TURNS] = s.turns / LAST_TURN


@rule
def write_points(s: State, me: int, out: Floats32) -> None:
    """Points, as parts of what wins."""
    rival = 0
    for c in range(4):
        if c != me:
            rival = max(rival, int(s.score[c]))
    out[POINTS] = s.score[me] / GOAL
    out[RIVAL] = rival / GOAL
    out[SQUARE] = out[POINTS] * out[POINTS]
    out[RIVAL_SQUARE] = out[RIVAL] * out[RIVAL]
    for pot in range(POTS):
        out[DELIVERED] += 0.2 * (s.pot[pot] == GRILL[me])


@rule
def write_hopes(s: State, me: int, out: Floats32) -> None:
    """Every devil's best pot, and how far the best of them is from being points."""
    means = (
        unseen_gain(s, me, 0), unseen_gain(s, me, 1), unseen_gain(s, me, 2), unseen_gain(s, me, 3),
    )  # fmt: skip
    foes = opposed(s, me)
    a, a_pot = best_pot(s, me, 0, me, means, foes)
    b, b_pot = best_pot(s, me, 1, me, means, foes)
    c, c_pot = best_pot(s, me, 2, me, means, foes)
    shared = int(a_pot == b_pot) + int(b_pot == c_pot) + int(a_pot == c_pot)
    best = max(a, b, c)
    least = min(a, b, c)
    out[BEST] = 0.2 * best
    out[LAST] = 0.2 * least
    out[NEXT] = 0.2 * (a + b + c - best - least)
    out[HOPES] = 0.2 * blend(a, b, c, shared)
    out[SHARED] = shared / 3.0
    d, pot = (0, a_pot) if best == a else (1, b_pot) if best == b else (2, c_pot)
    out[TEN] = s.score[me] + best >= GOAL
    if pot >= 0 and s.devil[me, d] >= 0:
        here = int(s.devil[me, d])
        at = int(s.pot[pot])
        out[CARRIED] = here == at
        steps = way(at, int(GRILL[me]), foes) + (way(here, at, foes) if here != at else 0)
        out[STEPS] = 0.1 * steps


@rule
def write_devils(s: State, me: int, out: Floats32) -> None:
    """How many there are, with which caps, and near whom."""
    left = devils_left(s, me)
    foes = opposed(s, me)
    if left > 0:
        out[ONE + left - 1] = 1.0
    for d in range(DEVILS):
        if s.devil[me, d] >= 0:
            near = CLOSE[s.devil[me, d]] & foes != 0
            out[CAPS] += s.cap[me, d] / 3.0
            out[CAPPED if s.cap[me, d] else BARE] += near / 3.0
    for c in range(4):
        if c != me:
            out[FOES] += devils_left(s, c) / 9.0
            for d in range(DEVILS):
                if s.devil[c, d] >= 0 and s.cap[c, d] == 0:
                    out[CROWD] += beside(s, me, int(s.devil[c, d])) / 9.0


@rule
def beside(s: State, me: int, at: int) -> bool:
    """Whether a devil of this colour is within three steps of a cell."""
    return int(CLOSE[at]) & guarded(s, me, -1) != 0


@rule
def write_turn(s: State, seat: int, out: Floats32) -> None:
    """Whose turn it is, and what is left of it."""
    out[WAIT] = ((seat - s.turn) % s.seats) / 3.0
    if s.turn == seat:
        out[TURN] = 1.0
        out[WINGS] = s.wings
        out[MOVES] = (s.points + s.extra) / 6.0


@rule
def write_duel(s: State, seat: int, out: Floats32) -> None:
    """A duel under way: who stands to lose what."""
    if (s.node != Node.DEFEND and s.node != Node.STOVE) or s.duel == Duel.NONE:
        return
    me = colour_of(s, seat)
    d = -1
    if s.attacker == seat:
        out[CHALLENGES] = 1.0
        d = int(s.fighter)
    elif seat_of(s, int(s.foe_colour)) == seat:
        out[CHALLENGED] = 1.0
        d = int(s.foe)
    if d >= 0:
        out[COVERED] = s.cap[me, d] == 1
        out[ALONE] = devils_left(s, me) == 1


COLOURS = 4


def colours(seats: int, seat: int) -> tuple[int, int]:
    """K7, K12: the colours begin with the seat's own; two players sit opposite."""
    return (2 * seat, COLOURS) if seats == 2 else (seat, seats)


A_DEVIL = (NONE, DEVILS - 1)
STOVES = (2, 20)  # the option

FEATURES = Features(
    by_seat=frozenset({"winner"}),
    seats=frozenset({"turn", "first", "attacker"}),
    by_place={"devil": DEVILS, "cap": DEVILS, "pot": SIGNS, "card": SIGNS, "score": 1},
    places=frozenset({"foe_colour"}),
    place=colours,
    ranges={
        "seats": (2, COLOURS),
        "turn": (0, COLOURS - 1),
        "first": (0, COLOURS - 1),
        "stove": STOVES,
        "points": (0, 6),
        "extra": (0, 1),
        "wings": (0, 1),
        "obliged": A_DEVIL,
        "mover": A_DEVIL,
        "duel": (0, max(Duel)),
        "attacker": (0, COLOURS - 1),
        "fighter": A_DEVIL,
        "foe_colour": (0, COLOURS - 1),
        "foe": A_DEVIL,
        "burst": (0, longest_duel(STOVES[1])),
        "turns": (0, LAST_TURN),
        "dice": (0, 3),
        "devil": (BANISHED, CELLS - 1),
        "cap": (0, 1),
        "pot": (ABSENT, CELLS - 1),
        "card": (SECRET, max(CARDS)),
        "score": (0, GOAL + max(CARDS)),
        "winner": (0, 1),
    },
    skip=frozenset({"homing", "survivor"}),  # options: what is legal shows them
)
