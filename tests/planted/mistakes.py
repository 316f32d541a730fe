"""Mistakes to plant into LOTS: each is what one function does wrong."""

from enum import IntEnum
from itertools import count
from typing import Any

import numba

from diablerie.engine import verbs
from diablerie.engine.game import Length
from diablerie.engine.rng import below
from diablerie.engine.text import SeatRef, say
from tests.planted import lots as right
from tests.planted.lots import KEEP, NONE, SECRET, THROW, Node
from tests.planted.making import draw

UNREACHED: Any = IntEnum("UNREACHED", [*((node.name, node.value) for node in Node), ("NEVER", 5)])
CALLS = count()


# -- who decides, and what ---------------------------------------------------------------------


def goes_on_after_the_end(s: Any) -> int:
    return 0 if s.node == Node.OVER else right.actor(s)


def names_the_highest_seat(s: Any) -> int:
    return right.pending(s).bit_length() - 1 if s.node == Node.BID else right.actor(s)


def refuses_without_a_clause(s: Any, seat: int, action: int) -> int:
    return 9 if right.forbids(s, seat, action) else 0


def refuses_by_a_secret(s: Any, seat: int, action: int) -> int:
    code = right.forbids(s, seat, action)
    return 1 if code and s.card[1 - min(seat, 1)] >= 3 else code


def counts_what_it_refuses(s: Any, seat: int, action: int) -> int:
    code = right.forbids(s, seat, action)
    s.coin += code > 0
    return code


def forgets_the_last(s: Any, seat: int, out: Any) -> int:
    return right.legal(s, seat, out) - 1


def depends_on_a_secret(s: Any, seat: int, out: Any) -> int:
    dear = s.node == Node.PLAY and s.card[1 - min(seat, 1)] >= 3
    n = right.legal(s, seat, out)
    return 1 if dear else n


def loses_a_chance(s: Any, out: Any, p: Any) -> int:
    return right.chance(s, out, p) - 1


def remembers_outside_the_record(s: Any, seat: int, action: int) -> None:
    right.apply(s, seat, action)
    if s.node == Node.PLAY:
        s.coin = next(CALLS) % 7


def lists_one_beyond(s: Any, seat: int, out: Any) -> int:
    put(out, len(out), 0)
    return right.legal(s, seat, out)


@numba.njit
def put(array: Any, i: int, x: int) -> None:
    """As a compiled rule does it: without a look at the bounds."""
    array[i] = x


def counts_no_draws(seats: int, options: Any) -> Length:
    return Length(right.longest(seats, options).decisions, 0)


def rewards_everybody(s: Any, out: Any) -> None:
    out[: s.seats] = 0.5


# -- who may know what ---------------------------------------------------------------------------


def leaves_the_cards(s: Any, seat: int) -> None:
    for i in range(s.seats):
        if i != seat and s.bid[i] != NONE and s.node == Node.BID:
            s.bid[i] = SECRET


def hides_the_coin(s: Any, seat: int) -> None:
    right.redact(s, seat)
    s.coin = 0


def hides_more_each_time(s: Any, seat: int) -> None:
    right.redact(s, seat)
    if s.node != Node.OVER:
        s.coin -= 1


def says_all_see_the_bids(s: Any) -> int:
    return verbs.EVERYONE if s.node == Node.BID else right.witness(s)


def leaves_a_blank(s: Any, seat: int, rng: Any) -> None:
    bids = s.bid[:].copy()
    right.guess(s, seat, rng)
    s.bid[:] = bids


def deals_a_card_twice(s: Any, seat: int, rng: Any) -> None:
    for i in range(s.seats):
        if s.card[i] == SECRET:
            s.card[i] = below(rng, right.CARDS)
        if s.bid[i] == SECRET:
            s.bid[i] = below(rng, 3)


def guesses_always_the_same(s: Any, seat: int, rng: Any) -> None:
    secret = s.bid[:] == SECRET
    right.guess(s, seat, rng)
    s.bid[secret] = 1


def guesses_high_cards(s: Any, seat: int, rng: Any) -> None:
    left = [card for card in range(right.CARDS) if card not in s.card[: s.seats]]
    for i in range(s.seats):
        if s.card[i] == SECRET:
            s.card[i] = left.pop(max(below(rng, len(left)), below(rng, len(left))))
        if s.bid[i] == SECRET:
            s.bid[i] = below(rng, 3)


