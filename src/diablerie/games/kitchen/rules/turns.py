"""How turns and the game end: K13, K16, K29 to K33."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.kitchen.rules.board import START
from diablerie.games.kitchen.rules.lookup import colour_of, devils_left, mine, players_left
from diablerie.games.kitchen.rules.state import BANISHED, GOAL, LAST_TURN, MENU_SUM, MILK, Node


@rule
def roll(s: Record, one: int, other: int) -> None:
    """K13, K16."""
    s.dice[0] = one
    s.dice[1] = other
    s.points = one + other
    s.wings = int(one + other == 0)
    s.node = Node.MOVE


@rule
def go_on(s: Record) -> None:
    """After a move, refusal, duel won or delivery: on with the turn, or the next one."""
    s.node = Node.MOVE
    if s.points + s.extra == 0 or devils_left(s, mine(s)) == 0:
        end_turn(s)


@rule
def end_turn(s: Record) -> None:
    """The next player clockwise who has devils (K33), unless the turn was the last."""
    s.points = 0
    s.extra = 0
    s.wings = 0
    s.turns += 1
    if s.turns == LAST_TURN:
        most_points_win(s)
        return
    s.node = Node.ROLL
    for _ in range(s.seats):
        s.turn = (int(s.turn) + 1) % s.seats
        if devils_left(s, mine(s)) > 0:
            return


@rule
def deliver(s: Record, d: int, pot: int) -> None:
    """K29 to K31: the card lies open, the devil goes back or, for milk, out."""
    c = mine(s)
    s.score[c] += s.card[pot]
    s.devil[c, d] = BANISHED if s.card[pot] == MILK else START[c]
    end_if_decided(s)
    if s.node != Node.OVER:
        go_on(s)


@rule
def end_if_decided(s: Record) -> None:
    """K32, K33: whether a delivery has ended the game, and who has won it."""
    if s.score[mine(s)] >= GOAL:
        s.winner[s.turn] = 1
        s.node = Node.OVER
    elif players_left(s) == 1:
        for seat in range(s.seats):
            s.winner[seat] = int(devils_left(s, colour_of(s, seat)) > 0)
        s.node = Node.OVER
    elif not ten_possible(s):
        most_points_win(s)


@rule
def ten_possible(s: Record) -> bool:
    """K33 (3): whether a player with devils may still reach ten."""
    rest = undelivered(s)
    for seat in range(s.seats):
        c = colour_of(s, seat)
        if devils_left(s, c) > 0 and s.score[c] + rest >= GOAL:
            return True
    return False


@rule
def undelivered(s: Record) -> int:
    """The value of all pots not delivered. It is public, since every menu has the same sum."""
    rest = MENU_SUM * int(s.seats)
    for c in range(4):
        rest -= int(s.score[c])
    return rest


@rule
def most_points_win(s: Record) -> None:
    """K33: over all players; equal points share."""
    best = 0
    for c in range(4):
        best = max(best, int(s.score[c]))
    for seat in range(s.seats):
        s.winner[seat] = int(s.score[colour_of(s, seat)] == best)
    s.node = Node.OVER
