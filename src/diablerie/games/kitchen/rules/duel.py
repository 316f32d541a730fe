"""Duels: K19 to K26."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.kitchen.rules.board import START
from diablerie.games.kitchen.rules.lookup import mine, neutral, seat_of, spared
from diablerie.games.kitchen.rules.state import DEVILS, JUMP, LOST, Duel, Node
from diablerie.games.kitchen.rules.turns import end_turn, go_on


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
    go_on(s)


@rule
def press(s: Record, outcome: int) -> None:
    """K21 to K23: odd bursts are the attacker's."""
    if outcome != JUMP:
        s.burst += 1
    elif s.burst % 2 == 1:
        lose(s, int(s.foe_colour), int(s.foe))
        s.duel = Duel.WON
        s.extra = 1
        go_on(s)
    else:
        lose(s, mine(s), int(s.mover))
        s.duel = Duel.LOST
        end_turn(s)


@rule
def lose(s: Record, colour: int, d: int) -> None:
    """K24; K26 for neutral devils, which have no caps and no owner."""
    stays = spared(s, colour, d) and seat_of(s, colour) < s.seats
    s.cap[colour, d] = 0
    s.devil[colour, d] = START[colour] if stays else LOST
