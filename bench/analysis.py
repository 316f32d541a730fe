"""How soon a finished match is analysed: the first curve, and all of it."""

import time

from bench.timing import REPETITIONS, note, row
from diablerie.bots.analysis.analyse import Budget, Raw, analysed
from diablerie.bots.analysis.thread_pool import THREADS, PlayoutThreads
from diablerie.bots.basic import SensibleBot
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL

PLIES = 300  # of a match, where games are as long: careless players make them longer
CARELESS = 0.5


def everything() -> None:
    """A long match of every game, two seats: seconds, and games played on from each position."""
    note(f"{THREADS} threads; matches of {PLIES} plies where games are as long")
    for name, game in ALL.items():
        played = match(game)
        runs = [analysis(played) for _ in range(REPETITIONS)]
        for what, figures, unit in zip(
            ("first curve", "all", "fewest games a position", "most"),
            zip(*runs, strict=True),
            ("s", "s", "games", "games"),
            strict=True,
        ):
            middle = sorted(figures)[len(figures) // 2]
            row(f"{name}, {played.ply} plies: {what}", (middle, min(figures), max(figures)), unit)


def analysis(played: Match) -> tuple[float, float, float, float]:
    """Seconds until the first curve and until the end; the fewest and most games a position."""
    crew, began, first = PlayoutThreads(), time.perf_counter(), []

    def publish(done: float, found: Raw) -> None:
        first.append(time.perf_counter() - began)

    found = analysed(played, crew, Budget(crew.worked), publish)
    crew.close()
    taken = time.perf_counter() - began
    return first[0], taken, min(found.played), max(found.played)


def match(game: Game) -> Match:
    """A match of careless players, up to so many plies."""
    made, rng = Match.new(game, seed=1, seats=2), seeded(1)
    bot = SensibleBot(game, CARELESS)
    while made.ply < PLIES and (seat := made.actor) is not None:
        made.carry_out(bot.choose(redacted(made.state, seat), seat, rng), seat)
    return made
