"""Simulations a second of the search, beside OpenSpiel's search bots on games of its own."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from bench.timing import median, note, row
from diablerie.bots.searcher import SearchBot
from diablerie.bots.workspace import Workspace
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import chance_outcomes, legal_actions, redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import below, seeded, weighted
from diablerie.games import ALL

SIMULATIONS = 3000
EARLY, LATE = 8, 90  # how many steps into an advised game


def everything() -> None:
    """All games, early and later in a game, with two seats; then OpenSpiel's bots."""
    for name, game in ALL.items():
        for when, steps in (("early", EARLY), ("later", LATE)):
            row(f"{name}, {when}", median(partial(ours, game, steps)), "thousand simulations/s")
    openspiel()


def ours(game: Game, steps: int) -> float:
    """Thousand simulations a second of one search in one thread."""
    s, seat = position(game, steps)
    bot, workspace = SearchBot(game, n=SIMULATIONS), Workspace(game)
    bot.think_in(workspace, redacted(s, seat), seat, seeded(0))
    workspace.owner = None  # begin afresh
    began = time.perf_counter()
    result = bot.think_in(workspace, redacted(s, seat), seat, seeded(1))
    return result.iterations / 1000 / (time.perf_counter() - began)


def position(game: Game, steps: int) -> tuple[Record, int]:
    """A decision of an advised game, and whose it is."""
    rng, s, seat = seeded(steps), game.start(2), verbs.CHANCE
    while steps > 0 or seat < 0 or len(legal_actions(game, s, seat)) < 2:
        if seat >= 0:
            verbs.apply(s, seat, verbs.advise(s, seat, rng))
        elif seat == verbs.CHANCE:
            found, p = chance_outcomes(game, s)
            verbs.apply(s, seat, found[weighted(rng, np.array(p), len(found))])
        else:
            s = game.start(2)
        seat, steps = verbs.actor(s), steps - 1
    return s, seat


def openspiel() -> None:
    """OpenSpiel's C++ bots with random rollouts, one a simulation."""
    try:
        import pyspiel
    except ImportError:
        note("open_spiel is not installed: no comparison")
        return
    for name in ("pig", "connect_four", "backgammon"):
        row(
            f"OpenSpiel MCTS, {name}",
            median(partial(theirs, pyspiel, name, mcts)),
            "thousand simulations/s",
        )
    for name in ("leduc_poker", "kuhn_poker"):
        row(f"OpenSpiel ISMCTS, {name}", median(partial(theirs, pyspiel, name, ismcts)),
            "thousand simulations/s")  # fmt: skip


def mcts(pyspiel: Any, game: Any, evaluator: Any) -> Any:
    return pyspiel.MCTSBot(game, evaluator, 1.0, SIMULATIONS, 1000, False, 7, False)


def ismcts(pyspiel: Any, game: Any, evaluator: Any) -> Any:
    kind = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    return pyspiel.ISMCTSBot(7, evaluator, 1.0, SIMULATIONS, -1, kind, False, False)


def theirs(pyspiel: Any, name: str, make: Callable[..., Any]) -> float:
    """Thousand simulations a second from the first decision of one of OpenSpiel's games."""
    game, rng = pyspiel.load_game(name), seeded(1)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[below(rng, len(state.chance_outcomes()))][0])
    bot = make(pyspiel, game, pyspiel.RandomRolloutEvaluator(1, 7))
    began = time.perf_counter()
    bot.step(state)
    return SIMULATIONS / 1000 / (time.perf_counter() - began)
