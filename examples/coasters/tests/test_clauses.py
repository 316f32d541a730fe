"""The rules of COASTERS, one test a clause."""

import numpy as np
import pytest

from coasters import GAME
from coasters.rules.piles import hand
from coasters.rules.state import FLOWER, HIDDEN, NO, SKULL, UNSURE, YES
from diablerie.engine import verbs
from diablerie.engine.options import BadOption
from diablerie.engine.queries import chance_outcomes, redacted, sees
from diablerie.engine.record import copy, same
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from rounds import laid, node, play, refused, stripped, table, texts


def test_B1_everyone_has_three_flowers_and_a_skull_that_only_they_see():
    s = table(4)
    assert [(hand(s, i, FLOWER), hand(s, i, SKULL)) for i in range(4)] == [(3, 1)] * 4
    play(s, "lay skull, lay flower")
    for viewer in (1, 2, 3, WATCHER):
        assert redacted(s, viewer).pile[0, 0] == HIDDEN
    assert redacted(s, 0).pile[0, 0] == SKULL
    assert redacted(s, 0).pile[1, 0] == HIDDEN


@pytest.mark.parametrize("seats", [3, 4])
def test_B2_lots_are_drawn_for_who_begins_and_it_goes_clockwise(seats):
    s = GAME.start(seats)
    assert chance_outcomes(GAME, s) == (list(range(seats)), [pytest.approx(1 / seats)] * seats)
    verbs.apply(s, CHANCE, seats - 1)
    seen = []
    for _ in range(seats):
        seen.append(verbs.actor(s))
        play(s, "lay flower")
    assert seen == [seats - 1, *range(seats - 1)]


def test_B2_whoever_is_out_is_passed_over():
    s = stripped(table(), 1, "")
    assert verbs.actor(play(s, "lay flower")) == 2


def test_B3_in_turn_one_lays_on_top_or_opens_the_bidding():
    s = laid()
    assert texts(s) == ["lay flower", "lay skull", "bid 1", "bid 2", "bid 3"]
    assert refused(s, "lay flower", 1) == "B3"
    play(s, "lay skull")
    assert list(s.pile[0, :2]) == [FLOWER, SKULL]
    assert verbs.actor(s) == 1


def test_B4_one_lays_only_what_is_in_hand():
    s = laid("lay flower, lay flower, lay flower, lay flower, lay flower, lay skull")
    assert refused(s, "lay flower") == "B4"
    assert texts(s)[0] == "lay skull"
    play(s, "lay skull, lay skull")
    assert refused(s, "lay skull") == "B4"


def test_B5_no_bid_before_everybody_has_laid():
    s = table()
    for _ in range(3):
        assert refused(s, "bid 1") == "B5"
        play(s, "lay flower")
    assert "bid 1" in texts(s)


def test_B5_with_an_empty_hand_one_must_open():
    s = play(stripped(table(), 0, "S"), "lay skull, lay flower, lay flower")
    assert texts(s) == ["bid 1", "bid 2", "bid 3"]


def test_B6_a_bid_is_from_one_to_all_that_lie_on_the_table():
    s = laid("lay flower, lay flower")
    assert texts(s)[2:] == ["bid 1", "bid 2", "bid 3", "bid 4", "bid 5"]
    assert refused(s, "bid 6") == "B6"


def test_B7_then_nobody_lays_and_one_bids_more_or_passes_for_good():
    s = laid("bid 1")
    assert texts(s) == ["pass", "bid 2", "bid 3"]
    assert refused(s, "lay flower") == "B7"
    assert refused(s, "bid 1") == "B7"
    assert refused(s, "pass", 2) == "B7"
    play(s, "pass, bid 2")
    assert verbs.actor(s) == 0
    assert refused(laid(), "pass") == "B7"


def test_B8_the_bidding_ends_when_all_others_have_passed():
    s = laid("bid 1, pass, bid 2, pass")
    assert (node(s), verbs.actor(s)) == ("turn", 2)
    assert refused(s, "bid 3") == "B8"


def test_B8_or_at_once_with_a_bid_of_all():
    s = laid("bid 3")
    assert (node(s), verbs.actor(s)) == ("turn", 0)


def test_B9_the_own_pile_is_turned_first_from_the_top_then_any():
    s = laid("lay flower, lay flower, lay flower, bid 4, pass, pass")
    for _ in range(2):
        assert texts(s) == ["turn 0"]
        assert refused(s, "turn 1") == "B9"
        play(s, "turn 0")
    assert texts(s) == ["turn 1", "turn 2"]
    assert texts(play(s, "turn 1")) == ["turn 1", "turn 2"]


def test_B9_a_pile_is_turned_from_the_top():
    s = play(table(), "lay skull, lay flower, lay flower, lay flower, lay flower, lay flower")
    play(s, "bid 1, pass, pass, turn 0")
    assert s.points[0] == 1


def test_B10_as_many_flowers_as_bid_are_a_point():
    s = laid("bid 2, pass, pass, turn 0")
    assert s.points[0] == 0
    play(s, "turn 2")
    assert list(s.points[:3]) == [1, 0, 0]
    assert list(s.coasters[:3]) == [4, 4, 4]
    assert node(s) == "lay"


