"""Numbers that learning derives from a position of COALS: money towards the goal, pacts, odds."""

from diablerie.engine.compile import Floats32, rule
from diablerie.games.coals.policy.evaluation import mean_coal, progress, safe
from diablerie.games.coals.rules.state import (
    BEGIN,
    DEVIL,
    FULL,
    LAST_MARK,
    LAST_ROUND,
    MARKS,
    PAY,
    SECRET,
    UNIT,
    VALUES,
    Node,
    State,
)
from diablerie.values.features import Features

DERIVED = 22  # numbers
(
    MONEY, SQUARE, FOURTH, LOW, NOTHING,
    RIVAL, RIVAL_SQUARE, RIVAL_FOURTH, OTHERS,
    LEAD, LEAD_SQUARE, FIRST, CLOSE,
    PACT, PACTS, EARLY, ROUNDS,
    SAFE, COAL, PULLING, BUSTED, TO_PULL,
) = range(DERIVED)  # fmt: skip


@rule
def derive(s: State, seat: int, out: Floats32) -> None:
    """Write the numbers above as the seat knows them, money as a part of the goal.

    out: float32, at least DERIVED.
    """
    for k in range(DERIVED):
        out[k] = 0.0
    write_money(s, seat, out)
    out[PACT] = s.pact[seat]
    out[EARLY] = ((seat - s.first) % s.seats) / s.seats
    out[ROUNDS] = s.rounds / LAST_ROUND
    out[SAFE] = safe(s)
    out[COAL] = mean_coal(s) / 100.0
    if s.node == Node.PULL or s.node == Node.COAL:
        out[BUSTED] = s.busted[seat]
        out[PULLING] = 1.0
        out[TO_PULL] = (seat - s.first) % s.seats >= (s.turn - s.first) % s.seats


@rule
def write_money(s: State, seat: int, out: Floats32) -> None:
    """Money, the others', and who is ahead."""
    money = progress(s, seat)
    rival = 0.0
    for i in range(s.seats):
        if i != seat:
            theirs = progress(s, i)
            rival = max(rival, theirs)
            out[OTHERS] += theirs / (s.seats - 1)
            out[PACTS] += s.pact[i] / (s.seats - 1)
    out[MONEY] = money
    # Powers, too: the last part of the way to the goal counts more than the first.
    out[SQUARE] = money**2
    out[FOURTH] = money**4
    out[LOW] = min(1.0, s.chips[seat] / (4.0 * PAY))
    out[NOTHING] = s.chips[seat] < PAY
    out[RIVAL] = rival
    out[RIVAL_SQUARE] = rival**2
    out[RIVAL_FOURTH] = rival**4
    lead = money - rival
    out[LEAD] = lead
    out[LEAD_SQUARE] = lead * abs(lead)
    out[FIRST] = lead > 0.0
    out[CLOSE] = money >= 0.7


PIECES = (0, max(FULL))
COAL_SUM = sum(value * count for value, count in zip(VALUES, FULL, strict=True))
# A stake that is won is at most the coal (C17) and comes back threefold (C18); then C19 and C14
MONEY_RANGE = (0, LAST_MARK + 2 * COAL_SUM + 2 * PAY + FULL[DEVIL] * PAY)

FEATURES = Features(
    by_seat=frozenset(
        {"front", "busted", "pact", "space", "pieces", "coal", "stake", "chips", "purse"}
    ),
    seats=frozenset({"turn", "first"}),
    ranges={
        "seats": (2, 6),
        "turn": (0, 5),
        "first": (0, 5),
        "rounds": (0, LAST_ROUND),
        "mouth": (0, sum(FULL) - 1),
        "release": (0, 1),
        "marks": (0, LAST_MARK),
        "furnace": PIECES,
        "front": PIECES,
        "full": PIECES,
        "busted": (0, 1),
        "pact": (0, 1),
        "space": (0, 2 * MARKS),
        "pieces": (0, sum(FULL)),
        "coal": (0, COAL_SUM),
        "stake": (SECRET, LAST_MARK),
        "chips": MONEY_RANGE,
        "purse": MONEY_RANGE,
        "goal": (0, LAST_MARK),
        "step": (UNIT, BEGIN),
        "limit": (1, LAST_ROUND),
    },
    skip=frozenset({"last_stake", "last_coal", "last_pieces", "last_busted", "gain", "purses"}),
)
