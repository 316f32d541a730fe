"""The page of a solved game: one HTML file."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import diablerie
from diablerie.engine.text import Line, say
from diablerie.exact.figures import stake_dots, stop_dots, value_contours
from diablerie.exact.matrix import MatrixSolution, solve_matrix
from diablerie.exact.solution import Solution
from diablerie.exact.summary import (
    EXACT_NOTE,
    ExactSummary,
    format_bound,
    loss_cells,
    unusual_options,
)
from diablerie.lab.html.figures import FigureRow, dot_plot
from diablerie.lab.html.page import (
    html_figure,
    html_numbers,
    html_report,
    html_section,
    html_table,
    html_tile,
)

ROUND = 2  # the figures show the second round, the first in which there are pacts
LOSS_FIGURES: tuple[tuple[str, Line, Callable[[Any], Any]], ...] = (
    ("losses", say("What players lose beside it"), lambda one: one.all),
    ("answered", say("What a responder takes from them, at least"), lambda one: one.answered),
)


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
    return html_report(
        game,
        title=say("{game} for two, solved", game=game.title),
        kind=say("Exact play by diablerie"),
        lede=lede,
        sections=(
            html_section("tiles", _tiles(summary)),
            html_section("pictures", _figures(solution, summary)),
            *_table(summary),
        ),
        command=command,
        note=EXACT_NOTE,
        diablerie=diablerie.__version__,
        version=summary.version,
    )


def _tiles(summary: ExactSummary) -> Iterator[str]:
    utility = say("utility {value}", value=f"{summary.value:+.6f}")
    yield html_tile(f"{(1 + summary.value) / 2:.2%}", say("of the win for who begins"), utility)
    rounds = say("{n} of {last} rounds solved", n=summary.rounds, last=summary.last)
    off = say("is what any value may be off, at most")
    yield html_tile(format_bound(summary.error), off, rounds)
    if summary.losses:
        best = min(summary.losses, key=lambda one: one.all.value)
        low, high = f"{best.all.low:.3f}", f"{best.all.high:.3f}"
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
            round=ROUND,
        ),
        value_contours(solution.values(ROUND), "chances"),
    )
    yield from _stakes(solution)
    yield from _stops(solution)
    if summary.losses:
        for name, title, pick in LOSS_FIGURES:
            rows = [
                FigureRow(one.player, pick(one), 0.0, pick(one).low > 0) for one in summary.losses
            ]
            yield html_figure(
                name,
                title,
                say("Utility a game, with 95 % intervals; dashes are play without fault."),
                dot_plot([("", rows)], lambda x: f"{x:.2f}", "utility lost a game", name),
            )


def _stakes(solution: Solution) -> Iterator[str]:
    most, middle = solution.rounds.shape[0], solution.rounds.opening[0]
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
            stake_dots(list(strategies.items()), name),
        )


def _bets(solution: Solution, position: tuple[int, int]) -> MatrixSolution:
    return solve_matrix(solution.rounds.matrix(position, solution.following(ROUND)))


def _stops(solution: Solution) -> Iterator[str]:
    start = solution.rounds.opening
    matrix = solution.rounds.matrix(start, solution.following(1), True)
    solved = solve_matrix(matrix)
    stakes = int(solved.rows.argmax()), int(solved.columns.argmax())
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
            stop_dots(_stop_shares(alone), "coal in front", "pieces in front", "stops-first"),
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
            stop_dots(_stop_shares(after), "coal in front", "the other's coal", "stops-second"),
        )


def _stop_shares(points: Iterable[tuple[int, int, float]]) -> list[tuple[float, float, float]]:
    """For each place the share of its points at which stopping is best."""
    places = defaultdict(list)
    for across, up, better in points:
        places[across, up].append(better >= 0)
    return [(x, y, sum(ones) / len(ones)) for (x, y), ones in places.items()]


def _table(summary: ExactSummary) -> Iterator[str]:
    if summary.losses:
        head = "", "games", "lost", "by bets", "by pulls", "answered", "exploited"
        yield html_numbers([html_table("players", head, map(loss_cells, summary.losses))])
