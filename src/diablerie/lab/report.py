"""The summary of a tournament as tables for a terminal."""

from collections.abc import Callable
from math import inf

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from diablerie.lab.config import Config
from diablerie.lab.intervals import Estimate
from diablerie.lab.sprt import Answer
from diablerie.lab.standings import Meeting, Standing, Standings

PAIRED = (
    "Intervals are 95 %, normal on the means of pairs of games (the same dice, seats swapped), "
    "a won and a lost pair added. Rating: Bradley-Terry, mean 0, a drawn game added to each "
    "pairing; intervals by bootstrap over pairs."
)
MIXED = (
    "Intervals are 95 %, normal on the means of tables (the same dice from every seat), a won "
    "and lost ones added. Seats: how many were taken. “By luck”: two-sided, for each player "
    "alone. Rating: openskill's Plackett-Luce, mu and 95 %. Who meets itself at a table is drawn "
    "towards the fair share."
)


def report(found: Standings) -> RenderableType:
    """Everything a person wants to know, best player first."""
    parts: list[RenderableType] = [Text(_title(found.config), style="bold"), _players(found)]
    if found.meetings:
        parts.append(_meetings(found))
    if found.sprt:
        parts.append(Text(sequential(found, found.sprt)))
    parts.append(Text(footer(found), style="dim"))
    return Group(*parts)


def _title(config: Config) -> str:
    options = "".join(f", {name} {value}" for name, value in config.options.items())
    return f"{config.game}, {config.seats} seats{options}, seed {config.seed}"


def _players(found: Standings) -> Table:
    config, table = found.config, Table()
    table.add_column("player", overflow="fold")
    for heading in ("seats" if config.mixed else "games", "share of wins", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    if config.mixed:
        table.add_column("by luck", justify="right", no_wrap=True)
    for heading in ("openskill" if config.mixed else "Elo", "95 %", "thinks"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in sorted(found.players, key=lambda one: -one.rating.value):
        table.add_row(*_player(one, config.mixed))
    return table


def _player(one: Standing, mixed: bool) -> list[str]:
    rating = level if mixed else points
    return [
        one.player, str(one.games), percent(one.share.value), between(one.share, percent),
        *([luck(one.chance)] if mixed else []),
        rating(one.rating.value), between(one.rating, rating), duration(one.seconds),
    ]  # fmt: skip


def _meetings(found: Standings) -> Table:
    table = Table()
    for heading in ("first", "second"):
        table.add_column(heading, overflow="fold")
    for heading in ("games", "won", "tied", "lost", "score", "95 %", "Elo", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found.meetings:
        table.add_row(*_meeting(one))
    return table


def _meeting(one: Meeting) -> list[str]:
    counts = (one.games, one.wins, one.ties, one.losses)
    return [
        one.first, one.second, *map(str, counts),
        percent(one.score.value), between(one.score, percent),
        points(one.elo.value), between(one.elo, points),
    ]  # fmt: skip


def footer(found: Standings) -> str:
    """How many games count, and how to read the numbers."""
    rate = f" {found.rate:.1f} games a second." if found.rate else ""
    fair = f"{found.games} games count; the fair share is {percent(found.fair)}."
    return f"{fair}{rate} {MIXED if found.config.mixed else PAIRED}"


def sequential(found: Standings, answer: Answer) -> str:
    """What a sequential test has come to, in words."""
    test, (low, high) = answer.test, answer.bounds
    verdict = {
        "accepted": "H1 accepted: the first player is stronger",
        "rejected": "H0 accepted: the first player is not stronger by so much",
        "undecided": "undecided: more games would go on",
    }[answer.verdict]
    first, second = found.config.players
    return (
        f"SPRT of {first} against {second}, H0 {test.low:g} Elo, "
        f"H1 {test.high:g} Elo, alpha {test.alpha:g}, beta {test.beta:g} (pairs by score: "
        f"{', '.join(map(str, answer.counts))}): LLR {answer.llr:+.2f} "
        f"[{low:+.2f}, {high:+.2f}] after {answer.pairs} pairs. {verdict}."
    )


def between(found: Estimate, shown: Callable[[float], str]) -> str:
    """An interval."""
    return f"{shown(found.low)} … {shown(found.high)}".replace(" % …", " …")


def percent(x: float) -> str:
    """A share."""
    return f"{100 * x:.1f} %"


def points(x: float) -> str:
    """A difference in Elo."""
    return f"{'+' if x > 0 else '-'}∞" if abs(x) == inf else f"{x:+.0f}"


def level(x: float) -> str:
    """An openskill rating."""
    return f"{x:.2f}"


def luck(x: float) -> str:
    """A probability that may be tiny."""
    return "< 0.0001" if x < 0.0001 else f"{x:.4f}"


def duration(seconds: float) -> str:
    """A thinking time, in the unit that suits it."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
