"""UNDERWORLD: collect your six letters and leave; the last one in stays for ever."""

from diablerie.engine.game import Game, Playout
from diablerie.engine.options import choice
from diablerie.engine.text import say
from diablerie.games.underworld import policy, rules, ui
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.state import OUTCOMES, Node, State
from diablerie.games.underworld.ui.lesson import LESSON

OPTIONS = (
    choice(
        "gift",
        say("Giving the devil"),
        say("Whether a possessed player who ends on a disk must hand the devil over (U22)."),
        [("must", say("must be given")), ("may", say("may be given"))],
    ),
)

GAME = Game(
    name="underworld",
    title=say("UNDERWORLD"),
    tagline=say("Find your six letters and get out. The last one in stays for ever."),
    clauses="U",
    seats=(2, 3, 4, 5, 6),
    options=OPTIONS,
    state=State,
    node=Node,
    actions=actions.COUNT,
    outcomes=OUTCOMES,
    minutes=30,
    poster="sneak",
    rules=rules,
    policy=policy,
    ui=ui,
    lesson=LESSON,
    plan=frozenset({Node.SWAP1, Node.SWAP2, Node.TAKE, Node.LAY}),
    forced=frozenset({Node.TURN, Node.ONWARD, Node.REVEAL}),
    epsilon=(0.75, 0.4, 0.2),
    playout=Playout(1, frozenset({Node.TURN})),
)