def passes_on_to_nobody(s: Any, seat: int, rng: Any) -> None:
    right.guess(s, seat, rng)
    s.turn = -1


def forgets_its_own_card(s: Any, seat: int, rng: Any) -> None:
    right.guess(s, seat, rng)
    if seat >= 0 and s.card[seat] != NONE:
        s.card[seat] = (s.card[seat] + 1) % right.CARDS


def never_guesses_the_truth(s: Any, seat: int, rng: Any) -> None:
    secret = s.bid[:] == SECRET
    right.guess(s, seat, rng)
    s.bid[secret] = 7 + below(rng, 2)


# -- advice and value ----------------------------------------------------------------------------


def advises_what_is_over(s: Any, seat: int, rng: Any) -> int:
    return 1 if s.node == Node.BID or s.turn == s.seats - 1 else THROW


def advises_the_worse(s: Any, seat: int, rng: Any) -> int:
    best = right.advise(s, seat, rng)
    return best if s.node == Node.BID else KEEP + THROW - best


def peeks(s: Any, seat: int, rng: Any) -> int:
    if s.node == Node.BID:
        return 1
    return KEEP if s.card[1 - min(seat, 1)] > 1 else THROW


def notes_its_plan(s: Any, seat: int, rng: Any) -> int:
    s.coin = right.advise(s, seat, rng)
    return int(s.coin)


def counts_cards(s: Any, out: Any) -> None:
    out[: s.seats] = s.card[: s.seats]


# -- words and pictures --------------------------------------------------------------------------


def says_the_same_of_two(s: Any, seat: int, action: int) -> str:
    return "keep" if action == THROW else right.format_action(s, seat, action)


def breaks_at_odd_words(s: Any, seat: int, text: str) -> int:
    return right.WORDS.index(text)


def reads_the_next_card(s: Any, text: str) -> int:
    return int(text) + 1


def misspells(view: Any, moves: Any, t: Any) -> str:
    return draw(view, [move.replace("keep", "keeep") for move in moves], t)


def draws_an_id_twice(view: Any, moves: Any, t: Any) -> str:
    return draw(view, moves, t).replace("</svg>", '<g id="z"/><g id="z"/></svg>')


def draws_it_otherwise_each_time(view: Any, moves: Any, t: Any) -> str:
    return draw(view, moves, t).replace("</svg>", f'<g id="n{next(CALLS)}"/></svg>')


def shows_a_set(s: Any, viewer: int) -> Any:
    return {"cards": {int(card) for card in s.card}}


def asks_nothing(s: Any, viewer: int) -> Any:
    return say("")


def labels_without_a_value(s: Any, seat: int, action: int) -> Any:
    return say("{{what}}")


def names_no_clause(before: Any, seat: int, action: Any, after: Any, viewer: int) -> list[Any]:
    told = right.narrate(before, seat, action, after, viewer)
    return [line._replace(clause="Z7") for line in told]


def tells_by_the_length(before: Any, seat: int, action: Any, after: Any, viewer: int) -> list[Any]:
    told = right.narrate(before, seat, action, after, viewer)
    if before.node == Node.DEAL and after.card[before.turn] > 2:
        told.append(say("Somebody smiles."))
    return told


def describes_nothing(view: Any) -> list[Any]:
    return []


def names_nobody_as_winner(
    before: Any, seat: int, action: Any, after: Any, viewer: int
) -> list[Any]:
    told = right.narrate(before, seat, action, after, viewer)
    return [*told, say("{who} wins!", who=SeatRef(-1))] if after.node == Node.OVER else told


def waits_for_one_too_many(s: Any, viewer: int) -> Any:
    return say("{who} decides.", who=SeatRef(s.turn)) if s.node == Node.OVER else say("Decide.")


def bids_for_the_last_seat(s: Any) -> None:
    right.begin(s)
    s.bid[s.seats - 1] = 0


def forgets_the_last_seat(s: Any, seat: int, action: int) -> None:
    right.apply(s, seat, action)
    if s.node == Node.PLAY and s.turn == s.seats - 1:
        s.node = Node.OVER
