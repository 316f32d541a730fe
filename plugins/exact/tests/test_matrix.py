"""Matrix games: known ones, and that no player of a solved one can do better."""

import numpy as np
import pytest

from diablerie_exact.matrix import solve_matrix, undominated


def value_by_linprog(game):
    """The program as a textbook has it, without dominance, supports or scaling."""
    from scipy.optimize import linprog

    m, n = game.shape
    found = linprog(
        [0] * m + [-1], A_ub=np.hstack([-game.T, np.ones((n, 1))]), b_ub=np.zeros(n),
        A_eq=[[1] * m + [0]], b_eq=[1], bounds=[(0, None)] * m + [(None, None)],
    )  # fmt: skip
    return -found.fun


def test_rock_paper_scissors_is_played_evenly():
    found = solve_matrix(np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float))
    assert found.value == pytest.approx(0)
    assert found.rows == pytest.approx([1 / 3] * 3)
    assert found.columns == pytest.approx([1 / 3] * 3)


def test_a_saddle_point_is_pure():
    found = solve_matrix(np.array([[3, 1, 4], [1, 0, 9]], float))
    assert (found.value, found.gap) == (1, 0)
    assert found.rows.tolist() == [1, 0]
    assert found.columns.tolist() == [0, 1, 0]


def test_matching_with_unequal_stakes():
    found = solve_matrix(np.array([[2, -1], [-1, 1]], float))
    assert found.value == pytest.approx(1 / 5)
    assert found.rows == pytest.approx([2 / 5, 3 / 5])


@pytest.mark.parametrize("kind", ["normal", "whole numbers", "low rank", "one value"])
def test_values_are_those_of_linear_programming(kind):
    rng = np.random.default_rng(3)
    for _ in range(12):
        m, n = rng.integers(1, 12, 2)
        if kind == "normal":
            game = rng.normal(size=(m, n))
        elif kind == "whole numbers":
            game = rng.integers(-2, 3, (m, n)).astype(float)
        elif kind == "low rank":
            game = np.outer(rng.normal(size=m), rng.normal(size=n))
        else:
            game = np.full((m, n), -0.3)
        found = solve_matrix(game)
        assert found.value == pytest.approx(value_by_linprog(game), abs=1e-9)
        assert found.gap <= 1e-9
        assert found.rows.sum() == pytest.approx(1)
        assert (game @ found.columns).max() - (found.rows @ game).min() <= 1e-9


def test_a_hint_is_used_only_where_it_is_right():
    rng = np.random.default_rng(4)
    for _ in range(12):
        game = rng.normal(size=(6, 5))
        near = game + 0.3 * rng.normal(size=game.shape)
        assert solve_matrix(near, solve_matrix(game).support).value == pytest.approx(
            solve_matrix(near).value, abs=1e-9
        )


def test_what_is_dominated_goes_and_one_of_equals_stays():
    game = np.array([[1, 2, 5], [1, 2, 5], [0, 1, 7], [0, 0, 0]], float)
    rows, columns = undominated(game)
    assert rows.tolist() == [0] or rows.tolist() == [1]
    assert columns.tolist() == [0]
