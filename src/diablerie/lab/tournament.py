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

from diablerie.engine.text import say
from diablerie.lab.config import Config, configured
from diablerie.lab.pairing import Fixture, fixtures, mixed_tables, round_robin
from diablerie.lab.results import Results
from diablerie.lab.runner import Result
from diablerie.lab.standings import Standings, standings
from diablerie.lab.workers import new_halt, play

Progress = Callable[[int, int], None]  # called with games done, and games in all


def silent(done: int, of: int) -> None:
    """Show no progress."""


class Interrupted(Exception):
    """Ctrl-C ended a tournament early; `standings` is what was played so far."""

    def __init__(self, done: int, of: int, found: Standings) -> None:
        super().__init__(str(say("stopped after {done} of {of} games", done=done, of=of)))
        self.standings = found


def schedule(config: Config) -> list[Fixture]:
    """Every game of a tournament, in order."""
    count, sides = len(config.players), config.sides
    if config.mixed:
        tables = mixed_tables(count, sides, config.games, config.seed)
    else:
        tables = round_robin(count, config.games)
    return list(fixtures(tables, config.teams))


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
    progress: Progress = silent,
) -> Standings:
    """Let bots play each other and say how they did.

    `players` are specs such as "search:ms=200" or "my_module:MyBot". `games` counts for each
    pairing, or in all at `mixed` tables (the default where more than two sides play); it is
    rounded up until every player sits in every seat equally often. With `file`, results are kept
    there as they come, and a file of the same tournament is gone on with. `progress` is called
    after every game. Ctrl-C raises Interrupted.

    Raises ValueErrors: BadConfig, BadOption, BadSpec, BadFile, BotFailure, WorkersLost.
    """
    config = configured(
        game, players, games=games, seats=seats, options=options, seed=seed, mixed=mixed
    )
    return hold(config, file=file, workers=workers, progress=progress)


def hold(
    config: Config,
    *,
    file: str | Path | None = None,
    workers: int = 1,
    progress: Progress = silent,
) -> Standings:
    """Hold the tournament of this config; see `tournament`."""
    with Results(config, schedule(config), file) as results:
        halt, rate = new_halt(workers), None
        with stopped_by_ctrl_c(halt):
            if missing := results.missing:
                with closing(play(config, missing, workers, halt)) as played:
                    rate = _keep(results, played, progress)
        found = standings(config, results.fixtures.values(), results.played, rate)
        if results.missing:
            raise Interrupted(len(results.played), len(results.fixtures), found)
        return found


def _keep(results: Results, played: Iterable[Result], progress: Progress) -> float | None:
    """Keep what comes; games a second after the first, which waits for the workers to start."""
    began, before = perf_counter(), len(results.played)
    progress(before, len(results.fixtures))
    for result in played:
        results.add(result)
        progress(len(results.played), len(results.fixtures))
        if len(results.played) == before + 1:
            began = perf_counter()
    more = len(results.played) - before - 1
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
