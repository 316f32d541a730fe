"""Tournaments of bots, from Python as from the command line.

    from diablerie.lab.tournament import tournament

    found = tournament("kitchen", ["random", "sensible"], games=200, workers=2)
    print(found.players[1].rating)

With more than one worker, a script needs the usual `if __name__ == "__main__":`, since worker
processes import it.
"""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any

from diablerie.lab.config import Terms, agreed
from diablerie.lab.pairing import Plan, mixtures, pairings, plans
from diablerie.lab.results import Ledger
from diablerie.lab.runner import Result
from diablerie.lab.standings import Standings, standings
from diablerie.lab.workers import new_halt, played

Tell = Callable[[int, int], None]  # games done, games in all


def silent(done: int, of: int) -> None:
    """Tell nobody."""


class Interrupted(Exception):
    """Ctrl-C ended a tournament early; `standings` is what was played so far."""

    def __init__(self, done: int, of: int, found: Standings) -> None:
        super().__init__(f"stopped after {done} of {of} games")
        self.standings = found


def schedule(terms: Terms) -> list[Plan]:
    """Every game of a tournament, in order."""
    count, sides = len(terms.players), terms.sides
    if terms.mixed:
        tables = mixtures(count, sides, terms.games, terms.seed)
    else:
        tables = pairings(count, terms.games)
    return list(plans(tables, terms.teams))


def tournament(
    game: str,
    players: Sequence[str],
    *,
    games: int = 100,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    mixed: bool | None = None,
    file: str | Path | None = None,
    workers: int = 1,
    tell: Tell = silent,
) -> Standings:
    """Let bots play each other and say how they did.

    `players` are specs such as "search:ms=200" or "my_module:MyBot". `games` counts for each
    pairing, or in all at `mixed` tables (the default where more than two sides play); it is
    rounded up until every player sits in every seat equally often. With `file`, results are kept
    there as they come, and a file of the same tournament is gone on with. `tell` is called after
    every game. Ctrl-C raises Interrupted.

    Raises ValueErrors: BadTerms, BadOption, BadSpec, BadFile, BotFailure, CrewLost.
    """
    terms = agreed(game, players, games=games, seats=seats, options=options, seed=seed, mixed=mixed)
    return hold(terms, file=file, workers=workers, tell=tell)


def hold(
    terms: Terms, *, file: str | Path | None = None, workers: int = 1,
    tell: Tell = silent,
) -> Standings:  # fmt: skip
    """Hold the tournament of these terms; see `tournament`."""
    with Ledger(terms, schedule(terms), file) as ledger:
        missing = ledger.missing
        halt = new_halt(workers)
        rate = None
        with stopped_by_ctrl_c(halt):
            if missing:
                with closing(played(terms, missing, workers, halt)) as results:
                    rate = _keep(ledger, results, tell)
        found = standings(terms, ledger.plans.values(), ledger.results, rate)
        if ledger.missing:
            raise Interrupted(len(ledger.results), len(ledger.plans), found)
        return found


def _keep(ledger: Ledger, results: Iterable[Result], tell: Tell) -> float | None:
    """Keep what comes; games a second after the first, which waits for the workers to start."""
    began, before = perf_counter(), len(ledger.results)
    tell(before, len(ledger.plans))
    for result in results:
        ledger.add(result)
        tell(len(ledger.results), len(ledger.plans))
        if len(ledger.results) == before + 1:
            began = perf_counter()
    more = len(ledger.results) - before - 1
    return more / (perf_counter() - began) if more > 0 else None


@contextmanager
def stopped_by_ctrl_c(halt: Any) -> Iterator[None]:
    """Ctrl-C sets the event, so that no line is left half written; a second one is an error."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        halt.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
