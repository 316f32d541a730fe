"""KITCHEN: carry pots to your grill past devils who would rather have them themselves."""

from diablerie.engine.game import Game, Playout
from diablerie.engine.options import number
from diablerie.engine.text import say
from diablerie.games.kitchen import policy, rules, ui
from diablerie.games.kitchen.rules.state import ACTIONS, OUTCOMES, Node, State
from diablerie.games.kitchen.ui.lesson import LESSON

GAME = Game(
    name="kitchen",
    title=say("KITCHEN"),
    tagline=say("Carry pots to your grill. Nobody knows which of them is milk."),
    clauses="K",
    seats=(2, 3, 4),
    options=(
        number(
            "stove",
            say("Temper of the stove"),
            say("A press makes the Oberteufel jump one time in so many (K3)."),
            2,
            20,
            8,
            samples=(2, 20),
        ),
    ),
    state=State,
    node=Node,
    actions=ACTIONS,
    outcomes=OUTCOMES,
    minutes=45,
    poster="cook",
    rules=rules,
    policy=policy,
    ui=ui,
    lesson=LESSON,
    playout=Playout(),
)
