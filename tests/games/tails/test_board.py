"""The geometry: every fact that the rule file lists."""

import pytest

from diablerie.games.tails.rules.state import (
    ACROSS,
    BODY,
    BORDER,
    CELLS,
    ENDS,
    HEAD,
    LETTERS,
    NUMBER,
    PLACES,
    SECTOR,
    TWIN,
    beside,
    end_point,
    middle,
)


def test_there_are_54_cells_in_rows_of_7_9_11_11_9_7():
    rows = [row for row, _ in PLACES]
    assert [rows.count(r) for r in range(6)] == [7, 9, 11, 11, 9, 7]
    assert CELLS == 54


def test_72_inner_edges_join_two_cells_and_18_belong_to_one():
    assert sum(1 for at in ACROSS if at >= 0) == 72 * 4
    assert sorted(-1 - at for at in ACROSS if at < 0) == list(range(36))
    assert len(BORDER) == len(BODY) == 18


def test_end_2k_meets_end_2k_plus_1_of_the_neighbour_on_the_same_side_and_at_the_same_point():
    for here, there in enumerate(ACROSS):
        if there >= 0:
            assert ACROSS[there] == here
            assert there % ENDS == here % ENDS ^ 1
            a = end_point(here // ENDS, here % ENDS)
            assert a == pytest.approx(end_point(there // ENDS, there % ENDS))


def test_the_ends_of_a_cell_go_round_it_clockwise():
    for cell in range(CELLS):
        x0, y0 = middle(cell)
        around = [end_point(cell, end) for end in range(ENDS)]
        for (ax, ay), (bx, by) in zip(around, around[1:] + around[:1], strict=True):
            assert (ax - x0) * (by - y0) - (ay - y0) * (bx - x0) > 0


def test_side_0_is_the_right_one_of_a_cell_with_its_point_up_and_the_left_one_of_another():
    assert beside((0, -3), 0) == (0, -2)
    assert beside((0, -3), 1) == (1, -3)
    assert beside((0, -2), 0) == (0, -3)
    assert beside((1, -3), 1) == (0, -3)


def test_the_border_cells_clockwise_from_a():
    expected = "16 7 0 1 3 5 6 15 26 37 46 53 52 50 48 47 38 27"
    assert [cell for cell, _ in BORDER] == [int(word) for word in expected.split()]


def test_the_border_cells_carry_these_numbers_in_each_half():
    for half in (BORDER[:9], BORDER[9:]):
        assert sorted(NUMBER[cell] for cell, _ in half) == [1, 2, 4, 6, 7, 8, 16, 17, 27]


def test_heads_are_the_first_end_of_their_border_edge():
    for body, (cell, side) in enumerate(BORDER):
        assert HEAD[body] == ENDS * cell + 2 * side
        assert ACROSS[HEAD[body]] == -1 - 2 * body
        assert ACROSS[HEAD[body] + 1] == -2 - 2 * body


def test_bodies_nine_letters_apart_are_twins():
    for body in range(9):
        assert TWIN[BORDER[body][0]] == BORDER[body + 9][0]


def test_the_sectors_have_these_bodies():
    found = ["".join(LETTERS[BODY[c]] for c, _ in BORDER if SECTOR[c] == k) for k in range(6)]
    assert found == ["ABC", "DEF", "GHI", "KLM", "NOP", "RST"]
