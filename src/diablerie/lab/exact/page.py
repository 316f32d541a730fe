"""The page of a solved game: one HTML file that needs nothing else, as a simulation's."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import diablerie
from diablerie.bots.exact.matrix import Solved, solve
from diablerie.bots.exact.solution import Solution
from diablerie.engine.text import Line, say
from diablerie.lab.exact import figures
from diablerie.lab.exact.losses import SAMPLES
from diablerie.lab.exact.report import NOTE, Summary, chosen, exact, small, told
from diablerie.lab.simulate.figures import Row, dots
from diablerie.lab.simulate.page import foot, framed, framed_figure, table, tile, words

ROUND = 2  # the first in which there are pacts: what is shown is said of it


def page(solution: Solution, found: Summary, command: str) -> str:
    """The whole page; `command` is what made it."""
    game = solution.game
    body = "".join((
        *_tiles(found), *_pictures(solution, found), _table(found),
        foot(command, NOTE.format(samples=SAMPLES), diablerie.__version__, found.version),
    ))  # fmt: skip
    title = say("{game} for two, solved", game=game.title)
    return framed(game, title, say("Exact play by diablerie"), _lede(found), body)


def _lede(found: Summary) -> Line:
    shown = ", ".join(chosen(found)) or "the usual options"
    return say("{options}. {n} positions to bet in, {points} points at which one pulls.",
               options=shown, n=f"{found.positions:,}", points=f"{found.points:,}")  # fmt: skip


def _tiles(found: Summary) -> Iterator[str]:
    yield '<section class="tiles">'
    yield tile(f"{(1 + found.value) / 2:.2%}", say("of the win for who begins"),
               say("utility {value}", value=f"{found.value:+.6f}"))  # fmt: skip
    yield tile(small(found.error), say("is what any value may be off, at most"),
               say("{n} of {last} rounds solved", n=found.rounds, last=found.last))  # fmt: skip
    if found.losses:
        best = min(found.losses, key=lambda one: one.all.value)
        yield tile(f"{best.all.value:.3f}", say("is what {player} loses", player=best.player),
                   say("[{low}, {high}], of a stake of 1", low=f"{best.all.low:.3f}",
                       high=f"{best.all.high:.3f}"))  # fmt: skip
    yield "</section>"


def _pictures(solution: Solution, found: Summary) -> Iterator[str]:
    yield '<section class="pictures">'
    yield framed_figure(
        "chances", say("What money is worth"),
        say("Chances to win for who begins round {round}, by both totals; dashes are equal money.",
            round=ROUND),
        figures.chances(solution.values(ROUND), "chances"),
    )  # fmt: skip
    yield from _stakes(solution)
    yield from _stops(solution)
    if found.losses:
        for name, title, pick in LOSSES:
            rows = [Row(one.player, pick(one), 0.0, pick(one).low > 0) for one in found.losses]
            yield framed_figure(
                name, title, say("Utility a game, with 95 % intervals; dashes are play without "
                                 "fault."),
                dots([("", rows)], lambda x: f"{x:.2f}", "utility lost a game", name),
            )  # fmt: skip
    yield "</section>"


LOSSES: tuple[tuple[str, Line, Callable[[Any], Any]], ...] = (
    ("losses", say("What players lose beside it"), lambda one: one.all),
    ("answered", say("What a responder takes from them, at least"), lambda one: one.answered),
)


def _stakes(solution: Solution) -> Iterator[str]:
    most, middle = solution.rounds.shape[0], solution.rounds.opening[0]
    found = {money: _bets(solution, (money, middle)).rows for money in range(most)}
    other = {money: _bets(solution, (middle, money)).columns for money in range(most)}
    for name, title, shares in (
        ("stakes-first", say("What to stake when one begins"), found),
        ("stakes-second", say("What to stake when the other begins"), other),
    ):
        yield framed_figure(
            name, title,
            say("Against {money}: the larger a dot, the more often that stake is made. Dashes: "
                "all one has. Other ways may be as good.", money=10 * middle),
            figures.stakes(list(shares.items()), name),
        )  # fmt: skip


def _bets(solution: Solution, position: tuple[int, int]) -> Solved:
    return solve(solution.rounds.matrix(position, solution.following(ROUND)))


def _stops(solution: Solution) -> Iterator[str]:
    start = solution.rounds.opening
    matrix = solution.rounds.matrix(start, solution.following(1), True)
    solved = solve(matrix)
    stakes = int(solved.rows.argmax()), int(solved.columns.argmax())
    found = solution.rounds.stops(start, stakes, solution.following(1), True)
    told = {"money": 10 * start[0], "first": 10 * stakes[0], "second": 10 * stakes[1]}
    alone = [(one.coal, one.pieces, one.better) for one in found if not one.seat]
    after = [(one.coal, one.before, one.better) for one in found if one.seat]
    if alone:
        yield framed_figure(
            "stops-first", say("When to stop when one begins"),
            say("First round, {money} each, stakes {first} and {second}. Full: stop, or it is all "
                "one; hollow: go on; a small dot: it depends on what is left.", **told),
            figures.stops(_shares(alone), "coal in front", "pieces in front", "stops-first"),
        )  # fmt: skip
    if after:
        yield framed_figure(
            "stops-second", say("When to stop after the other"),
            say("The same round, by one's own coal and what the other brought out; 0 is burned "
                "fingers. A small dot: it depends on pieces, and on what is left.", **told),
            figures.stops(_shares(after), "coal in front", "the other's coal", "stops-second"),
        )  # fmt: skip


def _shares(points: Iterable[tuple[int, int, float]]) -> list[tuple[float, float, float]]:
    """For each place, in which share of its points stopping is best."""
    places = defaultdict(list)
    for across, up, better in points:
        places[across, up].append(better >= 0)
    return [(x, y, sum(ones) / len(ones)) for (x, y), ones in places.items()]


def _table(found: Summary) -> str:
    if not found.losses:
        return ""
    head = "", "games", "lost", "by bets", "by pulls", "answered", "exploited"
    rows = [
        (one.player, f"{one.games}", told(one.all), told(one.bets), told(one.pulls),
         told(one.answered), exact(one))
        for one in found.losses
    ]  # fmt: skip
    summary = words(say("All numbers, with 95 % intervals"))
    return (
        f'<details class="numbers"><summary>{summary}</summary>'
        f"{table('players', head, rows)}</details>"
    )
