"""Matrix games: two choose at the same time, and what one wins the other loses.

A pure saddle point if there is one, else a linear program (HiGHS, by SciPy) on what is left when
dominated rows and columns are gone. Whoever solves many similar games hands on the support of the
last one, with which two systems of equations often do. Every answer says how far it may be off.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
Support = tuple[tuple[int, ...], tuple[int, ...]]  # the rows and columns that are played
NEAR = 1e-12  # of the spread of a matrix: differences that rounding makes
FINE = 1e-10  # the strictest that HiGHS can be told


class Solved(NamedTuple):
    """A matrix game solved.

    value: to who chooses the row; rows, columns: probabilities, one pair of best strategies;
    gap: what the two could win together by changing theirs, so the value is within half of it.
    """

    value: float
    rows: Numbers
    columns: Numbers
    gap: float

    @property
    def support(self) -> Support:
        """What is played at all."""
        return _played(self.rows), _played(self.columns)


def solve(game: Numbers, hint: Support | None = None) -> Solved:
    """Solve a matrix of what the row's player wins. hint: of a similar game."""
    low, high = float(game.min()), float(game.max())
    least, most = game.min(axis=1), game.max(axis=0)
    row, column = int(least.argmax()), int(most.argmin())
    if most[column] - least[row] <= NEAR * (high - low):
        return _checked(game, _pure(game.shape[0], row), _pure(game.shape[1], column))
    scaled = (game - low) / (high - low)
    if hint and (found := _on_support(scaled, hint)):
        return _checked(game, *found)
    kept = undominated(scaled)
    rows, columns = np.zeros(game.shape[0]), np.zeros(game.shape[1])
    rows[kept[0]], columns[kept[1]] = _programmed(scaled[np.ix_(*kept)])
    sharp = _on_support(scaled, (_played(rows), _played(columns)))
    return _checked(game, *(sharp or (rows, columns)))


def undominated(game: Numbers) -> tuple[Numbers, Numbers]:
    """The rows and columns left when all are gone that another is never worse than."""
    rows, columns = np.arange(game.shape[0]), np.arange(game.shape[1])
    while True:
        before = len(rows), len(columns)
        rows = rows[_best(game[np.ix_(rows, columns)])]
        columns = columns[_best(-game[np.ix_(rows, columns)].T)]
        if (len(rows), len(columns)) == before:
            return rows, columns


def _best(game: Numbers) -> Numbers:
    """The rows that no other row is at least as good as; of equal ones the first."""
    kept = np.ones(len(game), bool)
    for i in range(len(game)):
        others = kept.copy()
        others[i] = False
        beats = (game[others] >= game[i]).all(axis=1)
        kept[i] = not beats.any()
    return kept


def _programmed(game: Numbers) -> tuple[Numbers, Numbers]:
    """By linear programming: the row's player's, and as its dual the column's player's."""
    from scipy.optimize import linprog

    m, n = game.shape
    found = linprog(
        np.append(np.zeros(m), -1.0),  # the most that is won against every column
        A_ub=np.column_stack([-game.T, np.ones(n)]), b_ub=np.zeros(n),
        A_eq=np.append(np.ones(m), 0.0)[None, :], b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)], method="highs",
        options={"primal_feasibility_tolerance": FINE, "dual_feasibility_tolerance": FINE},
    )  # fmt: skip
    return _shares(found.x[:-1]), _shares(-found.ineqlin.marginals)


def _on_support(game: Numbers, support: Support) -> tuple[Numbers, Numbers] | None:
    """The strategies that make all of the support equally good, if they are best ones."""
    rows, columns = (list(one) for one in support)
    k = len(rows)
    if k != len(columns) or rows[-1] >= game.shape[0] or columns[-1] >= game.shape[1]:
        return None
    played = game[np.ix_(rows, columns)]
    one = np.append(np.zeros(k), 1.0)
    try:
        p = np.linalg.solve(_bordered(played.T), one)[:k]
        q = np.linalg.solve(_bordered(played), one)[:k]
    except np.linalg.LinAlgError:
        return None
    if min(p.min(), q.min()) < -NEAR:
        return None
    mine, others = np.zeros(game.shape[0]), np.zeros(game.shape[1])
    mine[rows], others[columns] = _shares(p), _shares(q)
    return (mine, others) if _gap(game, mine, others) <= 10 * NEAR else None


def _bordered(played: Numbers) -> Numbers:
    """The equations: every line is worth the same, and the shares sum to 1."""
    k = len(played)
    found = np.ones((k + 1, k + 1))
    found[:k, :k], found[:k, k], found[k, k] = played, -1.0, 0.0
    return found


def _pure(n: int, k: int) -> Numbers:
    found = np.zeros(n)
    found[k] = 1.0
    return found


def _shares(x: Numbers) -> Numbers:
    clipped = np.maximum(x, 0.0)
    shares: Numbers = clipped / clipped.sum()
    return shares


def _played(x: Numbers) -> tuple[int, ...]:
    return tuple(int(k) for k in np.flatnonzero(x > 1e-9))


def _gap(game: Numbers, rows: Numbers, columns: Numbers) -> float:
    return float((game @ columns).max() - (rows @ game).min())


def _checked(game: Numbers, rows: Numbers, columns: Numbers) -> Solved:
    high, low = float((game @ columns).max()), float((rows @ game).min())
    return Solved((high + low) / 2, rows, columns, max(0.0, high - low))
