"""Mistakes planted into a game, and the law that catches each."""

from collections.abc import Callable
from enum import IntEnum
from inspect import signature
from typing import Any

import pytest

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.engine.text import say
from diablerie.games import ALL
from diablerie.testing.laws import decisions, guessing, looking, secrets, unseen
from diablerie.testing.positions import all_settings
from tests.planted import lots as right
from tests.planted.lots import KEEP, NONE, SECRET, THROW, Node, lots

LAWS = [
    decisions.test_every_node_is_visited_by_the_sampled_positions,
    decisions.test_advice_is_legal_over_whole_games,
    decisions.test_advice_is_not_worse_than_chance,
    decisions.test_refusals_name_a_clause_of_the_rules_text,
    guessing.test_a_guess_leaves_nothing_blank,
    guessing.test_the_truth_is_among_the_guesses_and_not_alone,
    guessing.test_what_exists_once_is_guessed_once,
    looking.test_what_a_spot_of_the_picture_does_is_an_action,
    secrets.test_a_guess_looks_the_same_as_what_it_was_guessed_from,
    secrets.test_what_a_seat_may_do_depends_only_on_what_it_may_know,
    unseen.test_what_a_viewer_has_not_seen_leaves_no_trace,
    unseen.test_the_log_tells_nothing_of_what_a_viewer_has_not_seen,
    unseen.test_what_others_are_said_to_see_makes_a_difference_to_them,
]


def hold(law: Callable[..., None], game: Game) -> None:
    """Hold a law against a game, with every number of seats. Raises AssertionError."""
    ALL.loaded[game.name] = game  # where the laws look games up
    try:
        if "name" in signature(law).parameters:
            law(game.name)
        else:
            for setting in all_settings([game.name]):
                law(setting)
    finally:
        del ALL.loaded[game.name]


# -- the mistakes --------------------------------------------------------------------------------


def leaves_the_cards(s: Any, seat: int) -> None:
    for i in range(s.seats):
        if i != seat and s.bid[i] != NONE and s.node == Node.BID:
            s.bid[i] = SECRET


def leaves_the_bids(s: Any, seat: int) -> None:
    for i in range(s.seats):
        if i != seat and s.card[i] != NONE and s.node != Node.OVER:
            s.card[i] = SECRET


def hides_the_coin(s: Any, seat: int) -> None:
    right.redact(s, seat)
    s.coin = 0


def hides_only_good_cards(s: Any, seat: int) -> None:
    leaves_the_bids(s, seat) if s.card[0] > 2 else leaves_the_cards(s, seat)


def leaves_a_blank(s: Any, seat: int, rng: Any) -> None:
    bids = s.bid[:].copy()
    right.guess(s, seat, rng)
    s.bid[:] = bids


def deals_a_card_twice(s: Any, seat: int, rng: Any) -> None:
    for i in range(s.seats):
        if s.card[i] == SECRET:
            s.card[i] = right.below(rng, right.CARDS)
        if s.bid[i] == SECRET:
            s.bid[i] = right.below(rng, 3)


def guesses_always_the_same(s: Any, seat: int, rng: Any) -> None:
    right.guess(s, seat, rng)
    if s.node == Node.BID:
        for i in range(s.seats):
            if i != seat and s.bid[i] != NONE:
                s.bid[i] = 1


def never_guesses_the_truth(s: Any, seat: int, rng: Any) -> None:
    was = s.bid[:].copy()
    right.guess(s, seat, rng)
    s.bid[:] = [7 + right.below(rng, 2) if old == SECRET else old for old in was]


def advises_what_is_over(s: Any, seat: int, rng: Any) -> int:
    return 1 if s.node == Node.BID or s.turn == s.seats - 1 else THROW


def advises_the_worse(s: Any, seat: int, rng: Any) -> int:
    best = right.advise(s, seat, rng)
    return best if s.node == Node.BID else KEEP + THROW - best


def refuses_without_a_clause(s: Any, seat: int, action: int) -> int:
    return 9 if right.forbids(s, seat, action) else 0


def depends_on_a_secret(s: Any, seat: int, out: Any) -> int:
    dear = s.node == Node.PLAY and s.card[1 - min(seat, 1)] >= 3
    n = right.legal(s, seat, out)
    return 1 if dear else n


def says_all_see_the_bids(s: Any) -> int:
    return verbs.EVERYONE if s.node == Node.BID else right.witness(s)


def misspells(view: Any, moves: Any, t: Any) -> str:
    return str(right.draw(view, [move.replace("keep", "keeep") for move in moves], t))


def tells_by_the_length(before: Any, seat: int, action: Any, after: Any, viewer: int) -> list[Any]:
    told = right.narrate(before, seat, action, after, viewer)
    if before.node == Node.DEAL and after.card[before.turn] > 2:
        told.append(say("Somebody smiles."))
    return told


LENGTHY = {"redact": leaves_the_cards, "narrate": tells_by_the_length}
UNREACHED: Any = IntEnum("UNREACHED", [*((node.name, node.value) for node in Node), ("NEVER", 5)])
MISTAKES = [
    ({"Node": UNREACHED}, "every_node_is_visited"),
    ({"advise": advises_what_is_over}, "advice_is_legal_over_whole_games"),
    ({"advise": advises_the_worse}, "advice_is_not_worse"),
    ({"forbids": refuses_without_a_clause}, "refusals_name_a_clause"),
    ({"guess": leaves_a_blank}, "leaves_nothing_blank"),
    ({"guess": guesses_always_the_same}, "truth_is_among"),
    ({"guess": never_guesses_the_truth}, "truth_is_among"),
    ({"guess": deals_a_card_twice}, "exists_once"),
    ({"draw": misspells}, "spot_of_the_picture"),
    ({"legal": depends_on_a_secret}, "depends_only_on_what_it_may_know"),
    ({"redact": leaves_the_cards}, "leaves_no_trace"),
    ({"redact": leaves_the_bids}, "leaves_no_trace"),
    ({"redact": hides_only_good_cards}, "leaves_no_trace"),
    (LENGTHY, "log_tells_nothing"),
    ({"redact": hides_the_coin}, "makes_a_difference"),
    ({"witness": says_all_see_the_bids}, "makes_a_difference"),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_game_as_it_should_be_keeps_every_law(law):
    hold(law, lots())


@pytest.mark.parametrize(("planted", "caught"), MISTAKES)
def test_a_planted_mistake_is_caught_by_the_law_about_it(planted, caught):
    (law,) = (law for law in LAWS if caught in law.__name__)
    with pytest.raises((AssertionError, NotationError)):
        hold(law, lots(**planted))