def test_B11_at_the_own_skull_one_chooses_in_secret_what_to_lose():
    s = play(table(), "lay skull, lay flower, lay flower, bid 3, turn 0")
    assert (node(s), verbs.actor(s)) == ("drop", 0)
    assert texts(s) == ["drop flower", "drop skull"]
    assert [sees(s, 0, viewer) for viewer in (0, 1, 2, WATCHER)] == [True, False, False, False]
    kept = play(copy(s), "drop flower")
    lost = play(copy(s), "drop skull")
    assert (kept.skull[0], lost.skull[0]) == (YES, NO)
    assert kept.coasters[0] == lost.coasters[0] == 3
    for viewer in (1, 2, WATCHER):
        assert same(redacted(kept, viewer), redacted(lost, viewer))


def test_B11_the_last_coaster_leaves_no_choice():
    s = play(stripped(table(), 0, "S"), "lay skull, lay flower, lay flower, bid 1, pass, pass")
    play(s, "turn 0")
    assert texts(s) == ["drop skull"]
    assert refused(s, "drop flower") == "B11"


def test_B12_at_anothers_skull_chance_takes_one_of_all_coasters():
    s = play(table(), "lay flower, lay flower, lay skull, bid 3, turn 0, turn 2")
    assert verbs.actor(s) == CHANCE
    assert texts(s) == ["lost flower", "lost skull"]
    assert chance_outcomes(GAME, s)[1] == [0.75, 0.25]
    assert [sees(s, CHANCE, viewer) for viewer in (0, 1, 2, WATCHER)] == [True, False, False, False]
    kept = play(copy(s), "lost flower")
    lost = play(copy(s), "lost skull")
    assert (hand(kept, 0, FLOWER), hand(lost, 0, FLOWER)) == (2, 3)
    assert same(redacted(kept, 2), redacted(lost, 2))
    assert not same(redacted(kept, 0), redacted(lost, 0))


def test_B13_at_a_wake_all_see_what_is_lost():
    s = play(table(wake=True), "lay flower, lay flower, lay skull, bid 3, turn 0, turn 2")
    assert all(sees(s, CHANCE, viewer) for viewer in (0, 1, 2, WATCHER))
    assert play(copy(s), "lost skull").known[0] == NO
    assert play(copy(s), "lost flower").known[0] == YES
    own = play(table(wake=True), "lay skull, lay flower, lay flower, bid 3, turn 0")
    assert play(own, "drop skull").known[0] == NO


def test_B14_all_is_taken_back_and_whoever_turned_begins():
    s = laid("lay flower, bid 2, pass, pass, turn 1, turn 0")
    assert verbs.actor(s) == 1
    assert not s.laid.any()
    assert [hand(s, i, FLOWER) + hand(s, i, SKULL) for i in range(3)] == [4, 4, 4]
    play(s, "lay skull, lay flower, lay flower, bid 3, turn 1, drop flower")
    assert verbs.actor(s) == 1


def test_B15_out_by_anothers_skull_its_owner_begins():
    s = play(stripped(table(), 0, "f"), "lay flower, lay flower, lay skull, bid 3, turn 0, turn 2")
    play(s, "lost flower")
    assert verbs.actor(s) == 2
    assert verbs.actor(play(s, "lay flower")) == 1
    assert verbs.actor(play(s, "lay flower")) == 2


def test_B15_out_by_the_own_skull_the_next_one_begins():
    s = play(stripped(table(), 0, "S"), "lay skull, lay flower, lay flower, bid 3, turn 0")
    assert verbs.actor(play(s, "drop skull")) == 1


@pytest.mark.parametrize("points", [1, 2, 3])
def test_B16_so_many_points_win_at_once(points):
    s = table(points=points)
    for n in range(points):
        assert verbs.actor(s) != OVER, n
        play(s, "lay flower, lay flower, lay flower, bid 1, pass, pass, turn 0")
    assert verbs.actor(s) == OVER
    out = np.zeros(4)
    verbs.returns(s, out)
    assert list(out[:3]) == [1.0, -0.5, -0.5]


def test_B16_points_are_an_option_from_1_to_3():
    for wrong in ("0", "4", "x"):
        with pytest.raises(BadOption, match="points"):
            table(points=wrong)


def test_B17_the_last_one_left_wins():
    s = stripped(stripped(table(), 0, "S"), 1, "")
    play(s, "lay skull, lay flower, bid 2, turn 0, drop skull")
    assert verbs.actor(s) == OVER
    assert s.winner == 2
    out = np.zeros(4)
    verbs.returns(s, out)
    assert list(out[:3]) == [-0.5, -0.5, 1.0]


def test_what_everybody_knows_follows_from_what_was_turned():
    s = play(table(), "lay flower, lay flower, lay skull, bid 3, turn 0, turn 2, lost flower")
    assert [int(k) for k in s.known[:3]] == [UNSURE, YES, YES]
    stripped(s, 0, "ff")
    play(s, "lay flower, lay flower, lay flower, lay flower, lay flower, lay flower, bid 2")
    play(s, "pass, pass, turn 0, turn 0")
    assert s.known[0] == NO
