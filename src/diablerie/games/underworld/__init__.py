"""UNDERWORLD: collect your six letters and leave; whoever is left behind stays for ever."""

from diablerie.engine.game import Game, LearntPlay, Length, LevelParams, Original, Playout
from diablerie.engine.options import OptionValues, choice_option
from diablerie.engine.text import say
from diablerie.games.underworld import policy, rules, ui
from diablerie.games.underworld.rules.state import TURNS, Node

OPTIONS = (
    choice_option(
        "gift",
        say("Giving the devil"),
        say(
            "Whether a possessed player who ends a move on another disk must hand over the "
            "devil or may keep it.",
            "U22",
        ),
        [("must", say("must be given")), ("may", say("may be given"))],
    ),
)


ONWARD = 30  # U11, U26: letters that somebody with five of them may turn up in one move
ANSWERS = 6  # in a turn: a gift, a holder, two letters lost, a tower, a peek (U15, U22 to U24)


def longest(seats: int, options: OptionValues) -> Length:
    """600 turns (U29), the longest of which turn card after card; a peek is one card more."""
    decisions = seats + TURNS * (1 + ONWARD + ANSWERS)
    return Length(decisions, 1 + TURNS * (ONWARD + 2))


GAME = Game(
    home=__name__,
    rules=rules,
    policy=policy,
    ui=ui,
    name="underworld",
    title=say("UNDERWORLD"),
    tagline=say(
        "Find your six letters and get out. Whoever is left behind stays in the underworld."
    ),
    clauses="U",
    seats=(2, 3, 4, 5, 6),
    options=OPTIONS,
    minutes=45,
    poster="sneak",
    original=Original(
        "Teufel, Teufel", ("Andreas Steiner", "Hartmut Witt"), "Fun Connection / Salagames", 1992
    ),
    players_shown=True,
    plan=frozenset({Node.SWAP1, Node.SWAP2, Node.TAKE, Node.LAY}),
    forced=frozenset({Node.TURN, Node.ONWARD, Node.REVEAL}),
    batched=frozenset({Node.REVEAL}),
    temperature=1.11,  # python -m tools.calibrate underworld --games 700 --seed 1
    levels=(
        LevelParams(guesses=1, neglect=1.0, memory=0.2, temperature=0.07),
        LevelParams(guesses=4, neglect=0.5, memory=0.6, temperature=0.05, habit=0.06),
        LevelParams(guesses=12, temperature=0.02, habit=1.0),
    ),
    playout=Playout(1, frozenset({Node.TURN})),
    learnt=LearntPlay(n=2200),
    longest=longest,
    # Sums of what is unknown, no part of the position: a card that nobody knows stays among them.
    unguessed=frozenset({"hand", "loose", "loose_devils", "loose_towers"}),
    skipped=frozenset({Node.CARD}),
)
