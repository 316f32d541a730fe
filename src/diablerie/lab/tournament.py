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

from diablerie.engine.text import say
from diablerie.lab.config import Config, configured
from diablerie.lab.jobs import Progress, finish, silent
from diablerie.lab.pairing import Fixture, fixtures, mixed_tables, round_robin
from diablerie.lab.results import Results
from diablerie.lab.runner import Runner
from diablerie.lab.standings import Standings, standings


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
    keep: str | Path | None = None,
    workers: int = 1,
    progress: Progress = silent,
) -> Standings:
    """Let bots play each other and say how they did.

    `players` are specs such as "search:ms=200" or "my_module:MyBot". `games` counts for each
    pairing, or in all at `mixed` tables (the default where more than two sides play); it is
    rounded up until every player sits in every seat equally often. With `file`, results are kept
    there as they come, and a file of the same tournament is gone on with. Every game that is
    played now is kept as a match file in the folder `keep`. `progress` is called after every
    game. Ctrl-C raises Interrupted.

    Raises ValueErrors: BadConfig, BadOption, BadSpec, BadFile, BotFailure, WorkersLost.
    """
    config = configured(
        game, players, games=games, seats=seats, options=options, seed=seed, mixed=mixed
    )
    return hold(config, file=file, keep=keep, workers=workers, progress=progress)


def hold(
    config: Config,
    *,
    file: str | Path | None = None,
    keep: str | Path | None = None,
    workers: int = 1,
    progress: Progress = silent,
) -> Standings:
    """Hold the tournament of this config; see `tournament`."""
    folder = Path(keep) if keep is not None else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with Results(config, schedule(config), file) as results:
        rate = finish(results, partial(Runner, config, folder), workers, progress)
        found = standings(config, results.jobs.values(), results.played, rate)
        if results.missing:
            raise Interrupted(len(results.played), len(results.jobs), found)
        return found
