"""One test a clause, T13 to T19: play with 3, the end, and the scores."""

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, legal_actions
from diablerie.games.tails import GAME
from diablerie.games.tails.rules.sides import scores
from diablerie.games.tails.rules.state import BODY, CELLS, LAY, LETTERS, PASS, SECTOR, Node
from tests.games.tails.drawing import cells, clause, drawn, full, play, put, runs_to, score


def sector(k: int) -> list[int]:
    return [cell for cell in range(CELLS) if SECTOR[cell] == k]


def test_T13_one_tile_a_turn_in_another_sector_than_the_last():
    s = drawn(seats=3)
    first = sector(0)[-1]
    play(s, first, "01-23-45")
    assert (s.turn, s.node) == (1, Node.CELL)
    barred = [c for c in sector(0) if c != first and c not in BODY]
    assert all(clause(s, c) == "T13" for c in barred)
    assert clause(s, first) == "T13"
    assert {SECTOR[c] for c in cells(s)} == {1, 2, 3, 4, 5}


def test_T13_the_first_tile_may_lie_in_any_sector():
    s = drawn(seats=3)
    assert {SECTOR[c] for c in cells(s)} == {0, 1, 2, 3, 4, 5}


def test_T13_a_cell_is_named_before_the_tile_is_seen():
    s = drawn(seats=3)
    assert clause(s, LAY) == "T13"
    verbs.apply(s, 0, 22)
    verbs.apply(s, verbs.CHANCE, 4)
    assert clause(s, 23) == "T13"


def test_T13_a_pass_changes_nothing_about_the_sector():
    s = full(but=[16, 1, 5], turn=2, last=sector(0)[-1])  # A, D and F, all of seat 0
    s.node = Node.PASS
    verbs.apply(s, 2, PASS)
    assert clause(s, 16) == "T13"
    assert cells(s) == [1, 5]


def test_T14_the_same_sector_only_when_there_is_no_other_choice():
    own, other = [c for c in sector(1) if c not in BODY][:2]
    s = full(but=[own, other, 53], turn=0, last=sector(1)[0])  # 53 carries a body of seat 1
    assert clause(s, 53) == "T11"
    assert cells(s) == [own, other]


def test_T14_who_can_choose_nothing_passes_and_nobody_else_may():
    s = full(but=[1, 5], turn=0, last=40)  # both carry bodies of seat 0
    assert clause(s, PASS) == "T14"
    play(s, 1, "01-23-45")
    assert (s.turn, s.node) == (1, Node.PASS)
    assert legal_actions(GAME, s, 1) == [PASS]
    assert clause(s, 5) == "T11"
    assert clause(s, 1) == "T13"
    verbs.apply(s, 1, PASS)
    assert (s.turn, s.node) == (2, Node.PASS)
    verbs.apply(s, 2, PASS)
    assert (s.turn, s.node) == (0, Node.CELL)


def test_T14_somebody_can_always_choose():
    for cell in range(CELLS):
        alone = [full(but=[cell], turn=seat) for seat in range(3)]
        assert any(cells(s) == [cell] for s in alone)


def test_T15_twins_mean_nothing_with_three():
    s = play(drawn(seats=3), 22, "01-23-45")
    assert (s.node, s.cell) == (Node.CELL, -1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_T16_the_game_ends_when_all_54_cells_are_filled(seats):
    rng, s = np.random.default_rng(1), GAME.start(seats)
    while verbs.actor(s) != verbs.OVER:
        assert s.count < 54
        who = verbs.actor(s)
        options = (
            chance_outcomes(GAME, s)[0] if who == verbs.CHANCE else legal_actions(GAME, s, who)
        )
        verbs.apply(s, who, int(rng.choice(options)))
    assert s.count == 54
    assert s.free == 0
    assert clause(s, 0) == "T16"


def test_T17_any_tail_end_will_do():
    s = drawn()
    put(s, 0, 1)
    put(s, 1, 1)
    ends = {letter: runs_to(s, letter)[0] for letter in "CD"}
    assert any(e.startswith("tail of") and e[-1] != letter for letter, e in ends.items())


def test_T17_lines_between_two_tail_ends_and_loops_score_nothing():
    s = drawn(" ".join(["1a"] * CELLS))  # every cell turns every line back
    assert all(score(s, letter) == 1 for letter in LETTERS)
    out = np.zeros(4)
    scores(s, out)
    assert list(out[:2]) == [9, 9]  # the 144 other pieces are loops of two


def ended(seats: int, *longer: int):
    """A finished game: all bodies score 1, but those on these border cells 3."""
    s = drawn(" ".join(["1a"] * CELLS), seats)
    for cell in longer:
        put(s, cell, 3, 2)  # as in example 2
    return s


def returned(s) -> list[float]:
    out = np.zeros(4)
    verbs.returns(s, out)
    return list(out[: s.seats])


def totals(s) -> list[int]:
    out = np.zeros(4)
    scores(s, out)
    return [int(x) for x in out[: s.seats]]


def test_T18_the_highest_sum_wins():
    s = ended(2, 6)
    assert totals(s) == [11, 9]
    assert returned(s) == [1, -1]


def test_T18_with_four_the_partnership_wins():
    s = ended(4, 47)
    assert totals(s) == [9, 11, 9, 11]
    assert returned(s) == [-0.5, 0.5, -0.5, 0.5]


def test_T18_equal_sums_share_the_win():
    s = ended(3, 6, 47)
    assert totals(s) == [6, 8, 8]
    assert returned(s) == [-1, 0.5, 0.5]
    assert returned(ended(3)) == [0, 0, 0]


def test_T19_a_closed_line_is_scored_at_once():
    s = play(drawn(), 6, "01-23-45")
    assert totals(s) == [1, 0]
