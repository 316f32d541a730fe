"""Tournaments of bots, from Python as from the command line.

    from diablerie.lab.tournament import tournament

    standings = tournament("kitchen", ["random", "sensible"], games=200, workers=2)
    print(standings.players[1].rating)

With more than one worker, a script needs the usual `if __name__ == "__main__":`, since worker
processes import it.

The file of a tournament has the config, then a line for each finished game. A line
`{"extended": …}` says that from there on there are more games or more players; the config in the
first line stays as it was.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from diablerie.engine.text import Line, say
from diablerie.lab.running.errors import BadFile
from diablerie.lab.running.matches import Fixture
from diablerie.lab.running.run import Interrupted, run_options, run_study
from diablerie.lab.running.study import Results, Study, different_config
from diablerie.lab.tournament.config import (
    GameResult,
    TournamentConfig,
    is_sound_result,
    play_fixture,
    schedule,
    tournament_config,
    warm_players,
)
from diablerie.lab.tournament.standings import Standings, standings

__all__ = ["Interrupted", "Standings", "tournament"]


def tournament(
    game: str, players: Sequence[str], *, keep: str | Path | None = None, **given: Any
) -> Standings:
    """Let bots play each other and return the standings.

    keep: a folder for match files of all games that are played now. given: settings, see
    `TournamentSettings`, and `file`, `workers`, `on` and `progress`, see `RunOptions`; a
    file of the same tournament is continued, or extended if it has fewer games or only the first
    few of the players.

    Raises Interrupted after Ctrl-C, and the ValueErrors BadConfig, BadOption, BadSpec, BadFile,
    BotFailure, BadCluster and WorkersLost.
    """
    run = run_options(given)
    config = tournament_config(game, players, **given)
    return run_study(partial(TournamentResults, config, keep=keep), **run)


class Extension(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line of a file from which on there are more games, or more players."""

    extended: tuple[str, ...]  # all players
    games: int  # as in a config


class TournamentResults(Results[TournamentConfig, GameResult, Standings]):
    """The results of a tournament so far.

    A file of fewer games or players is extended: `config` is then the extended one, and `before`
    has the former ones, the oldest first. keep: a folder for match files of all games. Raises as
    Results, and BadFile for a file that cannot be extended to this config.
    """

    def __init__(
        self,
        config: TournamentConfig,
        file: str | Path | None = None,
        *,
        keep: str | Path | None = None,
    ) -> None:
        self.before: list[TournamentConfig] = []
        folder = Path(keep) if keep is not None else None
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
        # Made here, since whether games are kept changes how one is played, and no result.
        study = Study[TournamentConfig, GameResult, Standings](
            GameResult,
            schedule,
            warm_players,
            partial(play_fixture, keep=folder is not None),
            is_sound_result,
            TournamentResults.standings,
            unit="game",
            folder=folder,
        )
        super().__init__(study, config, file)

    def numbered_jobs(self) -> dict[int, Fixture]:
        """The games, those of the former configs first."""
        return {one.number: one for one in schedule(self.config, self.before)}

    def standings(self, rate: float | None = None) -> Standings:
        """The standings."""
        return standings(self.config, self.jobs.values(), self.played, rate)

    # -- the file ----------------------------------------------------------------------------------

    def _resume(self) -> None:
        """Read the file; extend it if it is of fewer games or players."""
        asked = self.config
        super()._resume()
        if self.config == asked:
            return
        grown = len(asked.players) > len(self.config.players)
        if self.config.mixed and grown and asked.games <= self.config.games:
            raise BadFile(
                say(
                    "{file}: more players at mixed tables need more games than {n}",
                    file=self.file,
                    n=self.config.games,
                )
            )
        self._write(Extension(asked.players, asked.games))
        self._extend(asked.players, asked.games)

    def _read_config(self, config: TournamentConfig) -> None:
        super()._read_config(config)
        self._asked = self.config
        self.config = config
        self.jobs = self.numbered_jobs()

    def _read_row(self, line: bytes, n: int) -> None:
        if not line.startswith(b'{"extended"'):
            super()._read_row(line, n)
            return
        row = self._decoded(line, Extension, n)
        grown = msgspec.structs.replace(self.config, players=row.extended, games=row.games)
        wrong = _cannot_extend(self._asked, grown) or _cannot_extend(grown, self.config)
        if wrong:
            raise self._bad_line(n, wrong)
        self._extend(row.extended, row.games)

    def _extend(self, players: tuple[str, ...], games: int) -> None:
        self.before.append(self.config)
        self.config = msgspec.structs.replace(self.config, players=players, games=games)
        self.jobs = self.numbered_jobs()

    def conflict(self, config: TournamentConfig) -> Line | None:
        """Why the file of this config cannot be continued or extended; None if it can."""
        return _cannot_extend(self.config, config)

    def mistake(self, row: GameResult) -> Line | None:
        """See `Results`."""
        n = row.game
        seats = self.config.seats
        if n in self.jobs and n not in self.played:
            players = tuple(self.config.players[player] for player in self.jobs[n].players)
            if row.players != players:
                return say("game {n} is not between these players", n=n)
            lists = row.returns, row.decisions, row.seconds, row.opening or row.returns
            if any(len(one) != seats for one in lists):
                return say("game {n} has not a number for each of {seats} seats", n=n, seats=seats)
        return super().mistake(row)


def _cannot_extend(asked: TournamentConfig, config: TournamentConfig) -> Line | None:
    """Why a tournament cannot be extended to the one that is asked for; None if it can."""
    for name in asked.__struct_fields__:
        theirs = getattr(config, name)
        ours = getattr(asked, name)
        if name == "players":
            same = ours[: len(theirs)] == theirs
        else:
            same = theirs <= ours if name == "games" else theirs == ours
        if not same:
            return different_config(name, theirs, ours)
    return None
