"""UNDERWORLD's clauses U19 to U25, one test or more each."""

import pytest

from diablerie.engine.queries import chance_outcomes, redacted, sees
from diablerie.engine.verbs import WATCHER
from diablerie.games.underworld.rules.state import UNSEEN
from tests.games.underworld.boards import (
    at,
    board,
    held,
    moves,
    names,
    node,
    possessed,
    space,
    told,
)
from tests.scripts import play, refused

# -- swapping and rearranging ------------------------------------------------------------------


def test_U19_two_cards_face_down_or_of_ones_own_change_places():
    match = board(2, "0 at w1", "A0 up at w2", "B1 up at w3", "D5 down at x2")
    play(match, "0 swap")
    assert {"exchange w2", "exchange x2", "exchange t2"} <= set(match.legal())
    assert refused(match, "exchange w3") == "U19"
    play(match, "0 exchange w2, 0 with x2")
    s = match.state
    assert (int(s.card[space("x2")]), int(s.card[space("w2")])) == (0, 33)
    assert "x2" in names(int(s.up))
    assert "w2" in names(int(s.down))
    assert match.actor == 1


def test_U19_no_card_under_a_disk_and_each_pair_in_one_order_only():
    match = board(2, "0 at w1", "1 at z7")
    play(match, "0 swap")
    texts = match.legal()
    assert "exchange w1" not in texts
    assert "exchange x7" not in texts
    assert texts[-1] == "exchange w7"
    play(match, "0 exchange w3")
    assert match.legal()[0] == "with x3"
    assert match.legal()[-1] == "with x7"
    assert refused(match, "with w2") == "U19"
    assert refused(match, "with z7") == "U19"


def test_U19_a_look_follows_its_card():
    match = board(2, "0 at w1", "D5 down at x2 seen by 1")
    play(match, "0 swap, 0 exchange x2, 0 with w3")
    assert redacted(match.state, 1).card[space("w3")] == 33
    assert redacted(match.state, 0).card[space("w3")] == UNSEEN


def test_U20_the_possessed_fly_over_backs_and_may_rest_on_one():
    match = board(2, "0 at w1", "0 possessed", "C1 up at w2")
    assert {"t1", "z1", "w2", "w3", "w7"} <= set(moves(match))
    play(match, "0 move w7")
    assert at(match, 0) == "w7"
    assert "w7" in names(int(match.state.down))
    assert match.actor == 1


def test_U21_two_to_four_cards_are_shuffled_and_laid_face_down():
    match = board(2, "0 at w1", "0 possessed", "C1 up at w2", "D1 up at w3")
    assert "rearrange" in match.legal()
    play(match, "0 rearrange")
    assert refused(match, "take w1") == "U21"
    assert refused(match, "done") == "U21"
    play(match, "0 take w2")
    assert "done" not in match.legal()
    play(match, "0 take w3")
    assert match.legal()[-1] == "done"
    play(match, "0 done")
    assert match.legal() == [f"lay {n}" for n in ("u1", "y1", "w2", "w3", "t4", "z4", "u7")]
    assert refused(match, "lay w4") == "U21"
    play(match, "0 lay w2, 0 lay t4")
    assert chance_outcomes(match.game, match.state) == ([1 + 8, 1 + 9], [0.5, 0.5])
    play(match, "deal D1, deal C1")
    s = match.state
    assert [int(s.card[space(n)]) for n in ("w2", "t4")] == [9, 8]
    assert {"w2", "t4"} <= set(names(int(s.down)))
    assert "w3" not in names(int(s.down | s.up))
    assert match.actor == 1


def test_U21_unseen_cards_stay_unseen_and_nobody_knows_which_is_which():
    match = board(2, "0 possessed", "devil down at w2 seen by 0", "devil up at w3")
    play(match, "0 rearrange, 0 take w2, 0 take x2, 0 take w3, 0 take x3")
    play(match, "0 lay w2, 0 lay x2, 0 lay w3, 0 lay x3")
    assert chance_outcomes(match.game, match.state) == ([0, 37], [0.5, 0.5])
    for seat in (WATCHER, 0, 1):
        assert not sees(match.state, -1, seat)
    play(match, "deal unseen, deal devil, deal unseen, deal devil")
    assert int(match.state.known.sum()) == 0
    for seat in (WATCHER, 0, 1):
        assert redacted(match.state, seat).loose_devils == 4


def test_U21_at_most_four_and_laying_starts_when_no_more_can_be_taken():
    match = board(2, "0 possessed")
    play(match, "0 rearrange, 0 take w5, 0 take x5, 0 take y5, 0 take z5")
    assert node(match) == "lay"
    match = board(2, "0 possessed")
    play(match, "0 rearrange, 0 take w7, 0 take x7")
    assert node(match) == "lay"
    play(match, "0 lay w7")
    assert refused(match, "lay u1") == "U21"


def test_U22_the_possessed_may_pass_over_one_disk_but_not_enter_where_two_stand():
    match = board(3, "0 at t1", "1 at u1", "2 at z7", "0 possessed", "A1 up at t2")
    assert {"u1", "v1", "w1"} <= set(moves(match))
    match = board(3, "0 at t1", "1 at u1", "2 at u1", "0 possessed", "A1 up at t2")
    assert moves(match) == ["t2"]
    assert refused(match, "move u1") == "U22"


