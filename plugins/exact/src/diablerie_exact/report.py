"""The summary of a solved game as a report: tables for a terminal, and an HTML page.

Figures show money as people count it; position, shape and words say everything.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil, floor, log10
from typing import Any

import numpy as np
from rich.console import RenderableType

import diablerie
from diablerie.engine.compile import Floats
from diablerie.engine.text import Line, say
from diablerie.lab.html.figures import (
    ACCENT_PLACEHOLDER,
    INK_PLACEHOLDER,
    LINE_PLACEHOLDER,
    PAPER_PLACEHOLDER,
    SOFT_PLACEHOLDER,
    FigureRow,
    dot_plot,
    svg_figure,
)
from diablerie.lab.html.page import (
    StudyPage,
    SummaryTable,
    format_estimate,
    format_fine,
    html_figure,
    html_numbers,
    html_report,
    html_tile,
    terminal_report,
)
from diablerie.lab.running.settings import StudyConfig, option_texts
from diablerie_exact.losses import RESPONDER_SAMPLES, ExactSummary
from diablerie_exact.matrix import MatrixSolution, solve_matrix
from diablerie_exact.solution import Solution

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
UNIT = 10  # money is counted in tens
FIGURE_HEIGHT = 3.4  # inches
CONTOURS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
DOT_AREA = 90.0  # square points, of a dot that stands for 100 %
ROUND = 2  # the figures show the second round, the first in which there are pacts
LOSS_FIGURES: tuple[tuple[str, Line, Callable[[Any], Any]], ...] = (
    ("losses", say("What players lose beside it"), lambda one: one.all),
    ("answered", say("What a responder takes from them, at least"), lambda one: one.answered),
)
EXACT_NOTE = (
    "A win counts 1 and a loss -1. Lost: how much worse the bot's decisions are than the best ones, "
    "summed over a game against a perfect opponent, by its bets and by its pulls. Answered: how much "
    f"an opponent wins who asks the bot {RESPONDER_SAMPLES} times for its stake, chooses the answer "
    "to half of them and is judged by the other half: the bot can be exploited by at least that. "
    "Exploited: how much a best response wins, exactly. Intervals are 95 %, over games."
)


def exact_tables(summary: ExactSummary) -> RenderableType:
    """The summary for a terminal."""
    options = "".join(f", {one}" for one in unusual_options(summary))
    bound = format_bound(summary.error)
    parts: list[SummaryTable | str] = [
        f"error: at most {bound}, {summary.rounds} of {summary.last} rounds solved",
        f"per round: {summary.positions:,} positions with bets, {summary.points:,} with pulls; "
        f"{summary.seconds:.0f} s",
    ]
    if summary.losses:
        parts.append(_loss_table(summary))
    note = EXACT_NOTE if summary.losses else ""
    return terminal_report(f"{summary.game}, 2 seats{options}", parts, note, exact_finding(summary))


def exact_finding(summary: ExactSummary) -> str:
    """What was found, in a sentence."""
    return (
        f"With perfect play by both, the player who begins wins {(1 + summary.value) / 2:.2%} of the "
        f"games (value {summary.value:+.6f})."
    )


def _loss_table(summary: ExactSummary) -> SummaryTable:
    """What the players lose, the least first."""
    rows = [
        (
            one.player,
            str(one.games),
            *map(format_estimate, (one.all, one.bets, one.pulls, one.answered)),
            "–" if one.exploited is None else format_fine(one.exploited),
        )
        for one in sorted(summary.losses, key=lambda one: one.all.value)
    ]
    head = "player", "games", "lost", "by bets", "by pulls", "answered", "exploited"
    return SummaryTable("players", head, rows)


def unusual_options(summary: ExactSummary) -> list[str]:
    """The options that differ from their defaults."""
    usual = option_texts(diablerie.game_named(summary.game), 2, {})
    return [f"{name} {x}" for name, x in summary.options.items() if usual[name] != x]


def format_bound(x: float) -> str:
    """A bound, rounded up to one digit."""
    if x >= 1 or x <= 0:
        return f"{x:g}"
    power = floor(log10(x))
    digit = ceil(x / 10.0**power)
    if digit == 10:
        digit = 1
        power = power + 1
    if power >= -3:
        return f"{digit * 10.0**power:g}"
    return f"{digit}·10{str(power).translate(SUPERSCRIPTS)}"


# -- the page --------------------------------------------------------------------------------------


def exact_page(solution: Solution, summary: ExactSummary, command: str) -> str:
    """The whole page. command: what made it."""
    game = solution.game
    options = ", ".join(unusual_options(summary)) or "the usual options"
    lede = say(
        "{options}. {n} positions to bet in, {points} points at which one pulls.",
        options=options,
        n=f"{summary.positions:,}",
        points=f"{summary.points:,}",
    )
    page = StudyPage(
        title=say("{game} for two, solved", game=game.title),
        kind=say("Exact play by diablerie"),
        finding=exact_finding(summary),
        lede=lede,
        tiles=_tiles(summary),
        pictures=_figures(solution, summary),
        numbers=html_numbers([_loss_table(summary)]) if summary.losses else "",
        command=command,
        note=EXACT_NOTE,
        # A solution is no study, but says in the same words what made it.
        made_by=StudyConfig(diablerie.__version__, game.name, summary.version).made_by,
    )
    return html_report(game, page)


def _tiles(summary: ExactSummary) -> Iterator[str]:
    utility = say("utility {value}", value=f"{summary.value:+.6f}")
    yield html_tile(f"{(1 + summary.value) / 2:.2%}", say("of the win for who begins"), utility)
    rounds = say("{n} of {last} rounds solved", n=summary.rounds, last=summary.last)
    off = say("is what any value may be off, at most")
    yield html_tile(format_bound(summary.error), off, rounds)
    if summary.losses:
        best = min(summary.losses, key=lambda one: one.all.value)
        low = f"{best.all.low:.3f}"
        high = f"{best.all.high:.3f}"
        yield html_tile(
            f"{best.all.value:.3f}",
            say("is what {player} loses", player=best.player),
            say("[{low}, {high}], of a stake of 1", low=low, high=high),
        )


def _figures(solution: Solution, summary: ExactSummary) -> Iterator[str]:
    yield html_figure(
        "chances",
        say("What money is worth"),
        say(
            "Chances to win for who begins round {round}, by both totals; dashes are equal money.",
            round=_shown(solution),
        ),
        value_contours(solution.values(_shown(solution))),
    )
    yield from _stakes(solution)
    yield from _stops(solution)
    if summary.losses:
        # Full dots lose surely more than nothing.
        for name, title, pick in LOSS_FIGURES:
            rows = [
                FigureRow(one.player, pick(one), 0.0, pick(one).low > 0) for one in summary.losses
            ]
            yield html_figure(
                name,
                title,
                say("Utility a game, with 95 % intervals; dashes are play without fault."),
                dot_plot([("", rows)], lambda x: f"{x:.2f}", "utility lost a game"),
            )


def _stakes(solution: Solution) -> Iterator[str]:
    most = solution.rounds.shape[0]
    middle = solution.rounds.opening[0]
    first = {money: _bets(solution, (money, middle)).rows for money in range(most)}
    second = {money: _bets(solution, (middle, money)).columns for money in range(most)}
    for name, title, strategies in (
        ("stakes-first", say("What to stake when one begins"), first),
        ("stakes-second", say("What to stake when the other begins"), second),
    ):
        yield html_figure(
            name,
            title,
            say(
                "Against {money}: the larger a dot, the more often that stake is made. Dashes: "
                "all one has. Other ways may be as good.",
                money=10 * middle,
            ),
            stake_dots(list(strategies.items())),
        )


def _shown(solution: Solution) -> int:
    """The round that the figures show."""
    return min(ROUND, int(solution.rounds.last))


def _bets(solution: Solution, position: tuple[int, int]) -> MatrixSolution:
    return solve_matrix(solution.rounds.matrix(position, solution.following(_shown(solution))))


def _stops(solution: Solution) -> Iterator[str]:
    start = solution.rounds.opening
    matrix = solution.rounds.matrix(start, solution.following(1), True)
    solved = solve_matrix(matrix)
    stakes = int(solved.rows.argmax()), int(solved.columns.argmax())
    # One round as an example: the first, after the likeliest stakes of exact play.
    points = solution.rounds.stops(start, stakes, solution.following(1), True)
    amounts = {"money": 10 * start[0], "first": 10 * stakes[0], "second": 10 * stakes[1]}
    alone = [(one.coal, one.pieces, one.better) for one in points if not one.seat]
    after = [(one.coal, one.before, one.better) for one in points if one.seat]
    if alone:
        yield html_figure(
            "stops-first",
            say("When to stop when one begins"),
            say(
                "First round, {money} each, stakes {first} and {second}. Full: stop, or it is all "
                "one; hollow: go on; a small dot: it depends on what is left.",
                **amounts,
            ),
            stop_dots(_stop_shares(alone), "coal in front", "pieces in front"),
        )
    if after:
        yield html_figure(
            "stops-second",
            say("When to stop after the other"),
            say(
                "The same round, by one's own coal and what the other brought out; 0 is burned "
                "fingers. A small dot: it depends on pieces, and on what is left.",
                **amounts,
            ),
            stop_dots(_stop_shares(after), "coal in front", "the other's coal"),
        )


def _stop_shares(points: Iterable[tuple[int, int, float]]) -> list[tuple[float, float, float]]:
    """For each place the share of its points at which stopping is best."""
    places = defaultdict(list)
    for across, up, better in points:
        places[across, up].append(better >= 0)
    return [(x, y, sum(ones) / len(ones)) for (x, y), ones in places.items()]


# -- its figures -----------------------------------------------------------------------------------


def value_contours(values: Floats) -> str:
    """Contours of the probability that the player who begins wins, by both totals."""
    money = UNIT * np.arange(len(values))

    def draw(axes: Any) -> None:
        axes.plot(money, money, color=LINE_PLACEHOLDER, linewidth=1.2, linestyle=(0, (3, 2)))
        widths = [2.2 if x == 0.5 else 1.0 for x in CONTOURS]
        win = (1 + values.T) / 2
        lines = axes.contour(
            money, money, win, levels=CONTOURS, colors=ACCENT_PLACEHOLDER, linewidths=widths
        )
        axes.clabel(lines, fmt=lambda x: f"{x:.0%}", colors=INK_PLACEHOLDER, fontsize=10)
        axes.set_xlabel("money of who begins")
        axes.set_ylabel("money of the other")
        axes.set_aspect("equal")

    return svg_figure(draw, FIGURE_HEIGHT)


def stake_dots(strategies: Sequence[tuple[int, Floats]]) -> str:
    """Dots as large as the probability of each stake, by one's own money (in tens)."""
    x = []
    y = []
    size = []
    for money, shares in strategies:
        for stake in np.flatnonzero(shares > 0.005):
            x.append(UNIT * money)
            y.append(UNIT * int(stake))
            size.append(DOT_AREA * shares[stake])

    def draw(axes: Any) -> None:
        most = max(x, default=UNIT)
        # On the dashes everything is staked.
        axes.plot(
            [0, most], [0, most], color=LINE_PLACEHOLDER, linewidth=1.2, linestyle=(0, (3, 2))
        )
        axes.scatter(
            x,
            y,
            s=size,
            facecolor=SOFT_PLACEHOLDER,
            edgecolor=ACCENT_PLACEHOLDER,
            linewidth=1.2,
            zorder=2,
        )
        axes.set_xlabel("one's money")
        axes.set_ylabel("stake")
        axes.set_ylim(-UNIT, 1.1 * max([*y, UNIT]))
        axes.grid()

    return svg_figure(draw, FIGURE_HEIGHT)


def stop_dots(points: Sequence[tuple[float, float, float]], across: str, up: str) -> str:
    """A dot for each place (across, up): full where stopping is best, hollow where going on is.

    points: across, up, and the share of cases in which stopping is best; a small full dot within a
    hollow one shows that it depends on more.
    """

    def draw(axes: Any) -> None:
        x, y, share = (np.array(column) for column in zip(*points, strict=True))
        # The size of the full dot: all of the hollow one, none, or a small one within it.
        full = np.where(share == 1, 60.0, np.where(share == 0, 0.0, 14.0))
        axes.scatter(
            x,
            y,
            s=60,
            facecolor=PAPER_PLACEHOLDER,
            edgecolor=INK_PLACEHOLDER,
            linewidth=1.2,
            zorder=2,
        )
        axes.scatter(
            x,
            y,
            s=full,
            facecolor=ACCENT_PLACEHOLDER,
            edgecolor=ACCENT_PLACEHOLDER,
            linewidth=0,
            zorder=3,
        )
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.margins(0.06)
        axes.grid()

    return svg_figure(draw, FIGURE_HEIGHT)
