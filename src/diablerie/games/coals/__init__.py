"""COALS: bet on how much coal the luckiest of you can pull without waking a devil."""

from diablerie.engine.game import (
    Game,
    LearntPlay,
    Length,
    LevelParams,
    Original,
    Playout,
    ShortGame,
)
from diablerie.engine.options import OptionValues
from diablerie.engine.text import say
from diablerie.games.coals import policy, rules, ui
from diablerie.games.coals.rules.options import OPTIONS
from diablerie.games.coals.rules.state import Node


def longest(seats: int, options: OptionValues) -> Length:
    """All rounds (C24) with a bet and a stop each, and with as many pulls as pieces (C10, C13)."""
    pieces = sum(options["furnace"])
    rounds = options["rounds"]
    return Length(rounds * (2 * seats + pieces), 1 + rounds * pieces)


GAME = Game(
    home=__name__,
    rules=rules,
    policy=policy,
    ui=ui,
    name="coals",
    title=say("COALS"),
    tagline=say("Bet on the best haul, then reach into the furnace."),
    clauses="C",
    seats=(2, 3, 4, 5, 6),
    options=OPTIONS,
    minutes=40,
    poster="leap",
    original=Original("Auf Teufel komm, raus", ("Tanja Engel", "Sara Engel"), "Zoch", 2013),
    players_shown=True,
    short=ShortGame(15, {"goal": "600"}),
    forced=frozenset({Node.BET}),
    levels=(
        LevelParams(guesses=2, neglect=1.0, temperature=0.1),
        LevelParams(guesses=4, neglect=0.5, temperature=0.06),
        LevelParams(guesses=12, temperature=0.02, habit=0.1),
    ),
    daring=(0.15, -0.08),
    playout=Playout(1, frozenset({Node.BET})),
    # The policy's own choice, since rollouts win less; they say in a hint what else was worth.
    # Stakes are drawn, so that they are harder to foresee.
    learnt=LearntPlay(n=200, doubt=9.0, temperature=0.7),
    longest=longest,
    opened=frozenset({Node.BET}),
)