def test_U22_a_disk_on_any_card_is_open_and_passing_over_it_has_no_effect():
    match = board(2, "0 at t1", "1 at u1", "0 possessed", "A1 up at t2", "devil up at v1",
                  "1 at v1")  # fmt: skip
    assert {"v1", "w1", "v2"} <= set(moves(match))
    play(match, "0 move w1")
    assert possessed(match) == [0]


def test_U22_ending_on_a_disk_the_devil_must_be_given():
    match = board(2, "0 at w1", "1 at w3", "0 possessed")
    assert told(match, "0 move w3") == [
        "player 1 goes to w3.",
        "player 1 gives player 2 the devil.",
    ]
    assert (possessed(match), at(match, 0), at(match, 1)) == ([1], "w3", "w3")
    assert match.actor == 1


def test_U22_the_mover_takes_a_missing_letter_that_lies_there():
    match = board(2, "0 at w1", "1 at w3", "0 possessed", "E0 up at w3")
    play(match, "0 move w3")
    assert (possessed(match), held(match, 0)) == ([1], "E")


def test_U22_under_the_option_the_devil_may_be_kept_and_the_letter_taken():
    words = ["0 at w1", "1 at w3", "0 possessed", "E0 up at w3"]
    match = board(2, *words, gift="may")
    play(match, "0 move w3")
    assert (node(match), match.legal()) == ("gift", ["withhold", "give"])
    assert refused(match, "stop") == "U22"
    play(match, "0 withhold")
    assert (possessed(match), held(match, 0), match.actor) == ([0], "E", 1)
    match = play(board(2, *words, gift="may"), "0 move w3, 0 give")
    assert (possessed(match), held(match, 0)) == ([1], "E")


def test_U22_on_a_face_up_tower_the_mover_has_its_choices_and_gives_nothing():
    for option in ("must", "may"):
        match = board(2, "0 at w1", "1 at w3", "0 possessed", "tower up at w3", gift=option)
        play(match, "0 move w3")
        assert match.legal() == ["keep", "put back"]
        play(match, "0 keep, 0 peek none")
        assert possessed(match) == [0]


# -- devils ------------------------------------------------------------------------------------


def test_U23_with_no_peg_on_the_face_the_receiver_chooses_a_holder():
    words = ["0 at w2", *(f"{seat} possessed" for seat in range(1, 5))]
    match = board(5, *words)
    play(match, "0 move w3, card devil")
    assert match.legal() == ["from 1", "from 2", "from 3", "from 4"]
    assert refused(match, "from 0") == "U23"
    assert refused(match, "stop") == "U23"  # it is the time for nothing else
    assert told(match, "0 from 3") == ["player 1 takes player 4’s devil."]
    assert (possessed(match), int(match.state.pegs), match.actor) == ([0, 1, 2, 4], 0, 1)


def test_U24_a_second_devil_sends_both_to_the_face_and_costs_two_letters():
    match = board(2, "0 at w2", "0 possessed", "0 holds ACEF", "devil up at w3")
    play(match, "0 move w3")
    assert (possessed(match), int(match.state.pegs)) == ([], 4)
    assert match.legal() == ["lose A", "lose C", "lose E"]
    assert refused(match, "lose B") == "U24"
    play(match, "0 lose C")
    assert match.legal() == ["lose E", "lose F"]
    play(match, "0 lose F")
    assert (held(match, 0), match.actor) == ("AE", 1)
    assert "E0" not in names(int(match.state.up))


@pytest.mark.parametrize("few", ["", "0 holds B", "0 holds BE"])
def test_U24_fewer_than_three_letters_are_lost_without_a_question(few):
    match = board(2, "0 at w2", "0 possessed", *filter(None, [few]), "devil up at w3")
    play(match, "0 move w3")
    assert (held(match, 0), match.actor) == ("", 1)


def test_U24_lost_letters_can_be_collected_again():
    match = board(2, "0 at w2", "0 possessed", "0 holds B", "devil up at w3", "B0 up at v3")
    play(match, "0 move w3, 1 swap, 1 exchange t2, 1 with t3, 0 move v3")
    assert held(match, 0) == "B"


def test_U25_nobody_is_given_a_devil_on_a_face_up_devil_or_tower():
    match = board(2, "0 at w2", "1 at w3", "0 possessed", "devil up at w3")
    play(match, "0 move w3")
    assert (possessed(match), int(match.state.pegs)) == ([], 4)
    match = board(2, "0 at w2", "1 at w3", "0 possessed", "tower up at w3")
    play(match, "0 move w3, 0 put back, 0 peek none")
    assert possessed(match) == []


def test_U25_a_face_down_devil_or_tower_protects_nobody():
    for card in ("devil", "tower"):
        match = board(2, "0 at w2", "1 at w3", "0 possessed", f"{card} down at w3")
        play(match, "0 move w3")
        assert possessed(match) == [1]
        assert "w3" in names(int(match.state.down))
