"""One test a clause, T1 to T12: the board, the tiles, and play with 2 or 4."""

from itertools import permutations

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, legal_actions
from diablerie.games.tails import GAME
from diablerie.games.tails.rules.sides import owner, side_of
from diablerie.games.tails.rules.state import (
    BODY,
    BORDER,
    CELLS,
    LAY,
    LETTERS,
    NUMBER,
    PAIRS,
    PASS,
    ROTATIONS,
    SECTOR,
    TWIN,
    Node,
    end_point,
    middle,
    pairs,
)
from tests.games.tails.drawing import both, cells, clause, drawn, play


def test_T1_the_hexagon_has_six_sectors_of_nine_cells():
    assert [SECTOR.count(k) for k in range(6)] == [9] * 6


def test_T2_numbers_run_from_each_players_edge_inwards_and_stand_on_two_twins():
    near = list(range(47, 54)) + list(range(38, 47)) + list(range(27, 38))
    assert [NUMBER[cell] for cell in near] == list(range(1, 28))
    assert all(both(NUMBER[c]) == sorted((c, TWIN[c])) for c in range(CELLS))
    for cell in range(CELLS):
        assert middle(TWIN[cell]) == pytest.approx([-v for v in middle(cell)])


def test_T3_each_outer_edge_has_a_body_and_clockwise_after_it_a_tail_end():
    for cell, side in BORDER:
        (ax, ay), (bx, by) = end_point(cell, 2 * side), end_point(cell, 2 * side + 1)
        assert ax * by - ay * bx > 0  # clockwise round the middle, as y grows downwards


def test_T4_the_bodies_are_lettered_clockwise_from_the_left_end_of_the_middle_line():
    assert LETTERS == "ABCDEFGHIKLMNOPRST"
    points = [end_point(cell, 2 * side) for cell, side in BORDER]
    assert points[0] == min(p for p in points if p[1] < 0)
    assert all(y < 0 for _, y in points[:9])
    assert all(y > 0 for _, y in points[9:])


@pytest.mark.parametrize(
    ("seats", "shares"),
    [
        (2, ["ABCDEFGHI", "KLMNOPRST"]),
        (3, ["ABCDEF", "GHIKLM", "NOPRST"]),
        (4, ["ABCDEFGHI", "KLMNOPRST", "ABCDEFGHI", "KLMNOPRST"]),
    ],
)
def test_T5_whose_bodies_they_are(seats, shares):
    s = GAME.start(seats)
    for seat in range(seats):
        mine = [LETTERS[b] for b in range(18) if owner(s, b) == side_of(s, seat)]
        assert "".join(mine) == shares[seat]
        assert GAME.teams(seats)[seat] == side_of(s, seat)


def pairings() -> set[frozenset[frozenset[int]]]:
    return {frozenset(frozenset(p[i : i + 2]) for i in (0, 2, 4)) for p in permutations(range(6))}


def laid_so(kind: int, rotation: int) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(line) for line in pairs(kind, rotation))


def test_T6_the_seven_tiles_are_all_there_are_and_three_are_symmetric():
    turned = [{laid_so(kind, r) for r in range(3)} for kind in range(7)]
    assert [len(ways) for ways in turned] == list(ROTATIONS) == [1, 1, 1, 3, 3, 3, 3]
    assert len(set.union(*turned)) == sum(ROTATIONS) == len(pairings()) == 15
    for kind, ways in enumerate(turned):
        mirrored = frozenset(frozenset(5 - end for end in line) for line in PAIRS[kind])
        assert mirrored in ways


def test_T6_a_symmetric_tile_has_one_rotation():
    s = drawn()
    verbs.apply(s, 0, 10)
    verbs.apply(s, verbs.CHANCE, 1)
    assert legal_actions(GAME, s, 0) == [LAY]
    assert clause(s, LAY + 1) == clause(s, LAY + 2) == "T6"


def test_T7_there_are_eight_tiles_of_each_kind_and_two_are_left_at_the_end():
    s = GAME.start(2)
    assert list(s.stock) == [8] * 7
    while verbs.actor(s) != verbs.OVER:
        who = verbs.actor(s)
        options = (
            chance_outcomes(GAME, s)[0] if who == verbs.CHANCE else legal_actions(GAME, s, who)
        )
        verbs.apply(s, who, options[-1])
    assert s.stock.sum() == 2
    assert (s.laid >= 0).all()


