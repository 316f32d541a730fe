"""KITCHEN: carry pots to your grill past devils who would rather have them themselves."""

from dataclasses import replace

from diablerie.engine.game import Game, LearntPlay, Length, LevelParams, Original, Playout
from diablerie.engine.options import OptionValues, choice_option, flag_option, number_option
from diablerie.engine.text import say
from diablerie.games.kitchen import policy, rules, ui
from diablerie.games.kitchen.rules.play import longest_duel
from diablerie.games.kitchen.rules.state import DEVILS, LAST_TURN, PATIENCE, SIGNS


def longest(seats: int, options: OptionValues) -> Length:
    """500 turns (K33) of six points and one more for every duel won (K13, K22).

    Whoever loses or refuses a duel is off the paths (K20, K24), so each opposing devil is met once
    in a turn. A duel lasts until a burst is as good as sure to end it (K21).
    """
    foes = DEVILS * (seats - 1) + 2 * (seats == 3)  # K12
    setting_up = seats * (1 + SIGNS)
    turns = LAST_TURN * (6 + foes + foes + 1)
    return Length(setting_up + turns, 1 + LAST_TURN * (1 + foes * longest_duel(options["stove"])))


OPTIONS = (
    number_option(
        "stove",
        say("Temper of the stove"),
        say(
            "On average one press in this many makes the Oberteufel jump. A higher number "
            "means longer duels.",
            "K3",
        ),
        2,
        20,
        PATIENCE,
        samples=(2, 20),
    ),
    replace(
        flag_option(
            "own_start",
            say("Back to your start"),
            say("A devil may step back onto its own start, where nobody can attack it.", "K14"),
        ),
        later=True,
    ),
    replace(
        choice_option(
            "survivor",
            say("The last player with devils"),
            say("What happens when only one player still has devils.", "K33"),
            [
                ("wins", say("wins at once")),
                ("points", say("the most points win")),
                ("plays_on", say("plays on alone")),
            ],
        ),
        later=True,
    ),
)


GAME = Game(
    home=__name__,
    rules=rules,
    policy=policy,
    ui=ui,
    name="kitchen",
    title=say("KITCHEN"),
    tagline=say("Carry pots to your grill. Nobody knows which of them is milk."),
    clauses="K",
    seats=(2, 3, 4),
    options=OPTIONS,
    minutes=45,
    poster="cook",
    original=Original("In Teufels Küche", ("Alex Randolph",), "F.X. Schmid", 1993),
    levels=(
        LevelParams(guesses=2, neglect=1.0, temperature=0.05, habit=0.06),
        LevelParams(guesses=4, neglect=0.5, temperature=0.03, habit=0.07),
        LevelParams(guesses=12, temperature=0.015, habit=1.0),
    ),
    playout=Playout(),
    learnt=LearntPlay(n=900),
    longest=longest,
)
