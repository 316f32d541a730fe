"""Backwards over the rounds: from the values of one to those of the round before it.

Every position at which a round can begin is a matrix game of bets, worth what pulling well after
them is (the game's `rounds`). Rounds are solved until so little changes from one to the next that
all that are left, up to the game's limit, cannot change more than the error asked for.
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
from numpy.typing import NDArray

import diablerie
from diablerie.bots.exact.matrix import Support, solve
from diablerie.bots.exact.solution import (
    Facts,
    Solution,
    Table,
    options_of,
    read,
    rounds_of,
    write,
)
from diablerie.engine import extras
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.lab.errors import BadConfig, BadFile
from diablerie.lab.workers import undisturbed

Numbers = NDArray[Any]
Position = tuple[int, ...]
SHARES = 8  # parts of a round's positions for each worker
ERROR = 1e-9


class Answer(NamedTuple):
    """One position solved."""

    position: Position
    value: float
    gap: float
    support: Support


class Told(NamedTuple):
    """How far it is: rounds solved, how many there are at most, what the last one changed."""

    rounds: int
    last: int
    change: float
    error: float


Tell = Callable[[Told], object]
Each = Callable[[Any, Numbers, list[list[Any]]], Iterator[Answer]]


def library() -> None:
    """Raises BadConfig where SciPy is not installed."""
    try:
        import scipy.optimize
        import scipy.sparse  # noqa: F401
    except ImportError:
        command = extras.install("exact")
        raise BadConfig(say("Solving needs SciPy: {command} brings it", command=command)) from None


def solved(
    game: str,
    options: Mapping[str, Any] | None = None,
    *,
    error: float = ERROR,
    file: Path | None = None,
    workers: int = 1,
    tell: Tell = tuple,
) -> Solution:
    """Solve a game of two, or go on with what a file holds of it.

    error: how far a value may be off; file: where the table is kept after every round. Raises
    BadConfig, BadOption, BadFile; ValueError if the game is not made of rounds.
    """
    library()
    if not error > 0:
        raise BadConfig(say("an error is more than 0, not {error}", error=error))
    chosen: Game = diablerie.game_named(game)
    facts = Facts(chosen.name, chosen.version, options_of(chosen, options or {}))
    table = _begun(facts, file)
    rounds = rounds_of(chosen, facts.options)
    hints: dict[Position, Support] = {}
    with _hands(chosen, facts.options, rounds, workers) as each:
        while _goes_on(table, rounds.last, error):
            table = _one_more(rounds, table, each, hints, workers)
            if file:
                write(table, file)
            tell(Told(len(table.values), rounds.last, table.facts.change,
                      table.error(rounds.last)))  # fmt: skip
    return Solution(chosen, table, rounds)


def _begun(facts: Facts, file: Path | None) -> Table:
    """What a file holds of this game, or nothing yet. Raises BadFile for another game's."""
    if file is None or not file.exists():
        return Table(facts, np.empty((0, 0, 0)))
    table = read(file)
    if msgspec.structs.replace(table.facts, slip=0.0, change=2.0) != facts:
        raise BadFile(say("{file} is of another game, or of other options", file=file))
    return table


def _goes_on(table: Table, last: int, error: float) -> bool:
    return not len(table.values) or (len(table.values) < last and table.error(last) > error)


def _one_more(rounds: Any, table: Table, each: Each, hints: dict[Position, Support],
              workers: int) -> Table:  # fmt: skip
    """The table with the round before those that it has."""
    before = table.values[-1] if len(table.values) else None
    values, gap = np.zeros(rounds.shape), 0.0
    for answer in each(rounds, rounds.following(before), _parts(rounds.shape, hints, workers)):
        values[answer.position] = answer.value
        hints[answer.position] = answer.support
        gap = max(gap, answer.gap)
    change = 2.0 if before is None else float(abs(values - before).max())
    facts = msgspec.structs.replace(table.facts, slip=table.facts.slip + gap / 2, change=change)
    return Table(facts, np.concatenate([table.values.reshape(-1, *rounds.shape), values[None]]))


def _parts(shape: Position, hints: dict[Position, Support], workers: int) -> list[list[Any]]:
    """All positions with their hints, in parts of about the same work."""
    jobs = [(position, hints.get(position)) for position in np.ndindex(shape)]
    n = SHARES * workers if workers > 1 else 1
    return [jobs[k::n] for k in range(n)]


def answers(rounds: Any, following: Numbers, jobs: list[Any]) -> list[Answer]:
    """Some positions of a round, solved."""
    found: list[Answer] = []
    for position, hint in jobs:
        near = hint or (found[-1].support if found else None)
        one = solve(rounds.matrix(position, following), near)
        found.append(Answer(position, one.value, one.gap, one.support))
    return found


# -- who does it -----------------------------------------------------------------------------------


@contextmanager
def _hands(game: Game, options: Mapping[str, Any], rounds: Any, workers: int) -> Iterator[Each]:
    """What solves the parts of a round: this process, or so many others."""
    if workers == 1:
        yield _here
        return
    with undisturbed():
        pool = ProcessPoolExecutor(workers, get_context("spawn"), _start, (game.name, options))
    try:
        yield partial(_there, pool)
    finally:
        pool.shutdown(cancel_futures=True)


def _here(rounds: Any, following: Numbers, parts: list[list[Any]]) -> Iterator[Answer]:
    for jobs in parts:
        yield from answers(rounds, following, jobs)


def _there(pool: Any, _: Any, following: Numbers, parts: list[list[Any]]) -> Iterator[Answer]:
    with undisturbed():
        futures = [pool.submit(_some, following, jobs) for jobs in parts]
    for future in futures:
        yield from future.result()


_rounds: Any = None


def _start(game: str, options: Mapping[str, Any]) -> None:
    global _rounds
    _rounds = rounds_of(diablerie.game_named(game), options)


def _some(following: Numbers, jobs: list[Any]) -> list[Answer]:
    return answers(_rounds, following, jobs)
