"""How turns, duels and the game end: K13, K16, K19 to K26, K29 to K33."""

from diablerie.engine.compile import rule
from diablerie.games.kitchen.rules import state
from diablerie.games.kitchen.rules.board import START
from diablerie.games.kitchen.rules.state import (
    Duel,
    Node,
    State,
    Survivor,
    colour_of,
    devils_left,
    mine,
    neutral,
    players_left,
    seat_of,
    spared,
)


@rule
def roll(s: State, one: int, other: int) -> None:
    """K13, K16."""
    s.dice[0] = one
    s.dice[1] = other
    s.points = one + other
    s.wings = int(one + other == 0)
    s.node = Node.MOVE


@rule
def go_on(s: State) -> None:
    """After a move, refusal, duel won or delivery: on with the turn, or the next one."""
    s.node = Node.MOVE
    if s.points + s.extra == 0 or devils_left(s, mine(s)) == 0:
        end_turn(s)


@rule
def end_turn(s: State) -> None:
    """The next player clockwise who has devils (K33), unless the turn was the last."""
    s.points = 0
    s.extra = 0
    s.wings = 0
    s.turns += 1
    if s.turns == state.LAST_TURN:
        most_points_win(s)
        return
    s.node = Node.ROLL
    for _ in range(s.seats):
        s.turn = (int(s.turn) + 1) % s.seats
        if devils_left(s, mine(s)) > 0:
            return


@rule
def deliver(s: State, d: int, pot: int) -> None:
    """K29 to K31: the card lies open, the devil goes back or, for milk, out."""
    c = mine(s)
    s.score[c] += s.card[pot]
    s.devil[c, d] = state.BANISHED if s.card[pot] == state.MILK else START[c]
    end_if_decided(s)
    if s.node != Node.OVER:
        go_on(s)


@rule
def end_if_decided(s: State) -> None:
    """K32, K33: whether a delivery has ended the game, and who has won it."""
    if s.score[mine(s)] >= state.GOAL:
        s.winner[s.turn] = 1
        s.node = Node.OVER
    elif players_left(s) == 1 and s.survivor == Survivor.WINS:
        for seat in range(s.seats):
            s.winner[seat] = int(devils_left(s, colour_of(s, seat)) > 0)
        s.node = Node.OVER
    elif (players_left(s) == 1 and s.survivor == Survivor.POINTS) or not ten_possible(s):
        most_points_win(s)


@rule
def ten_possible(s: State) -> bool:
    """K33 (3): whether a player with devils may still reach ten."""
    rest = undelivered(s)
    for seat in range(s.seats):
        c = colour_of(s, seat)
        if devils_left(s, c) > 0 and s.score[c] + rest >= state.GOAL:
            return True
    return False


@rule
def undelivered(s: State) -> int:
    """The value of all pots not delivered. It is public, since every menu has the same sum."""
    rest = state.MENU_SUM * int(s.seats)
    for c in range(4):
        rest -= int(s.score[c])
    return rest


@rule
def most_points_win(s: State) -> None:
    """K33: over all players; equal points share."""
    best = 0
    for c in range(4):
        best = max(best, int(s.score[c]))
    for seat in range(s.seats):
        s.winner[seat] = int(s.score[colour_of(s, seat)] == best)
    s.node = Node.OVER


# -- duels (K19 to K26) ------------------------------------------------------------------------


@rule
def challenge(s: State, at: int) -> None:
    """K19; a neutral devil is not asked (K26)."""
    for c in range(4):
        for d in range(state.DEVILS):
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
def fight(s: State) -> None:
    """K21."""
    s.duel = Duel.FOUGHT
    s.burst = 1
    s.node = Node.STOVE


@rule
def refuse(s: State) -> None:
    """K20: back to the start, cap and all; the attacker goes on."""
    s.devil[s.foe_colour, s.foe] = START[s.foe_colour]
    s.duel = Duel.REFUSED
    go_on(s)


@rule
def press(s: State, outcome: int) -> None:
    """K21 to K23: odd bursts are the attacker's."""
    if outcome != state.JUMP:
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
def lose(s: State, colour: int, d: int) -> None:
    """K24; K26 for neutral devils, which have no caps and no owner."""
    stays = spared(s, colour, d) and seat_of(s, colour) < s.seats
    s.cap[colour, d] = 0
    s.devil[colour, d] = START[colour] if stays else state.LOST
