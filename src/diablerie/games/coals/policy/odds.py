"""The odds of COALS: they rest on the share of devils, and on the mean coal that is none.

So many more pieces are turned unburnt with probability (1 - share)^k, near enough.
"""

from diablerie.engine.chances import total
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.coals.rules.state import DEVIL, UNIT, VALUES

REACHING = 0.8  # how often a player goes as far as would be needed, who might be content with less


@rule
def safe(s: Record) -> float:
    """The chance that the next piece is no devil."""
    left = total(s.furnace)
    return 1.0 - s.furnace[DEVIL] / left if left > 0 else 0.0


@rule
def mean_coal(s: Record) -> float:
    """The mean value of the coals left that are no devils."""
    coal, count = 0, 0
    for kind in range(DEVIL):
        coal += int(s.furnace[kind]) * VALUES[kind]
        count += int(s.furnace[kind])
    return coal / count if count > 0 else float(UNIT)


@rule
def reach(s: Record, coal: float) -> float:
    """The chance of pulling so much coal in a row without waking a devil."""
    if coal <= 0.0:
        return 1.0
    return float(safe(s) ** max(1.0, coal / mean_coal(s)))


@rule
def somebody(s: Record, coal: float) -> float:
    """The chance that one of all brings out so much, before anybody has pulled."""
    return float(1.0 - (1.0 - reach(s, coal)) ** s.seats)


@rule
def to_come(s: Record) -> int:
    """How many players have still to pull after the one who does."""
    return (s.first - s.turn - 1) % s.seats


@rule
def expected_prize(s: Record, i: int, best: float, highest: int) -> float:
    """C17, C18 with players still to pull: the expected gain of seat i's stake.

    best: the best coal so far; highest: the round's highest stake.
    """
    stake = float(s.stake[i])
    luck = 1.0
    if stake > best:
        luck = 1.0 - (1.0 - REACHING * reach(s, stake)) ** to_come(s)
    double = 2.0 if s.stake[i] == highest else 1.0
    return luck * stake * double - (1.0 - luck) * stake
