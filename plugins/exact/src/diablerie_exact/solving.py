"""Backward induction over the rounds: from the values of a round to those of the round before it.

Every position at which a round can begin is a matrix game of bets; an entry is the value of pulling
well after these bets (see `solution.ROUND_MODELS`). The solver stops when the values change so
little from one round to the next that the rounds that are left, up to the game's limit, cannot
change them by more than the requested error.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

import diablerie
from diablerie.engine.compile import Floats
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadConfig, BadFile
from diablerie.lab.running.settings import option_texts
from diablerie.runtime.child_processes import ctrl_c_blocked
from diablerie_exact.matrix import Support, solve_matrix
from diablerie_exact.solution import (
    Solution,
    SolvedFacts,
    SolvedTable,
    read_table,
    rounds_of,
    write_table,
)

Position = tuple[int, ...]
PARTS = 8  # of a round's positions, for each worker
SOLUTION_ERROR = 1e-9


class SolvedPosition(NamedTuple):
    """The solution of the matrix game at one position."""

    position: Position
    value: float
    gap: float
    support: Support


class SolverProgress(NamedTuple):
    """Rounds solved, rounds at most, the last round's change of values, the bound of the error."""

    rounds: int
    last: int
    change: float
    error: float


# Solves parts of a round's positions: given the game's rounds, the values that follow, the parts
Executor = Callable[[Any, Floats, list[list[Any]]], Iterator[SolvedPosition]]


def solved(
    game: str,
    options: Mapping[str, Any] | None = None,
    *,
    error: float = SOLUTION_ERROR,
    file: Path | None = None,
    workers: int = 1,
    tell: Callable[[SolverProgress], object] = tuple,
) -> Solution:
    """Solve a game of two, or continue the table in a file.

    error: the bound of the error of any value; file: where the table is written after every round;
    tell: is called after every round. Raises BadConfig, BadOption, BadFile, BadTable (if the game
    is not made of rounds, or the file is no table) and OSError.
    """
    if not error > 0:
        raise BadConfig(say("an error is more than 0, not {error}", error=error))
    chosen: Game = diablerie.game_named(game)
    facts = SolvedFacts(chosen.name, chosen.version, option_texts(chosen, 2, options or {}))
    table = _begun(facts, file)
    rounds = rounds_of(chosen, facts.options)
    hints: dict[Position, Support] = {}
    with _executor(chosen, facts.options, rounds, workers) as execute:
        while _goes_on(table, rounds.last, error):
            table = _one_more(rounds, table, execute, hints, workers)
            # After each round: the same command goes on with the table.
            if file:
                write_table(table, file)
            done = len(table.values)
            change = table.facts.change
            tell(SolverProgress(done, rounds.last, change, table.error(rounds.last)))
    return Solution(chosen, table, rounds)


def _begun(facts: SolvedFacts, file: Path | None) -> SolvedTable:
    """The table of a file, or an empty one. Raises BadFile if it is another game's."""
    if file is None or not file.exists():
        return SolvedTable(facts, np.empty((0, 0, 0)))
    table = read_table(file)
    if msgspec.structs.replace(table.facts, slip=0.0, change=2.0) != facts:
        raise BadFile(say("{file} is of another game, or of other options", file=file))
    return table


def _goes_on(table: SolvedTable, last: int, error: float) -> bool:
    return not len(table.values) or (len(table.values) < last and table.error(last) > error)


def _one_more(
    rounds: Any, table: SolvedTable, execute: Executor, hints: dict[Position, Support], workers: int
) -> SolvedTable:
    """The table with the round before those that it has."""
    before = table.values[-1] if len(table.values) else None
    values = np.zeros(rounds.shape)
    gap = 0.0
    for one in execute(rounds, rounds.following(before), _parts(rounds.shape, hints, workers)):
        values[one.position] = one.value
        hints[one.position] = one.support
        gap = max(gap, one.gap)
    change = 2.0 if before is None else float(abs(values - before).max())
    facts = msgspec.structs.replace(table.facts, slip=table.facts.slip + gap / 2, change=change)
    known = table.values.reshape(-1, *rounds.shape)
    return SolvedTable(facts, np.concatenate([known, values[None]]))


def _parts(shape: Position, hints: dict[Position, Support], workers: int) -> list[list[Any]]:
    """All positions with their hints, in parts of about the same work."""
    jobs = [(position, hints.get(position)) for position in np.ndindex(shape)]
    n = PARTS * workers if workers > 1 else 1
    return [jobs[k::n] for k in range(n)]


def solve_positions(rounds: Any, following: Floats, jobs: list[Any]) -> list[SolvedPosition]:
    """Solve the matrix games of some positions of a round, each with a hint or None."""
    solutions: list[SolvedPosition] = []
    for position, hint in jobs:
        near = hint or (solutions[-1].support if solutions else None)
        one = solve_matrix(rounds.matrix(position, following), near)
        solutions.append(SolvedPosition(position, one.value, one.gap, one.support))
    return solutions


# -- processes -------------------------------------------------------------------------------------


@contextmanager
def _executor(
    game: Game, options: Mapping[str, Any], rounds: Any, workers: int
) -> Iterator[Executor]:
    """Solve the parts of a round in this process, or in so many others."""
    if workers == 1:
        yield _here
        return
    with ctrl_c_blocked():
        pool = ProcessPoolExecutor(workers, get_context("spawn"), _start, (game.name, options))
    try:
        yield partial(_there, pool)
    finally:
        pool.shutdown(cancel_futures=True)


def _here(rounds: Any, following: Floats, parts: list[list[Any]]) -> Iterator[SolvedPosition]:
    for jobs in parts:
        yield from solve_positions(rounds, following, jobs)


def _there(
    pool: Any, _: Any, following: Floats, parts: list[list[Any]]
) -> Iterator[SolvedPosition]:
    with ctrl_c_blocked():
        futures = [pool.submit(_some, following, jobs) for jobs in parts]
    for future in futures:
        yield from future.result()


_rounds: Any = None


def _start(game: str, options: Mapping[str, Any]) -> None:
    global _rounds
    _rounds = rounds_of(diablerie.game_named(game), options)


def _some(following: Floats, jobs: list[Any]) -> list[SolvedPosition]:
    return solve_positions(_rounds, following, jobs)
