"""The summary of a solved game, and its tables for a terminal."""

from math import ceil, floor, log10

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

import diablerie
from diablerie.exact.losses import RESPONDER_SAMPLES, BotLoss
from diablerie.exact.solution import Solution, game_value
from diablerie.lab.html.formats import format_estimate, format_fine
from diablerie.lab.running.settings import option_texts

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
EXACT_NOTE = (
    "Utility is from -1 (lost) to 1 (won). Lost: what a bot's decisions were worse than the best, "
    "summed over a game against an opponent without fault, by its bets and by its pulls. Answered: "
    f"the same against a seat that asks the bot {RESPONDER_SAMPLES} times for its stake and "
    "answers half of "
    "that, judged by the other half; so a bot can be exploited by that at least. Exploited: what a "
    "best response takes, exactly. "
    "Intervals are 95 %, over games."
)


class ExactSummary(msgspec.Struct, frozen=True):
    """A solved game.

    value: of the game to the player who begins; error: a bound of the error of any value; rounds:
    how many were solved of `last`; positions: at which a round may begin; points: decisions in a
    round's pulling; seconds: how long this run took; losses: of bots.
    """

    game: str
    version: int
    options: dict[str, str]
    value: float
    error: float
    rounds: int
    last: int
    positions: int
    points: int
    seconds: float
    losses: list[BotLoss]


def exact_summary(solution: Solution, losses: list[BotLoss], seconds: float) -> ExactSummary:
    """The summary of a solution and of what bots lose."""
    facts, values, rounds = solution.table.facts, solution.table.values, solution.rounds
    return ExactSummary(
        game=facts.game,
        version=facts.version,
        options=facts.options,
        value=game_value(solution),
        error=solution.error,
        rounds=len(values),
        last=rounds.last,
        positions=values[0].size,
        points=rounds.points,
        seconds=seconds,
        losses=losses,
    )


def format_bound(x: float) -> str:
    """A bound, rounded up to one digit."""
    if x >= 1 or x <= 0:
        return f"{x:g}"
    power = floor(log10(x))
    digit = ceil(x / 10.0**power)
    if digit == 10:
        digit, power = 1, power + 1
    if power >= -3:
        return f"{digit * 10.0**power:g}"
    return f"{digit}·10{str(power).translate(SUPERSCRIPTS)}"


def exact_tables(summary: ExactSummary) -> RenderableType:
    """The summary for a terminal."""
    options = "".join(f", {one}" for one in unusual_options(summary))
    bound = format_bound(summary.error)
    lines = [
        f"begins: {summary.value:+.6f}, which wins {(1 + summary.value) / 2:.2%}",
        f"error: at most {bound}, {summary.rounds} of {summary.last} rounds solved",
        f"a round: {summary.positions:,} positions to bet in, {summary.points:,} points at which "
        f"one pulls; {summary.seconds:.0f} s",
    ]
    title = Text(f"{summary.game}, 2 seats{options}", style="bold")
    parts: list[RenderableType] = [title, Text("\n".join(lines))]
    if summary.losses:
        parts += [_losses(summary), Text(EXACT_NOTE, style="dim")]
    return Group(*parts)


def _losses(summary: ExactSummary) -> Table:
    table = Table()
    table.add_column("player", overflow="fold")
    for heading in ("games", "lost", "by bets", "by pulls", "answered", "exploited"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in sorted(summary.losses, key=lambda one: one.all.value):
        table.add_row(*loss_cells(one))
    return table


def loss_cells(one: BotLoss) -> list[str]:
    """A row of the table of losses."""
    estimates = map(format_estimate, (one.all, one.bets, one.pulls, one.answered))
    best = "–" if one.exploited is None else format_fine(one.exploited)
    return [one.player, str(one.games), *estimates, best]


def unusual_options(summary: ExactSummary) -> list[str]:
    """The options that differ from their defaults."""
    usual = option_texts(diablerie.game_named(summary.game), 2, {})
    return [f"{name} {x}" for name, x in summary.options.items() if usual[name] != x]
