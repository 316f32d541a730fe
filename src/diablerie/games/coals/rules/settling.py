"""How a round of COALS ends: bets, bonuses, pawns, pacts, the furnace, the game (C14 to C24)."""

from diablerie.engine.compile import Floats, rule
from diablerie.engine.shared_rules import total, winner_takes_all
from diablerie.games.coals.rules.state import (
    KINDS,
    LAST_MARK,
    MARKS,
    PAY,
    UNSET,
    Node,
    State,
)


@rule
def settle(s: State) -> None:
    """C17 to C24, in their order."""
    best = 0
    most = 0
    highest = 0
    for i in range(s.seats):
        best = max(best, int(s.coal[i]))
        most = max(most, int(s.pieces[i]))
        highest = max(highest, int(s.stake[i]))
    for i in range(s.seats):
        won = prize(s, i, best, highest) + bonus(s, i, best, most)
        s.gain[i] = won - s.stake[i]
        s.chips[i] += won
        s.last_stake[i] = s.stake[i]
        s.last_coal[i] = s.coal[i]
        s.last_pieces[i] = s.pieces[i]
        s.last_busted[i] = s.busted[i]
    end_round(s)


@rule
def prize(s: State, seat: int, best: int, highest: int) -> int:
    """C17, C18: what comes back for the stake, the stake included."""
    stake = int(s.stake[seat])
    if stake > best:
        return 0
    return stake * (3 if stake == highest else 2)


@rule
def bonus(s: State, seat: int, best: int, most: int) -> int:
    """C19."""
    if s.pieces[seat] == 0:
        return 0
    return PAY * int(s.coal[seat] == best) + PAY * int(s.pieces[seat] == most)


@rule
def end_round(s: State) -> None:
    """C20, C21, C24; else the next round."""
    done = s.rounds == s.limit
    for i in range(s.seats):
        s.stake[i] = UNSET
        s.space[i] = space_of(s, s.chips[i])
        done |= s.chips[i] >= s.goal
    if done:
        s.node = Node.OVER
        return
    make_pacts(s)
    clear(s)
    s.rounds += 1
    s.first = (s.first + 1) % s.seats  # C6
    s.node = Node.BET


@rule
def clear(s: State) -> None:
    """C23."""
    refill = total(s.furnace) <= s.mouth
    for kind in range(KINDS):
        if refill:
            s.furnace[kind] = s.full[kind]
        for i in range(s.seats):
            s.front[i, kind] = 0
    for i in range(s.seats):
        s.busted[i] = 0
        s.coal[i] = 0
        s.pieces[i] = 0


@rule
def returns(s: State, out: Floats) -> None:
    """The verb: the highest total wins (C21)."""
    winner_takes_all(s.chips, s.seats, out)


# -- pacts with the devil ----------------------------------------------------------------------


@rule
def collects(s: State, seat: int, finder: int) -> bool:
    """C14: whether a devil that `finder` turns brings this seat something."""
    return bool(seat != finder and s.pact[seat])


@rule
def pay_pacts(s: State, finder: int) -> None:
    """C14, clockwise from the finder; C15 under the option."""
    paid = False
    for i in range(1, s.seats):
        seat = (finder + i) % s.seats
        if collects(s, seat, finder):
            if s.purse[finder] >= PAY:
                s.purse[finder] -= PAY
                s.chips[finder] -= PAY
            s.chips[seat] += PAY
            paid = True
    if paid and s.release:
        for i in range(s.seats):
            s.pact[i] = 0


@rule
def make_pacts(s: State) -> None:
    """C22."""
    last = s.space[0]
    alone = 0
    for i in range(s.seats):
        last = min(last, s.space[i])
    for i in range(s.seats):
        alone += int(s.space[i] == last)
    for i in range(s.seats):
        s.pact[i] = int(s.space[i] == last and (alone == 1 or last == 0))


# -- the track ---------------------------------------------------------------------------------


@rule
def space_of(s: State, total: int) -> int:
    """C4: the pawn's space for a total, numbered as in `State.space`."""
    if total <= 50:
        return 0
    for i in range(MARKS):
        if total == s.marks[i] or s.marks[i] == LAST_MARK <= total:
            return 2 * i + 2
        if total < s.marks[i]:
            return 2 * i + 1
    return 0
