"""Duels: K19 to K26."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.kitchen.rules.board import START
from diablerie.games.kitchen.rules.lookup import devils_left, mine, seat_of
from diablerie.games.kitchen.rules.state import DEVILS, JUMP, LOST, Duel, Node
from diablerie.games.kitchen.rules.turns import end_turn, settle


@rule
def challenge(s: Record, at: int) -> None:
    """K19; a neutral devil is not asked (K26)."""
    for c in range(4):
        for d in range(DEVILS):
            if c != mine(s) and s.devil[c, d] == at:
                s.foe_colour = c
                s.foe = d
    s.attacker = s.turn
    s.fighter = s.mover
    s.burst = 0
    s.duel = Duel.ASKED
    s.node = Node.DEFEND
    if neutral(s):
        fight(s)


@rule
def neutral(s: Record) -> bool:
    """Whether the challenged devil belongs to nobody (K12)."""
    return seat_of(s, int(s.foe_colour)) >= s.seats


@rule
def defender(s: Record) -> int:
    """The seat that presses for the challenged devil: its owner, or for a neutral one K26."""
    if neutral(s):
        return (int(s.attacker) + 1) % s.seats
    return seat_of(s, int(s.foe_colour))


@rule
def fight(s: Record) -> None:
    """K21."""
    s.duel = Duel.FOUGHT
    s.burst = 1
    s.node = Node.STOVE


@rule
def refuse(s: Record) -> None:
    """K20: back to the start, cap and all; the attacker goes on."""
    s.devil[s.foe_colour, s.foe] = START[s.foe_colour]
    s.duel = Duel.REFUSED
    settle(s)


@rule
def jump_chance(s: Record) -> float:
    """K3, K21: the probability that the Oberteufel jumps during the coming burst."""
    calm = 1.0
    for _ in range(s.burst):
        calm *= 1.0 - 1.0 / float(s.stove)
    return 1.0 - calm


@rule
def press(s: Record, outcome: int) -> None:
    """K21 to K23: odd bursts are the attacker's."""
    if outcome != JUMP:
        s.burst += 1
    elif s.burst % 2 == 1:
        lose(s, int(s.foe_colour), int(s.foe))
        s.duel = Duel.WON
        s.extra = 1
        settle(s)
    else:
        lose(s, mine(s), int(s.mover))
        s.duel = Duel.LOST
        end_turn(s)


@rule
def lose(s: Record, colour: int, d: int) -> None:
    """K24; K26 for neutral devils, which have no caps and no owner."""
    spared = s.cap[colour, d] == 1 or devils_left(s, colour) == 1
    if seat_of(s, colour) >= s.seats:
        spared = False
    s.cap[colour, d] = 0
    s.devil[colour, d] = START[colour] if spared else LOST


def attackers_chance(stove: int) -> float:
    """The probability that the attacker wins a duel."""
    wins, calm = 0.0, 1.0
    for burst in range(1, 400):
        quiet = (1 - 1 / stove) ** burst
        if burst % 2:
            wins += calm * (1 - quiet)
        calm *= quiet
    return wins
