"""Nash equilibria of matrix games (two-player zero-sum games in normal form).

The solver looks for a pure saddle point, and else removes dominated rows and columns and solves a
linear program (HiGHS, by SciPy). A caller that solves many similar games passes the support of the
last solution; two systems of linear equations then often suffice. Every solution says how far its
value may be off.
"""

from typing import NamedTuple

import numpy as np

from diablerie.engine.compile import Bools, Floats, Ints

Support = tuple[tuple[int, ...], tuple[int, ...]]  # rows and columns of positive probability
ROUNDING = 1e-12  # differences that rounding makes, relative to the spread of a matrix
LP_TOLERANCE = 1e-10  # the strictest that HiGHS accepts


class MatrixSolution(NamedTuple):
    """The solution of a matrix game.

    value: to the row player; rows, columns: an equilibrium, as probabilities; gap: what the two
    players could win together by best responses (NashConv), so the value is within half of it.
    """

    value: float
    rows: Floats  # (m,)
    columns: Floats  # (n,)
    gap: float

    @property
    def support(self) -> Support:
        """The rows and columns of positive probability."""
        return _played(self.rows), _played(self.columns)


def solve_matrix(game: Floats, hint: Support | None = None) -> MatrixSolution:
    """Solve a game, float64 (m, n), of what the row player wins. hint: of a similar game."""
    low = float(game.min())
    high = float(game.max())
    least = game.min(axis=1)
    most = game.max(axis=0)
    row = int(least.argmax())
    column = int(most.argmin())
    if most[column] - least[row] <= ROUNDING * (high - low):
        return _checked(game, np.eye(game.shape[0])[row], np.eye(game.shape[1])[column])
    scaled = (game - low) / (high - low)
    if hint and (strategies := _on_support(scaled, hint)):
        return _checked(game, *strategies)
    kept = undominated(scaled)
    rows = np.zeros(game.shape[0])
    columns = np.zeros(game.shape[1])
    rows[kept[0]], columns[kept[1]] = _programmed(scaled[np.ix_(*kept)])
    sharp = _on_support(scaled, (_played(rows), _played(columns)))
    return _checked(game, *(sharp or (rows, columns)))


def undominated(game: Floats) -> tuple[Ints, Ints]:
    """The rows and columns that iterated elimination of (weakly) dominated ones leaves."""
    rows = np.arange(game.shape[0])
    columns = np.arange(game.shape[1])
    while True:
        before = len(rows), len(columns)
        rows = rows[_undominated_rows(game[np.ix_(rows, columns)])]
        columns = columns[_undominated_rows(-game[np.ix_(rows, columns)].T)]
        if (len(rows), len(columns)) == before:
            return rows, columns


def _undominated_rows(game: Floats) -> Bools:
    """The rows that no other row is at least as good as; of equal rows the first."""
    kept = np.ones(len(game), bool)
    for i in range(len(game)):
        others = kept.copy()
        others[i] = False
        beats = (game[others] >= game[i]).all(axis=1)
        kept[i] = not beats.any()
    return kept


def _programmed(game: Floats) -> tuple[Floats, Floats]:
    """The row player's strategy by linear programming, and the column player's as its dual."""
    from scipy.optimize import linprog

    m, n = game.shape
    tolerances = {
        "primal_feasibility_tolerance": LP_TOLERANCE,
        "dual_feasibility_tolerance": LP_TOLERANCE,
    }
    result = linprog(
        np.append(np.zeros(m), -1.0),  # maximize what the rows win against every column
        A_ub=np.column_stack([-game.T, np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(m), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
        method="highs",
        options=tolerances,
    )
    return _normalized(result.x[:-1]), _normalized(-result.ineqlin.marginals)


def _on_support(game: Floats, support: Support) -> tuple[Floats, Floats] | None:
    """The strategies that make all of the support equally good, if they are an equilibrium."""
    rows, columns = (list(one) for one in support)
    k = len(rows)
    if k != len(columns) or rows[-1] >= game.shape[0] or columns[-1] >= game.shape[1]:
        return None
    played = game[np.ix_(rows, columns)]
    # On its support every choice is worth the same, and the shares add up to 1.
    one = np.append(np.zeros(k), 1.0)
    try:
        p = np.linalg.solve(_bordered(played.T), one)[:k]
        q = np.linalg.solve(_bordered(played), one)[:k]
    except np.linalg.LinAlgError:
        return None
    if min(p.min(), q.min()) < -ROUNDING:
        return None
    mine = np.zeros(game.shape[0])
    others = np.zeros(game.shape[1])
    mine[rows] = _normalized(p)
    others[columns] = _normalized(q)
    # An equilibrium only if no choice beyond the support does better.
    high = float((game @ others).max())
    low = float((mine @ game).min())
    return (mine, others) if high - low <= 10 * ROUNDING else None


def _bordered(played: Floats) -> Floats:
    """The equations: every row has the same value, and the probabilities sum to 1."""
    k = len(played)
    matrix = np.ones((k + 1, k + 1))
    matrix[:k, :k] = played
    matrix[:k, k] = -1.0
    matrix[k, k] = 0.0
    return matrix


def _normalized(x: Floats) -> Floats:
    clipped = np.maximum(x, 0.0)
    return np.asarray(clipped / clipped.sum())


def _played(x: Floats) -> tuple[int, ...]:
    return tuple(int(k) for k in np.flatnonzero(x > 1e-9))


def _checked(game: Floats, rows: Floats, columns: Floats) -> MatrixSolution:
    high = float((game @ columns).max())
    low = float((rows @ game).min())
    return MatrixSolution((high + low) / 2, rows, columns, max(0.0, high - low))
