"""What has been pointed at in a swap or a rearrangement, and what may be pointed at next.

Cards and spaces may be pointed at in any order, and again to let go of them, while the rules ask
for them in ascending order. Where pointing at a space is not the next decision, it stands for all
decisions afresh, from the beginning of the turn.
"""

from collections.abc import Sequence

import msgspec

from diablerie.engine import verbs
from diablerie.engine.record import copy
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.notation import ACTION_TEXTS, SPACE_NAMES
from diablerie.games.underworld.rules.state import SPACES, Node, State
from diablerie.games.underworld.rules.swaps import call_off
from diablerie.games.underworld.rules.targets import spaces
from diablerie.games.underworld.ui.words import members, names

MOVING = (Node.TURN, Node.ONWARD)


class Selection(msgspec.Struct, frozen=True):
    """What is selected so far, as names of spaces."""

    first: str | None  # of the two cards to swap
    taken: list[str]
    laid: list[str]
    choices: list[str]  # what may be pointed at next, where no move is asked for
    afresh: dict[str, str]  # what else may be, and the decisions from the turn's beginning


def selection(s: State, viewer: int) -> Selection:
    """The choices so far; `afresh` is for the one who decides alone."""
    return Selection(
        first=SPACE_NAMES[s.last] if s.node == Node.SWAP2 else None,
        taken=names(s.taken),
        laid=names(s.laid) if s.node == Node.LAY else [],
        choices=names(spaces(s)) if s.node not in MOVING else [],
        afresh=_afresh(s, viewer) if viewer == verbs.actor(s) else {},
    )


def _afresh(s: State, seat: int) -> dict[str, str]:
    if s.node not in (Node.SWAP2, Node.TAKE, Node.LAY):
        return {}
    begun = copy(s)
    before = _before(s, seat)
    call_off(begun)
    stage = _after(begun, seat, before)
    if stage is None:
        raise ValueError(f"no way leads to the node {s.node} by {before}")
    # Cards are laid only when taking them is done.
    if s.node == Node.LAY and stage.node == Node.TAKE:
        before.append(actions.DONE)
        verbs.apply(stage, seat, actions.DONE)
    afresh = {}
    for space in range(SPACES):
        if not spaces(s) >> space & 1:
            for steps in _pointing(s, space):
                if _after(stage, seat, steps) is not None:
                    afresh[SPACE_NAMES[space]] = "; ".join(
                        map(ACTION_TEXTS.format, [*before, *steps])
                    )
                    break
    return afresh


def _before(s: State, seat: int) -> list[int]:
    """The decisions that pointing at a space does not change."""
    if s.node == Node.SWAP2:
        return [actions.SWAP]
    taken = members(s.taken) if s.node == Node.LAY else []
    return [actions.REARRANGE, *(actions.TAKE + i for i in taken)]


def _pointing(s: State, space: int) -> list[list[int]]:
    """The decisions that pointing at a space may stand for; the first that is legal counts."""
    if s.node == Node.SWAP2:
        low, high = sorted((s.last, space))
        return [[] if low == high else [actions.EXCHANGE + low, actions.WITH + high]]
    if s.node == Node.TAKE:
        return [[actions.TAKE + i for i in members(s.taken ^ 1 << space)]]
    steps = [actions.LAY + i for i in members(s.laid ^ 1 << space)]
    return [steps, []] if s.laid >> space & 1 else [steps]


def _after(s: State, seat: int, steps: Sequence[int]) -> State | None:
    """The position after these decisions, or None if the rules forbid one of them."""
    s = copy(s)
    for action in steps:
        if verbs.forbids(s, seat, action):
            return None
        verbs.apply(s, seat, action)
    return s
