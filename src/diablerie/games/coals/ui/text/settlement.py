"""How a round of COALS was settled, step by step: stakes, doubles, the two bonuses."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, Seat, say
from diablerie.games.coals.rules.settling import bonus, prize

NO_MATCH = -1  # of coal or pieces: nobody has so much


def settlement(after: Record) -> list[Line]:
    """The sentences, from what the state keeps of the round."""
    s = after.copy()
    s.stake[:], s.coal[:], s.pieces[:] = after.last_stake, after.last_coal, after.last_pieces
    best, most, highest = int(s.coal.max()), int(s.pieces.max()), int(s.stake.max())
    seats = range(int(s.seats))
    return [
        *(_stake(i, int(s.stake[i]), int(prize(s, i, best, highest))) for i in seats if s.stake[i]),
        *(_most_coal(i, paid) for i in seats if (paid := int(bonus(s, i, best, NO_MATCH)))),
        *(_most_pieces(i, paid) for i in seats if (paid := int(bonus(s, i, NO_MATCH, most)))),
    ]


def _stake(seat: int, stake: int, back: int) -> Line:
    """`back` is what came back, the stake included."""
    values = {"who": Seat(seat), "stake": stake, "won": back - stake}
    if back == 0:
        return say("{who}: a stake of {stake} was too high, and is lost.", "C17", **values)
    if back > 2 * stake:
        return say(
            "{who}: {stake} was the highest stake and brings double, {won}.", "C18", **values
        )
    return say("{who}: a stake of {stake} brings {won}.", "C17", **values)


def _most_coal(seat: int, paid: int) -> Line:
    return say("{who}: {paid} more for the most coal.", "C19", who=Seat(seat), paid=paid)


def _most_pieces(seat: int, paid: int) -> Line:
    return say("{who}: {paid} more for the most pieces.", "C19", who=Seat(seat), paid=paid)
