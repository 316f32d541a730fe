"""Turning points of finished matches, and how long their analyses take.

Each game has matches of all its numbers of players, between weak and strong players as people are.
Each match is analysed as a table does it, with the first seat a person's.
"""

import random
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from bench.timing import note, row
from diablerie.bots.analysis.analyse import Budget, Raw, analysed
from diablerie.bots.analysis.findings import ENOUGH
from diablerie.bots.analysis.thread_pool import THREADS, PlayoutThreads
from diablerie.bots.spec import parse_bot
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL

MATCHES = 20  # of each game
PLAYERS = ("imp", "devil", "archdevil", "sensible")


class Analysed(NamedTuple):
    """A match and its analysis, with the seconds of processor time until the first curve and all."""

    match: Match
    raw: Raw
    first: float
    taken: float

    @property
    def turns(self) -> int:
        """How many turning points are told."""
        return len(self.raw.analysis(self.match.game.temperature).turns)


def everything() -> None:
    """Of every game: how many turning points are found, seconds, and playouts of a position."""
    note(f"{MATCHES} matches of each game, {THREADS} threads; seconds are processor time")
    for name, game in ALL.items():
        done = [analysis(match(game, number)) for number in range(MATCHES)]
        note(f"{name}: matches by turning points: {counted([one.turns for one in done])}")
        show("plies", [one.match.ply for one in done], "plies")
        show("first curve", [one.first for one in done], "s")
        show("all", [one.taken for one in done], "s")
        show("fewest games from a position", [min(one.raw.played) for one in done], "games")


def show(what: str, figures: Sequence[float], unit: str) -> None:
    """Print a figure of the matches: median, least and most."""
    row(what, (median(figures), min(figures), max(figures)), unit)


def counted(turns: Sequence[int]) -> str:
    """How many matches had how many turning points."""
    many = Counter(min(number, ENOUGH) for number in turns)
    few = ", ".join(f"{number}: {many[number]}" for number in range(ENOUGH))
    return f"{few}, {ENOUGH} or more: {many[ENOUGH]} ({many[ENOUGH] / len(turns):.0%})"


def analysis(played: Match) -> Analysed:
    """A match, analysed as a table does it."""
    crew, first = PlayoutThreads(), list[float]()
    raw = analysed(
        played, crew, Budget(crew.worked), lambda *_: first.append(crew.worked()), people=(0,)
    )
    crew.close()
    return Analysed(played, raw, first[0], crew.worked())


def match(game: Game, number: int) -> Match:
    """A finished match; its number says how many play, draws who, and seeds the dice."""
    made = Match.new(game, seats=game.seats[number % len(game.seats)], seed=number)
    who, rng = random.Random(number), seeded(number)
    bots = [parse_bot(who.choice(PLAYERS)).make(game) for _ in range(made.state.seats)]
    while (seat := made.actor) is not None:
        made.carry_out(bots[seat].choose(redacted(made.state, seat), seat, rng), seat)
    return made
