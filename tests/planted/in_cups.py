"""Mistakes to plant into CUPS: each is what one function does wrong."""

from dataclasses import replace
from typing import Any

import numba

from diablerie.engine import verbs
from diablerie.engine.game import Length
from diablerie.engine.rng import below
from tests.planted import cups as right
from tests.planted.cups import DOUBT, FACES, NO_DIE, SECRET, Node


@numba.njit
def put(array: Any, i: int, x: int) -> None:
    """As a compiled rule does it: without a look at the bounds."""
    array[i] = x


# -- what may be decided -----------------------------------------------------------------------


def lists_one_beyond(s: Any, seat: int, out: Any) -> int:
    put(out, len(out), 0)
    return right.legal(s, seat, out)


def rolls_one_beyond(s: Any, out: Any, p: Any) -> int:
    put(p, len(p), 0)
    return right.chance(s, out, p)


def pays_six_seats(s: Any, out: Any) -> None:
    for i in range(verbs.SEATS):
        put(out, i, 0)
    right.returns(s, out)


def four_go_round(seats: int, seat: int) -> tuple[int, int]:
    return seat, 4


GOES_ROUND = replace(right.FEATURES, place=four_go_round)
TOO_NARROW = replace(right.FEATURES, ranges={"die": (-1, 3)})  # of dice with four faces


def allows_an_equal_bid(s: Any, seat: int, action: int) -> int:
    equal = right.pending(s) >> seat & 1 and action + 1 == s.bid
    return 0 if equal else right.forbids(s, seat, action)


def lists_an_equal_bid(s: Any, seat: int, out: Any) -> int:
    found = [a for a in range(DOUBT + 1) if allows_an_equal_bid(s, seat, a) == 0]
    out[: len(found)] = found
    return len(found)


def counts_no_rolls(seats: int, options: Any) -> Length:
    return Length(right.longest(seats, options).decisions, seats)


def notes_its_plan(s: Any, seat: int, rng: Any) -> int:
    action = right.advise(s, seat, rng)
    s.last_sum = action
    return action


# -- who may know what ---------------------------------------------------------------------------


def says_all_see_the_dice(s: Any) -> int:
    return verbs.EVERYONE


def says_a_neighbour_sees_the_die(s: Any) -> int:
    if s.node == Node.ROLL:
        return 1 << int(s.turn) | 1 << int((s.turn + 1) % s.seats)
    return verbs.EVERYONE


def says_nobody_sees_the_die(s: Any) -> int:
    return 0 if s.node == Node.ROLL else verbs.EVERYONE


def shows_the_neighbours_die(s: Any, seat: int) -> None:
    for i in range(s.seats):
        if i not in (seat, (seat + 1) % s.seats) and s.die[i] != NO_DIE:
            s.die[i] = SECRET


def keeps_a_copy(s: Any, seat: int, action: int) -> None:
    if s.node == Node.ROLL:
        s.last_sum = action
    right.apply(s, seat, action)


def guesses_no_die(s: Any, seat: int, rng: Any) -> None:
    for i in range(s.seats):
        if s.die[i] == SECRET:
            s.die[i] = below(rng, FACES + 1)


def guesses_a_face_too_many(s: Any, seat: int, rng: Any) -> None:
    for i in range(s.seats):
        if s.die[i] == SECRET:
            s.die[i] = 1 + below(rng, FACES + 1)


def never_guesses_the_highest(s: Any, seat: int, rng: Any) -> None:
    for i in range(s.seats):
        if s.die[i] == SECRET:
            s.die[i] = 1 + below(rng, FACES - 1)


def guesses_with_a_loaded_die(s: Any, seat: int, rng: Any) -> None:
    for i in range(s.seats):
        if s.die[i] == SECRET:
            s.die[i] = 1 + max(below(rng, FACES), below(rng, FACES))


def passes_on_to_nobody(s: Any, seat: int, rng: Any) -> None:
    right.guess(s, seat, rng)
    s.turn = right.SEATS


def forgets_its_own_die(s: Any, seat: int, rng: Any) -> None:
    right.guess(s, seat, rng)
    if seat >= 0 and s.die[seat] != NO_DIE:
        s.die[seat] = 1 + below(rng, FACES)


# -- advice and value ----------------------------------------------------------------------------


def peeks(s: Any, seat: int, rng: Any) -> int:
    if SECRET in s.die:
        return right.advise(s, seat, rng)
    return right.bid_or_doubt(s, int(s.die[:].sum()))


def bluffs_by_a_secret(s: Any, seat: int, rng: Any) -> int:
    fours = sum(1 for i in range(s.seats) if i != seat and s.die[i] == FACES)
    return right.bid_or_doubt(s, right.expected(s, seat) + below(rng, 3 + fours))


def counts_chips(s: Any, out: Any) -> None:
    out[: s.seats] = s.chips[: s.seats]


def adds_to_what_was_there(s: Any, out: Any) -> None:
    before = out.copy()
    right.value(s, out)
    out += 0.1 * before
