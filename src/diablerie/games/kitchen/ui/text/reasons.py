"""What speaks for a decision of KITCHEN: points, the odds of a duel, the way to the grill."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, say, says
from diablerie.games.kitchen.rules.board import DISTANCE, GRILL
from diablerie.games.kitchen.rules.chance import attackers_chance
from diablerie.games.kitchen.rules.lookup import colour_of, opposed
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import END, FIGHT, MILK, MOVE


def reason(s: Record, seat: int, action: int) -> Line | None:
    """What a move gains, as far as the seat can know."""
    odds = round(100 * attackers_chance(int(s.stove)))
    if action == FIGHT:
        return say("You win the duel {odds} times in 100.", "K21", odds=100 - odds)
    if not MOVE <= action < END:
        return None
    devil, to, load = move_of(action)
    colour = int(colour_of(s, seat))
    if int(opposed(s, colour)) >> to & 1:
        return say("You win the duel {odds} times in 100.", "K21", odds=odds)
    if not load:
        return None
    return _carried(s, colour, int(s.devil[colour, devil]), to, load - 1)


def _carried(s: Record, colour: int, at: int, to: int, pot: int) -> Line | None:
    """A pot that is served, or comes nearer."""
    grill, card = int(GRILL[colour]), int(s.card[pot])
    if to == grill:
        if card < 0:
            return say("It serves a pot: only its owner knows what is in it.", "K29")
        if card == MILK:
            return None
        return says("It serves {n} point.", "It serves {n} points.", card, "K29")
    left = int(DISTANCE[grill, to])
    if left >= int(DISTANCE[grill, at]):
        return None
    return says(
        "The pot is then {n} step from your grill.",
        "The pot is then {n} steps from your grill.",
        left,
        "K27",
    )
