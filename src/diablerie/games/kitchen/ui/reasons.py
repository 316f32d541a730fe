"""Why something cannot be done in KITCHEN, and what speaks for what can, each in one sentence."""

from diablerie.engine.text import Line, say, says
from diablerie.games.kitchen.rules.board import CELLS, DISTANCE, GRILL, SPACES
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.play import attackers_chance
from diablerie.games.kitchen.rules.state import (
    END,
    FIGHT,
    MILK,
    MOVE,
    POT,
    POTS,
    REFUSE,
    Node,
    State,
    colour_of,
    delivered,
    opposed,
)


def reason(s: State, seat: int, action: int) -> Line | None:
    """What a move gains, as far as the seat can know."""
    odds = round(100 * attackers_chance(s.stove))
    if action == FIGHT:
        return say("You win the duel {odds} times in 100.", "K21", odds=100 - odds)
    if action == REFUSE:
        return say("Your devil goes back to its start, and loses nothing else.", "K20")
    colour = int(colour_of(s, seat))
    if POT <= action < MOVE:
        return _away(int(DISTANCE[int(GRILL[colour]), SPACES[(action - POT) % len(SPACES)]]))
    if not MOVE <= action < END:
        return None
    _, to, load = move_of(action)
    if int(opposed(s, colour)) >> to & 1:
        return say("You win the duel {odds} times in 100.", "K21", odds=odds)
    return _carried(s, colour, to, load - 1) if load else _nearest(s, to)


def _nearest(s: State, to: int) -> Line | None:
    """How far a devil without a pot has to go to the next one that could be served."""
    pots = [pot for pot in range(POTS) if s.pot[pot] >= 0 and s.card[pot] != MILK]
    steps = [int(DISTANCE[int(s.pot[pot]), to]) for pot in pots if not delivered(s, pot)]
    left = min(steps, default=CELLS)
    if left == CELLS:
        return None
    if not left:
        return say("A pot stands there that this devil can carry.", "K17")
    return says(
        "The nearest pot to serve is then {n} step away.",
        "The nearest pot to serve is then {n} steps away.",
        left,
        "K17",
    )


def _carried(s: State, colour: int, to: int, pot: int) -> Line:
    """A pot that is served, or how far it has to go."""
    grill = int(GRILL[colour])
    card = int(s.card[pot])
    if to == grill:
        if card < 0:
            return say("It serves a pot: only its owner knows what is in it.", "K29")
        if card == MILK:
            return say("It is milk: the devil would be thrown out.", "K31")
        return says("It scores {n} point.", "It scores {n} points.", card, "K29")
    return _away(int(DISTANCE[grill, to]))


def _away(left: int) -> Line:
    return says(
        "The pot is then {n} step from your grill.",
        "The pot is then {n} steps from your grill.",
        left,
        "K27",
    )


SHORT = {
    "K4": say("Nobody can stand there."),
    "K5": say("No path leads there in one step."),
    "K8": say("The tray is filled once, at the beginning."),
    "K9": say("It is not your turn."),
    "K10": say("There is already a pot of this colour."),
    "K13": say("There are no movement points left."),
    "K14": say("No devil may enter a start or another player’s grill."),
    "K15": say("Two devils of one colour cannot stand together."),
    "K16": say("A flying devil must land on a cooking place without a devil of your own."),
    "K17": say("That pot is not where this devil is."),
    "K20": say("There is no duel to accept or refuse now."),
    "K22": say("Only the devil that won the duel may use the extra point."),
    "K24": say("This devil has lost a duel without a cap: it is out of the game."),
    "K27": say("You may enter your grill only with a pot to serve."),
    "K28": say("One of your first three pots must be another player’s."),
    "K31": say("This devil was thrown out of the kitchen."),
}
WALK_ON = say("Two devils of one colour cannot stand together: this one has to move on.")
NOT_YET = say("No devil moves yet: first the menus, then the pots.")
ALREADY = say("All pots are on the board, or it is not your turn to place one.")
IN_DUEL = say("The duel comes before any other move.")
HOME_ALONE = say(
    "A devil may go back to its own start, without a pot; nobody steps on other players’ starts or "
    "grills."
)


def refuse(s: State, action: int, clause: str) -> Line | None:
    """The sentence for an action that a clause forbids."""
    if clause == "K15" and (action == END or s.obliged >= 0):
        return WALK_ON
    if clause == "K14" and s.homing:
        return HOME_ALONE
    if clause == "K10" and s.node != Node.POT:
        return ALREADY
    if clause == "K13" and s.node in (Node.MENU, Node.POT):
        return NOT_YET
    if clause == "K13" and s.node != Node.MOVE:
        return IN_DUEL
    return SHORT.get(clause)
