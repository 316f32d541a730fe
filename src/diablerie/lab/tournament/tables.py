"""The standings of a tournament as tables for a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from diablerie.lab.html.formats import (
    Format,
    format_duration,
    format_elo,
    format_interval,
    format_openskill,
    format_p_value,
    format_percent,
)
from diablerie.lab.tournament.config import TournamentConfig
from diablerie.lab.tournament.sprt import SprtAnswer
from diablerie.lab.tournament.standings import Meeting, PlayerStanding, Standings

PAIRED_NOTE = (
    "Intervals are 95 %, normal on the means of pairs of games (the same dice, seats swapped), "
    "a won and a lost pair added. Rating: Bradley-Terry, mean 0, a drawn game added to each "
    "pairing; intervals by bootstrap over pairs."
)
MIXED_NOTE = (
    "Intervals are 95 %, normal on the means of tables (the same dice from every seat), a won "
    "and lost ones added. Seats: how many were taken. “By luck”: two-sided, for each player "
    "alone. Rating: openskill's Plackett-Luce, mu and 95 %. Who meets itself at a table is drawn "
    "towards the fair share."
)


def tournament_tables(standings: Standings) -> RenderableType:
    """The whole summary, the best player first."""
    title = Text(_title(standings.config), style="bold")
    parts: list[RenderableType] = [title, _players(standings)]
    if standings.meetings:
        parts.append(_meetings(standings))
    if standings.sprt:
        parts.append(Text(sprt_sentence(standings, standings.sprt)))
    parts.append(Text(tournament_note(standings), style="dim"))
    return Group(*parts)


def _title(config: TournamentConfig) -> str:
    options = "".join(f", {name} {value}" for name, value in config.options.items())
    return f"{config.game}, {config.seats} seats{options}, seed {config.seed}"


def rating_format(config: TournamentConfig) -> Format:
    """How the ratings of a tournament are written."""
    return format_openskill if config.mixed else format_elo


def _players(standings: Standings) -> Table:
    config, table = standings.config, Table()
    table.add_column("player", overflow="fold")
    for heading in ("seats" if config.mixed else "games", "share of wins", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    if config.mixed:
        table.add_column("by luck", justify="right", no_wrap=True)
    for heading in ("openskill" if config.mixed else "Elo", "95 %", "thinks"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in sorted(standings.players, key=lambda one: -one.rating.value):
        table.add_row(*_player(one, config))
    return table


def _player(one: PlayerStanding, config: TournamentConfig) -> list[str]:
    rating = rating_format(config)
    return [
        one.player,
        str(one.games),
        format_percent(one.share.value),
        format_interval(one.share, format_percent),
        *([format_p_value(one.chance)] if config.mixed else []),
        rating(one.rating.value),
        format_interval(one.rating, rating),
        format_duration(one.seconds),
    ]


def _meetings(standings: Standings) -> Table:
    table = Table()
    for heading in ("first", "second"):
        table.add_column(heading, overflow="fold")
    for heading in ("games", "won", "tied", "lost", "score", "95 %", "Elo", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in standings.meetings:
        table.add_row(*_meeting(one))
    return table


def _meeting(one: Meeting) -> list[str]:
    return [
        one.first,
        one.second,
        *map(str, (one.games, one.wins, one.ties, one.losses)),
        format_percent(one.score.value),
        format_interval(one.score, format_percent),
        format_elo(one.elo.value),
        format_interval(one.elo, format_elo),
    ]


def tournament_note(standings: Standings) -> str:
    """How many games count, and how to read the numbers."""
    rate = f" {standings.rate:.1f} games a second." if standings.rate else ""
    fair = f"{standings.games} games count; the fair share is {format_percent(standings.fair)}."
    return f"{fair}{rate} {MIXED_NOTE if standings.config.mixed else PAIRED_NOTE}"


def sprt_sentence(standings: Standings, answer: SprtAnswer) -> str:
    """The answer of a sequential test in words."""
    test, (low, high) = answer.test, answer.bounds
    verdict = {
        "accepted": "H1 accepted: the first player is stronger",
        "rejected": "H0 accepted: the first player is not stronger by so much",
        "undecided": "undecided: more games would go on",
    }[answer.verdict]
    first, second = standings.config.players
    return (
        f"SPRT of {first} against {second}, H0 {test.low:g} Elo, "
        f"H1 {test.high:g} Elo, alpha {test.alpha:g}, beta {test.beta:g} (pairs by score: "
        f"{', '.join(map(str, answer.counts))}): LLR {answer.llr:+.2f} "
        f"[{low:+.2f}, {high:+.2f}] after {answer.pairs} pairs. {verdict}."
    )
