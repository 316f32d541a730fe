"""COASTERS: bid on how many coasters you can turn before one grins back."""

from coasters import policy, rules, ui
from coasters.rules.state import Node
from diablerie.engine.game import Game, Playout
from diablerie.engine.options import flag_option, number_option
from diablerie.engine.text import say

OPTIONS = (
    number_option(
        "points",
        say("Points to win"),
        say("Whoever has so many points wins (B16)."),
        1,
        3,
        2,
        samples=(1, 3),
    ),
    flag_option(
        "wake",
        say("A wake for every coaster"),
        say("Lost coasters are shown to everybody (B13)."),
    ),
)

GAME = Game(
    home=__name__,
    rules=rules,
    policy=policy,
    ui=ui,
    name="coasters",
    title=say("COASTERS"),
    tagline=say("Bid high, turn slowly, and mind the skulls."),
    clauses="B",
    seats=(3, 4),
    options=OPTIONS,
    minutes=15,
    poster="think",
    opened=frozenset({Node.LAY}),  # that a coaster is laid, or what is bid
    forced=frozenset({Node.TURN, Node.DROP}),
    playout=Playout(1, frozenset({Node.LAY})),
)
