"""Tournaments of bots, from Python as from the command line.

    from diablerie.lab.tournament import tournament

    standings = tournament("kitchen", ["random", "sensible"], games=200, workers=2)
    print(standings.players[1].rating)

With more than one worker, a script needs the usual `if __name__ == "__main__":`, since worker
processes import it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from diablerie.lab.running.study import Interrupted, RunOptions
from diablerie.lab.tournament.config import tournament_config
from diablerie.lab.tournament.standings import Standings
from diablerie.lab.tournament.study import Tournament

__all__ = ["Interrupted", "Standings", "tournament"]


def tournament(
    game: str,
    players: Sequence[str],
    *,
    games: int = 100,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    mixed: bool | None = None,
    keep: str | Path | None = None,
    **run: Unpack[RunOptions],
) -> Standings:
    """Let bots play each other and return the standings.

    players: specs such as "search:ms=200" or "my_module:MyBot". games: for each pairing, or in all
    at `mixed` tables (the default where more than two sides play); rounded up until every player
    has every seat equally often. keep: a folder for match files of all games that are played now.
    run: `file`, `workers`, `on` and `progress`, see `RunOptions`; a file of the same tournament is
    continued, or extended if it has fewer games or only the first few of the players.

    Raises Interrupted after Ctrl-C, and the ValueErrors BadConfig, BadOption, BadSpec, BadFile,
    BotFailure, BadCluster and WorkersLost.
    """
    config = tournament_config(
        game, players, games=games, seats=seats, options=options, seed=seed, mixed=mixed
    )
    return Tournament.conduct(config, more={"keep": keep}, **run)
