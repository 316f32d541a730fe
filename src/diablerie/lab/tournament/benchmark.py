"""The benchmark: one bot against a fixed panel, in four games, at tables of two and of four.

`benchmark("my_bot:MyBot")` plays, and `table_row` makes a line of it.
docs/benchmark.md says what it measures, and has the table.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from diablerie.lab.running.run import run_study
from diablerie.lab.statistics import Estimate
from diablerie.lab.tournament import TournamentResults
from diablerie.lab.tournament.config import TournamentConfig, tournament_config

GAMES = ("coals", "tails", "underworld", "kitchen")
PANEL = {"sensible": 200, "archdevil": 60, "oberteufel": 16}  # and the games of two against each
TABLES = 32  # games of four with the whole panel
SEED = 2026
Column = tuple[str, str]  # the game; the bot of the panel that is played against, or FOUR
FOUR = "four"
Shares = Mapping[Column, Estimate]  # of the games that the entry wins; a tie is half of one


class Meeting(NamedTuple):
    """Games of an entry with others. Where it is one of the panel itself, there are none."""

    column: Column
    config: TournamentConfig


def meetings(entry: str, games: Sequence[str] = GAMES) -> list[Meeting]:
    """All that is played for an entry, a spec in which `{game}` stands for the game's name.

    Raises as `tournament_config`.
    """
    found = []
    for game in games:
        spec = entry.replace("{game}", game)
        for other, count in PANEL.items():
            if other != spec:
                config = tournament_config(game, (spec, other), games=count, seats=2, seed=SEED)
                found.append(Meeting((game, other), config))
        players = tuple(dict.fromkeys((spec, *PANEL)))
        config = tournament_config(game, players, games=TABLES, seats=4, seed=SEED, mixed=True)
        found.append(Meeting((game, FOUR), config))
    return found


def benchmark(
    entry: str,
    games: Sequence[str] = GAMES,
    workers: int | None = None,
    tell: Callable[[Column, Estimate], object] | None = None,
) -> Shares:
    """Play an entry's games and return the shares that it wins; `tell` is told each as it comes.

    Raises as `diablerie.lab.tournament.tournament`.
    """
    shares = {}
    for column, config in meetings(entry, games):
        standings = run_study(partial(TournamentResults, config), workers=workers)
        shares[column] = next(x.share for x in standings.players if x.player == config.players[0])
        if tell:
            tell(column, shares[column])
    return shares


def table_row(name: str, shares: Shares) -> str:
    """The line of an entry in the table of docs/benchmark.md, in per cent with 95 % intervals."""
    cells = [cell(shares.get((game, who))) for game in GAMES for who in (*PANEL, FOUR)]
    return f"| {' | '.join([name, *cells])} |"


def cell(share: Estimate | None) -> str:
    """A share in per cent, with its interval."""
    return f"{share.value:.0%} ({share.low:.0%}–{share.high:.0%})" if share else "–"
