"""A game made of rounds, solved: what every round's beginning is worth, and so what to do.

Kept is only that; stakes and stops are worked out where they are asked for.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.bots.exact.matrix import Solved, solve
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record

Numbers = NDArray[Any]
FORMAT = 1


class BadTable(ValueError):
    """A file that holds no solved game or another one's, or a game that cannot be solved."""


class Facts(msgspec.Struct, frozen=True):
    """What a table is of.

    options: all of them as text; version: of the rules; slip: what inexact arithmetic may have
    done to any value; change: by how much the last round that was solved changed any value.
    """

    game: str
    version: int
    options: dict[str, str]
    slip: float = 0.0
    change: float = 2.0  # as much as a value can change
    format: int = FORMAT


class Table(NamedTuple):
    """values[k]: at the beginning of a round with k more to come, to who begins it."""

    facts: Facts
    values: Numbers

    def error(self, last: int) -> float:
        """How far any value may be off, in a game of so many rounds at most.

        To solve one round more changes no value by more than the last one did: so what is not
        solved is worth what the longest that is solved is, but for as many times that change.
        """
        more = max(0, last - len(self.values))
        return min(2.0, self.facts.slip + more * self.facts.change)


def write(table: Table, path: Path) -> None:
    """Keep a table; a file of that name is replaced at once, or not at all."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as out:
        np.savez(out, facts=np.frombuffer(msgspec.json.encode(table.facts), np.uint8),
                 values=table.values)  # fmt: skip
    part.replace(path)


def read(path: Path) -> Table:
    """The table of a file. Raises BadTable, OSError."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            facts = msgspec.json.decode(found["facts"].tobytes(), type=Facts)
            values = found["values"]
    except OSError:
        raise
    except Exception as error:
        raise BadTable(f"{path} is no solved game: {error}") from error
    if facts.format != FORMAT or values.ndim != 3 or values.dtype != np.float64:
        raise BadTable(f"{path} is a solved game of another version")
    return Table(facts, values)


def rounds_of(game: Game, options: Mapping[str, Any]) -> Any:
    """A game of two as rounds (`policy.rounds` of the game). Raises ValueError if it is none."""
    made = getattr(game.policy, "rounds", None)
    if made is None:
        raise BadTable(f"{game.title} is not made of rounds that can be solved")
    return made(game.start(2, options))


def options_of(game: Game, options: Mapping[str, Any]) -> dict[str, str]:
    """All options as text, as `Facts` has them."""
    settled = game.settled(2, options)
    return {o.name: o.format(settled[o.name]) for o in game.options}


class Solution:
    """What to do in a game that is solved."""

    def __init__(self, game: Game, table: Table, rounds: Any = None) -> None:
        """rounds: those of the game, if they have been made already."""
        self.game, self.table = game, table
        self.first = game.start(2, table.facts.options)
        self.rounds = rounds or rounds_of(game, table.facts.options)
        self.error = table.error(self.rounds.last)
        self._following = lru_cache(8)(self._follows)
        self._bets = lru_cache(2048)(self._solve)

    def values(self, number: int) -> Numbers:
        """At the beginning of a round, which count from 1, to who begins it."""
        more = self.rounds.last - number
        found: Numbers = self.table.values[min(more, len(self.table.values) - 1)]
        return found

    def following(self, number: int) -> Numbers:
        """What totals are worth after that round; see the game's `rounds`."""
        more = self.rounds.last - number
        found: Numbers = self._following(min(more, len(self.table.values)))
        return found

    def _follows(self, more: int) -> Numbers:
        found: Numbers = self.rounds.following(self.table.values[more - 1] if more else None)
        return found

    def bets(self, s: Record) -> tuple[Numbers, Solved]:
        """The bets of the round as a matrix, to who begins it, and solved."""
        more = min(self.rounds.last - int(s.rounds), len(self.table.values))
        found: tuple[Numbers, Solved] = self._bets(self.rounds.where(s), more, s.rounds == 1)
        return found

    def _solve(self, where: Any, more: int, opening: bool) -> tuple[Numbers, Solved]:
        matrix = self.rounds.matrix(where, self._following(more), opening)
        return matrix, solve(matrix)

    def pulls(self, s: Record) -> dict[int, float]:
        """What each action of who is to decide alone is worth to who began the round."""
        found: dict[int, float] = self.rounds.options(s, self.following(int(s.rounds)))
        return found

    def fits(self, s: Record) -> bool:
        """Whether a position is one of this game, with these options."""
        checks = self.game.rules.checks
        return type(s) is type(self.first) and all(
            np.array_equal(getattr(s, name), getattr(self.first, name)) for name in checks.FIXED
        )


def value_of(solution: Solution) -> float:
    """What beginning is worth: the first round's bets, no pact being held."""
    s = solution.first.copy()
    verbs.apply(s, verbs.CHANCE, 0)
    return solution.bets(s)[1].value
