"""The worked examples of the rules of UNDERWORLD: each is played, and tells what comes of it."""

from diablerie.games.underworld.rules.state import PEGS
from tests.games.examples import tells
from tests.games.underworld.boards import (
    at,
    board,
    gone,
    held,
    moves,
    names,
    node,
    possessed,
)
from tests.scripts import play


def test_example_1_holding_D_every_D_and_every_empty_space_lets_one_go_on():
    match = board(
        2, "0 at w1", "0 holds D", "D4 up at w2", "bare w3", "D0 up at v3", "A3 up at u3",
    )  # fmt: skip
    assert {"w2", "w3", "v3", "u3", "x3"} <= set(moves(match))
    assert "t3" not in moves(match)
    play(match, "0 move x3, card D1")
    assert (node(match), match.actor) == ("onward", 0)
    match = board(2, "0 at w1", "0 holds D")
    play(match, "0 move w2, card D0")
    assert (node(match), match.actor) == ("onward", 0)
    tells("underworld", 1)


def test_example_2_all_pegs_out_the_finder_chooses_whose_devil_to_take():
    match = board(6, "0 at w2", *(f"{seat} possessed" for seat in range(2, 6)))
    play(match, "0 move w3, card devil, 0 from 4")
    assert possessed(match) == [0, 2, 3, 5]


def test_example_2_one_of_the_holders_himself_loses_two_letters_and_frees_the_other():
    match = board(
        5, "0 at w2", "0 possessed", "1 possessed", "2 possessed", "3 possessed",
        "0 holds ABC", "devil up at w3",
    )  # fmt: skip
    play(match, "0 move w3")
    assert match.legal() == ["from 1", "from 2", "from 3"]
    play(match, "0 from 2")
    assert (possessed(match), int(match.state.pegs)) == ([1, 3], 2)
    play(match, "0 lose A, 0 lose B")
    assert (held(match, 0), match.actor) == ("C", 1)
    pegs, others, lost = PEGS, len(["from 1", "from 2", "from 3"]), len("AB")
    tells("underworld", 2, pegs, others, lost)


def test_example_3_a_devil_for_the_possessed_sends_both_to_the_face():
    match = board(
        3, "0 at w1", "1 at w3", "0 possessed", "1 possessed", "1 holds ABCD", "F5 up at w3",
    )  # fmt: skip
    play(match, "0 move w3")
    assert (possessed(match), int(match.state.pegs)) == ([], 4)
    assert (node(match), match.actor) == ("lose", 1)
    play(match, "1 lose B, 1 lose D")
    assert (held(match, 1), match.actor) == ("AC", 1)
    tells("underworld", 3, len("ABCD"), len(held(match, 1)))


def test_example_4_with_six_letters_one_hands_the_devil_over_and_leaves():
    words = ["0 at w1", "1 at w3", "0 possessed", "0 holds ABCDEF", "F5 up at w3"]
    match = play(board(3, *words), "0 move w3")
    assert (possessed(match), gone(match), match.actor) == ([1], [0], 1)
    match = play(board(2, *words), "0 move w3")
    assert match.over
    assert match.returns() == [1, -1]
    tells("underworld", 4, len("ABCDEF"))


def test_example_5_on_a_disk_on_a_face_up_devil_the_mover_is_hit():
    match = board(
        2, "0 at w1", "1 at w3", "0 possessed", "0 holds ABC", "1 holds ABC", "devil up at w3",
    )  # fmt: skip
    play(match, "0 move w3")
    assert (node(match), match.actor) == ("lose", 0)
    play(match, "0 lose A, 0 lose C")
    assert (held(match, 0), held(match, 1), possessed(match)) == ("B", "ABC", [])
    tells("underworld", 5, len("ABC"), len("AC"), len(held(match, 0)))


def test_example_6_a_face_down_card_under_the_other_stays_down():
    match = play(board(2, "0 at w1", "1 at w3", "0 possessed"), "0 move w3")
    assert (possessed(match), at(match, 0)) == ([1], "w3")
    assert "w3" in names(int(match.state.down))
    tells("underworld", 6)


def test_example_7_the_peg_goes_the_letter_comes_and_one_leaves():
    match = board(
        3, "0 at w1", "1 at w3", "0 possessed", "0 holds ABCDE", "F0 up at w3",
    )  # fmt: skip
    play(match, "0 move w3")
    assert (possessed(match), gone(match), held(match, 0)) == ([1], [0], "ABCDEF")
    tells("underworld", 7, len("ABCDE"))
