"""The pacts with the devil of COALS (C14, C15, C22)."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.coals.rules.state import PAY


@rule
def collects(s: Record, seat: int, finder: int) -> bool:
    """C14: whether a devil that `finder` turns brings this seat something."""
    return bool(seat != finder and s.pact[seat])


@rule
def pay_pacts(s: Record, finder: int) -> None:
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
def make_pacts(s: Record) -> None:
    """C22."""
    last, alone = s.space[0], 0
    for i in range(s.seats):
        last = min(last, s.space[i])
    for i in range(s.seats):
        alone += int(s.space[i] == last)
    for i in range(s.seats):
        s.pact[i] = int(s.space[i] == last and (alone == 1 or last == 0))
