"""What a solved game says of itself: a summary, as tables and as JSON."""

from math import ceil, floor, log10

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

import diablerie
from diablerie.bots.exact.solution import Solution, options_of, value_of
from diablerie.lab.exact.losses import SAMPLES, Loss
from diablerie.lab.intervals import Estimate

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
NOTE = (
    "Utility is from -1 (lost) to 1 (won). Lost: what a bot's decisions were worse than the best, "
    "summed over a game against an opponent without fault, by its bets and by its pulls. Answered: "
    "the same against a seat that asks the bot {samples} times for its stake and answers half of "
    "that, judged by the other half; so a bot can be exploited by that at least. Exploited: what a "
    "best response takes, exactly. "
    "Intervals are 95 %, over games."
)


class Summary(msgspec.Struct, frozen=True):
    """A solved game.

    value: of the game to who begins; error: how far any value may be off; rounds: how many were
    solved of `last`; positions: at which a round may begin; points: of decision in a round's
    pulling; seconds: how long it took now; losses: of bots.
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
    losses: list[Loss]


def summary(solution: Solution, losses: list[Loss], seconds: float) -> Summary:
    """The summary of a solution and of what bots lose."""
    facts, values, rounds = solution.table.facts, solution.table.values, solution.rounds
    return Summary(
        facts.game, facts.version, facts.options, value_of(solution), solution.error,
        len(values), rounds.last, values[0].size, rounds.points, seconds, losses,
    )  # fmt: skip


def small(x: float) -> str:
    """A bound, rounded up to one digit."""
    if x >= 1 or x <= 0:
        return f"{x:g}"
    power = floor(log10(x))
    digit = ceil(x / 10.0**power)
    if digit == 10:
        digit, power = 1, power + 1
    if power >= -3:
        return f"{digit * 10.0**power:g}"
    return f"{digit}·10{str(power).translate(RAISED)}"


def report(found: Summary) -> RenderableType:
    """The summary for a terminal."""
    options = "".join(f", {one}" for one in chosen(found))
    lines = [
        f"begins: {found.value:+.6f}, which wins {(1 + found.value) / 2:.2%}",
        f"error: at most {small(found.error)}, {found.rounds} of {found.last} rounds solved",
        f"a round: {found.positions:,} positions to bet in, {found.points:,} points at which one "
        f"pulls; {found.seconds:.0f} s",
    ]
    parts: list[RenderableType] = [
        Text(f"{found.game}, 2 seats{options}", style="bold"), Text("\n".join(lines))
    ]  # fmt: skip
    if found.losses:
        note = Text(NOTE.format(samples=SAMPLES), style="dim")
        parts += [_losses(found), note]
    return Group(*parts)


def _losses(found: Summary) -> Table:
    table = Table()
    table.add_column("player", overflow="fold")
    for heading in ("games", "lost", "by bets", "by pulls", "answered", "exploited"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in sorted(found.losses, key=lambda one: one.all.value):
        shown = (told(x) for x in (one.all, one.bets, one.pulls, one.answered))
        table.add_row(one.player, str(one.games), *shown, exact(one))
    return table


def chosen(found: Summary) -> list[str]:
    """The options that are not the usual ones."""
    game = diablerie.game_named(found.game)
    usual = options_of(game, {})
    return [f"{name} {x}" for name, x in found.options.items() if usual[name] != x]


def exact(one: Loss) -> str:
    """How much a best response takes, if it is known."""
    return "–" if one.exploited is None else f"{one.exploited:.4f}"


def told(one: Estimate) -> str:
    """An estimate with its interval."""
    return f"{one.value:.4f} [{one.low:.4f}, {one.high:.4f}]"
