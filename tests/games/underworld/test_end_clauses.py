"""UNDERWORLD's clauses U26 to U29, one test or more each."""

from tests.games.underworld.boards import (
    board,
    gone,
    held,
    node,
    open_all_but,
    possessed,
    told,
)
from tests.scripts import play

# -- leaving -----------------------------------------------------------------------------------


def test_U26_six_letters_and_no_devil_leave_at_once():
    match = board(3, "0 at w2", "0 holds ABCDE", "F0 up at w3")
    assert told(match, "0 move w3")[-1] == "player 1 leaves the underworld!"
    assert gone(match) == [0]
    assert int(match.state.disk[0]) == -1
    assert match.actor == 1


def test_U26_the_possessed_stay_until_they_are_rid_of_the_devil():
    match = board(3, "0 at w2", "0 holds ABCDE", "0 possessed", "F0 up at w3", "tower up at w1")
    play(match, "0 move w3")
    assert (gone(match), held(match, 0)) == ([], "ABCDEF")
    play(match, "1 swap, 1 exchange t2, 1 with t3, 2 swap, 2 exchange t2, 2 with t3")
    play(match, "0 swap, 0 exchange t2, 0 with t3")
    play(match, "1 swap, 1 exchange t2, 1 with t3, 2 swap, 2 exchange t2, 2 with t3")
    play(match, "0 move w1, 0 put back")
    assert gone(match) == [0]
    assert match.actor == 1  # no look at a card: he is gone


def test_U26_even_in_anothers_turn_when_a_peg_is_taken_away():
    words = ["0 at w2", *(f"{seat} possessed" for seat in range(1, 5)), "3 holds ABCDEF"]
    match = board(5, *words)
    play(match, "0 move w3, card devil, 0 from 3")
    assert gone(match) == [3]
    assert (possessed(match), match.actor) == ([0, 1, 2, 4], 1)


def test_U26_who_is_freed_leaves_before_anyone_chooses_letters():
    words = ["0 at w2", "0 possessed", "0 holds ABCDEF", "1 at w3", "1 possessed", "1 holds ABC"]
    match = board(3, *words)
    play(match, "0 move w3")
    assert gone(match) == [0]
    assert (node(match), match.actor, match.legal()) == ("lose", 1, ["lose A", "lose B"])
    match = board(2, *words)
    play(match, "0 move w3")
    assert match.over
    assert held(match, 1) == "ABC"


# -- the end -----------------------------------------------------------------------------------


def test_U27_the_last_one_on_the_board_loses_alone():
    match = board(3, "0 left", "1 at w2", "1 holds ABCDE", "F1 up at w3", turn=1)
    lines = told(match, "1 move w3")
    assert lines[-1] == "player 3 is the last player left in the underworld and loses."
    assert match.returns() == [0.5, 0.5, -1]


def test_U28_when_every_card_is_face_up_day_breaks_at_the_end_of_the_turn():
    match = board(3, "0 at w1", "0 holds A", "1 left")
    open_all_but(match, "w2", loose="A4")
    play(match, "0 move w2, card A4")
    assert node(match) == "onward"  # the move goes on first
    lines = told(match, "0 stop")
    assert "Every card is face up: day breaks." in lines
    assert match.returns() == [-0.5, 1, -0.5]


def test_U28_after_all_effects_of_the_last_card():
    match = board(3, "0 at w1", "0 holds ABCDE", "1 left")
    open_all_but(match, "w2", loose="F0")
    play(match, "0 move w2, card F0")
    assert match.returns() == [0.5, 0.5, -1]


def test_U29_everybody_in_at_daybreak_is_a_draw():
    match = board(2, "0 at w1")
    open_all_but(match, "w2", loose="A4")
    play(match, "0 move w2, card A4")
    assert match.over
    assert match.returns() == [0, 0]


def test_U29_sixty_turns_without_a_card_or_a_letter_end_the_game():
    match = board(2)
    idle = ("0 swap, 0 exchange t2, 0 with t3", "1 swap, 1 exchange t2, 1 with t3")
    for turn in range(59):
        play(match, idle[turn % 2])
    assert not match.over
    assert match.state.idle == 59
    play(match, idle[1])
    assert match.over


def test_U29_a_card_turned_up_or_a_letter_taken_starts_the_count_anew():
    for script, words in (("0 move w2, card A4", []), ("0 move w2", ["A0 up at w2"])):
        match = board(2, "0 at w1", *words)
        match.state.idle = 59
        play(match, script)
        assert not match.over
        assert match.state.idle == 0


def test_U29_600_turns_end_the_game():
    match = board(2, "0 at w1")
    match.state.turns = 599
    assert told(match, "0 move w2, card A4")[2] == "After 600 turns, day breaks."
    assert match.over