def test_T8_a_tile_is_drawn_from_those_left():
    s = drawn()
    s.stock[:] = [8, 0, 1, 1, 0, 0, 0]
    s.count = 46
    verbs.apply(s, 0, 10)
    assert chance_outcomes(GAME, s) == ([0, 2, 3], pytest.approx([0.8, 0.1, 0.1]))
    assert clause(s, LAY) == "T8"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_T8a_the_first_player_is_drawn_by_lot(seats):
    s = GAME.start(seats)
    assert chance_outcomes(GAME, s) == (list(range(seats)), pytest.approx([1 / seats] * seats))
    assert clause(s, 0, seat=0) == "T8a"
    verbs.apply(s, verbs.CHANCE, seats - 1)
    assert verbs.actor(s) == seats - 1


def test_T8a_turns_go_clockwise_and_partnerships_alternate():
    s = drawn(seats=4, turn=3)
    play(s, 30, "01-23-45")
    assert s.turn == 0
    play(s, None, "01-23-45")
    assert clause(s, 31, seat=1) == "T8a"
    play(s, 31, "01-23-45")
    assert s.turn == 1


def test_T8a_a_tile_may_be_laid_in_any_of_its_rotations_and_not_be_refused():
    s = drawn()
    verbs.apply(s, 0, 10)
    verbs.apply(s, verbs.CHANCE, 5)
    assert legal_actions(GAME, s, 0) == [LAY, LAY + 1, LAY + 2]


def test_T9_the_first_turn_is_one_tile_on_any_cell_one_may_choose():
    s = drawn()
    assert cells(s) == [c for c in range(CELLS) if BODY.get(c, 0) < 9]
    verbs.apply(s, 0, 22)
    assert s.node == Node.TILE
    verbs.apply(s, verbs.CHANCE, 3)
    assert clause(s, 23) == "T9"
    verbs.apply(s, 0, LAY)
    assert s.turn == 1


def test_T10_the_first_tile_of_a_turn_goes_on_the_twin_and_is_drawn_at_once():
    s = play(drawn(), 22, "05-12-34")
    assert (s.turn, s.node, s.cell) == (1, Node.TILE, 53 - 22)
    play(s, None, "05-12-34")
    assert s.laid[53 - 22] >= 0
    assert (s.turn, s.node) == (1, Node.CELL)


def test_T10_the_second_tile_goes_on_a_free_cell_named_before_it_is_seen():
    s = play(play(drawn(), 22, "05-12-34"), None, "05-12-34")
    assert clause(s, 22) == clause(s, 31) == "T10"
    assert clause(s, LAY) == "T10"
    verbs.apply(s, 1, 23)
    verbs.apply(s, verbs.CHANCE, 0)
    assert clause(s, 24) == "T10"
    assert clause(s, LAY) == ""


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_T11_a_cell_that_touches_an_opponents_body_may_not_be_chosen(seats):
    for seat in range(seats):
        s = drawn(seats=seats, turn=seat)
        for cell in range(CELLS):
            foreign = cell in BODY and owner(s, BODY[cell]) != side_of(s, seat)
            assert clause(s, cell) == ("T11" if foreign else "")


def test_T11_a_partners_body_and_an_opponents_line_forbid_nothing():
    s = drawn(seats=4, turn=2)
    play(s, 6, "03-14-25")  # G's line goes on into cell 5, which has seat 0's body F
    s.node, s.turn = Node.CELL, 2
    assert clause(s, 5) == ""
    s.turn = 0
    assert clause(s, 5) == ""


@pytest.mark.parametrize("seats", [2, 4])
def test_T12_nobody_is_ever_stuck_and_the_last_turn_is_the_forced_tile(seats):
    rng = np.random.default_rng(seats)
    for _ in range(40):
        turns = played_turns(seats, rng)
        assert [len(turn) for turn in turns] == [1] + [2] * 26 + [1]
        assert [sum(len(t) for t in turns[k::2]) for k in (0, 1)] == [27, 27]


def played_turns(seats: int, rng) -> list[list[int]]:
    """The cells of each turn of a random game, its forced border cells checked on the way."""
    s, turns, before = GAME.start(seats), [], -1
    while verbs.actor(s) != verbs.OVER:
        who, node = verbs.actor(s), s.node
        if node == Node.CELL and s.count:
            assert all((s.free >> c & 1) == (s.free >> TWIN[c] & 1) for c in range(CELLS))
        options = (
            chance_outcomes(GAME, s)[0] if who == verbs.CHANCE else legal_actions(GAME, s, who)
        )
        verbs.apply(s, who, int(rng.choice(options)))
        if node == Node.ROTATION:
            if who != before:
                turns.append([])
            turns[-1].append(int(s.last))
            before = who
            if s.last in BODY:
                assert owner(s, BODY[int(s.last)]) == side_of(s, who)
    return turns


def test_T12_there_is_no_passing_with_two():
    assert clause(drawn(), PASS) == "T12"
