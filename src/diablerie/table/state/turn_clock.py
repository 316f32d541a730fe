"""Turn clocks: how long a decision may take at a table before a bot decides instead.

A table's `pace` is that many seconds, 0 for none. `TableSeat.due` is the moment, in seconds of
uptime (`table/storage/uptime_clock.py`), at which the seat's time is over; 0 while no clock runs for it.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from diablerie.bots.spec import parse_bot
from diablerie.engine.match import Match
from diablerie.engine.plies import PlyKind
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.text import Line, say, says
from diablerie.table.errors import BadInput
from diablerie.table.state.table_state import RUNNING, TableSeat, TableState
from diablerie.table.state.transitions import finished

log = logging.getLogger(__name__)
MINUTE_SECONDS = 60
HOUR_SECONDS = 3600
DAY_SECONDS = 24 * 3600
SHORTEST_TURN_SECONDS = MINUTE_SECONDS
LONGEST_TURN_SECONDS = 30 * DAY_SECONDS
USUAL_TURN_TIMES = (
    0,
    MINUTE_SECONDS,
    3 * MINUTE_SECONDS,
    10 * MINUTE_SECONDS,
    HOUR_SECONDS,
    12 * HOUR_SECONDS,
    DAY_SECONDS,
    3 * DAY_SECONDS,
    7 * DAY_SECONDS,
)
REPLACEMENT_BOTS = ("sensible", "random")  # the bots that decide; the second where the first fails
MOST_BOT_DECISIONS = 64  # decisions in a row


def checked_pace(pace: int) -> int:
    """The seconds of a turn clock, or 0. Raises BadInput."""
    if pace and not SHORTEST_TURN_SECONDS <= pace <= LONGEST_TURN_SECONDS:
        raise BadInput(say("A turn clock runs for at least a minute and at most 30 days."))
    return pace


def in_words(pace: int) -> Line:
    """The time of a turn clock of `pace` seconds in words."""
    if pace % DAY_SECONDS == 0:
        return says("{n} day", "{n} days", pace // DAY_SECONDS)
    if pace % HOUR_SECONDS == 0:
        return says("{n} hour", "{n} hours", pace // HOUR_SECONDS)
    return says("{n} minute", "{n} minutes", round(pace / MINUTE_SECONDS))


def timed(before: TableState, after: TableState, now: float) -> TableState:
    """The table after a change, with the deadlines of the seats that are to decide.

    `now` is in seconds of uptime.
    """
    seats = tuple(replace(info, due=_due(before, after, info, now)) for info in after.seats)
    return after if seats == after.seats else replace(after, seats=seats)


def _due(before: TableState, after: TableState, info: TableSeat, now: float) -> float:
    if info.driver or after.status != RUNNING or info.seat not in after.pending:
        return 0.0
    had = before.seats[info.seat].due
    fresh = after.plies[before.ply :]
    same = after.plies[-1].since <= before.ply  # nothing but secret decisions of others since
    decided = any(ply.seat == info.seat and ply.kind is PlyKind.MOVE for ply in fresh)
    return had if had and same and not decided else now + after.pace


def late(live: TableState, now: float) -> Sequence[int]:
    """The seats whose time is over at `now` (seconds of uptime)."""
    return [info.seat for info in live.seats if 0 < info.due <= now]


def overrun(live: TableState, seat: int, now: float, at: float, seed: int) -> TableState:
    """Let a bot decide for a seat whose time is over, until somebody else is to decide.

    `now` is in seconds of uptime, `at` is Unix time. Returns the same table if the seat's time is
    not over (any more).
    """
    if live.match is None or seat not in late(live, now):
        return live
    match = live.match.copy()
    match.note(PlyKind.DEADLINE, seat, at=at)
    for k in range(MOST_BOT_DECISIONS):
        match.play(_choice(live, match, seat, seed + k), seat, at)
        if match.pending != [seat]:
            break
    return finished(live, match, at)


def _choice(live: TableState, match: Match, seat: int, seed: int) -> str:
    seen = redacted(match.state, seat)
    for spec in REPLACEMENT_BOTS:
        try:
            action = parse_bot(spec).make(live.game).choose(seen, seat, seeded(seed))
            return live.game.notation.format_action(seen, seat, action)
        except Exception:
            if spec == REPLACEMENT_BOTS[-1]:
                raise
            log.exception("bot %s for seat %d of table %s", spec, seat, live.id)
    raise AssertionError
