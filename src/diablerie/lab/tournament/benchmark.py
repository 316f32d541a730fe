"""The benchmark: one bot against a fixed panel, in four games, at tables of two and of four.

`benchmark("my_bot:MyBot")` plays, and `table_row` makes a line of it. A learner that is out to beat
the entry is a column, too. docs/benchmark.md says what it measures, and has the table.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from diablerie.lab.running.run import run_study
from diablerie.lab.statistics import Estimate
from diablerie.lab.tournament import TournamentResults
from diablerie.lab.tournament.config import TournamentConfig, tournament_config

BENCHMARK_GAMES = ("coals", "tails", "underworld", "kitchen")
PANEL = {"sensible": 200, "archdevil": 60, "oberteufel": 16}  # and the games of two against each
# Games of four with the whole panel: so many that a share of 35 % is told from the fair quarter.
FULL_PANEL_GAMES = 96
SEED = 2026
Column = tuple[str, str]  # the game; the bot of the panel that is played against, or FOUR
FOUR = "four"
EXPLOITER = "exploiter"  # what an approximate best response wins from the entry, at tables of two
EXPLOIT_DECISIONS = 32_768  # that it learns from
EXPLOIT_GAMES = 400  # in which it is measured then
Exploited = Callable[[str, str], Estimate]  # of a spec and a game: what its exploiter wins
# Of the games that the entry wins, or its exploiter; a tie is half of one.
Shares = Mapping[Column, Estimate]


def meetings(entry: str, games: Sequence[str] = BENCHMARK_GAMES) -> dict[Column, TournamentConfig]:
    """All that is played for an entry, a spec in which `{game}` stands for the game's name.

    One of the panel does not play itself. Raises as `tournament_config`.
    """
    found = {}
    for game in games:
        spec = entry.replace("{game}", game)
        own = partial(tournament_config, game, seed=SEED)
        for other in [name for name in PANEL if name != spec]:
            found[game, other] = own((spec, other), games=PANEL[other], seats=2)
        players = tuple(dict.fromkeys((spec, *PANEL)))
        found[game, FOUR] = own(players, games=FULL_PANEL_GAMES, seats=4, mixed=True)
    return found


def benchmark(
    entry: str,
    games: Sequence[str] = BENCHMARK_GAMES,
    workers: int | None = None,
    exploited: Exploited | None = None,
) -> Iterator[tuple[Column, Estimate]]:
    """Play an entry's games, and tell the shares that it wins, and last what its exploiter does.

    Raises as `diablerie.lab.tournament.tournament` and `exploited`.
    """
    for (game, against), config in meetings(entry, games).items():
        standings = run_study(partial(TournamentResults, config), workers=workers)
        spec = config.players[0]
        yield (game, against), next(x.share for x in standings.players if x.player == spec)
        if against == FOUR and exploited:
            yield (game, EXPLOITER), exploited(spec, game)


def table_row(name: str, shares: Shares) -> str:
    """The line of an entry in the table of docs/benchmark.md, in per cent with 95 % intervals."""
    against = (*PANEL, FOUR, EXPLOITER)
    cells = [cell(shares.get((game, who))) for game in BENCHMARK_GAMES for who in against]
    return f"| {' | '.join([name, *cells])} |"


def cell(share: Estimate | None) -> str:
    """A share in per cent, with its interval."""
    return f"{share.value:.0%} ({share.low:.0%}–{share.high:.0%})" if share else "–"
