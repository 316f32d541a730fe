"""UNDERWORLD's clauses U1 to U18, one test or more each."""

import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes
from diablerie.games.underworld.rules.notation import SPACE_NAMES
from diablerie.games.underworld.rules.state import DEALT, FACE, IVY, Node, distance
from tests.games.underworld.boards import (
    at,
    board,
    gone,
    held,
    moves,
    names,
    node,
    open_all_but,
    possessed,
    space,
    told,
)
from tests.scripts import opening, play, refused


def others(match):
    """The legal actions that are no moves."""
    return [text for text in match.legal() if not text.startswith("move")]


# -- setting up --------------------------------------------------------------------------------


def test_U1_49_spaces_the_face_in_the_middle():
    assert len(SPACE_NAMES) == 49
    assert SPACE_NAMES[FACE] == "w4"


def test_U2_the_six_ivy_spaces():
    places = [(i // 7 + 1, i % 7 + 1) for i in IVY]
    assert places == [(1, 2), (1, 6), (4, 1), (4, 7), (7, 2), (7, 6)]
    assert [SPACE_NAMES[i] for i in IVY] == ["u1", "y1", "t4", "z4", "u7", "y7"]


@pytest.mark.parametrize("seats", range(2, 7))
def test_U3_always_all_42_cards_of_which_36_are_letters(seats):
    match = board(seats)
    match.state.node, match.state.spot = Node.CARD, space("t2")
    found, p = chance_outcomes(match.game, match.state)
    assert found == list(range(38))
    assert p == pytest.approx([1 / 42] * 36 + [4 / 42, 2 / 42])


def test_U4_four_pegs_on_the_face_and_empty_disks():
    match = opening("underworld", 4)
    assert match.state.pegs == 4
    assert [held(match, seat) for seat in range(4)] == [""] * 4
    assert possessed(match) == []


def test_U5_a_card_face_down_on_every_space_but_face_and_ivy():
    down = names(int(opening("underworld", 2).state.down))
    assert names(DEALT) == down
    assert len(down) == 42
    assert not {"w4", "u1", "y1", "t4", "z4", "u7", "y7"} & set(down)


def test_U6_disks_are_placed_at_least_four_steps_apart():
    match = play(opening("underworld", 2), "first 0, 0 place t1")
    wanted = [n for n in SPACE_NAMES if distance(space("t1"), space(n)) >= 4 and n != "w4"]
    assert [text.removeprefix("place ") for text in match.legal()] == wanted
    assert refused(match, "place w1") == "U6"
    assert refused(match, "place w4") == "U6"


def test_U6_where_no_space_is_four_away_the_farthest_ones_serve():
    match = play(opening("underworld", 6), "first 0")
    play(match, "0 place w2, 1 place t3, 2 place z3, 3 place u6, 4 place y6")
    placed = [int(d) for d in match.state.disk if d >= 0]
    reach = {n: min(distance(space(n), d) for d in placed) for n in SPACE_NAMES if n != "w4"}
    assert max(reach.values()) == 3
    assert [f"place {n}" for n, far in reach.items() if far == 3] == match.legal()


def test_U6a_lots_decide_who_places_first_and_has_the_first_turn():
    match = opening("underworld", 3)
    assert chance_outcomes(match.game, match.state) == ([0, 1, 2], [1 / 3] * 3)
    play(match, "first 2, 2 place t1, 0 place z7, 1 place z1")
    assert (match.actor, node(match)) == (2, "turn")
    play(match, "2 move u1")
    assert match.actor == 0
    assert match.game.clause(verbs.forbids(match.state, 1, 50)) == "U6a"


# -- a turn ------------------------------------------------------------------------------------


def test_U7_a_turn_is_a_move_or_a_swap_or_when_possessed_a_rearrangement():
    match = board(2)
    assert moves(match) == ["u1", "v1", "t2", "u2"]
    assert others(match) == ["swap"]
    assert refused(match, "rearrange") == "U21"
    assert refused(match, "pass") == "U7"
    assert refused(match, "stop") == "U7"
    assert others(board(2, "0 possessed")) == ["swap", "rearrange"]


def test_U7_who_can_do_nothing_passes():
    match = board(
        6, "0 at t1", "1 at t2", "2 at u1", "3 at w3", "4 at z7", "5 at z5", "A0 up at t1",
        "B0 up at t2", "C0 up at w3", "D0 up at z7", "E0 up at z5",
    )  # fmt: skip
    open_all_but(match)
    assert match.legal() == ["pass"]
    assert told(match, "0 pass")[0] == "player 1 cannot do anything and passes."


def test_U8_who_has_left_turns_two_cards_that_affect_nobody():
    match = board(3, "1 at w3", "0 left")
    assert match.legal() == [f"reveal {name}" for name in names(DEALT)]
    assert refused(match, "move t1") == "U8"
    play(match, "0 reveal w3, card devil")
    assert (node(match), match.actor) == ("reveal", 0)
    play(match, "0 reveal w2, card A1")
    assert possessed(match) == []
    assert held(match, 1) == ""
    assert match.actor == 1


def test_U8_only_one_card_if_only_one_is_left():
    match = board(3, "0 left")
    open_all_but(match, "w2", loose="A1")
    play(match, "0 reveal w2, card A1")
    assert match.over


# -- moving ------------------------------------------------------------------------------------


def test_U9_a_move_goes_over_open_spaces_and_ends_on_any_or_on_a_stop():
    match = board(2, "0 at w1", "0 holds B", "B3 up at w2", "C3 up at v2", "C0 up at x2")
    assert moves(match) == ["v1", "x1", "v2", "w2", "x2", "w3"]
    assert refused(match, "move w5") == "U9"
    play(match, "0 move w2")
    assert (at(match, 0), match.actor) == ("w2", 1)


def test_U9_the_space_one_stands_on_cannot_be_chosen():
    match = board(2, "0 at w1", "bare w1")
    assert refused(match, "move w1") == "U9"
    assert "u1" in moves(board(2, "0 at t1", "bare t1"))


def test_U9_after_turning_an_open_card_even_the_first_space_may_be_entered_again():
    match = board(2, "0 at w1", "0 holds B", "bare w1")
    play(match, "0 move w2, card B4")
    assert node(match) == "onward"
    assert moves(match) == ["v1", "w1", "x1", "v2", "x2", "w3"]
    assert refused(match, "move w2") == "U9"
    assert others(match) == ["stop"]
    play(match, "0 move w1")
    assert (at(match, 0), match.actor) == ("w1", 1)


def test_U10_spaces_without_a_card_and_letters_one_has_are_open():
    match = board(2, "0 at w1", "0 holds F", "F4 up at w2", "bare w3", "F0 up at v3")
    assert {"w2", "w3", "v3", "u3", "v4"} <= set(moves(match))
    assert "w4" not in moves(match)


def test_U11_a_face_down_card_is_turned_up_and_ends_the_move():
    match = board(2, "0 at w1")
    assert told(match, "0 move w2, card C3") == ["player 1 goes to w2.", "Revealed: a stray C."]
    assert names(int(match.state.up)) == ["w2"]
    assert (match.actor, held(match, 0)) == (1, "")


def test_U11_a_letter_one_has_lets_the_move_go_on():
    match = board(2, "0 at w1", "0 holds C")
    play(match, "0 move w2, card C3, 0 move w3, card C1, 0 move v3, card A1")
    assert (at(match, 0), match.actor) == ("v3", 1)
    assert names(int(match.state.up)) == ["w2", "v3", "w3"]
    assert refused(board(2, "0 at w1", "0 holds C", "C3 down at w2"), "stop") == "U7"


def test_U12_a_missing_letter_of_ones_own_gives_its_peg_and_the_card_stays():
    for words, script in (
        (["C0 up at w2"], "0 move w2"),
        ([], "0 move w2, card C0"),
        (["C0 down at w2"], "0 move w2"),
    ):
        match = board(2, "0 at w1", "0 holds A", *words)
        play(match, script)
        assert (held(match, 0), match.actor) == ("AC", 1)
        assert names(int(match.state.up)) == ["w2"]


def test_U12_the_turn_ends_even_where_the_letter_would_let_one_go_on():
    match = board(2, "0 at w1", "C0 up at w2")
    assert moves(match) == ["v1", "x1", "w2"]


def test_U13_any_other_letter_one_lacks_ends_the_turn():
    match = board(2, "0 at w1", "0 holds AB", "C1 up at w2")
    assert "w3" not in moves(match)
    play(match, "0 move w2")
    assert (held(match, 0), match.actor) == ("AB", 1)


def test_U14_a_devil_card_gives_a_peg_and_ends_the_turn():
    for words, script in ((["devil up at w2"], "0 move w2"), ([], "0 move w2, card devil")):
        match = board(2, "0 at w1", *words)
        play(match, script)
        assert (possessed(match), int(match.state.pegs), match.actor) == ([0], 3, 1)


def test_U15_a_tower_lets_one_put_the_devil_back_and_then_look_at_a_card():
    match = board(2, "0 at w1", "0 possessed", "tower up at w2")
    play(match, "0 move w2")
    assert match.legal() == ["keep", "put back"]
    assert refused(match, "peek t2") == "U15"
    play(match, "0 put back")
    assert (possessed(match), int(match.state.pegs)) == ([], 4)
    assert match.legal() == [f"peek {n}" for n in names(int(match.state.down))] + ["peek none"]
    play(match, "0 peek t2, card devil")
    assert match.state.card[space("t2")] == 36
    assert (possessed(match), match.actor) == ([], 1)


def test_U15_both_may_be_declined_and_the_free_are_only_asked_to_look():
    match = board(2, "0 at w1", "0 possessed", "tower up at w2")
    play(match, "0 move w2, 0 keep, 0 peek none")
    assert (possessed(match), match.actor) == ([0], 1)
    match = board(2, "0 at w1")
    play(match, "0 move w2, card tower")
    assert node(match) == "peek"


def test_U15_nothing_to_look_at_is_no_question():
    match = board(2, "0 at w1")
    open_all_but(match, "w2", loose="tower")
    play(match, "0 move w2, card tower")
    assert match.over


def test_U16_the_face_is_open_only_while_all_four_pegs_are_with_players():
    words = ["0 at w3", "1 possessed", "2 possessed", "3 possessed"]
    match = board(5, *words)
    assert refused(match, "move w4") == "U16"
    match = board(5, *words, "4 possessed")
    assert {"w4", "w5", "v4", "x4"} <= set(moves(match))
    play(match, "0 move w4")
    assert at(match, 0) == "w4"


def test_U16_also_when_a_disk_stands_on_it():
    match = board(4, "0 at w3", "1 at w4", "0 possessed")
    assert refused(match, "move w4") == "U16"
    match = board(4, "0 at w3", "1 at w4", "0 possessed", "1 possessed", "2 possessed",
                  "3 possessed")  # fmt: skip
    assert {"w4", "w5"} <= set(moves(match))


def test_U16_a_disk_on_the_face_leaves_it_as_from_any_space():
    assert moves(board(2, "0 at w4")) == ["w3", "v4", "x4", "w5"]


def test_U17_a_space_with_another_disk_may_not_be_entered():
    match = board(2, "0 at w1", "1 at w2", "bare w2")
    assert refused(match, "move w2") == "U17"
    assert moves(match) == ["v1", "x1"]


def test_U18_the_card_under_a_disk_does_nothing_to_it():
    match = board(3, "1 at w3", "0 left", "2 at w6", "devil up at w6", turn=0)
    play(match, "0 reveal w3, card B1, 0 reveal t1, card A5")
    assert held(match, 1) == ""
    play(match, "1 swap, 1 exchange t2, 1 with t3")
    assert held(match, 1) == ""
    assert possessed(match) == []
    assert gone(match) == [0]
