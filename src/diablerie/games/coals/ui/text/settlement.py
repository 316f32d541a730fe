"""How a round of COALS was settled, step by step: stakes, doubles, the two bonuses."""

from typing import NamedTuple

from diablerie.engine.record import Record
from diablerie.engine.text import Line, SeatRef, say
from diablerie.games.coals.rules.settling import bonus, prize

NO_MATCH = -1  # of coal or pieces: nobody has so much


class Share(NamedTuple):
    """What a settled round brought one seat, step by step."""

    stake: int
    back: int  # for the stake, the stake included
    most_coal: int
    most_pieces: int

    @property
    def double(self) -> bool:
        """Whether the stake was the highest, and paid twice (C18)."""
        return self.back > 2 * self.stake


def shares(after: Record) -> list[Share]:
    """Everybody's, as the rules pay, from what the state keeps of the round."""
    s = after.copy()
    s.stake[:], s.coal[:], s.pieces[:] = after.last_stake, after.last_coal, after.last_pieces
    best, most, highest = int(s.coal.max()), int(s.pieces.max()), int(s.stake.max())
    return [
        Share(
            int(s.stake[i]),
            int(prize(s, i, best, highest)),
            int(bonus(s, i, best, NO_MATCH)),
            int(bonus(s, i, NO_MATCH, most)),
        )
        for i in range(int(s.seats))
    ]


def settlement(after: Record) -> list[Line]:
    """The sentences."""
    found = list(enumerate(shares(after)))
    return [
        *(_stake(i, own.stake, own.back) for i, own in found if own.stake),
        *(_most_coal(i, own.most_coal) for i, own in found if own.most_coal),
        *(_most_pieces(i, own.most_pieces) for i, own in found if own.most_pieces),
    ]


def _stake(seat: int, stake: int, back: int) -> Line:
    """`back` is what came back, the stake included."""
    values = {"who": SeatRef(seat), "stake": stake, "won": back - stake}
    if back == 0:
        return say("{who}: a stake of {stake} was too high, and is lost.", "C17", **values)
    if back > 2 * stake:
        return say(
            "{who}: {stake} was the highest stake and brings double, {won}.", "C18", **values
        )
    return say("{who}: a stake of {stake} brings {won}.", "C17", **values)


def _most_coal(seat: int, paid: int) -> Line:
    return say("{who}: {paid} more for the most coal.", "C19", who=SeatRef(seat), paid=paid)


def _most_pieces(seat: int, paid: int) -> Line:
    return say("{who}: {paid} more for the most pieces.", "C19", who=SeatRef(seat), paid=paid)
