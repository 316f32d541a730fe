"""The moments of KITCHEN: milk, one's own best dish, all lids off at the end, the feast.

The presses of a duel are staged on the board itself: see `games/kitchen/ui/drawing/stage.py`.
"""

from diablerie.engine.moments import Moment
from diablerie.engine.queries import sole_winner
from diablerie.engine.verbs import EVERYTHING, WATCHER
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import (
    CARDS,
    END,
    MILK,
    POTS,
    SIGNS,
    Node,
    State,
    delivered,
)

BEST_CARD = max(CARDS)
CLOSED = "x"  # a pot whose lid stays where it is: it is delivered, absent, or nobody's to open

FACES = {"dish": "triumph", "milk": "burnt"}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged, from what `viewer` knows."""
    staged = []
    if before.node == Node.MOVE and action is not None and action != END:
        staged += _served(after, move_of(action)[2], viewer in (before.turn, WATCHER, EVERYTHING))
    if after.node == Node.OVER:
        staged.append(Moment("lids", tuple(_inside(after, pot) for pot in range(POTS))))
        staged.append(Moment("feast", (sole_winner(after),)))
    return staged


def _served(after: State, load: int, own: bool) -> list[Moment]:
    """The pot that was carried, if it has come to its grill: milk, or the best dish of one's own."""
    if not load or not delivered(after, load - 1):
        return []
    colour, sign = divmod(load - 1, SIGNS)
    value = int(after.card[load - 1])
    if value == MILK:
        return [Moment("milk", (colour, sign))]
    return [Moment("dish", (colour, sign, value))] if own and value == BEST_CARD else []


def _inside(after: State, pot: int) -> int | str:
    """What is in a pot that still stands in the kitchen."""
    there = after.pot[pot] >= 0 and not delivered(after, pot)
    return int(after.card[pot]) if there and after.card[pot] >= 0 else CLOSED
