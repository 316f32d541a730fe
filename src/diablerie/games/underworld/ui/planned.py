"""A whole plan of UNDERWORLD, until its player sends it: a swap, or a shuffle."""

from collections.abc import Sequence

import msgspec

from diablerie.engine.game import Planned
from diablerie.engine.text import Line, say
from diablerie.games.underworld.rules import actions as base
from diablerie.games.underworld.rules.notation import SPACE_NAMES
from diablerie.games.underworld.rules.state import SPACES, Node, State
from diablerie.games.underworld.rules.turns import turns_left
from diablerie.games.underworld.ui.view import look


def planned(before: State, actions: Sequence[int], after: State, viewer: int) -> Planned:
    """The cards as they would lie, but the turn is still the viewer's."""
    view = msgspec.structs.replace(
        look(after, viewer),
        node=Node(before.node).name.lower(),
        turn=before.turn,
        actor=viewer,
        targets={},
        ways={},
        turns=before.turns,
        idle=before.idle,
        turns_left=turns_left(before),
    )
    return Planned(view, _question(actions))


def _question(actions: Sequence[int]) -> Line:
    taken = _spaces(actions, base.TAKE)
    laid = _spaces(actions, base.LAY)
    if taken and laid:
        return say(
            "Shuffle the cards on {taken} and place them face down on {laid}?",
            "U21",
            taken=", ".join(taken),
            laid=", ".join(laid),
        )
    swapped = [*_spaces(actions, base.EXCHANGE), *_spaces(actions, base.WITH)]
    if len(swapped) == 2:
        return say("Swap {one} with {other}?", "U19", one=swapped[0], other=swapped[1])
    return say("Is this your plan?")


def _spaces(actions: Sequence[int], kind: int) -> list[str]:
    """The spaces that actions of a kind name, in order."""
    return [SPACE_NAMES[action - kind] for action in actions if kind <= action < kind + SPACES]
