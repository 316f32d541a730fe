"""What KITCHEN's buttons say."""

from typing import Any

from diablerie.engine.game import Amount
from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.kitchen.rules.board import NAMES, SPACES
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import END, FIGHT, MENUS, MILK, MOVE, POT
from diablerie.games.kitchen.ui.text.words import POT_WORDS, SIGN_WORDS


def label(s: Record, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action < POT:
        cards = [say("milk") if value == MILK else str(value) for value in MENUS[action]]
        names = dict(zip("abcd", cards, strict=True))
        return say("flame {a}, eye {b}, bone {c}, star {d}", clause="K8", **names)
    if action < MOVE:
        sign, k = divmod(action - POT, len(SPACES))
        return say("Pot with {sign} on {place}", sign=SIGN_WORDS[sign], place=NAMES[SPACES[k]])
    if action < END:
        return _label_move(s, action)
    if action == END:
        return say("End the turn", clause="K13")
    if action == FIGHT:
        return say("Fight", clause="K21")
    return say("Refuse: back to the start", clause="K20")


def _label_move(s: Record, action: int) -> Line:
    devil, to, load = move_of(action)
    values: dict[str, Any] = {"number": devil + 1, "place": NAMES[to]}
    if load:
        values["pot"] = POT_WORDS[load - 1]
        if s.wings:
            return say("Fly devil {number} to {place} with {pot}", **values)
        return say("Devil {number} to {place} with {pot}", **values)
    if s.wings:
        return say("Fly devil {number} to {place}", **values)
    return say("Devil {number} to {place}", **values)


def amount(s: Record, seat: int) -> Amount | None:
    """Nothing in the kitchen is typed as a number."""
    return None
