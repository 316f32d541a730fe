"""The solution of a game made of rounds: the value of every position at which a round begins.

The table holds only these values; stakes and stops are computed from them on demand.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Floats
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie_exact.coals.rounds import CoalsRounds
from diablerie_exact.matrix import MatrixSolution, solve_matrix

FORMAT = 1
ROUND_MODELS: dict[str, Any] = {"coals": CoalsRounds}  # by the name of the game


class BadTable(ValueError):
    """A file holds no solved game or another one's, or a game cannot be solved."""


class SolvedFacts(msgspec.Struct, frozen=True):
    """The game of a table and its accuracy.

    options: all of them as text; version: of the rules; slip: a bound of the error that inexact
    arithmetic made in any value; change: by how much the last solved round changed any value.
    """

    game: str
    version: int
    options: dict[str, str]
    slip: float = 0.0
    change: float = 2.0  # as much as a value can change
    format: int = FORMAT


class SolvedTable(NamedTuple):
    """values[k]: of positions at which a round begins with k more to come, to who begins it.

    Their shape is (rounds, positions of who begins, positions of the other).
    """

    facts: SolvedFacts
    values: Floats

    def error(self, last: int) -> float:
        """A bound of the error of any value, in a game of so many rounds at most.

        One more round changes no value by more than the last solved round did. So the values of
        rounds that are not solved differ from those of the longest solved game by at most that
        change for each missing round.
        """
        more = max(0, last - len(self.values))
        return min(2.0, self.facts.slip + more * self.facts.change)


def write_table(table: SolvedTable, path: Path) -> None:
    """Write a table; a file of that name is replaced at once, or not at all. Raises OSError."""
    part = path.with_name(path.name + ".part")
    facts = np.frombuffer(msgspec.json.encode(table.facts), np.uint8)
    with part.open("wb") as out:
        np.savez(out, facts=facts, values=table.values)
    part.replace(path)


def read_table(path: Path) -> SolvedTable:
    """The table of a file. Raises BadTable, OSError."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            facts = msgspec.json.decode(arrays["facts"].tobytes(), type=SolvedFacts)
            values = arrays["values"]
    except OSError:
        raise
    except Exception as error:
        raise BadTable(f"{path} is no solved game: {error}") from error
    if facts.format != FORMAT or values.ndim != 3 or values.dtype != np.float64:
        raise BadTable(f"{path} is a solved game of another version")
    return SolvedTable(facts, values)


def rounds_of(game: Game, options: Mapping[str, Any]) -> Any:
    """The rounds of a game of two. Raises BadTable if it is not made of rounds, BadOption."""
    model = ROUND_MODELS.get(game.name)
    if model is None:
        raise BadTable(f"{game.title} is not made of rounds that can be solved")
    return model(game.start(2, options))


class Solution:
    """The best actions in a solved game. rounds: the game's, if the caller has them already."""

    def __init__(self, game: Game, table: SolvedTable, rounds: Any = None) -> None:
        self.game = game
        self.table = table
        self.first = game.start(2, table.facts.options)
        self.rounds = rounds or rounds_of(game, table.facts.options)
        self.error = table.error(self.rounds.last)
        self._following = lru_cache(8)(self._follows)
        self._bets = lru_cache(2048)(self._solve)

    def values(self, number: int) -> Floats:
        """The values of positions at which a round begins, to who begins it.

        number: of the round, from 1. The shape is that of the game's `rounds`.
        """
        more = self.rounds.last - number
        return np.asarray(self.table.values[min(more, len(self.table.values) - 1)])

    def following(self, number: int) -> Floats:
        """The values of the totals after that round; see the game's `rounds`."""
        more = self.rounds.last - number
        return np.asarray(self._following(min(more, len(self.table.values))))

    def _follows(self, more: int) -> Floats:
        return np.asarray(self.rounds.following(self.table.values[more - 1] if more else None))

    def bets(self, s: Any) -> tuple[Floats, MatrixSolution]:
        """The matrix of the round's bets, to who begins it, and its solution."""
        more = min(self.rounds.last - int(s.rounds), len(self.table.values))
        matrix, solution = self._bets(self.rounds.where(s), more, s.rounds == 1)
        return matrix, solution

    def _solve(self, where: Any, more: int, opening: bool) -> tuple[Floats, MatrixSolution]:
        matrix = self.rounds.matrix(where, self._following(more), opening)
        return matrix, solve_matrix(matrix)

    def pulls(self, s: Any) -> dict[int, float]:
        """The value of each action of the seat that decides alone, to who began the round."""
        return dict(self.rounds.options(s, self.following(int(s.rounds))))

    def fits(self, s: Record) -> bool:
        """Whether a position is one of this game, with these options."""
        return type(s) is type(self.first) and bool(self.rounds.fits(s))


def game_value(solution: Solution) -> float:
    """The value of the game to the player who begins: that of the first round's bets."""
    s = solution.first.copy()
    verbs.apply(s, verbs.CHANCE, 0)
    return solution.bets(s)[1].value
