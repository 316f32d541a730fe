"""Tournaments of bots, from Python as from the command line.

    from diablerie.lab.tournament import tournament

    found = tournament("kitchen", ["random", "sensible"], games=200, workers=2)
    print(found.players[1].rating)

With more than one worker, a script needs the usual `if __name__ == "__main__":`, since worker
processes import it.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs

from diablerie.engine.text import say
from diablerie.lab.config import Config, configured
from diablerie.lab.jobs import Progress, finish, never, silent
from diablerie.lab.results import Results
from diablerie.lab.runner import Runner
from diablerie.lab.schedule import schedule
from diablerie.lab.sequential import Watch
from diablerie.lab.standings import Standings, standings


class Interrupted(Exception):
    """Ctrl-C ended a tournament early; `standings` is what was played so far."""

    def __init__(self, done: int, of: int, found: Standings) -> None:
        super().__init__(str(say("stopped after {done} of {of} games", done=done, of=of)))
        self.standings = found


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
    keep: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = silent,
) -> Standings:
    """Let bots play each other and say how they did.

    `players` are specs such as "search:ms=200" or "my_module:MyBot". `games` counts for each
    pairing, or in all at `mixed` tables (the default where more than two sides play); it is
    rounded up until every player sits in every seat equally often. With `file`, results are kept
    there as they come, and a file of the same tournament is gone on with, or extended where it is
    one of fewer games, or of the first few of the players. Every game that is played now is kept
    as a match file in the folder `keep`. So many `workers` play, one process if that is left out;
    `on` a Ray cluster ("ray" or "ray://HOST:PORT"), as many as that has processors. `progress` is
    called after every game. Ctrl-C raises Interrupted.

    Raises ValueErrors: BadConfig, BadOption, BadSpec, BadFile, BotFailure, BadCluster, WorkersLost.
    """
    config = configured(
        game, players, games=games, seats=seats, options=options, seed=seed, mixed=mixed
    )
    return hold(config, file=file, keep=keep, workers=workers, on=on, progress=progress)


def hold(
    config: Config,
    *,
    file: str | Path | None = None,
    keep: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = silent,
    watch: Watch | None = None,
) -> Standings:
    """Hold the tournament of this config; see `tournament`. With `watch` its test may end it."""
    folder = Path(keep) if keep is not None else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with Results(config, schedule(config), file) as results:
        enough = partial(watch.over, results) if watch else never
        make = partial(Runner, results.config, folder is not None)
        rate = finish(results, make, workers, progress, enough, on=on, folder=folder)
        found = standings(results.config, results.jobs.values(), results.played, rate)
        if watch:
            found = structs.replace(found, sprt=watch.sequential.answer)
        if results.missing and not enough():
            raise Interrupted(len(results.played), len(results.jobs), found)
        return found
