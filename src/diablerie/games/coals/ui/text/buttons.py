"""What the buttons of COALS say, and the field for a stake."""

from diablerie.engine.game import Amount
from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.coals.rules.legality import most_tens
from diablerie.games.coals.rules.state import PULL, UNIT, Node

USUAL = 80  # where the slider stands: less than two sensible players bring out in most rounds


def label(s: Record, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action < PULL:
        return say("Stake {amount}", amount=action * UNIT, clause="C7")
    if action == PULL:
        return say("Pull a piece", clause="C10")
    return say("Stop with {coal}", coal=int(s.coal[seat]), clause="C11")


def amount(s: Record, seat: int) -> Amount | None:
    """A stake is typed or slid; None at other nodes."""
    if s.node != Node.BET:
        return None
    high = int(most_tens(s, seat)) * UNIT
    start = min(USUAL, (high // UNIT + 1) // 2 * UNIT)  # never more than half, rounded up
    doing = say("Stake {amount}", clause="C7", amount="{}")
    return Amount(0, high, UNIT, start, "bet {}", say("Your stake", clause="C7"), doing)
